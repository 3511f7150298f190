import Synchronization

/// Counts up, from any thread.
package final class Counter: Sendable {
  private let value = Atomic<Int64>(0)

  package init() {}

  package func next() -> Int64 { add(1) }

  package func add(_ number: Int) -> Int64 { value.wrappingAdd(Int64(number), ordering: .relaxed).newValue }
}
