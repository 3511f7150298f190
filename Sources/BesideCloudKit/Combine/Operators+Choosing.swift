/// Operators that pass on some of the values.
extension Publisher {
  public typealias Chosen = Publishers.Step<Self, Output, Failure>

  private func choosing(
    _ begin: @escaping () -> (Output) -> StepRules<Output, Failure, Output, Failure>.Answer
  ) -> Chosen {
    Publishers.Step(upstream: self) { StepRules(begin()) }
  }

  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Chosen {
    choosing { { isIncluded($0) ? .pass($0) : .skip } }
  }

  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.Step<Self, Output, any Error> {
    trying { try isIncluded($0) ? .pass($0) : .skip }
  }

  public func removeDuplicates(by isSame: @escaping (Output, Output) -> Bool) -> Chosen {
    choosing {
      var previous: Output?
      return { value in
        if let previous, isSame(previous, value) { return .skip }
        previous = value
        return .pass(value)
      }
    }
  }

  public func first() -> Chosen { choosing { { .last($0) } } }

  public func first(where predicate: @escaping (Output) -> Bool) -> Chosen {
    choosing { { predicate($0) ? .last($0) : .skip } }
  }

  public func prefix(_ maxLength: Int) -> Chosen {
    // Not a precondition: optimized builds leave out its message.
    guard maxLength >= 0 else { fatalError("A length cannot be negative") }
    return Publishers.Step(upstream: self) {
      var left = maxLength
      var rules = StepRules<Output, Failure, Output, Failure> { value in
        left -= 1
        return left > 0 ? .pass(value) : .last(value)
      }
      rules.endsAtOnce = maxLength == 0
      return rules
    }
  }

  public func prefix(while predicate: @escaping (Output) -> Bool) -> Chosen {
    choosing { { predicate($0) ? .pass($0) : .end(.finished) } }
  }

  public func dropFirst(_ count: Int = 1) -> Chosen {
    guard count >= 0 else { fatalError("A count cannot be negative") }
    return choosing {
      var left = count
      return { value in
        if left == 0 { return .pass(value) }
        left -= 1
        return .skip
      }
    }
  }

  public func drop(while predicate: @escaping (Output) -> Bool) -> Chosen {
    choosing {
      var isDropping = true
      return { value in
        isDropping = isDropping && predicate(value)
        return isDropping ? .skip : .pass(value)
      }
    }
  }

  public func ignoreOutput() -> Publishers.Step<Self, Never, Failure> {
    atEnd { (_: inout Never?, _) in
    } finish: {
      $0
    }
  }

  public func last() -> Chosen {
    atEnd {
      $0 = $1
    } finish: {
      $0
    }
  }

  /// Collects all values in one array and sends it at completion.
  public func collect() -> Publishers.Step<Self, [Output], Failure> {
    atEnd {
      if $0 == nil { $0 = [] }
      $0?.append($1)
    } finish: {
      $0 ?? []
    }
  }

  public func reduce<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> Publishers.Step<Self, T, Failure> {
    atEnd {
      $0 = next($0 ?? initial, $1)
    } finish: {
      $0 ?? initial
    }
  }

  public func count() -> Publishers.Step<Self, Int, Failure> { reduce(0) { count, _ in count + 1 } }

  public func replaceEmpty(with output: Output) -> Chosen {
    Publishers.Step(upstream: self) {
      var isEmpty = true
      return StepRules(
        value: {
          isEmpty = false
          return .pass($0)
        },
        completion: { end in
          guard case .finished = end, isEmpty else { return (nil, end) }
          return (output, end)
        })
    }
  }

  /// Sends the result of all values at completion, unless the completion is an error.
  private func atEnd<T>(
    _ next: @escaping (inout T?, Output) -> Void, finish: @escaping (T?) -> T?
  ) -> Publishers.Step<Self, T, Failure> {
    Publishers.Step(upstream: self) {
      var result: T?
      var rules = StepRules<Output, Failure, T, Failure>(
        value: { value in
          next(&result, value)
          return .skip
        },
        completion: { end in
          guard case .finished = end else { return (nil, end) }
          return (finish(result), end)
        })
      rules.takesAll = true
      return rules
    }
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> Chosen { removeDuplicates(by: ==) }

  public func contains(_ output: Output) -> Publishers.Step<Self, Bool, Failure> { contains { $0 == output } }
}

extension Publisher {
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.Step<Self, Bool, Failure> {
    Publishers.Step(upstream: self) {
      StepRules(
        value: { predicate($0) ? .last(true) : .skip },
        completion: { end in
          guard case .finished = end else { return (nil, end) }
          return (false, end)
        })
    }
  }

  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.Step<Self, Bool, Failure> {
    Publishers.Step(upstream: self) {
      StepRules(
        value: { predicate($0) ? .skip : .last(false) },
        completion: { end in
          guard case .finished = end else { return (nil, end) }
          return (true, end)
        })
    }
  }
}
