import Synchronization

/// Counts up, from any thread.
package final class Counter: Sendable {
  private let value = Atomic<Int64>(0)

  package init() {}

  package func next() -> Int64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
