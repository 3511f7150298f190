/// Receives the events of a sync engine, and supplies the records that it sends.
///
/// The engine makes one call at a time and waits for its return. Actors can conform. In a call, and in a task that a
/// call creates with `Task`, the app must not await ``CKSyncEngine/fetchChanges(_:)``, ``CKSyncEngine/sendChanges(_:)``
/// or ``CKSyncEngine/cancelOperations()``: the process stops. A detached task may await them.
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
  /// Handles an event. The engine continues after the return.
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async

  /// Returns the next records to save and to delete, within the scope of the context's options; nil ends the pass.
  ///
  /// - Parameter context: The reason and the options of the pass.
  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch?

  /// Returns the options for the next request of a fetch. The default implementation returns those of the context.
  ///
  /// Called between requests: zones can be given priority or left out while a fetch runs.
  ///
  /// - Assumption: this call is serial with the other ones, too.
  ///
  /// - Parameter context: The reason and the present options of the fetch.
  func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions
}

extension CKSyncEngineDelegate {
  /// Returns the options of the context.
  public func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions {
    context.options
  }
}
