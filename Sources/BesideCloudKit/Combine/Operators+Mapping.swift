/// Operators that convert values or errors.
extension Publisher {
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Step<Self, T, Failure> {
    Publishers.Step(upstream: self) { StepRules { .pass(transform($0)) } }
  }

  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Step<Self, T, Failure> {
    map { $0[keyPath: keyPath] }
  }

  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.Step<Self, T, any Error> {
    trying { .pass(try transform($0)) }
  }

  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.Step<Self, T, Failure> {
    Publishers.Step(upstream: self) { StepRules { value in transform(value).map { .pass($0) } ?? .skip } }
  }

  public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.Step<Self, T, any Error> {
    trying { value in try transform(value).map { .pass($0) } ?? .skip }
  }

  public func replaceNil<T>(with output: T) -> Publishers.Step<Self, T, Failure> where Output == T? {
    map { $0 ?? output }
  }

  /// Combines each value with the result of the values before it.
  public func scan<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> Publishers.Step<Self, T, Failure> {
    Publishers.Step(upstream: self) {
      var result = initial
      return StepRules { value in
        result = next(result, value)
        return .pass(result)
      }
    }
  }

  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.Step<Self, Output, E> {
    Publishers.Step(upstream: self) {
      StepRules(
        value: { .pass($0) },
        completion: { end in
          switch end {
          case .finished: (nil, .finished)
          case .failure(let error): (nil, .failure(transform(error)))
          }
        })
    }
  }

  /// Replaces an error by a value and finishes.
  public func replaceError(with output: Output) -> Publishers.Step<Self, Output, Never> {
    Publishers.Step(upstream: self) {
      StepRules(
        value: { .pass($0) },
        completion: { end in
          switch end {
          case .finished: (nil, .finished)
          case .failure: (output, .finished)
          }
        })
    }
  }

  /// Creates rules from a closure that may throw. A thrown error completes the subscriber.
  func trying<T>(
    _ value: @escaping (Output) throws -> StepRules<Output, Failure, T, any Error>.Answer
  ) -> Publishers.Step<Self, T, any Error> {
    Publishers.Step(upstream: self) {
      StepRules(
        value: { input in
          do { return try value(input) } catch { return .end(.failure(error)) }
        },
        completion: { end in
          switch end {
          case .finished: (nil, .finished)
          case .failure(let error): (nil, .failure(error))
          }
        })
    }
  }
}

extension Publisher where Failure == Never {
  public func setFailureType<E: Error>(to type: E.Type) -> Publishers.Step<Self, Output, E> {
    Publishers.Step(upstream: self) {
      StepRules(value: { .pass($0) }, completion: { _ in (nil, .finished) })
    }
  }
}
