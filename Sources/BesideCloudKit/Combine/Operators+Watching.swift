/// Operators that observe events without changing them.
extension Publisher {
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.Step<Self, Output, Failure> {
    Publishers.Step(upstream: self) {
      StepRules(
        value: { value in
          receiveOutput?(value)
          return .pass(value)
        },
        completion: { end in
          receiveCompletion?(end)
          return (nil, end)
        },
        onSubscription: receiveSubscription, onRequest: receiveRequest, onCancel: receiveCancel)
    }
  }

  /// Prints each event to standard output.
  public func print(_ prefix: String = "") -> Publishers.Step<Self, Output, Failure> {
    let prefix = prefix.isEmpty ? "" : prefix + ": "
    return handleEvents(
      receiveSubscription: { Swift.print("\(prefix)receive subscription: (\($0))") },
      receiveOutput: { Swift.print("\(prefix)receive value: (\($0))") },
      receiveCompletion: { end in
        switch end {
        case .finished: Swift.print("\(prefix)receive finished")
        case .failure(let error): Swift.print("\(prefix)receive error: (\(error))")
        }
      },
      receiveCancel: { Swift.print("\(prefix)receive cancel") },
      receiveRequest: { Swift.print("\(prefix)request \($0)") })
  }
}
