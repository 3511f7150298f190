import Synchronization

/// Makes a property known that a program's class computes, and a predicate, a sort descriptor or `value(forKey:)` may name.
/// Generated code calls this when the program is loaded.
///
/// `get` is of the main actor, so that it may read properties of classes that are. It is called on the queue of the
/// object's context, as `value(forKey:)` is.
public func _registerComputedProperty(
  _ type: @escaping @Sendable () -> AnyClass, _ key: String, _ get: @escaping @Sendable @MainActor (AnyObject) -> Any?
) {
  ComputedProperties.add(type, key, unsafeBitCast(get, to: (@Sendable (AnyObject) -> Any?).self))
}

/// Properties of classes by their names, which nothing tells at run time.
enum ComputedProperties {
  private typealias Getter = @Sendable (AnyObject) -> Any?

  private struct State {
    var pending: [(type: @Sendable () -> AnyClass, key: String, get: Getter)] = []
    var getters: [ObjectIdentifier: [String: Getter]] = [:]
  }

  // Made at the first use, which may be before `main`: it has to do with nothing but the standard library.
  private static let state = Mutex(State())

  static func add(
    _ type: @escaping @Sendable () -> AnyClass, _ key: String, _ get: @escaping @Sendable (AnyObject) -> Any?
  ) {
    state.withLock { $0.pending.append((type, key, get)) }
  }

  /// The value of an object's property, which may be nil; `.none` if its class has no such property, nor one above it.
  static func value(of object: AnyObject, _ key: String) -> Any?? {
    guard let get = getter(of: type(of: object), key) else { return .none }
    return .some(get(object))
  }

  private static func getter(of type: AnyClass, _ key: String) -> Getter? {
    learnPending()
    var next: AnyClass? = type
    while let type = next {
      let id = ObjectIdentifier(type)
      if let get = state.withLock({ $0.getters[id]?[key] }) { return get }
      next = _getSuperclass(type)
    }
    return nil
  }

  /// Held while pending classes are looked at, so that nobody looks for a property in between. Registering does not need
  /// it.
  private static let learning = Mutex(())

  private static func learnPending() {
    learning.withLock { _ in
      let pending = state.withLock { state in
        defer { state.pending = [] }
        return state.pending
      }
      for (type, key, get) in pending {
        let id = ObjectIdentifier(type())
        state.withLock { $0.getters[id, default: [:]][key] = get }
      }
    }
  }
}
