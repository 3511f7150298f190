import CloudService

/// Outcomes of a batch, sorted into what worked and what did not.
struct Outcomes<Value> {
  private(set) var values: [Value] = []
  private(set) var failures: [(name: String, error: ServiceError)] = []

  init(_ results: [Result<Value, ServiceError>], names: [String]) {
    for (name, result) in zip(names, results) {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error): failures.append((name, error))
      }
    }
  }

  /// Throws if anything failed; call it after what worked was printed.
  func check(_ things: String) throws {
    let count = values.count + failures.count
    if let failure = CommandFailure(failures, of: count, things) { throw failure }
  }
}
