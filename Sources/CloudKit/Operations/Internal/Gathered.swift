import Synchronization

/// Values that blocks hand in one by one.
final class Gathered<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  func append(_ value: Value) {
    list.withLock { $0.append(value) }
  }

  var values: [Value] { list.withLock { $0 } }
}

/// The results of items, each under what the app named it by.
final class GatheredResults<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let dictionary = Mutex<[Key: Result<Value, any Error>]>([:])

  /// The block that hands a result in.
  var block: @Sendable (Key, Result<Value, any Error>) -> Void {
    { key, result in self.dictionary.withLock { $0[key] = result } }
  }

  var values: [Key: Result<Value, any Error>] { dictionary.withLock { $0 } }
}
