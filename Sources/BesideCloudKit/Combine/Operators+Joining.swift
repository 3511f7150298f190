/// Operators with several sources.
extension Publishers {
  /// The values of several publishers of one type, in the order of arrival.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let publishers: [Upstream]

    public init(_ upstream: Upstream...) { publishers = upstream }
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      for publisher in publishers { conduit.attach(publisher, .balanced) { conduit.join($0) } }
      conduit.open(joining: true)
    }
  }

  /// The values of two publishers, in the order of arrival.
  public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
    public typealias Output = A.Output
    public typealias Failure = A.Failure
    public let a: A
    public let b: B

    public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
    }
  }

  /// The values of three publishers, in the order of arrival.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
    public typealias Output = A.Output
    public typealias Failure = A.Failure
    public let a: A
    public let b: B
    public let c: C

    public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher())
        .receive(subscriber: subscriber)
    }
  }

  /// The newest values of two publishers. It sends a pair once both have sent a value, and again for each later value.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B

    public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      var newest: (a: A.Output?, b: B.Output?)
      func append(from source: Conduit<Output, Failure>.Source, after change: () -> Void) {
        // The previous values are returned so that they are released outside the lock.
        conduit.update { () -> (a: A.Output?, b: B.Output?) in
          let previous = newest
          change()
          if let a = newest.a, let b = newest.b { conduit.append((a, b), from: source) } else { conduit.skip(source) }
          return previous
        }
      }
      conduit.attach(a, .balanced) { source, value in
        append(from: source) { newest.a = value }
      } completion: {
        conduit.join($0)
      }
      conduit.attach(b, .balanced) { source, value in
        append(from: source) { newest.b = value }
      } completion: {
        conduit.join($0)
      }
      conduit.open(joining: true)
    }
  }

  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B
    public let c: C

    public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }.subscribe(subscriber)
    }
  }

  /// Pairs the values of two publishers by their position.
  public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B

    public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      var waiting: (a: Queue<A.Output>, b: Queue<B.Output>) = (Queue(), Queue())
      var hasEnded: (a: Bool, b: Bool) = (false, false)
      func pair(_ end: Subscribers.Completion<Failure> = .finished, after change: () -> Void) {
        // The pair is returned so that it is released outside the lock.
        conduit.update { () -> Output? in
          change()
          if case .failure = end { conduit.append(end) }
          var next: Output?
          if !waiting.a.isEmpty, let b = waiting.b.removeFirst(), let a = waiting.a.removeFirst() {
            next = (a, b)
            conduit.append((a, b))
          }
          // Once one publisher has completed and none of its values is waiting, there are no more pairs.
          if hasEnded.a && waiting.a.isEmpty || hasEnded.b && waiting.b.isEmpty { conduit.append(.finished) }
          return next
        }
      }
      conduit.attach(a, .balanced) { _, value in
        pair { waiting.a.append(value) }
      } completion: { end in
        pair(end) { hasEnded.a = true }
      }
      conduit.attach(b, .balanced) { _, value in
        pair { waiting.b.append(value) }
      } completion: { end in
        pair(end) { hasEnded.b = true }
      }
      conduit.open()
    }
  }

  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B
    public let c: C

    public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      Zip(Zip(a, b), c).map { ($0.0, $0.1, $1) }.subscribe(subscriber)
    }
  }

  /// The values of the publishers made from the upstream's values, with at most `maxPublishers` of them at a time.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let maxPublishers: Subscribers.Demand
    public let transform: (Upstream.Output) -> NewPublisher

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      conduit.attach(upstream, .fixed(maxPublishers)) { outer, value in
        conduit.attach(transform(value), .balanced) { conduit.join($0, sentBy: outer) }
      } completion: {
        conduit.join($0)
      }
      conduit.open(joining: true)
    }
  }

  /// The values of the publisher that the upstream sent last. The publisher before it is cancelled.
  public struct SwitchToLatest<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == NewPublisher, NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      var latest: Conduit<Output, Failure>.Source?
      conduit.attach(upstream, .fixed(.unlimited)) { _, inner in
        if let latest { conduit.detach(latest) }
        latest = conduit.attach(inner, .forwarded) { conduit.join($0) }
      } completion: {
        conduit.join($0)
      }
      conduit.open(joining: true)
    }
  }
}

extension Publisher {
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure { Publishers.Merge(self, other) }

  public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
    combineLatest(other).map(transform)
  }

  public func combineLatest<P: Publisher, Q: Publisher>(_ p: P, _ q: Q) -> Publishers.CombineLatest3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure { Publishers.CombineLatest3(self, p, q) }

  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure { combineLatest(p, q).map(transform) }

  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
    Publishers.Zip(self, other)
  }

  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure { zip(other).map(transform) }

  public func zip<P: Publisher, Q: Publisher>(_ p: P, _ q: Q) -> Publishers.Zip3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure { Publishers.Zip3(self, p, q) }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { Publishers.SwitchToLatest(upstream: self) }
}

extension Publisher where Output: Publisher, Failure == Never {
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  { setFailureType(to: Output.Failure.self).switchToLatest() }
}

extension Publisher where Output: Publisher, Failure == Never, Output.Failure == Never {
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { Publishers.SwitchToLatest(upstream: self) }
}
