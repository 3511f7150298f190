import CloudModel
import CloudStore
import Platform
import Storage

/// Encrypted values in a batch, and the keys that follow its records.
extension ZoneBatch {
  // MARK: Which key is encrypted

  /// One key of a record is plain or encrypted for good ([encryption-value-4]).
  ///
  /// - Assumption: encrypted values in the public database, and a plain value for a field that is encrypted or the
  ///   reverse, are `invalidArguments` for their record.
  func checkEncryption(_ request: inout RecordSave) throws {
    let encrypted = request.encryptedFields.compactMapValues { $0 }
    if let key = encrypted.keys.min(), address.role == .publicUser {
      throw ServiceError.invalid("Field '\(key)': encrypted fields aren't supported in the public database")
    }
    for (key, value) in encrypted {
      guard value.isEncryptable else {
        throw ServiceError.invalid("Field '\(key)': a \(value.typeName) can't be encrypted")
      }
      if case .some(.some(_)) = request.fields[key] { throw Self.bothWays(key) }
      request.encryptedFields[key] = try schema.fit(
        localized(value, key), key: key, type: request.type, isEncrypted: true)
    }
  }

  private static func bothWays(_ key: String) -> ServiceError {
    .invalid("Field '\(key)' can't be plain and encrypted at once")
  }

  // MARK: Before anything is written

  /// Seals the new encrypted values. What can't be sealed, or afterwards could not be told to who saved it, is refused.
  func planKeys() throws {
    try markExposedKeys()
    var failed = false
    for place in saves.indices where saves[place].request.type != Record.shareType {
      if try !planKeys(of: place) { failed = true }
    }
    // With their roots' keys known.
    for place in saves.indices where saves[place].request.type == Record.shareType {
      if try !planKeys(of: place) { failed = true }
    }
    if failed { try checkTargets() }
  }

  /// Keys that somebody has who loses access by this batch: what it seals itself is not for them either.
  private func markExposedKeys() throws {
    for save in saves {
      guard case .success(let record) = save.result, let stored = save.stored else { continue }
      if record.type == Record.shareType {
        try keyPlan.shut(record, before: stored)
      } else if record.parent != stored.parent, try keyPlan.hasKeys,
        let left = try before.share(of: record.name)?.loggedShare,
        try plannedChains.share(of: record.name, planned) != left
      {
        try keyPlan.expose(record.name)
      }
    }
    guard address.role == .owner, saves.contains(where: { !$0.request.encryptedFields.isEmpty }) else { return }
    for delete in deletes {
      if let share = try transaction.view.share(delete.name) {
        try keyPlan.exposeWhatOpens(delete.name, share.details)
      }
    }
  }

  /// Answers false if the save is refused.
  private func planKeys(of place: Int) throws -> Bool {
    guard case .success(let record) = saves[place].result, try concernsKeys(saves[place], record) else { return true }
    do {
      try seal(record, of: place)
      try settleShares(beside: record, saves[place].stored)
      return true
    } catch {
      saves[place].result = .failure(try Self.refusal(of: record, error))
      return false
    }
  }

  private func concernsKeys(_ save: Save, _ record: StoredRecord) throws -> Bool {
    if !save.request.encryptedFields.isEmpty { return true }
    let isShare = record.type == Record.shareType
    guard isShare || save.stored != nil else { return false }
    if !record.encryptedFields.isEmpty { return true }
    return try (isShare || record.parent != save.stored?.parent) && keyPlan.hasKeys
  }

  private func seal(_ record: StoredRecord, of place: Int) throws {
    let new = saves[place].request.encryptedFields.compactMapValues { $0 }
    var record = record
    if !new.isEmpty {
      let key = try keyPlan.key(of: record.name)
      var fields = record.object["fields"]?.object ?? [:]
      for (name, value) in new.sorted(by: { $0.key < $1.key }) {
        fields[name] = .object(try keyPlan.keys.seal(value, name, of: record.name, with: key))
      }
      record.object["fields"] = .object(fields)
    }
    if let stored = saves[place].stored, stored.parent != record.parent { try keyPlan.follow(record.name) }
    saves[place].opened = try keyPlan.keys.open(record) { new[$0] == nil }.merging(new) { _, new in new }
    saves[place].result = .success(record)
  }

  /// The record's own, if it is a share, and those whose roots have a key since.
  private func settleShares(beside record: StoredRecord, _ stored: StoredRecord?) throws {
    if record.type == Record.shareType {
      guard case .success(let share)? = places[record.name].map({ saves[$0].result }) else { return }
      // As before and as it is to be: an administrator may be leaving.
      let isManager =
        try address.role == .owner
        || [share, stored].allSatisfy { try $0.map(ShareDetails.init)?.isManaged(by: account) == true }
      try keyPlan.settle(share, before: stored, isManager: isManager)
    }
    for name in keyPlan.unsettled.sorted() where places[name] == nil { try settle(name) }
  }

  /// A share whose root, or zone, has a key since.
  private func settle(_ name: ExactName) throws {
    if let share = try keyPlan.record(name) { try keyPlan.settle(share, before: share, isManager: false) }
  }

  /// What a save is refused with; what is nobody's fault, and what is to be mended first, is thrown.
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

  // MARK: Afterwards

  /// Keys of records that are gone go; those of records that moved, or came into another share, follow them; and keys
  /// that somebody has who went are replaced.
  func followKeys() throws {
    guard try keyPlan.hasKeys else { return }
    for name in transaction.changedRecords where try transaction.record(name) == nil { try keyPlan.drop(name) }
    if keyPlan.keys.isOwner {
      for name in try newlyShared() {
        // What can't be read can't be sealed anew either.
        do { try keyPlan.follow(name) } catch is ZoneKeys.Lost {}
      }
      for name in keyPlan.unsettled.sorted() { try settle(name) }
      for share in affectedShares.sorted() {
        if let record = try transaction.record(share) { try keyPlan.renewIfStale(record) }
      }
    }
    try keyPlan.write()
  }

  /// Records that came into a share with this batch, by a move or with the share itself.
  private func newlyShared() throws -> [ExactName] {
    var result: [ExactName] = []
    let after = try Membership(transaction)
    for save in saves {
      guard case .success(let record) = save.result else { continue }
      if record.type == Record.shareType {
        if save.stored == nil, record.name.isZoneWideShare { return try transaction.view.allRecords() }
        continue
      }
      guard let stored = save.stored, stored.parent != record.parent || stored.share != record.share,
        try after.share(of: record.name) != nil
      else { continue }
      result += try after.subtree(of: record.name)
    }
    return result
  }
}

extension FieldValue {
  /// References the server has to see; assets are encrypted anyway.
  var isEncryptable: Bool {
    switch self {
    case .reference: false
    case .list(let type, let elements): type != .reference && type != .asset && elements.allSatisfy(\.isEncryptable)
    default: true
    }
  }
}
