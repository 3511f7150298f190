import CloudKit
import LocalCloud
import LocalCloudPlatform

/// An app with an engine for each database. It saves its data in a file after each edit and each event.
///
/// Edits of users that are not signed in are stored, and sent when they are signed in again.
actor EngineApp {
  var data: EngineData
  /// A violated guarantee.
  var trouble: String?
  /// The unsent changes at the end of the last callback of each engine. The next state must have them.
  var addedChanges: [Bool: Set<EngineChange>] = [:]
  /// The engines of which a callback runs.
  var enginesInCallback: Set<Bool> = []

  private let file: URL
  private let isAutomatic: Bool
  /// The record names of users, by account.
  private let users: [String: String]
  private let container = CKContainer.default()
  private var engines: [CKSyncEngine] = []
  /// The number of writes until the process kills itself.
  private var writesLeft: Int?
  private var diesBeforeWrite = false

  init(_ file: URL, isAutomatic: Bool, users: [String: String]) throws {
    (self.file, self.isAutomatic, self.users) = (file, isAutomatic, users)
    data = try EngineData(file: file)
  }

  /// Starts the engines with the stored states, and checks that these have the changes that were pending. The engines
  /// work only after that.
  func start() {
    LocalCloud.holdSyncEngines()
    for isShared in [false, true] {
      let store = data[isShared]
      var configuration = CKSyncEngine.Configuration(
        database: isShared ? container.sharedCloudDatabase : container.privateCloudDatabase,
        stateSerialization: store.state, delegate: self)
      configuration.automaticallySync = isAutomatic
      let engine = CKSyncEngine(configuration)
      engines.append(engine)
      let pending = Set(engine.state.pendingRecordZoneChanges)
      for change in store.pendingInState where !pending.contains(pendingChange(change, isShared)) {
        trouble = "the stored state has lost \(change)"
      }
      addUnsentChanges(to: engine)
      addedChanges[isShared] = store.present.unsent
    }
    LocalCloud.releaseSyncEngines()
  }

  // MARK: Requests

  func answer(_ command: EngineCommand) async -> EngineAnswer {
    var answer = EngineAnswer()
    await perform(command, &answer)
    answer.trouble = trouble
    return answer
  }

  private func perform(_ command: EngineCommand, _ answer: inout EngineAnswer) async {
    answer.isDone = true
    switch command {
    case .edit(let edit): answer.isDone = perform(edit)
    case .send(let isShared): await collect(&answer) { try await self.engine(isShared).sendChanges() }
    case .fetch(let isShared): await collect(&answer) { try await self.engine(isShared).fetchChanges() }
    case .pause:
      LocalCloud.holdSyncEngines()
      // Passes run one after another.
      for engine in engines { _ = try? await engine.fetchChanges() }
    case .rest: await rest(&answer)
    case .resume(let forgets):
      if forgets {
        data.own.forgetDeletedItems()
        data.shared.forgetDeletedItems()
        save()
      }
      LocalCloud.releaseSyncEngines()
    case .dying(let command, let write, let isBefore):
      (writesLeft, diesBeforeWrite) = (write, isBefore)
      await perform(command, &answer)
    }
  }

  private func engine(_ isShared: Bool) -> CKSyncEngine { engines[isShared ? 1 : 0] }

  private func collect(_ answer: inout EngineAnswer, _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch let error as CKError {
      answer.errors.append("\(error.code)")
    } catch {
      trouble = "\(error)"
    }
  }

  private func rest(_ answer: inout EngineAnswer) async {
    LocalCloud.holdSyncEngines()
    await LocalCloud.runSyncEnginesUntilIdle()
    if !isAutomatic {
      for engine in engines { await synchronize(engine, &answer) }
    }
    for isShared in [false, true] {
      let store = data[isShared]
      guard let account = users.first(where: { $0.value == store.user })?.key else { continue }
      for zone in EngineZone.zones(of: account) where isShared == (zone.owner != account) {
        let items = store.present.items.filter { $0.value.zone == zone.name }.mapValues(\.edits)
        answer.zones.append(EngineZoneItems(zone: zone, items: items))
      }
      answer.unfinished += store.present.unsent.map { "\($0)" }.sorted()
      let state = engine(isShared).state
      answer.unfinished += state.pendingRecordZoneChanges.map { "\($0)" } + state.pendingDatabaseChanges.map { "\($0)" }
    }
  }

  /// Fetches and sends until nothing is pending. A conflict takes one more round.
  private func synchronize(_ engine: CKSyncEngine, _ answer: inout EngineAnswer) async {
    for _ in 0..<6 {
      var round = EngineAnswer()
      await collect(&round) { try await engine.fetchChanges() }
      await collect(&round) { try await engine.sendChanges() }
      let isDone = round.errors.isEmpty && engine.state.pendingRecordZoneChanges.isEmpty
      if isDone { return }
    }
    answer.errors.append("no end of pending changes")
  }

  // MARK: Edits

  /// Stores an edit and adds it to the engine's state. Returns false if there is no such item or user.
  private func perform(_ edit: EngineEdit) -> Bool {
    let isShared = edit.zone.owner != edit.account
    guard let user = users[edit.account], data[isShared].user == user else { return false }
    var contents = data[isShared].present
    switch edit.kind {
    case .add: contents.items[edit.item] = EngineItem(zone: edit.zone.name, edits: [edit.number])
    case .change:
      guard contents.items[edit.item] != nil else { return false }
      contents.items[edit.item]?.edits.insert(edit.number)
    case .delete:
      guard contents.items.removeValue(forKey: edit.item) != nil else { return false }
      contents.deleted[edit.item] = edit.zone.name
      contents.unsentDeletions.insert(edit.item)
    }
    data[isShared].present = contents
    add(EngineChange(item: edit.item, zone: edit.zone.name, isDeletion: edit.kind == .delete), to: engine(isShared))
    save()
    return true
  }

  func addUnsentChanges(to engine: CKSyncEngine) {
    let isShared = engine.isShared
    let changes = data[isShared].present.unsent.sorted { $0.item < $1.item }
    engine.state.add(pendingRecordZoneChanges: changes.map { pendingChange($0, isShared) })
  }

  func add(_ change: EngineChange, to engine: CKSyncEngine) {
    engine.state.add(pendingRecordZoneChanges: [pendingChange(change, engine.isShared)])
  }

  private func pendingChange(
    _ change: EngineChange, _ isShared: Bool
  ) -> CKSyncEngine.PendingRecordZoneChange {
    let owner = isShared ? users[EngineZone.family.owner] ?? "" : CKCurrentUserDefaultName
    let zoneID = CKRecordZone.ID(zoneName: change.zone, ownerName: owner)
    let recordID = CKRecord.ID(recordName: change.item, zoneID: zoneID)
    return change.isDeletion ? .deleteRecord(recordID) : .saveRecord(recordID)
  }

  // MARK: The file

  func save() {
    if let left = writesLeft {
      writesLeft = left - 1
      if left == 0, diesBeforeWrite { die() }
    }
    do { try JSONEncoder().encode(data).write(to: file, options: .atomic) } catch { trouble = "\(error)" }
    if writesLeft == -1 { die() }
  }

  private func die() { HostProcess.signal(HostProcess.identifier, .kill) }
}

extension CKSyncEngine {
  var isShared: Bool { database.databaseScope == .shared }
}
