import Foundation

/// A property of a class that announces its new value before it is set: to the subscribers of its `$` publisher and, if
/// the object is an ``ObservableObject``, to those of its `objectWillChange`.
@propertyWrapper public struct Published<Value> {
  private var box: PublishedBox<Value>

  public init(wrappedValue: Value) { box = PublishedBox(wrappedValue) }

  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("@Published is only available on properties of classes") }
    set { fatalError("@Published is only available on properties of classes") }
  }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var projectedValue: Publisher {
    get { fatalError("@Published is only available on properties of classes") }
    set { fatalError("@Published is only available on properties of classes") }
  }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storage].box.value }
    set { object[keyPath: storage].box.set(newValue, of: object) }
  }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    projected projected: ReferenceWritableKeyPath<EnclosingSelf, Publisher>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Publisher {
    get {
      let box = object[keyPath: storage].box
      // Values that are assigned to the publisher notify this object's subscribers.
      box.belongs(to: object)
      return Publisher(box: box)
    }
    set {
      // `assign(to: &$property)` writes the same box back, so the setter does nothing in that case.
      guard object[keyPath: storage].box !== newValue.box else { return }
      object[keyPath: storage].box = newValue.box
    }
  }

  /// Sends the value of the property, and each new one before it is set.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    let box: PublishedBox<Value>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      box.core.receive(subscriber: subscriber)
    }
  }
}

/// The storage of the value: a reference type, so that subscribers reach it without the property.
final class PublishedBox<Value> {
  /// Its current value is already the new one while subscribers are notified.
  let core: SubjectCore<Value, Never>
  private let lock = NSLock()
  private var held: Value
  private weak var owner: AnyObject?
  /// The publishers that are assigned to the property. They are cancelled with it.
  private var assigned: [any Subscription] = []

  init(_ value: Value) {
    held = value
    core = SubjectCore(current: value)
  }

  deinit { for subscription in assigned { subscription.cancel() } }

  var value: Value { lock.withLock { held } }

  func belongs(to object: AnyObject) { lock.withLock { owner = object } }

  func set(_ value: Value, of object: AnyObject?) {
    if let object { ObservableObjectPublisher.existing(of: object)?.send() }
    core.send(value, keeps: true)
    // If several threads set the value, or a subscriber sets it again, the value sent last is stored. The previous
    // value is released outside the lock, because its deinitializer may run any code.
    let newest = core.value ?? value
    let previous = lock.withLock { () -> Value in
      defer { held = newest }
      return held
    }
    withExtendedLifetime(previous) {}
  }

  func assign(_ value: Value) {
    let object = lock.withLock { owner }
    set(value, of: object)
  }

  func keep(_ subscription: any Subscription) { lock.withLock { assigned.append(subscription) } }

  func drop(_ subscription: any Subscription) {
    lock.withLock { assigned.removeAll { $0.combineIdentifier == subscription.combineIdentifier } }
  }
}

extension Combine.Publisher where Failure == Never {
  /// Sets the property to each value, until this publisher completes or the property is released.
  public func assign(to published: inout Published<Output>.Publisher) { subscribe(Assignment(published.box)) }
}

/// Writes values to a property without holding a strong reference to it.
private final class Assignment<Value>: Subscriber {
  private weak var box: PublishedBox<Value>?
  private let lock = NSLock()
  private var subscription: (any Subscription)?

  init(_ box: PublishedBox<Value>) { self.box = box }

  func receive(subscription: any Subscription) {
    guard let box else { return subscription.cancel() }
    lock.withLock { self.subscription = subscription }
    box.keep(subscription)
    subscription.request(.unlimited)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    box?.assign(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    let ended = lock.withLock { () -> (any Subscription)? in
      defer { subscription = nil }
      return subscription
    }
    if let ended { box?.drop(ended) }
  }
}
