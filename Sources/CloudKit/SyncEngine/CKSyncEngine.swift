/// Synchronizes an app's data with a database: it sends pending changes, fetches the changes of others, and schedules
/// both.
///
/// The app implements ``CKSyncEngineDelegate``, adds its changes to ``state``, and stores the state that the engine
/// gives it. The engine starts at once. With `automaticallySync`, it fetches after each push and sends soon after each
/// change; otherwise it only sends and fetches when the app calls it. It looks up the account before each of these.
///
/// - Assumption: an engine that is released stops without another callback. Its delegate is held until then.
///
/// - Difference: scheduled work follows after a short time, 0.1 seconds or `LOCALCLOUD_SYNC_DELAY`. Apple's scheduler
///   weighs battery, network and load.
///
/// Threads: safe to use from any. The delegate is called on the cooperative pool, as the account of the database.
public final class CKSyncEngine: Sendable {
  let work: SyncWork

  /// The database of the configuration.
  public let database: CKDatabase

  /// The pending changes, and the engine's knowledge of the database. The same object for the engine's life.
  ///
  /// - Assumption: an account change empties this object. The engine makes no other one.
  public let state: CKSyncEngine.State

  /// Makes an engine, and starts it.
  ///
  /// Stops the process for a public database.
  ///
  /// - Parameter configuration: copied; later changes of it have no effect.
  public init(_ configuration: CKSyncEngine.Configuration) {
    if configuration.database.databaseScope == .public {
      raise("CKSyncEngine cannot be used in the Public database", .invalidArgument)
    }
    let state = State(configuration.stateSerialization?.state.landed ?? SyncState())
    database = configuration.database
    self.state = state
    work = SyncWork(configuration, state)
    work.start(for: self)
  }

  deinit { work.stop() }

  /// Fetches the changes of the database now, and returns after the delegate has handled all events.
  ///
  /// A call during a fetch that has not read from the cloud yet waits for that fetch. That fetch reports the events.
  ///
  /// - Assumption: without an account the call throws; a fetch that has read from the cloud is followed by another one.
  ///
  /// Stops the process if it is called in a callback of the delegate.
  ///
  /// - Parameter options: the zones to fetch, and their order.
  /// - Throws: a `CKError`: `notAuthenticated` without an account, before any event; `partialFailure` with the errors
  ///   of zones; `operationCancelled`; the error of a whole request.
  public func fetchChanges(_ options: CKSyncEngine.FetchChangesOptions = .init()) async throws {
    SyncWork.checkNotInCallback()
    try await work.fetchNow(options)
  }

  /// Sends the pending changes now, and returns after the delegate has handled all events.
  ///
  /// - Assumption: a pass continues after the failure of a change, and does not send that change again. After a
  ///   failure that the engine retries it sends no other record of that zone. A request that fails as a whole with a
  ///   retryable error ends it. Without pending changes it has its first and its last event. Without an account the
  ///   call throws.
  ///
  /// Stops the process if it is called in a callback of the delegate.
  ///
  /// - Parameter options: the changes that the delegate is to send.
  /// - Throws: a `CKError` if anything failed: `partialFailure` with the errors of records and zones; `notAuthenticated`
  ///   without an account, before any event; `operationCancelled`; the error of a whole request.
  public func sendChanges(_ options: CKSyncEngine.SendChangesOptions = .init()) async throws {
    SyncWork.checkNotInCallback()
    try await work.sendNow(options)
  }

  /// Cancels the operations under way and those that wait. Changes of the account are still noticed.
  ///
  /// Returns at once: the events of the cancelled operations may follow.
  ///
  /// - Assumption: pending changes stay pending, and waiting calls throw `operationCancelled`.
  ///
  /// Stops the process if it is called in a callback of the delegate.
  public func cancelOperations() async {
    SyncWork.checkNotInCallback()
    work.requests.cancel()
  }
}

extension CKSyncEngine: CustomStringConvertible {
  /// A text for logs; its form may change.
  public var description: String { "<CKSyncEngine: database=\(database)>" }
}
