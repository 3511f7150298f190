/// The namespace of subscribers' types.
public enum Subscribers {
  /// How a publisher ended.
  @frozen public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }

  /// How many values a subscriber wants.
  @frozen public struct Demand: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Nil: any number.
    private let count: Int?

    private init(count: Int?) { self.count = count }

    public static let unlimited = Demand(count: nil)
    public static let none = Demand(count: 0)

    public static func max(_ value: Int) -> Demand {
      // Not a precondition: optimized builds leave out its message.
      guard value >= 0 else { fatalError("A demand cannot be negative") }
      return Demand(count: value)
    }

    /// The number; nil for any number.
    public var max: Int? { count }

    public static func + (left: Demand, right: Demand) -> Demand {
      guard let a = left.count, let b = right.count else { return .unlimited }
      let (sum, isTooMany) = a.addingReportingOverflow(b)
      return isTooMany ? .unlimited : Demand(count: sum)
    }

    public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }

    /// The result is at least zero.
    public static func - (left: Demand, right: Demand) -> Demand {
      guard let b = right.count else { return .none }
      guard let a = left.count else { return .unlimited }
      return Demand(count: Swift.max(0, a - b))
    }

    public static func - (left: Demand, right: Int) -> Demand { left - .max(right) }
    public static func += (left: inout Demand, right: Demand) { left = left + right }
    public static func += (left: inout Demand, right: Int) { left = left + right }
    public static func -= (left: inout Demand, right: Demand) { left = left - right }
    public static func -= (left: inout Demand, right: Int) { left = left - right }

    public static func < (left: Demand, right: Demand) -> Bool {
      guard let a = left.count else { return false }
      guard let b = right.count else { return true }
      return a < b
    }

    public static func == (left: Demand, right: Int) -> Bool { left.count == right }
    public static func > (left: Demand, right: Int) -> Bool { left > .max(right) }

    public var description: String { count.map { "max(\($0))" } ?? "unlimited" }
  }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

/// Subscriptions without a publisher behind them.
public enum Subscriptions {
  /// For publishers that completed before they were subscribed to.
  public static var empty: any Subscription { Ended() }

  private final class Ended: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}
