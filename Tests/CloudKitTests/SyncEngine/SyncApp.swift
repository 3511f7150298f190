import CloudKit

/// An app with a sync engine. It stores records, sends the pending ones of them, and records each call of its delegate.
actor SyncApp: CKSyncEngineDelegate {
  typealias Handler = @Sendable (CKSyncEngine.Event, CKSyncEngine, SyncApp) async -> Void
  typealias Provider =
    @Sendable (CKSyncEngine.SendChangesContext, CKSyncEngine, SyncApp) async -> CKSyncEngine.RecordZoneChangeBatch?
  typealias Options =
    @Sendable (CKSyncEngine.FetchChangesContext, CKSyncEngine) async -> CKSyncEngine.FetchChangesOptions

  private struct Waiting {
    var isMeant: @Sendable (CKSyncEngine.Event) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  /// The calls since the last ``clear()``, without the events with a new state.
  private(set) var calls: [String] = []
  private(set) var events: [CKSyncEngine.Event] = []
  /// The last state of an event.
  private(set) var serialization: CKSyncEngine.State.Serialization?
  /// How many calls run now, and the most that ran at one time.
  private var running = 0
  private(set) var mostRunning = 0

  private(set) var records: [CKRecord.ID: CKRecord] = [:]
  private let handler: Handler?
  private let provider: Provider?
  private let options: Options?
  private var waiting: [Waiting] = []

  init(handler: Handler? = nil, provider: Provider? = nil, options: Options? = nil) {
    (self.handler, self.provider, self.options) = (handler, provider, options)
  }

  // MARK: The app

  func put(_ record: CKRecord) { records[record.recordID] = record }

  func record(_ recordID: CKRecord.ID) -> CKRecord? { records[recordID] }

  func clear() { (calls, events) = ([], []) }

  /// Returns when an event arrives, or at once if it has arrived since the last ``clear()``.
  func wait(for isMeant: @escaping @Sendable (CKSyncEngine.Event) -> Bool) async {
    if events.contains(where: isMeant) { return }
    await withCheckedContinuation { waiting.append(Waiting(isMeant: isMeant, continuation: $0)) }
  }

  func wait(for name: String) async { await wait { $0.name == name } }

  // MARK: The delegate

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    begin()
    defer { end(event) }
    if case .stateUpdate(let update) = event {
      serialization = update.stateSerialization
    } else {
      calls.append(event.name)
    }
    store(event)
    await handler?(event, syncEngine, self)
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    begin()
    defer { running -= 1 }
    calls.append("nextBatch")
    if let provider { return await provider(context, syncEngine, self) }
    let changes = syncEngine.state.pendingRecordZoneChanges.filter { context.options.scope.contains($0) }
    let records = records
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { records[$0] }
  }

  func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions {
    begin()
    defer { running -= 1 }
    return await options?(context, syncEngine) ?? context.options
  }

  private func begin() {
    running += 1
    mostRunning = max(mostRunning, running)
  }

  private func end(_ event: CKSyncEngine.Event) {
    running -= 1
    events.append(event)
    for entry in waiting where entry.isMeant(event) { entry.continuation.resume() }
    waiting.removeAll { $0.isMeant(event) }
  }

  private func store(_ event: CKSyncEngine.Event) {
    switch event {
    case .sentRecordZoneChanges(let event): for record in event.savedRecords { put(record) }
    case .fetchedRecordZoneChanges(let event):
      for modification in event.modifications { put(modification.record) }
      for deletion in event.deletions { records[deletion.recordID] = nil }
    default: break
    }
  }
}

extension CKSyncEngine.Event {
  /// A short name, for lists of calls.
  var name: String {
    switch self {
    case .stateUpdate: "stateUpdate"
    case .accountChange(let event):
      switch event.changeType {
      case .signIn: "signIn"
      case .signOut: "signOut"
      case .switchAccounts: "switchAccounts"
      }
    case .fetchedDatabaseChanges: "fetchedDatabase"
    case .fetchedRecordZoneChanges: "fetchedZone"
    case .sentDatabaseChanges: "sentDatabase"
    case .sentRecordZoneChanges: "sentRecords"
    case .willFetchChanges: "willFetch"
    case .willFetchRecordZoneChanges: "willFetchZone"
    case .didFetchRecordZoneChanges: "didFetchZone"
    case .didFetchChanges: "didFetch"
    case .willSendChanges: "willSend"
    case .didSendChanges: "didSend"
    }
  }
}
