import Foundation

/// The value that a figure should reach.
enum Mark: Sendable {
  /// Limits the ratio of the figure to its comparison.
  case ratioAtMost(Double)
  case ratioAtLeast(Double)
  case valueBelow(Double)

  var limit: Double {
    switch self {
    case .ratioAtMost(let limit), .ratioAtLeast(let limit), .valueBelow(let limit): limit
    }
  }

  var isOfRatio: Bool {
    if case .valueBelow = self { false } else { true }
  }

  var sign: String {
    switch self {
    case .ratioAtMost: "≤"
    case .ratioAtLeast: "≥"
    case .valueBelow: "<"
    }
  }

  func isMet(value: Double, ratio: Double?) -> Bool {
    switch self {
    case .ratioAtMost(let limit): (ratio ?? .infinity) <= limit
    case .ratioAtLeast(let limit): (ratio ?? 0) >= limit
    case .valueBelow(let limit): value < limit
    }
  }

  var text: String { "\(sign) \(String(format: "%g", limit))" }
}
