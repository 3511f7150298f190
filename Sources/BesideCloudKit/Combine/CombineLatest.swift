extension Publishers {
  /// The newest values of two publishers. It sends a pair once both have sent a value, and again for each later value.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
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
      var newest: (a: A.Output?, b: B.Output?)
      var left = 2
      func emit(_ id: Int, _ replaced: Any?) -> Junction<Output, Failure>.Reaction {
        guard let a = newest.a, let b = newest.b else { return .more(replaced: replaced) }
        return .emit((a, b), sources: [id], replaced: replaced)
      }
      func finish(_ end: Subscribers.Completion<Failure>) -> Junction<Output, Failure>.Ending {
        left -= 1
        if case .failure = end { return .end(end) }
        return left == 0 ? .end(.finished) : .goOn()
      }
      junction.attach(a) { id, value in
        let replaced = newest.a
        newest.a = value
        return emit(id, replaced)
      } completion: { _, end in
        finish(end)
      }
      junction.attach(b) { id, value in
        let replaced = newest.b
        newest.b = value
        return emit(id, replaced)
      } completion: { _, end in
        finish(end)
      }
      junction.open()
    }
  }

  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
      CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }.subscribe(subscriber)
    }
  }

  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    public typealias Failure = A.Failure
    public let a: A
    public let b: B
    public let c: C
    public let d: D

    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      CombineLatest(CombineLatest3(a, b, c), d).map { ($0.0, $0.1, $0.2, $1) }.subscribe(subscriber)
    }
  }
}

extension Publisher {
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Step<Publishers.CombineLatest<Self, P>, T, Failure> where P.Failure == Failure {
    combineLatest(other).map(transform)
  }

  public func combineLatest<P: Publisher, Q: Publisher>(
    _ p: P, _ q: Q
  ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, p, q)
  }

  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Step<Publishers.CombineLatest3<Self, P, Q>, T, Failure>
  where P.Failure == Failure, Q.Failure == Failure { combineLatest(p, q).map(transform) }

  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ p: P, _ q: Q, _ r: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure { Publishers.CombineLatest4(self, p, q, r) }
}
