import CloudModel
import CloudService
import Foundation

/// Lets an operation outlive its process: the operation is persisted in the tree before it starts, and its events
/// before they are delivered. A process that fetches it delivers the events again, or finishes the operation first.
extension CKOperation {
  /// Does the work, or loads the outcome of work that is done already. Throws the error that makes the operation fail
  /// as a whole.
  func workLongLived(_ request: Request) throws {
    let outcome = try isResumed ? resumedOutcome(request) : firstOutcome(request)
    for event in outcome.events { deliver { [self] in call(event) } }
    try outcome.result.get()
  }

  private func firstOutcome(_ request: Request) throws -> OperationOutcome {
    guard let content = try OperationArchive.object(of: self) else {
      throw CKError.notYet("long-lived \(type(of: self))", container: containerName)
    }
    try checkCancelled()
    hold(try request.service.devices.keepOperation(operationID, content, by: request.caller), of: request)
    // A cancellation before this point found no persisted operation to remove.
    try checkCancelled()
    deliver { [self] in longLivedOperationWasPersistedBlock?() }
    return finish(request)
  }

  private func resumedOutcome(_ request: Request) throws -> OperationOutcome {
    guard let (held, answers) = try request.service.devices.holdOperation(operationID, by: request.caller) else {
      throw ServiceError(
        .unknownItem, "The long-lived operation \(operationID) is over, or was cancelled", internalCode: 2003)
    }
    hold(held, of: request)
    guard let answers else { return finish(request) }
    held.release()
    guard let outcome = OperationOutcome(answers.content) else { throw DeviceService.damaged(operationID) }
    return outcome
  }

  /// Makes all requests to the service and persists the outcome. A failure to persist it is ignored, because the
  /// requests have taken effect.
  private func finish(_ request: Request) -> OperationOutcome {
    let outcome = gathering { try work(request) }
    guard !isCancelled, let held, let content = try? outcome.object else { return outcome }
    do {
      try request.service.devices.finishOperation(held, content, by: request.caller)
      // The work is done, so other processes may take the operation.
      held.release()
    } catch {}
    return outcome
  }
}
