/// Repeated measurements of one thing.
struct Samples: Sendable {
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var count: Int { sorted.count }
  var median: Double { quantile(0.5) }
  var lowerQuartile: Double { quantile(0.25) }
  var upperQuartile: Double { quantile(0.75) }
  var largest: Double { sorted.last ?? .nan }

  /// Between two measurements where it falls between them.
  func quantile(_ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = share * Double(last)
    let below = Int(place)
    return sorted[below] + (sorted[min(below + 1, last)] - sorted[below]) * (place - Double(below))
  }

  func map(_ transform: (Double) -> Double) -> Samples { Samples(sorted.map(transform)) }
}
