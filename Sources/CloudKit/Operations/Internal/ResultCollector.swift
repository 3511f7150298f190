import Synchronization

/// Collects values that blocks pass one by one.
final class ResultCollector<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  func append(_ value: Value) {
    list.withLock { $0.append(value) }
  }

  var values: [Value] { list.withLock { $0 } }
}

/// Collects the results of items by the keys that the app used.
final class CollectedResults<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let dictionary = Mutex<[Key: Result<Value, any Error>]>([:])

  /// A block that adds a result.
  var block: @Sendable (Key, Result<Value, any Error>) -> Void {
    { key, result in self.dictionary.withLock { $0[key] = result } }
  }

  var values: [Key: Result<Value, any Error>] { dictionary.withLock { $0 } }
}
