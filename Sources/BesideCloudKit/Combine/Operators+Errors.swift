/// Operators that replace errors, and the one that observes events without changing them.
extension Publishers {
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    public typealias Output = Upstream.Output
    public let upstream: Upstream
    public let transform: (Upstream.Failure) -> Failure

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber, { .pass($0) }, completion: { $0.mapError(transform) })
    }
  }

  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
    public typealias Output = Upstream.Output
    public let upstream: Upstream

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber, { .pass($0) }, completion: { _ in .finished })
    }
  }

  /// Replaces an error by a value and finishes.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never
    public let upstream: Upstream
    public let output: Output

    public func receive(subscriber: some Subscriber<Output, Never>) {
      upstream.catch { _ in Just(output) }.receive(subscriber: subscriber)
    }
  }

  /// Replaces an error by another publisher, which gets the remaining demand.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where NewPublisher.Output == Upstream.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure
    public let upstream: Upstream
    public let handler: (Upstream.Failure) -> NewPublisher

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      conduit.attach(upstream, .forwarded) { end in
        switch end {
        case .finished: conduit.finish(.finished)
        case .failure(let error): conduit.attach(handler(error), .forwarded) { conduit.finish($0) }
        }
      }
      conduit.open()
    }
  }

  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let receiveSubscription: ((any Subscription) -> Void)?
    public let receiveOutput: ((Output) -> Void)?
    public let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    public let receiveCancel: (() -> Void)?
    public let receiveRequest: ((Subscribers.Demand) -> Void)?

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { value in
        receiveOutput?(value)
        return .pass(value)
      } completion: { end in
        receiveCompletion?(end)
        return end
      } prepare: { conduit in
        conduit.onRequest = receiveRequest
        conduit.onCancel = receiveCancel
        receiveSubscription?(conduit)
      }
    }
  }
}

extension Publisher {
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform: transform)
  }

  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }

  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output { Publishers.Catch(upstream: self, handler: handler) }

  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}

extension Publisher where Failure == Never {
  public func setFailureType<E: Error>(to type: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}
