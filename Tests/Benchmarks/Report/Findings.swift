import Foundation

/// The results of a benchmark.
struct Findings: Sendable {
  var figures: [Figure] = []
  /// Skipped parts with the reasons, and other facts needed to read the figures.
  var notes: [String] = []

  static func skipped(_ reason: String) -> Findings { Findings(notes: ["skipped: " + reason]) }
}

/// A benchmark's findings with its name, for the printers.
struct BenchmarkResult: Sendable {
  var name: String
  var summary: String
  var findings: Findings
}

/// The unit of a figure.
enum MeasuredUnit: String, Sendable {
  case milliseconds = "ms"
  case microseconds = "µs"
  case perSecond = "/s"
  case megabytes = "MB"
  case bytes = "bytes"

  /// Formats a value with about three significant digits.
  func text(_ value: Double) -> String {
    let decimals = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
    return String(format: "%.\(self == .bytes ? 0 : decimals)f", value)
  }
}

/// Repeated measurements of one quantity.
struct Samples: Sendable {
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var count: Int { sorted.count }
  var median: Double { quantile(0.5) }
  var lowerQuartile: Double { quantile(0.25) }
  var upperQuartile: Double { quantile(0.75) }
  var largest: Double { sorted.last ?? .nan }

  /// The quantile, interpolated between two measurements.
  func quantile(_ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let position = share * Double(last)
    let below = Int(position)
    return sorted[below] + (sorted[min(below + 1, last)] - sorted[below]) * (position - Double(below))
  }

  func map(_ transform: (Double) -> Double) -> Samples { Samples(sorted.map(transform)) }
}
