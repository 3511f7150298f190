/// The answer of an operator to a value.
enum Step<Output, Failure: Error> {
  case pass(Output)
  /// Sends nothing, and requests one more value.
  case skip
  /// Sends the value and completes.
  case last(Output)
  case end(Subscribers.Completion<Failure>)
}

extension Publisher {
  /// Subscribes the subscriber of an operator that answers each value with at most one value.
  ///
  /// A publisher sends one event at a time. Therefore the closures may have state without a lock.
  func step<T, E: Error>(
    to subscriber: some Subscriber<T, E>, _ value: @escaping (Output) -> Step<T, E>,
    completion: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<E>,
    prepare: (Conduit<T, E>) -> Void = { _ in }
  ) {
    let conduit = Conduit(subscriber)
    conduit.attach(self, .forwarded) { source, input in
      let step = value(input)
      conduit.update {
        switch step {
        case .pass(let output): conduit.append(output, from: source)
        case .skip: conduit.skip(source)
        case .last(let output):
          conduit.append(output, from: source)
          conduit.append(.finished)
        case .end(let completion): conduit.append(completion)
        }
      }
    } completion: {
      conduit.finish(completion($0))
    }
    prepare(conduit)
    conduit.open()
  }

  func step<T>(to subscriber: some Subscriber<T, Failure>, _ value: @escaping (Output) -> Step<T, Failure>) {
    step(to: subscriber, value, completion: { $0 })
  }
}

extension Subscribers.Completion {
  func mapError<E: Error>(_ transform: (Failure) -> E) -> Subscribers.Completion<E> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
