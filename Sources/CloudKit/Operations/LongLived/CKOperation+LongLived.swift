import Foundation
import LocalCloudDeviceStore
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService

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
    let held = try request.service.devices.storeOperation(
      operationID, content, isSecret: content.holdsEncryptedValues, by: request.caller)
    hold(held, of: request)
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
    guard let outcome = OperationOutcome(answers) else { throw DeviceService.damaged(operationID) }
    return outcome
  }

  /// Makes all requests to the service and persists the outcome. A failure to persist it is ignored, because the
  /// requests have taken effect.
  private func finish(_ request: Request) -> OperationOutcome {
    let outcome = collectingEvents { try work(request) }
    guard !isCancelled, let held, let content = try? outcome.object else { return outcome }
    do {
      try request.service.devices.finishOperation(
        held, content, isSecret: content.holdsEncryptedValues, by: request.caller)
      // The work is done, so other processes may take the operation.
      held.release()
    } catch {}
    return outcome
  }

  // MARK: Stored progress

  /// Whether the operation was fetched by its ID.
  var isResumed: Bool { progress.change { $0.isResumed } }

  var held: HeldOperation? { progress.change { $0.held?.operation } }

  /// Gives this operation the ID of an operation that another process started.
  func resume(as id: CKOperation.ID) {
    operationID = id
    progress.change { $0.isResumed = true }
  }

  /// Keeps the lock on the persisted operation, so that no other process can take it, until it is forgotten or this
  /// process dies.
  func hold(_ operation: HeldOperation, of request: Request) {
    progress.change { $0.held = (operation, request) }
  }

  /// Runs the body and returns its events without delivering them.
  func collectingEvents(_ body: () throws -> Void) -> OperationOutcome {
    let collector = ResultCollector<OperationEvent>()
    progress.change { $0.collector = collector }
    defer { progress.change { $0.collector = nil } }
    let result: Result<Void, any Error>
    do { result = .success(try body()) } catch {
      result = .failure(CKError.wrapping(error, container: containerName))
    }
    return OperationOutcome(events: collector.values, result: result)
  }

  typealias Held = (operation: HeldOperation, request: Request)

  /// Removes the persisted operation, because its result was reported or it was cancelled.
  func forget() {
    if let held = takeHeld() { Self.forget(held) }
  }

  func takeHeld() -> Held? {
    progress.change { progress in
      defer { progress.held = nil }
      return progress.held
    }
  }

  static func forget(_ held: Held) {
    try? held.request.service.devices.removeOperation(held.operation.id, by: held.request.caller)
    held.operation.release()
  }

  /// Removes a persisted operation that was fetched, and cancelled before it was started.
  func forgetUnstarted() {
    let acting = identity.acting(now: ActingIdentity.current, last: created)
    Workers.run { [self] in
      guard let request = try? Request(acting, scope: scope) else { return }
      try? request.service.devices.removeOperation(operationID, by: request.caller)
    }
  }
}
