extension Publishers {
  /// Pairs the values of two publishers by their position.
  public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B

    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let junction = Junction<Output, Failure>(subscriber)
      var waiting: (a: [A.Output], b: [B.Output]) = ([], [])
      var ended: (a: Bool, b: Bool) = (false, false)
      var ids: [Int] = []
      func pair() -> Junction<Output, Failure>.Reaction {
        guard !waiting.a.isEmpty, !waiting.b.isEmpty else { return .wait }
        return .emit((waiting.a.removeFirst(), waiting.b.removeFirst()), sources: ids)
      }
      // Once one publisher has completed and none of its values is waiting, there are no more pairs.
      func isAtEnd() -> Bool { ended.a && waiting.a.isEmpty || ended.b && waiting.b.isEmpty }
      func finish(_ end: Subscribers.Completion<Failure>) -> Junction<Output, Failure>.Ending {
        if case .failure = end { return .end(end) }
        return isAtEnd() ? .end(.finished) : .goOn()
      }
      func end(after reaction: Junction<Output, Failure>.Reaction) -> Junction<Output, Failure>.Reaction {
        guard case .emit(let value, _, _) = reaction, isAtEnd() else { return reaction }
        return .emitLast(value)
      }
      ids.append(
        junction.attach(a) { _, value in
          waiting.a.append(value)
          return end(after: pair())
        } completion: { _, completion in
          ended.a = true
          return finish(completion)
        })
      ids.append(
        junction.attach(b) { _, value in
          waiting.b.append(value)
          return end(after: pair())
        } completion: { _, completion in
          ended.b = true
          return finish(completion)
        })
      junction.open()
    }
  }

  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B
    public let c: C

    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Zip(Zip(a, b), c).map { ($0.0, $0.1, $1) }.subscribe(subscriber)
    }
  }
}

extension Publisher {
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
    Publishers.Zip(self, other)
  }

  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Step<Publishers.Zip<Self, P>, T, Failure> where P.Failure == Failure { zip(other).map(transform) }

  public func zip<P: Publisher, Q: Publisher>(
    _ p: P, _ q: Q
  ) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure { Publishers.Zip3(self, p, q) }
}
