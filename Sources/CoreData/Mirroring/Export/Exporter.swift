import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Sends to the cloud what changed in the store.
///
/// First all records are saved, then those are deleted that have to go: other devices see a record that moved in its
/// new zone before it vanishes from the old one.
struct Exporter {
  /// As many objects as are given names, read and sent at once.
  static let batch = 200
  /// As many records as a request may speak of.
  static let itemLimit = 400
  /// A request may weigh 2 MB.
  static let requestLimit = 1_500_000
  /// As often as changes are sent and imported in turns before the export makes a pause.
  private static let roundLimit = 4

  let mirrored: MirroredStore
  /// How many exports of the same changes there were before, each followed by an import.
  let round: Int
  /// Whether the cloud was asked to save or delete something, whatever became of that.
  private(set) var hasSent = false
  private var outcome = ExportOutcome()
  /// The numbers of the objects that an export has to look at again.
  private var failed: Set<Int64> = []
  private let plan: ExportPlan

  init(_ mirrored: MirroredStore, round: Int) throws {
    (self.mirrored, self.round) = (mirrored, round)
    plan = try ExportPlan(mirrored)
  }

  mutating func run() throws -> ExportOutcome {
    // What is not known yet can't be told from what was changed here.
    if try !mirrored.zonesToWalkAnew().isEmpty {
      outcome.outdated = CKError(.changeTokenExpired)
      return outcome
    }
    if !plan.isEmpty { try mirrored.ensurePrivateZone() }
    for ids in plan.present.chunks(of: Self.batch) where !outcome.isOutOfQuota {
      var failures = try plan.assign(ids)
      try mirrored.pass(.assigned)
      let assets = ExportAssets()
      try withExtendedLifetime(assets) { try save(try plan.saves(ids, assets, &failures)) }
      failed.formUnion(failures.keys.map(\.number))
      outcome.graphError = outcome.graphError ?? failures.min { $0.key < $1.key }?.value
    }
    for numbers in plan.gone.chunks(of: Self.batch) { try plan.endLinks(numbers) }
    // Nothing leaves its old home before all of it is in the new one. Of what is gone the deletion makes room.
    if outcome.isDone {
      try delete(try plan.deletions())
    } else if outcome.isOutOfQuota {
      try delete(try plan.deletions().filter { !$0.isOfOldHome })
    }
    if outcome.isDone { try finish() }
    if round >= Self.roundLimit, let error = outcome.outdated {
      // Other devices are always faster: after a pause they may not be.
      (outcome.outdated, outcome.temporary) = (nil, outcome.temporary ?? error)
    }
    return outcome
  }

  /// Stores that everything up to the plan's end was sent.
  private func finish() throws {
    // A history of imports alone is passed over now and then.
    guard !plan.isEmpty || plan.unsent.isOfEverything || plan.unsent.count > 50 else { return }
    try mirrored.edit { edits in
      try edits.setState(StateKey.export, "token", .integer(plan.unsent.through))
      for number in plan.pending.union(failed).sorted() { try edits.setPending(number, failed.contains(number)) }
    }
  }

  // MARK: Requests

  private mutating func save(_ saves: [ExportSave]) throws {
    let (ready, failure) = try ForeignFields(mirrored: mirrored).carry(saves)
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
    hasSent = true
    let records = saves.map(\.record)
    let results: [CKRecord.ID: Result<CKRecord, any Error>]
    do {
      results = try mirrored.cloud.wait { done in
        mirrored.database.modifyRecords(saving: records, atomically: false) { done($0.map(\.saveResults)) }
      }
    } catch let error as CKError where error.code == .limitExceeded {
      // The weights are estimates.
      guard saves.count > 1 else {
        for save in saves { fail(save.record.recordID, of: save.object, error) }
        return
      }
      try send(saves.prefix(saves.count / 2))
      return try send(saves.dropFirst(saves.count / 2))
    }
    try mirrored.pass(.sent)
    var saved: [(ExportSave, CKRecord)] = []
    var settled: [ExportSave] = []
    var refused: [ExportSave] = []
    var gone: [ExportSave] = []
    var unreported: [CKRecord.ID] = []
    for save in saves {
      switch results[save.record.recordID] ?? .failure(CKError(.internalError)) {
      case .success(let record): saved.append((save, record))
      case .failure(let error):
        switch note(error, save) {
        case .open: break
        case .settled: settled.append(save)
        case .refused: refused.append(save)
        case .gone: gone.append(save)
        case .unreported: unreported.append(save.record.recordID)
        case .withoutReceipt: try mirrored.edit { try $0.update(save) { $0.receipt = MoveReceipt() } }
        }
      }
    }
    try store(saved, settled, gone)
    try takeOver(unreported)
    try takeBack(refused, [])
    try mirrored.pass(.stored)
  }

  /// What an error means for a record that was to be saved.
  private enum Verdict {
    /// It is sent again.
    case open
    /// There is nothing left to send.
    case settled
    /// The person may not save it.
    case refused
    /// The record was deleted, and no import reports that.
    case gone
    /// The cloud has another version of the record, which no import reported.
    case unreported
    /// The schema has no field for the record's receipt.
    case withoutReceipt
  }

  private mutating func note(_ error: any Error, _ save: ExportSave) -> Verdict {
    let recordID = save.record.recordID
    if case .link = save.subject, (error as? CKError)?.code == .serverRecordChanged {
      // A pair's record never changes: this is the one that was sent before.
      return .settled
    }
    switch CloudFailure(error) {
    // Of the public database no import tells that a record is gone ([mirror-35]).
    case .outdated where mirrored.scope == .public && (error as? CKError)?.code == .unknownItem:
      return .gone
    // The record is gone, and no import tells of another home: the object will go with the next one.
    case .outdated where round > 0 && (error as? CKError)?.code == .unknownItem: return .settled
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

  /// Notes that a record can't be saved or deleted, and is to be looked at again by the next export.
  private mutating func fail(_ recordID: CKRecord.ID, of object: Int64, _ error: any Error) {
    outcome.errors[recordID] = error
    failed.insert(object)
  }

  /// Takes over the versions of records that the cloud has and no import reported: a record that another one begins to
  /// refer to gets a new change tag, of which the feed says nothing ([mirror-32]).
  private func takeOver(_ recordIDs: [CKRecord.ID]) throws {
    for part in recordIDs.chunks(of: Self.batch) {
      let found = try mirrored.records(Array(part)).filter { (try? $0.value.get()) != nil }
      let content = try PageContent(found, of: mirrored)
      try mirrored.edit { try content.apply(ImportPass($0, mirrored.mapping)) }
    }
  }

  private mutating func takeBack(_ saves: [ExportSave], _ deletions: [ExportDeletion]) throws {
    let changes = RefusedChanges(
      mirrored: mirrored, through: plan.unsent.through, saves: saves, deletions: deletions)
    // What can't be taken back now is sent again, and refused again.
    do { try changes.takeBack() } catch let error as CKError { outcome.temporary = error }
  }

  /// Stores the cloud's answer.
  private func store(_ saved: [(ExportSave, CKRecord)], _ settled: [ExportSave], _ gone: [ExportSave]) throws {
    let through = plan.unsent.through
    let kept = try saved.map { try mirrored.kept($0.1) }
    try mirrored.edit { edits in
      for ((save, record), kept) in zip(saved, kept) {
        try edits.update(save) { entry in
          (entry.archive, entry.creator) = kept
          (entry.tag, entry.sent) = (record.recordChangeTag, through)
        }
      }
      for save in settled { try edits.update(save) { $0.sent = through } }
      if gone.isEmpty { return }
      let pass = try ImportPass(edits, mirrored.mapping)
      for save in gone {
        if let entry = RecordEntry(try edits.row(save.object, in: .records)) { try pass.delete(entry) }
      }
    }
  }

  // MARK: Deletions

  /// Looks once more whether records that moved were changed where they were, and notes that they are being deleted
  /// there. Returns false if they can't be deleted now: something has to be imported first, or could not be looked at.
  private mutating func beginDeletion(ofMoved deletions: ArraySlice<ExportDeletion>) throws -> Bool {
    let homes = deletions.filter(\.isOfOldHome).map(\.home)
    if homes.isEmpty { return true }
    let recordIDs = homes.map(\.recordID)
    let found = try mirrored.records(recordIDs, keys: [])
    for case .failure(let error) in found.values {
      switch CloudFailure(error) {
      case .temporary, .noAccount:
        outcome.temporary = error
        return false
      case .outdated, .refused, .lasting: break
      }
    }
    let changed = try mirrored.edit { edits in
      var changed: [CKRecord.ID] = []
      for home in homes {
        guard var former = try edits.former(home) else { continue }
        if case .object = former.subject, let tag = try? found[home.recordID]?.get().recordChangeTag, tag != former.tag
        {
          changed.append(home.recordID)
          continue
        }
        former.isEnding = true
        edits.put(former)
      }
      return changed
    }
    if changed.isEmpty { return true }
    outcome.outdated = CKError(.serverRecordChanged)
    if round > 0 { try takeOver(changed) }
    return false
  }

  private mutating func delete(_ deletions: [ExportDeletion]) throws {
    for part in deletions.chunks(of: Self.itemLimit) {
      guard try beginDeletion(ofMoved: part) else { return }
      hasSent = true
      let recordIDs = part.map(\.home.recordID)
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
            // There is nothing to delete; but it may have moved, and then it is to be deleted where it is.
            if case .object = deletion.subject, round == 0, mirrored.scope != .public {
              outcome.outdated = error
              continue
            }
          case .temporary, .noAccount:
            outcome.temporary = error
            continue
          case .refused where !deletion.isOfOldHome:
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
      try mirrored.edit { edits in for deletion in done { try edits.forget(deletion) } }
      try takeBack([], refused)
      try mirrored.pass(.stored)
    }
  }
}

extension StoreEdits {
  /// Changes the entry of a record that was sent.
  fileprivate func update(_ save: ExportSave, _ change: (inout RecordEntry) -> Void) throws {
    switch save.subject {
    case .object(let number):
      // The object may have got another home meanwhile.
      guard var entry = RecordEntry(try row(number, in: .records)), entry.home.recordID == save.record.recordID else {
        return
      }
      change(&entry)
      put(entry.row, in: .records)
    case .link(let number):
      guard var link = LinkEntry(try row(number, in: .links)), link.home.recordID == save.record.recordID else {
        return
      }
      link.isSent = true
      put(link)
    }
  }

  /// Removes what the tables say of a record that was deleted.
  fileprivate func forget(_ deletion: ExportDeletion) throws {
    switch deletion.subject {
    case .object(let number): remove(number, from: .records)
    case .oldHome(let number):
      try forget(former: deletion.home)
      guard var entry = RecordEntry(try row(number, in: .records)) else { return }
      entry.leaving.removeAll { $0 == deletion.home }
      put(entry.row, in: .records)
    case .link(let number):
      guard let link = LinkEntry(try row(number, in: .links)), link.isEnding else { return }
      remove(link)
    case .oldLinkHome(let number):
      try forget(former: deletion.home)
      guard var link = LinkEntry(try row(number, in: .links)) else { return }
      link.leaving.removeAll { $0 == deletion.home }
      put(link)
    }
  }
}
