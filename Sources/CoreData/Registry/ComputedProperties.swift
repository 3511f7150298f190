import Synchronization

/// Registers a computed property of a program's class, so that a predicate, a sort descriptor or `value(forKey:)` may
/// name it. Generated code calls this when the program is loaded.
///
/// `get` is isolated to the main actor, so that it may read properties of classes that are. It is called on the queue
/// of the object's context, as `value(forKey:)` is.
public func _registerComputedProperty(
  _ type: @escaping @Sendable () -> AnyClass, _ key: String, _ get: @escaping @Sendable @MainActor (AnyObject) -> Any?
) {
  ComputedProperties.add(type, key, unsafeBitCast(get, to: (@Sendable (AnyObject) -> Any?).self))
}

/// Properties of classes by name. Swift has no lookup for them at run time.
enum ComputedProperties {
  private typealias Getter = @Sendable (AnyObject) -> Any?

  private typealias Registration = (type: @Sendable () -> AnyClass, key: String, get: Getter)

  private static let pending = PendingRegistrations<Registration>()
  private static let getters = Mutex<[ObjectIdentifier: [String: Getter]]>([:])

  static func add(
    _ type: @escaping @Sendable () -> AnyClass, _ key: String, _ get: @escaping @Sendable (AnyObject) -> Any?
  ) {
    pending.add((type, key, get))
  }

  /// The value of an object's property (it may be nil); `.none` if neither the class nor a superclass has the property.
  static func value(of object: AnyObject, _ key: String) -> Any?? {
    guard let get = getter(of: type(of: object), key) else { return .none }
    return .some(get(object))
  }

  private static func getter(of type: AnyClass, _ key: String) -> Getter? {
    pending.learn { registrations in
      for (type, key, get) in registrations {
        let id = ObjectIdentifier(type())
        getters.withLock { $0[id, default: [:]][key] = get }
      }
    }
    return getters.withLock { getters in
      sequence(first: type, next: { _getSuperclass($0) }).lazy.compactMap { getters[ObjectIdentifier($0)]?[key] }.first
    }
  }
}
