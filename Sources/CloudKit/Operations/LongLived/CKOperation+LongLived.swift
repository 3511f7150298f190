import CloudModel
import CloudService
import Foundation

/// How an operation outlives its process: it is kept in the tree before it begins, its events before they are told. Who
/// picks it up tells them again, or finishes it first.
extension CKOperation {
  /// Does the work, or has it done already; throws what makes the operation fail as a whole.
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
    // Whoever cancelled it meanwhile found nothing to forget.
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

  /// Everything that is asked of the service. That it could not be kept does not undo what was done.
  private func finish(_ request: Request) -> OperationOutcome {
    let outcome = gathering { try work(request) }
    guard !isCancelled, let held, let content = try? outcome.object else { return outcome }
    do {
      try request.service.devices.finishOperation(held, content, by: request.caller)
      // There is nothing left to be done by one alone.
      held.release()
    } catch {}
    return outcome
  }
}
