import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudPlatform

/// Sends the store's changes to the cloud. The cloud's answers are stored before the next request, or at the run's end.
///
/// All records are saved first; deletions follow. So other devices see a moved record in its new zone before it
/// disappears from the old one.
struct Exporter {
  /// How many objects are assigned, read and sent at once.
  static let batch = 200
  /// How many records a request may contain.
  static let itemLimit = 400
  /// The greatest weight of a request's records, in bytes. CloudKit allows 2 MB.
  static let requestLimit = 1_500_000
  /// How many rounds of export and import are made before the export pauses.
  private static let roundLimit = 4

  let run: MirroringRun
  /// How many earlier exports of the same changes there were, each followed by an import.
  let round: Int
  /// Whether a request to save or delete was sent to the cloud, successful or not.
  private(set) var hasSent = false
  private var outcome = ExportOutcome()
  /// The objects that the next export has to examine again.
  private var failed: Set<RowID> = []
  private let plan: ExportPlan

  private var mirrored: MirroredStore { run.mirrored }

  init(_ run: MirroringRun, round: Int) throws {
    (self.run, self.round) = (run, round)
    plan = try ExportPlan(run.mirrored)
  }

  mutating func export() throws -> ExportOutcome {
    // Before a zone is fetched completely, the cloud's changes can't be distinguished from local ones.
    if try !mirrored.zonesToWalkAnew().isEmpty {
      outcome.outdated = CKError(.changeTokenExpired)
      return outcome
    }
    if !plan.isEmpty { try mirrored.ensurePrivateZone() }
    for ids in plan.present.chunks(of: Self.batch) where !outcome.isOutOfQuota {
      var failures = try run.edit { try plan.assign(ids, $0) }
      try mirrored.pass(.assigned)
      let assets = ExportAssets()
      try withExtendedLifetime(assets) { try save(try plan.saves(ids, assets, &failures)) }
      failed.formUnion(failures.keys)
      outcome.graphError = outcome.graphError ?? failures.min { $0.key < $1.key }?.value
    }
    for ids in plan.deleted.chunks(of: Self.batch) { try run.edit { try plan.endLinks(ids, $0) } }
    // No record leaves its old address before all are saved at the new one. Without quota, only records of deleted
    // objects are deleted: that frees storage.
    if outcome.isDone {
      try delete(try plan.deletions())
    } else if outcome.isOutOfQuota {
      try delete(try plan.deletions().filter { !$0.isOfFormerLocation })
    }
    if outcome.isDone { finish() }
    if round >= Self.roundLimit, let error = outcome.outdated {
      // Other devices still change records faster than this export sends: it tries again after a pause.
      (outcome.outdated, outcome.temporary) = (nil, outcome.temporary ?? error)
    }
    return outcome
  }

  /// Stores, at the run's end, that all changes up to the plan's end were sent.
  private func finish() {
    // A history that contains only imports is skipped from time to time.
    guard !plan.isEmpty || plan.unsent.isOfEverything || plan.unsent.count > 50 else { return }
    run.later { [plan, failed] edits in
      try edits.setState(StateKey.export, "token", .integer(plan.unsent.through))
      for id in plan.pending.union(failed).sorted() { try edits.setPending(id, failed.contains(id)) }
    }
  }

  // MARK: Requests

  private mutating func save(_ saves: [ExportSave]) throws {
    let (ready, failure) = try ForeignFields(mirrored: mirrored).copy(to: saves)
    if let failure { outcome.temporary = failure }
    var next = ready[...]
    while !next.isEmpty {
      var weight = 0
      let part = next.prefix(Self.itemLimit).prefix { save in
        defer { weight += save.weight }
        return weight == 0 || weight + save.weight <= Self.requestLimit
      }
      next = next.dropFirst(part.count)
      try send(part)
    }
  }

  private mutating func send(_ saves: ArraySlice<ExportSave>) throws {
    try run.store()
    hasSent = true
    let records = saves.map(\.record)
    let results: [CKRecord.ID: Result<CKRecord, any Error>]
    do {
      results = try mirrored.cloud.wait { done in
        mirrored.database.modifyRecords(saving: records, atomically: false) { done($0.map(\.saveResults)) }
      }
    } catch let error as CKError where error.code == .limitExceeded {
      // The weights are estimates, so the request is split.
      guard saves.count > 1 else {
        for save in saves { fail(save.record.recordID, of: save.object, error) }
        return
      }
      try send(saves.prefix(saves.count / 2))
      return try send(saves.dropFirst(saves.count / 2))
    }
    try mirrored.pass(.sent)
    var saved: [(ExportSave, CKRecord)] = []
    var finished: [ExportSave] = []
    var refused: [ExportSave] = []
    var deleted: [ExportSave] = []
    var withoutReceipt: [ExportSave] = []
    var unreported: [CKRecord.ID] = []
    for save in saves {
      switch results[save.record.recordID] ?? .failure(CKError(.internalError)) {
      case .success(let record): saved.append((save, record))
      case .failure(let error):
        switch classify(error, save) {
        case .open: break
        case .finished: finished.append(save)
        case .refused: refused.append(save)
        case .deleted: deleted.append(save)
        case .unreported: unreported.append(save.record.recordID)
        case .withoutReceipt: withoutReceipt.append(save)
        }
      }
    }
    try store(saved, finished, withoutReceipt, deleted)
    if saved.count + finished.count < saves.count { try run.store() }
    try importVersions(of: unreported)
    try revert(refused, [])
  }

  /// The meaning of an error for a record to save.
  private enum Verdict {
    /// The record is sent again.
    case open
    /// There is nothing left to send.
    case finished
    /// The user has no permission to save it.
    case refused
    /// The record was deleted, and no import reports that.
    case deleted
    /// The cloud has another version of the record that no import reported.
    case unreported
    /// The schema has no field for the record's receipt.
    case withoutReceipt
  }

  private mutating func classify(_ error: any Error, _ save: ExportSave) -> Verdict {
    let recordID = save.record.recordID
    if case .link = save.subject, (error as? CKError)?.code == .serverRecordChanged {
      // A pair's record never changes: the cloud has the one that was sent before.
      return .finished
    }
    switch CloudFailure(error) {
    // No import of the public database reports a deleted record ([mirror-35]).
    case .outdated where mirrored.scope == .public && (error as? CKError)?.code == .unknownItem:
      return .deleted
    // The record was deleted, and no import reports another address: the next import removes the object.
    case .outdated where round > 0 && (error as? CKError)?.code == .unknownItem: return .finished
    case .outdated:
      outcome.outdated = error
      if round > 0, (error as? CKError)?.code == .serverRecordChanged { return .unreported }
    case .temporary, .noAccount: outcome.temporary = error
    case .refused:
      outcome.errors[recordID] = error
      return .refused
    case .lasting where save.isResent && (error as? CKError)?.code == .invalidArguments:
      outcome.outdated = error
      return .withoutReceipt
    case .lasting: fail(recordID, of: save.object, error)
    }
    return .open
  }

  /// Stores the error of a record that can't be saved or deleted. The next export examines its object again.
  private mutating func fail(_ recordID: CKRecord.ID, of object: RowID, _ error: any Error) {
    outcome.errors[recordID] = error
    failed.insert(object)
  }

  /// Imports versions of records that no import reported: when another record begins to refer to a record, its change
  /// tag changes, but the change feed does not list it ([mirror-32]).
  private func importVersions(of recordIDs: [CKRecord.ID]) throws {
    for part in recordIDs.chunks(of: Self.batch) {
      let found = try mirrored.records(Array(part)).filter { (try? $0.value.get()) != nil }
      let content = try PageContent(found, of: mirrored)
      try run.edit { try content.apply(run.importPass($0)) }
    }
  }

  private mutating func revert(_ saves: [ExportSave], _ deletions: [ExportDeletion]) throws {
    let changes = RefusedChanges(
      mirrored: mirrored, through: plan.unsent.through, saves: saves, deletions: deletions)
    // Changes that can't be reverted now are sent and refused again.
    do { try changes.revert() } catch let error as CKError { outcome.temporary = error }
  }

  /// Stores the cloud's answer with the next transaction.
  private func store(
    _ saved: [(ExportSave, CKRecord)], _ finished: [ExportSave], _ withoutReceipt: [ExportSave],
    _ deleted: [ExportSave]
  ) throws {
    let through = plan.unsent.through
    let archives = try saved.map { try mirrored.archived($0.1) }
    run.later { [unowned run] edits in
      for ((save, record), archive) in zip(saved, archives) {
        try edits.update(save) { entry in
          (entry.archive, entry.creator) = archive
          (entry.tag, entry.sent) = (record.recordChangeTag, through)
        }
      }
      for save in finished { try edits.update(save) { $0.sent = through } }
      for save in withoutReceipt { try edits.update(save) { $0.receipt = MoveReceipt() } }
      if deleted.isEmpty { return }
      let pass = try run.importPass(edits)
      for save in deleted {
        if let entry = try edits.record(of: save.object) { try pass.delete(entry) }
      }
    }
  }

  // MARK: Deletions

  /// Checks once more whether moved records were changed at their former addresses, and stores that their deletion
  /// there begins. Returns false if they can't be deleted now: an import is needed first, or the check failed.
  private mutating func beginDeletion(ofMoved deletions: ArraySlice<ExportDeletion>) throws -> Bool {
    let locations = deletions.filter(\.isOfFormerLocation).map(\.location)
    if locations.isEmpty { return true }
    let recordIDs = locations.map(\.recordID)
    let found = try mirrored.records(recordIDs, keys: [])
    for case .failure(let error) in found.values {
      switch CloudFailure(error) {
      case .temporary, .noAccount:
        outcome.temporary = error
        return false
      case .outdated, .refused, .lasting: break
      }
    }
    let changed = try run.edit { edits in
      var changed: [CKRecord.ID] = []
      for location in locations {
        guard var former = try edits.former(location) else { continue }
        if case .object = former.subject, let tag = try? found[location.recordID]?.get().recordChangeTag,
          tag != former.tag
        {
          changed.append(location.recordID)
          continue
        }
        former.isEnding = true
        edits.put(former)
      }
      return changed
    }
    if changed.isEmpty { return true }
    outcome.outdated = CKError(.serverRecordChanged)
    if round > 0 { try importVersions(of: changed) }
    return false
  }

  private mutating func delete(_ deletions: [ExportDeletion]) throws {
    for part in deletions.chunks(of: Self.itemLimit) {
      guard try beginDeletion(ofMoved: part) else { return }
      try run.store()
      hasSent = true
      let recordIDs = part.map(\.location.recordID)
      let results = try mirrored.cloud.wait { done in
        mirrored.database.modifyRecords(deleting: recordIDs, atomically: false) { done($0.map(\.deleteResults)) }
      }
      try mirrored.pass(.sent)
      var done: [ExportDeletion] = []
      var refused: [ExportDeletion] = []
      for (deletion, recordID) in zip(part, recordIDs) {
        if case .failure(let error)? = results[recordID] {
          switch CloudFailure(error) {
          case .outdated:
            // The record does not exist. It may have moved; then it has to be deleted at its new address.
            if case .object = deletion.subject, round == 0, mirrored.scope != .public {
              outcome.outdated = error
              continue
            }
          case .temporary, .noAccount:
            outcome.temporary = error
            continue
          case .refused where !deletion.isOfFormerLocation:
            outcome.errors[recordID] = error
            refused.append(deletion)
            continue
          case .refused, .lasting:
            fail(recordID, of: deletion.object, error)
            continue
          }
        }
        done.append(deletion)
      }
      run.later { [done] edits in for deletion in done { try edits.forget(deletion) } }
      if !refused.isEmpty { try run.store() }
      try revert([], refused)
    }
  }
}

extension StoreTransaction {
  /// Changes the entry of a record that was sent.
  fileprivate func update(_ save: ExportSave, _ change: (inout RecordEntry) -> Void) throws {
    switch save.subject {
    case .object(let id):
      // The object may have moved to another address since then.
      guard var entry = try record(of: id), entry.location.recordID == save.record.recordID else { return }
      change(&entry)
      put(entry.row, in: .records)
    case .link(let number):
      guard var link = LinkEntry(try row(number, in: .links)), link.location.recordID == save.record.recordID else {
        return
      }
      link.isSent = true
      put(link)
    }
  }

  /// Removes the rows about a deleted record.
  fileprivate func forget(_ deletion: ExportDeletion) throws {
    switch deletion.subject {
    case .object(let id): remove(id.number, from: .records)
    case .formerLocation(let id):
      try forget(former: deletion.location)
      guard var entry = try record(of: id) else { return }
      entry.leaving.removeAll { $0 == deletion.location }
      put(entry.row, in: .records)
    case .link(let number):
      guard let link = LinkEntry(try row(number, in: .links)), link.isEnding else { return }
      remove(link)
    case .formerLinkLocation(let number):
      try forget(former: deletion.location)
      guard var link = LinkEntry(try row(number, in: .links)) else { return }
      link.leaving.removeAll { $0 == deletion.location }
      put(link)
    }
  }
}
