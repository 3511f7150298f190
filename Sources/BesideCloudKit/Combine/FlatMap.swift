extension Publishers {
  /// The values of the publishers that the upstream sends, with at most `maxPublishers` of them at a time.
  public struct FlatMap<Inner: Publisher, Upstream: Publisher>: Publisher where Inner.Failure == Upstream.Failure {
    public typealias Output = Inner.Output
    public typealias Failure = Upstream.Failure
    let publishers: Step<Upstream, Inner, Failure>
    let maxPublishers: Subscribers.Demand

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Hub = Junction<Output, Failure>
      let junction = Hub(subscriber)
      let asking: Int? = maxPublishers == .unlimited ? nil : 1
      var running = 0
      var isOuterOver = false
      func finish(_ end: Subscribers.Completion<Failure>) -> Hub.Ending {
        if case .failure = end { return .end(end) }
        return isOuterOver && running == 0 ? .end(.finished) : .goOn(asking: asking)
      }
      // Attached first, so its ID is 1.
      junction.attach(publishers, steady: maxPublishers) { _, inner in
        running += 1
        return .then {
          junction.attach(inner) { id, value in
            .emit(value, sources: [id])
          } completion: { _, end in
            running -= 1
            return finish(end)
          }
        }
      } completion: { _, end in
        isOuterOver = true
        return finish(end)
      }
      junction.open()
    }
  }

  /// The values of the publisher that the upstream sent last. The publisher before it is cancelled.
  public struct SwitchToLatest<Upstream: Publisher>: Publisher
  where Upstream.Output: Publisher, Upstream.Output.Failure == Upstream.Failure {
    public typealias Output = Upstream.Output.Output
    public typealias Failure = Upstream.Failure
    let upstream: Upstream

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Hub = Junction<Output, Failure>
      let junction = Hub(subscriber)
      /// The number of the current publisher, counted from 1; nil if the last one has completed.
      var latest: Int?
      var count = 0
      var detach: (() -> Void)?
      var isOuterOver = false
      junction.attach(upstream, steady: .unlimited) { _, inner in
        count += 1
        latest = count
        let mine = count
        return .then {
          detach?()
          let id = junction.attach(inner) { id, value in
            latest == mine ? .emit(value, sources: [id]) : .wait
          } completion: { _, end in
            guard latest == mine else { return .goOn() }
            latest = nil
            if case .failure = end { return .end(end) }
            return isOuterOver ? .end(.finished) : .goOn()
          }
          detach = { junction.detach(id) }
        }
      } completion: { _, end in
        isOuterOver = true
        if case .failure = end { return .end(end) }
        return latest == nil ? .end(.finished) : .goOn()
      }
      junction.open()
    }
  }
}

extension Publisher {
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(publishers: map(transform), maxPublishers: maxPublishers)
  }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.Step<P, P.Output, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }

  /// Sends the values of this publisher and then those of `other`.
  public func append<P: Publisher>(_ other: P) -> AnyPublisher<Output, Failure>
  where P.Output == Output, P.Failure == Failure {
    [eraseToAnyPublisher(), other.eraseToAnyPublisher()].publisher.setFailureType(to: Failure.self)
      .flatMap(maxPublishers: .max(1)) { $0 }.eraseToAnyPublisher()
  }

  public func append(_ elements: Output...) -> AnyPublisher<Output, Failure> {
    append(Publishers.Sequence(sequence: elements))
  }

  public func prepend<P: Publisher>(_ other: P) -> AnyPublisher<Output, Failure>
  where P.Output == Output, P.Failure == Failure { other.append(self) }

  public func prepend(_ elements: Output...) -> AnyPublisher<Output, Failure> {
    prepend(Publishers.Sequence(sequence: elements))
  }
}

extension Publisher where Failure == Never {
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.Step<Self, Output, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(publishers: map(transform), maxPublishers: maxPublishers)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  public func switchToLatest() -> Publishers.SwitchToLatest<Self> { Publishers.SwitchToLatest(upstream: self) }
}

extension Publisher where Output: Publisher, Failure == Never {
  public func switchToLatest() -> Publishers.SwitchToLatest<Publishers.Step<Self, Output, Output.Failure>> {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}

extension Publisher where Output: Publisher, Failure == Never, Output.Failure == Never {
  public func switchToLatest() -> Publishers.SwitchToLatest<Self> { Publishers.SwitchToLatest(upstream: self) }
}
