import LocalCloudService

/// An operation for a request that has no operation class of its own.
// Sendable: the properties added to those of the superclass are constants of Sendable types.
final class FunctionOperation<Value: Sendable>: CKOperation, @unchecked Sendable {
  private let function: @Sendable (Request) throws -> Value
  private let completion: @Sendable (Result<Value, any Error>) -> Void
  private let answer = ResultCollector<Value>()

  init(
    _ function: @escaping @Sendable (Request) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.function = function
    self.completion = completion
    super.init()
  }

  override var mayBeLongLived: Bool { false }

  override var kindName: String? { nil }

  override func work(_ request: Request) throws {
    answer.append(try function(request))
  }

  override func report(_ outcome: Result<Void, any Error>) {
    completion(
      outcome.flatMap {
        answer.values.first.map { .success($0) } ?? .failure(CKError.cancelled(container: containerName))
      })
  }
}
