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

    public func receive(subscriber: some Subscriber<Value, Never>) {
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
  /// The subscriptions of publishers that are assigned to the property. They end with it.
  private var assigned: [CombineIdentifier: AnyCancellable] = [:]

  init(_ value: Value) {
    held = value
    core = SubjectCore(current: value)
  }

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

  /// Retains the subscription while the property exists; nil releases it.
  func keep(_ subscription: AnyCancellable?, as identifier: CombineIdentifier) {
    let previous = lock.withLock { () -> AnyCancellable? in
      defer { assigned[identifier] = subscription }
      return assigned[identifier]
    }
    withExtendedLifetime(previous) {}
  }
}

extension Combine.Publisher where Failure == Never {
  /// Sets the property to each value, until this publisher completes or the property is released.
  public func assign(to published: inout Published<Output>.Publisher) {
    let identifier = CombineIdentifier()
    let sink = Subscribers.Sink<Output, Never> { [weak box = published.box] _ in
      box?.keep(nil, as: identifier)
    } receiveValue: { [weak box = published.box] value in
      box?.assign(value)
    }
    published.box.keep(AnyCancellable(sink), as: identifier)
    subscribe(sink)
  }
}
