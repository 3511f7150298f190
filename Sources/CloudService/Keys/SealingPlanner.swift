import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Plans the encrypted values of a batch, and the keys of the records and shares that hold them.
struct SealingPlanner {
  private let planner: ModifyRecordsPlanner

  init(_ planner: ModifyRecordsPlanner) { self.planner = planner }

  private var change: ZoneChange { planner.change }
  private var keyPlan: KeyWrapPlan { planner.change.keyPlan }
  private var transaction: ZoneTransaction { planner.transaction }

  /// Seals the new encrypted values. Refuses saves that can't be sealed, and saves of records that the caller could not
  /// read afterwards.
  func plan() throws {
    try markExposedKeys()
    var failed = false
    for index in planner.plan.saves.indices where planner.plan.saves[index].request.type != Record.shareType {
      if try !planKeys(of: index) { failed = true }
    }
    // Shares are planned after their roots, as they need the keys of these.
    for index in planner.plan.saves.indices where planner.plan.saves[index].request.type == Record.shareType {
      if try !planKeys(of: index) { failed = true }
    }
    if failed { try ReferenceReview(change).checkTargets(of: &planner.plan) }
  }

  /// Marks the keys of accounts that lose access by this batch, so that they can't open values that the batch itself
  /// seals.
  private func markExposedKeys() throws {
    for save in planner.plan.saves {
      guard case .success(let record) = save.result, let stored = save.stored else { continue }
      if record.type == Record.shareType {
        try keyPlan.revokeKeys(record, before: stored)
      } else if record.parent != stored.parent, try keyPlan.hasKeys,
        let left = try change.before.share(of: record.name)?.loggedShare,
        try planner.plan.chains.share(of: record.name, planner.record) != left
      {
        try keyPlan.expose(record.name)
      }
    }
    guard change.address.role == .owner, planner.plan.saves.contains(where: { !$0.request.encryptedFields.isEmpty })
    else { return }
    for delete in planner.plan.deletes {
      if let share = try transaction.view.share(delete.name) {
        try keyPlan.exposeWhatOpens(delete.name, share.details)
      }
    }
  }

  /// Returns false if the save is refused.
  private func planKeys(of index: Int) throws -> Bool {
    let save = planner.plan.saves[index]
    guard case .success(let record) = save.result, try concernsKeys(save, record) else { return true }
    do {
      try seal(record, of: index)
      try updateShares(beside: record, save.stored)
      return true
    } catch {
      planner.plan.saves[index].result = .failure(try Self.refusal(of: record, error))
      return false
    }
  }

  private func concernsKeys(_ save: ModifyRecordsPlan.Save, _ record: StoredRecord) throws -> Bool {
    if !save.request.encryptedFields.isEmpty { return true }
    let isShare = record.type == Record.shareType
    guard isShare || save.stored != nil else { return false }
    if !record.encryptedFields.isEmpty { return true }
    return try (isShare || record.parent != save.stored?.parent) && keyPlan.hasKeys
  }

  private func seal(_ record: StoredRecord, of index: Int) throws {
    let new = planner.plan.saves[index].request.encryptedFields.compactMapValues { $0 }
    var record = record
    if !new.isEmpty {
      let key = try keyPlan.key(of: record.name)
      var fields = record.object["fields"]?.object ?? [:]
      for (name, value) in new.sorted(by: { $0.key < $1.key }) {
        fields[name] = .object(try keyPlan.keys.seal(value, name, of: record.name, with: key))
      }
      record.object["fields"] = .object(fields)
    }
    if let stored = planner.plan.saves[index].stored, stored.parent != record.parent { try keyPlan.reseal(record.name) }
    planner.plan.saves[index].opened = try keyPlan.keys.open(record) { new[$0] == nil }.merging(new) { _, new in new }
    planner.plan.saves[index].result = .success(record)
  }

  /// Updates the key of the record itself, if it is a share, and of shares with a root, or a zone, that got a key in
  /// this batch.
  private func updateShares(beside record: StoredRecord, _ stored: StoredRecord?) throws {
    if record.type == Record.shareType {
      guard case .success(let share)? = planner.plan.save(of: record.name)?.result else { return }
      // Both the new and the stored list must agree, as an administrator may be leaving.
      let isManager =
        try change.address.role == .owner
        || [share, stored].allSatisfy { try $0.map(ShareDetails.init)?.isManaged(by: change.account) == true }
      try keyPlan.updateShare(share, before: stored, isManager: isManager)
    }
    for name in keyPlan.sharesToUpdate.sorted() where planner.plan.indexes[name] == nil {
      try keyPlan.updateNewShare(name)
    }
  }

  /// The error of a refused save. Rethrows errors that are not the save's own, and errors that restart the request.
  private static func refusal(of record: StoredRecord, _ error: any Error) throws -> ServiceError {
    switch error {
    case let error as ServiceError:
      return error
    case let error as CryptographyError:
      return ServiceError(error)
    case let error as ZoneKeys.Lost:
      return ServiceError(
        .internalError, "The record \(record.name) can't be saved, for want of a key: \(error.reason).",
        cause: .damage, hint: ServiceError.keyHint)
    default:
      throw error
    }
  }
}
