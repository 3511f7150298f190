import Synchronization

/// An activity that can be stopped.
public protocol Cancellable {
  func cancel()
}

/// A publisher's connection to one subscriber. The subscriber uses it to request values and to cancel.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

/// A receiver of values. It gets a subscription, then at most as many values as it requested, then at most one
/// completion.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  /// Returns the additional demand, on top of the earlier demand.
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// A source of values over time.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  public func subscribe(_ subscriber: some Subscriber<Output, Failure>) { receive(subscriber: subscriber) }

  /// Sends all events of this publisher to the subject, until the result is cancelled or released.
  public func subscribe(_ subject: some Subject<Output, Failure>) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      start: subject.send(subscription:), receiveCompletion: subject.send(completion:), receiveValue: subject.send(_:))
    subscribe(sink)
    return AnyCancellable(sink)
  }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher that sends the values passed to it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  func send(_ value: Output)
  func send(completion: Subscribers.Completion<Failure>)
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  public func send() { send(()) }
}

/// A publisher that sends nothing until it is connected.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  func connect() -> any Cancellable
}

/// The namespace of the operators' types.
public enum Publishers {}

/// Identifies a subscription or a subscriber.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private static let last = Atomic<UInt>(0)
  private let value: UInt

  /// Creates an identifier that differs from all others created by this initializer.
  public init() { value = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Creates an identifier that is unique among objects while this object exists.
  public init(_ object: AnyObject) { value = UInt(bitPattern: ObjectIdentifier(object)) }

  public var description: String { "0x" + String(value, radix: 16) }
}

public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
