import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Plans and writes the part of a modify request that concerns one zone.
///
/// Order of the checks ([record-save-9]): names and sizes, the caller's permission, tag, type; then parents; then
/// storage; then sharing rules; then deletions. Each step stores its result in the plan and continues from the previous
/// step's. Saves are put into the transaction before deletions are reviewed, as deletions depend on them. A plan that
/// is refused as a whole, or has unmet ``ModifyRecordsPlan/Needs``, commits nothing: the service meets the needs
/// without the zone's lock, and another planner starts again.
///
/// Used only within one write transaction of the zone, on its thread.
final class ModifyRecordsPlanner {
  let change: ZoneChange
  /// The plan so far.
  var plan: ModifyRecordsPlan
  /// The outcome of each save, for the caller; empty while the plan has unmet needs.
  private(set) var answers: [Result<Record, ServiceError>] = []
  private var review: SaveReview
  private let faults: RequestFaults

  /// - Parameters:
  ///   - assets: the files of the saves.
  ///   - faults: the errors that fault rules give to records of the request.
  init(
    _ change: ZoneChange, _ requests: [RecordSave], deleting names: [ExactName], policy: SavePolicy, atomic: Bool,
    assets: AssetIntake, faults: RequestFaults
  ) throws {
    self.change = change
    self.faults = faults
    plan = ModifyRecordsPlan(requests, deleting: names, isAtomic: atomic && change.address.isAtomic)
    review = try SaveReview(change, policy, assets, faults)
    change.planned = { [unowned self] in try record($0) }
  }

  var transaction: ZoneTransaction { change.transaction }

  /// The record with its planned save; the zone's record if no save of it is planned so far or its save failed.
  func record(_ name: ExactName) throws -> StoredRecord? { try plan.record(name, in: transaction.view) }

  /// Plans the batch and commits it, unless the plan is refused or has unmet needs.
  func run() throws {
    do {
      if try write() {
        try transaction.commit(change.service.waitPolicy(change.caller)) { answers = answered() }
      }
    } catch let lacking as KeyPairsNeeded {
      plan.needs.keyPairs = lacking.accounts
    }
    if answers.isEmpty, plan.needs.isEmpty { answers = answered() }
  }

  private func answered() -> [Result<Record, ServiceError>] {
    let records = change.service.records
    return plan.saves.map { save in
      save.result.flatMap { planned in
        Result {
          let stored = try transaction.record(planned.name) ?? planned
          let plain = try records.record(stored, fields: save.values, in: change.address)
          var record = records.presentPlain(plain, to: change.account)
          record.encryptedFields = save.opened
          return record
        }.mapError(ServiceError.init(describing:))
      }
    }
  }

  /// Returns false if the transaction must not be committed.
  private func write() throws -> Bool {
    try reviewSaves()
    if !plan.needs.isEmpty { return false }
    try SharePlanner(change: change).planShares(&plan)
    try SealingPlanner(self).plan()
    if plan.isAtomic, plan.hasFailedSave { return refuseAll() }
    try putSaves()
    let deletions = DeletionReview(change: change, permission: review.permission, faults: faults)
    plan.deletes = try deletions.reviewed(plan.deletes)
    if plan.isAtomic, plan.hasFailedDelete { return refuseAll() }
    try delete()
    try touchTargets()
    try change.planConsequences()
    return true
  }

  private func refuseAll() -> Bool {
    plan.refuseAll()
    return false
  }

  private func reviewSaves() throws {
    try transaction.expect(plan.requests.map(\.id.name))
    for request in plan.requests { plan.saves.append(try review.review(request, in: plan)) }
    plan.needs.files = review.wantedFiles
    if !plan.needs.isEmpty { return }
    let references = ReferenceReview(change)
    try references.checkOwners(of: &plan)
    try references.checkTargets(of: &plan)
    try checkStorage()
    // Growth is handled before any random identifiers are drawn: the next run would draw them again. Refused saves add
    // no field.
    if !plan.isRefused { plan.needs.growth = review.schema.growth }
  }

  /// Refuses saves into full storage ([record-storage-1] and following). This follows the check of parents: a child
  /// without its parent gets that error. Deletions free storage and are allowed.
  ///
  /// - Difference: no bytes are counted: an account's storage is full while `localcloud account set` says so.
  /// - Assumption: while it is, every save in the account's own zones fails, of every caller and of any size; zones can
  ///   still be created and shares accepted.
  private func checkStorage() throws {
    // The public database counts towards the app's storage, not an account's.
    guard let owner = change.address.ownerAccount, plan.saves.contains(where: { !$0.result.isFailure }) else { return }
    let account =
      try change.address.role == .owner ? change.account : change.service.accounts.requireAccount(owner)
    guard account.storage == .full else { return }
    for index in plan.saves.indices where !plan.saves[index].result.isFailure {
      plan.saves[index].result = .failure(.storageFull(of: owner))
    }
  }

  // MARK: Writing the transaction

  private func putSaves() throws {
    for index in plan.saves.indices {
      guard case .success(let record) = plan.saves[index].result else { continue }
      let encoding = FieldIndexKey.encoding(of: plan.saves[index].values)
      plan.saves[index].result = .success(try transaction.put(record, encoding: encoding))
    }
  }

  private func delete() throws {
    for delete in plan.deletes where !delete.result.isFailure {
      switch delete.effect {
      case .nothing: continue
      case .leave(let share): try change.shareAccess.leave(share)
      case .delete: try change.removal.delete(change.removal.closure(of: [delete.name]))
      }
    }
    change.planned = nil
  }

  /// Gives new tags to the direct parents of saved records, and to the targets of new references ([record-system-3]).
  ///
  /// - Assumption: the tag of the direct parent or target only, unless it is in the same batch; no new date, no feed
  ///   entry.
  private func touchTargets() throws {
    var targets: Set<ExactName> = []
    for save in plan.saves {
      guard case .success(let record) = save.result, record.type != Record.shareType else { continue }
      if let parent = record.parent { targets.insert(parent) }
      let new = record.references.subtracting(save.stored?.references ?? [])
      // A participant's reference must not change the tag of a record outside the shares.
      targets.formUnion(try new.filter { try change.access?.mayRead(change.before.share(of: $0)) ?? true })
    }
    for target in targets.sorted() where !transaction.changes(target) {
      if let record = try transaction.record(target) { try transaction.put(record, touch: true) }
    }
  }
}

extension StoredRecord {
  /// The targets of all reference fields.
  fileprivate var references: Set<ExactName> {
    var result: Set<ExactName> = []
    for (_, field) in object["fields"]?.object ?? [:] where field["type"]?.string?.hasPrefix("REFERENCE") == true {
      for value in field["value"]?.array ?? [field["value"] ?? .null] {
        if let name = value["recordName"]?.string { result.insert(ExactName(name)) }
      }
    }
    return result
  }
}
