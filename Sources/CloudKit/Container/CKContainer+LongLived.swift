import Foundation

// NOTE: long-lived operations fail, so there never is one to find.
extension CKContainer {
  /// The IDs of long-lived operations that have not reported yet; always empty.
  ///
  /// - Difference: long-lived operations are not supported yet.
  public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] { [] }

  /// The IDs of long-lived operations that have not reported yet; always empty.
  @preconcurrency
  public func fetchAllLongLivedOperationIDs(
    completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
  ) {
    _ = begin(FunctionOperation({ _ in [] }, completion: split(completionHandler)))
  }

  /// The long-lived operation with that ID; always nil.
  ///
  /// - Difference: long-lived operations are not supported yet.
  public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? { nil }

  /// The long-lived operation with that ID; always nil.
  @preconcurrency
  public func fetchLongLivedOperation(
    withID operationID: CKOperation.ID, completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
  ) {
    _ = begin(
      FunctionOperation(
        { _ in },
        completion: { result in
          switch result {
          case .success: completionHandler(nil, nil)
          case .failure(let error): completionHandler(nil, error)
          }
        }))
  }
}
