import CloudService
import Foundation

extension CKContainer {
  /// The IDs of the current user's long-lived operations in this container, begun on this device, that nobody was told
  /// the end of. Those of operations that were not kept yet when their process died are not among them.
  @discardableResult
  public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
    try await result(of: startLongLivedOperationIDs)
  }

  /// The IDs of the current user's long-lived operations in this container, begun on this device, that nobody was told
  /// the end of. Those of operations that were not kept yet when their process died are not among them.
  @preconcurrency
  public func fetchAllLongLivedOperationIDs(
    completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
  ) {
    _ = startLongLivedOperationIDs(split(completionHandler))
  }

  private func startLongLivedOperationIDs(_ completion: @escaping Completion<[CKOperation.ID]>) -> CKOperation {
    begin(
      FunctionOperation(
        { request in try request.service.devices.operationIDs(by: request.caller) }, completion: completion))
  }

  /// The long-lived operation with that ID; nil if there is none, or if somebody was told its end or cancelled it.
  ///
  /// Set its blocks and add it: they are called as if it ran for the first time, but nothing is asked of the server
  /// again. If the process that began it has died, it is finished first, and what was done already is not done twice;
  /// if that process still runs, it is waited for. It fails with `unknownItem` if somebody was told its end meanwhile.
  ///
  /// Fails with `internalError` if what was kept of it is damaged.
  @discardableResult
  public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
    try await result { startLongLivedOperation(operationID, $0) }
  }

  /// The long-lived operation with that ID; nil if there is none, or if somebody was told its end or cancelled it. See
  /// ``longLivedOperation(for:)``.
  @preconcurrency
  public func fetchLongLivedOperation(
    withID operationID: CKOperation.ID, completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
  ) {
    _ = startLongLivedOperation(operationID) { result in
      switch result {
      case .success(let operation): completionHandler(operation, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  private func startLongLivedOperation(
    _ id: CKOperation.ID, _ completion: @escaping Completion<CKOperation?>
  ) -> CKOperation {
    begin(
      FunctionOperation(
        { [self] request in
          guard let kept = try request.service.devices.keptOperation(id, by: request.caller) else { return nil }
          guard let operation = OperationArchive.operation(from: kept.content, id: id, in: self) else {
            throw DeviceService.damaged(id)
          }
          return operation
        }, completion: completion))
  }
}
