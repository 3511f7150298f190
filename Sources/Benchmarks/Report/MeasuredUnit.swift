import Foundation

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
