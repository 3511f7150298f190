import Foundation
import LocalCloudService

extension CKContainer {
  /// Fetches the IDs of the current user's pending long-lived operations in this container that were started on this
  /// device.
  ///
  /// An operation is pending until a process has reported its result or it was cancelled. If the process that started
  /// an operation died before the operation was persisted, the operation is not included.
  ///
  /// - Assumption: when an account signs out on a device, its long-lived operations there are removed.
  @discardableResult
  public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
    try await result(of: startLongLivedOperationIDs)
  }

  /// Fetches the IDs of the current user's pending long-lived operations in this container that were started on this
  /// device.
  ///
  /// An operation is pending until a process has reported its result or it was cancelled. If the process that started
  /// an operation died before the operation was persisted, the operation is not included.
  @preconcurrency
  public func fetchAllLongLivedOperationIDs(
    completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
  ) {
    startLongLivedOperationIDs(split(completionHandler))
  }

  private func startLongLivedOperationIDs(_ completion: @escaping Completion<[CKOperation.ID]>) {
    begin(
      FunctionOperation(
        { request in try request.service.devices.operationIDs(by: request.caller) }, completion: completion))
  }

  /// Fetches the pending long-lived operation with that ID; nil if there is none: its result was reported, or it was
  /// cancelled.
  ///
  /// Set the blocks of the operation and add it. They are called as if the operation ran for the first time, but
  /// finished requests are not repeated. If the process that started the operation has died before finishing it, the
  /// operation is finished first, without repeating finished steps. If that process still runs, the operation waits for
  /// it. The operation fails with `unknownItem` if its result was reported in the meantime.
  ///
  /// Fails with `internalError` if the persisted operation is damaged.
  @discardableResult
  public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
    try await result { startLongLivedOperation(operationID, $0) }
  }

  /// Fetches the pending long-lived operation with that ID; nil if there is none. See ``longLivedOperation(for:)``.
  @preconcurrency
  public func fetchLongLivedOperation(
    withID operationID: CKOperation.ID, completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
  ) {
    startLongLivedOperation(operationID) { result in
      switch result {
      case .success(let operation): completionHandler(operation, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  private func startLongLivedOperation(
    _ id: CKOperation.ID, _ completion: @escaping Completion<CKOperation?>
  ) {
    begin(
      FunctionOperation(
        { [self] request in
          guard let content = try request.service.devices.storedOperation(id, by: request.caller) else { return nil }
          guard let operation = OperationArchive.operation(from: content, id: id, in: self) else {
            throw DeviceService.damaged(id)
          }
          return operation
        }, completion: completion))
  }
}
