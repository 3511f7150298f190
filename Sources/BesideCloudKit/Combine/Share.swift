import Foundation

extension Publishers {
  /// Shares one upstream subscription among all subscribers. It begins at `connect()`.
  public final class Multicast<Upstream: Publisher, Relay: Subject>: ConnectablePublisher
  where Relay.Output == Upstream.Output, Relay.Failure == Upstream.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    private let upstream: Upstream
    private let subject: Relay

    init(_ upstream: Upstream, _ subject: Relay) {
      self.upstream = upstream
      self.subject = subject
    }

    public func connect() -> any Cancellable { upstream.subscribe(subject) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      subject.receive(subscriber: subscriber)
    }
  }

  /// Connects the upstream while there are subscribers.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    private let lock = NSLock()
    private var count = 0
    private var connection: (any Cancellable)?

    init(_ upstream: Upstream) { self.upstream = upstream }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let isFirst = lock.withLock {
        count += 1
        return count == 1
      }
      upstream.handleEvents(
        receiveCompletion: { _ in self.leave() }, receiveCancel: { self.leave() }
      ).subscribe(subscriber)
      guard isFirst else { return }
      let new = upstream.connect()
      // The only subscriber may have cancelled since then.
      let isNeeded = lock.withLock {
        if count > 0 { connection = new }
        return count > 0
      }
      if !isNeeded { new.cancel() }
    }

    private func leave() {
      let unneeded = lock.withLock { () -> (any Cancellable)? in
        count -= 1
        guard count == 0 else { return nil }
        defer { connection = nil }
        return connection
      }
      unneeded?.cancel()
    }
  }

  /// Shares one upstream subscription among all subscribers, from the first one until the last one cancels.
  public final class Share<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    private let connected: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    init(_ upstream: Upstream) { connected = upstream.multicast(subject: PassthroughSubject()).autoconnect() }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      connected.receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure { Publishers.Multicast(self, subject) }

  public func share() -> Publishers.Share<Self> { Publishers.Share(self) }
}

extension ConnectablePublisher {
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(self) }
}
