/// Operators that convert or select values.
extension Publishers {
  public struct Map<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { .pass(transform($0)) }
    }
  }

  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error
    public let upstream: Upstream
    public let transform: (Upstream.Output) throws -> Output

    public func receive(subscriber: some Subscriber<Output, any Error>) {
      upstream.step(to: subscriber) { value in
        do { return .pass(try transform(value)) } catch { return .end(.failure(error)) }
      } completion: { end in
        end.mapError { $0 }
      }
    }
  }

  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output?

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { value in transform(value).map { .pass($0) } ?? .skip }
    }
  }

  /// Combines each value with the result of the values before it.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let initialResult: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      var result = initialResult
      upstream.step(to: subscriber) { value in
        result = nextPartialResult(result, value)
        return .pass(result)
      }
    }
  }

  /// Sends all values in one array at completion.
  public struct Collect<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber)
      var values: [Upstream.Output] = []
      conduit.attach(upstream, .fixed(.unlimited)) { _, value in
        values.append(value)
      } completion: { end in
        if case .finished = end { conduit.send(values) }
        conduit.finish(end)
      }
      conduit.open()
    }
  }

  public struct Filter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let isIncluded: (Output) -> Bool

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { isIncluded($0) ? .pass($0) : .skip }
    }
  }

  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Output, Output) -> Bool

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      var previous: Output?
      upstream.step(to: subscriber) { value in
        if let previous, predicate(previous, value) { return .skip }
        previous = value
        return .pass(value)
      }
    }
  }

  public struct First<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { .last($0) }
    }
  }

  public struct FirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Output) -> Bool

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { predicate($0) ? .last($0) : .skip }
    }
  }

  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Output) -> Bool

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.step(to: subscriber) { predicate($0) ? .pass($0) : .end(.finished) }
    }
  }

  /// Sends the values whose positions are in the range.
  public struct Output<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let range: CountableRange<Int>

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      if range.isEmpty { return Empty().receive(subscriber: subscriber) }
      var position = -1
      upstream.step(to: subscriber) { value in
        position += 1
        if position == range.upperBound - 1 { return .last(value) }
        return range.contains(position) ? .pass(value) : .skip
      }
    }
  }

  public struct Drop<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let count: Int

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      var remaining = count
      upstream.step(to: subscriber) { value in
        if remaining == 0 { return .pass(value) }
        remaining -= 1
        return .skip
      }
    }
  }
}

extension Publisher {
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Map<Self, T> { map { $0[keyPath: keyPath] } }

  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }

  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? { map { $0 ?? output } }

  public func scan<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initial, nextPartialResult: next)
  }

  public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }

  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    // Not a precondition: optimized builds leave out its message.
    guard maxLength >= 0 else { fatalError("A length cannot be negative") }
    return Publishers.Output(upstream: self, range: 0..<maxLength)
  }

  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    guard count >= 0 else { fatalError("A count cannot be negative") }
    return Publishers.Drop(upstream: self, count: count)
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}
