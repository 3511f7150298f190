import CloudKit
import LocalCloud
import LocalCloudPlatform

/// An app with an engine for each database. It saves its data in a file after each edit and each event.
///
/// Edits of users that are not signed in are stored, and sent when they are signed in again.
actor EngineApp {
  /// A state that the engines reach by themselves.
  private enum Goal {
    /// All changes of this user are sent.
    case sent(user: String)
    /// The markers of these zones have at least this number.
    case markers(Int, zones: [String])
  }

  var data: EngineData
  /// A violated guarantee.
  var trouble: String?
  /// The unsent changes at the end of the last callback of each engine. The next state must have them.
  var addedChanges: [Bool: Set<EngineChange>] = [:]
  /// The engines that had untracked changes at the end of their last callback. The next state must know of them.
  var enginesWithUntrackedChanges: Set<Bool> = []
  /// The engines with a running callback. A released one may end its callback beside its successor.
  var enginesInCallback: Set<ObjectIdentifier> = []
  /// The number of batches.
  var batchCount = 0
  /// The records of each engine's last batch, if it was atomic.
  var atomicBatches: [Bool: [CKRecord.ID]] = [:]
  /// The numbers of the markers that were fetched, by zone.
  var markers: [String: Int] = [:]

  private let file: URL
  private let isAutomatic: Bool
  /// The record names of users, by account.
  private let users: [String: String]
  private let container = CKContainer.default()
  private var engines: [CKSyncEngine] = []
  private var waiting: (goal: Goal, result: AsyncStream<Bool>.Continuation)?
  /// The number of writes until the process kills itself.
  private var writesLeft: Int?
  private var diesBeforeWrite = false

  init(_ file: URL, isAutomatic: Bool, users: [String: String]) throws {
    (self.file, self.isAutomatic, self.users) = (file, isAutomatic, users)
    data = try EngineData(file: file)
  }

  /// Starts the engines. They work only after that.
  func start() {
    LocalCloud.holdSyncEngines()
    engines = [makeEngine(isShared: false), makeEngine(isShared: true)]
    LocalCloud.releaseSyncEngines()
  }

  /// Creates an engine with the stored state, and checks that the state has the changes that were pending. Only changes
  /// that are not part of the state are added.
  private func makeEngine(isShared: Bool) -> CKSyncEngine {
    let store = data[isShared]
    var configuration = CKSyncEngine.Configuration(
      database: isShared ? container.sharedCloudDatabase : container.privateCloudDatabase,
      stateSerialization: store.state, delegate: self)
    configuration.automaticallySync = isAutomatic
    let engine = CKSyncEngine(configuration)
    let pending = Set(engine.state.pendingRecordZoneChanges)
    for change in store.pendingInState where !pending.contains(pendingChange(change, isShared)) {
      trouble = "the stored state has lost \(change)"
    }
    if store.isUntrackedInState, !engine.state.hasPendingUntrackedChanges {
      trouble = "the stored state has lost that there are untracked changes"
    }
    let contents = store.present
    if contents.isOwnZoneMissing, !contents.unsent.isEmpty { addOwnZone(to: engine) }
    for change in contents.unsent.subtracting(store.pendingInState).sorted(by: { $0.item < $1.item })
    where !store.isUntrackedInState || !contents.untracked.contains(change.item) {
      add(change, to: engine)
    }
    addedChanges[isShared] = data[isShared].present.trackedChanges
    enginesWithUntrackedChanges.remove(isShared)
    atomicBatches[isShared] = nil
    return engine
  }

  /// Whether the engine was not released. Late callbacks of a released one are ignored.
  func isCurrent(_ engine: CKSyncEngine) -> Bool { engines.contains { $0 === engine } }

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
    case .edit(let edit, let isUntracked): answer.isDone = perform(edit, isUntracked: isUntracked)
    case .send(let isShared, let zone):
      let options = sendOptions(zone, isShared)
      await collect(&answer) { try await self.engine(isShared).sendChanges(options) }
    case .fetch(let isShared): await collect(&answer) { try await self.engine(isShared).fetchChanges() }
    case .renew(let isShared):
      LocalCloud.holdSyncEngines()
      engines[isShared ? 1 : 0] = makeEngine(isShared: isShared)
      LocalCloud.releaseSyncEngines()
    case .awaitSent(let account):
      if await reaches(.sent(user: users[account] ?? "")) { return }
      answer.unfinished = unfinished(isShared: false) + unfinished(isShared: true)
      answer.unfinished.append("the users are \(data.own.user ?? "none") and \(data.shared.user ?? "none")")
    case .awaitMarkers(let number, let zones):
      if await !reaches(.markers(number, zones: zones)) { answer.unfinished = ["the markers are \(markers)"] }
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

  private func sendOptions(_ zone: String?, _ isShared: Bool) -> CKSyncEngine.SendChangesOptions {
    guard let zone else { return CKSyncEngine.SendChangesOptions() }
    return CKSyncEngine.SendChangesOptions(scope: .zoneIDs([zoneID(zone, isShared)]))
  }

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
      answer.unfinished += unfinished(isShared: isShared)
    }
  }

  /// The changes of the app and those of the engine's state that were not sent.
  private func unfinished(isShared: Bool) -> [String] {
    let state = engine(isShared).state
    return data[isShared].present.unsent.map { "\($0)" }.sorted()
      + state.pendingRecordZoneChanges.map { "\($0)" } + state.pendingDatabaseChanges.map { "\($0)" }
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

  // MARK: Waiting

  /// Waits until the engines reach a state, without a request to them. Returns false after a minute.
  private func reaches(_ goal: Goal) async -> Bool {
    let (results, result) = AsyncStream<Bool>.makeStream()
    waiting = (goal, result)
    endWaitIfReached()
    let limit = Task.detached {
      try? await Task.sleep(for: .seconds(60))
      result.yield(false)
    }
    defer {
      limit.cancel()
      waiting = nil
    }
    for await isReached in results { return isReached }
    return false
  }

  /// Called at the end of each callback.
  func endWaitIfReached() {
    guard let waiting else { return }
    let isReached =
      switch waiting.goal {
      case .sent(let user):
        data.own.user == user && data.shared.user == user && unfinished(isShared: false).isEmpty
          && unfinished(isShared: true).isEmpty
      case .markers(let number, let zones): zones.allSatisfy { (markers[$0] ?? 0) >= number }
      }
    if isReached { waiting.result.yield(true) }
  }

  // MARK: Edits

  /// Stores an edit, and adds it to the engine's state or marks it as untracked. Returns false if there is no such item
  /// or user.
  private func perform(_ edit: EngineEdit, isUntracked: Bool) -> Bool {
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
    if isUntracked { contents.untracked.insert(edit.item) }
    data[isShared].present = contents
    let engine = engine(isShared)
    if contents.isOwnZoneMissing, edit.zone.name == EngineZone.ownName { addOwnZone(to: engine) }
    if isUntracked {
      engine.state.hasPendingUntrackedChanges = true
    } else {
      add(EngineChange(item: edit.item, zone: edit.zone.name, isDeletion: edit.kind == .delete), to: engine)
    }
    save()
    return true
  }

  func addUnsentChanges(to engine: CKSyncEngine) {
    let isShared = engine.isShared
    let changes = data[isShared].present.unsent.sorted { $0.item < $1.item }
    data[isShared].present.untracked = []
    engine.state.add(pendingRecordZoneChanges: changes.map { pendingChange($0, isShared) })
  }

  func add(_ change: EngineChange, to engine: CKSyncEngine) {
    data[engine.isShared].present.untracked.remove(change.item)
    engine.state.add(pendingRecordZoneChanges: [pendingChange(change, engine.isShared)])
  }

  /// The untracked changes, in addition to the pending ones.
  func untrackedChanges(
    except pending: [CKSyncEngine.PendingRecordZoneChange], _ isShared: Bool
  ) -> [CKSyncEngine.PendingRecordZoneChange] {
    let changes = data[isShared].present.untrackedChanges.sorted { $0.item < $1.item }
    let pending = Set(pending)
    return changes.map { pendingChange($0, isShared) }.filter { !pending.contains($0) }
  }

  private func pendingChange(
    _ change: EngineChange, _ isShared: Bool
  ) -> CKSyncEngine.PendingRecordZoneChange {
    let recordID = CKRecord.ID(recordName: change.item, zoneID: zoneID(change.zone, isShared))
    return change.isDeletion ? .deleteRecord(recordID) : .saveRecord(recordID)
  }

  private func zoneID(_ name: String, _ isShared: Bool) -> CKRecordZone.ID {
    let owner = isShared ? users[EngineZone.family.owner] ?? "" : CKCurrentUserDefaultName
    return CKRecordZone.ID(zoneName: name, ownerName: owner)
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
