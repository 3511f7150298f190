import Foundation

/// What a benchmark found out.
struct Findings: Sendable {
  var figures: [Figure] = []
  /// What was left out and why, and whatever else one has to know to read the figures.
  var notes: [String] = []

  static func skipped(_ reason: String) -> Findings { Findings(notes: ["skipped: " + reason]) }
}

/// A benchmark's findings, for the printers.
struct BenchmarkResult: Sendable {
  var name: String
  var summary: String
  var findings: Findings
}

/// What a figure counts.
enum MeasuredUnit: String, Sendable {
  case milliseconds = "ms"
  case microseconds = "µs"
  case perSecond = "/s"
  case megabytes = "MB"
  case bytes = "bytes"

  /// About three digits that matter.
  func text(_ value: Double) -> String {
    let decimals = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
    return String(format: "%.\(self == .bytes ? 0 : decimals)f", value)
  }
}

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
