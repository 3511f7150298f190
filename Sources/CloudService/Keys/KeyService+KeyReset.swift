import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The effects of a reset of an account's keys.
package struct KeyReset: Sendable, Hashable {
  /// The generation of the account's key pairs from now on.
  package var generation: Int64
  /// The account's own zones that were deleted; a default zone lost only its encrypted fields and assets.
  package var zones: [EnvironmentZone]
  /// Zones of other accounts that this account can't read any more.
  package var shared: [EnvironmentZone]
}

/// The reset of an account's keys, for example after the loss of its keychain ([encryption-reset-1] and following).
extension KeyService {
  /// Discards an account's keys in a container. Everything encrypted with them is lost: the account's own zones that
  /// hold encrypted values or assets can't be used until they are deleted or created again; a default zone loses only
  /// those fields; in zones of others, the account has to accept the shares again. After an interruption, a second call
  /// does the rest.
  ///
  /// - Assumption: all custom zones that hold encrypted fields or assets are affected, as a whole; the default zone
  ///   loses only those fields.
  ///
  /// - Throws: `notAuthenticated` if the cloud has no account of this name; `serverResponseLost` if only some zones are
  ///   reset.
  package func resetKeys(of name: String, container: String) throws(ServiceError) -> KeyReset {
    try perform(.administration, by: nil) {
      try NameRules.check(container: container)
      let account = try service.accounts.requireAccount(name)
      var reset = KeyReset(generation: 0, zones: [], shared: [])
      do {
        // Zones are reset first: an interrupted reset can be repeated. In the other order, zones without keys would
        // give no reason for their errors.
        try resetZones(of: account, container, before: .max, &reset)
        reset.generation = try discardKeys(of: account, container)
        // This covers values saved during the first call.
        try resetZones(of: account, container, before: reset.generation, &reset)
      } catch  where !reset.zones.isEmpty || !reset.shared.isEmpty {
        throw ServiceError.halfDone("The keys are reset only in part", error, hint: "Reset them again")
      }
      return reset
    }
  }

  private func discardKeys(of account: Account, _ container: String) throws -> Int64 {
    let changed = try service.accounts.changeAccount(account.name) { account in
      let generation = (account.keys[container]?.generation ?? 0) + 1
      guard AccountKey.generations.contains(generation) else {
        throw ServiceError.limitExceeded("The keys of \(account.name) were reset too often")
      }
      account.keys[container] = AccountKey(generation: generation)
    }
    let generation = changed.keys[container]?.generation ?? 0
    try forgetKeys(of: account, container, before: generation, waitPolicy(nil))
    return generation
  }

  /// Resets the zones with keys that are sealed for key pairs from before `generation`.
  private func resetZones(
    of account: Account, _ container: String, before generation: Int64, _ reset: inout KeyReset
  ) throws {
    for caller in service.zones.callers(account, container) {
      try service.zones.changeOwnZones(of: account, caller, affected: &reset.zones) { change in
        try ZoneKeyReset(change: change).reset(before: generation)
      }
      let shared = try cloud.database(service.zones.databasePath(.shared, account: account.name, caller))
      for pointer in try shared?.pointers().compactMap(SharedZonePointer.init) ?? [] {
        let address = try service.zones.address(pointer.zone, in: .shared, as: account, caller)
        if try loseShares(address, before: generation, account, caller) {
          reset.shared.append(EnvironmentZone(environment: caller.environment, zone: address.identifier))
        }
      }
    }
  }

  private func loseShares(
    _ address: ZoneAddress, before generation: Int64, _ account: Account, _ caller: Caller
  ) throws -> Bool {
    try service.zones.inZone(address, caller) { transaction in
      guard let pointer = try service.sharing.pointer(of: account.name, address, transaction) else { return false }
      let change = try ZoneChange(service, caller, account, address, transaction, leaving: true)
      for grant in pointer.grants { try change.keyPlan.leave(grant.share, account, before: generation) }
      try change.keyPlan.write()
      guard !transaction.isEmpty else { return false }
      change.affectedAccounts.insert(account.name)
      try change.mention()
      try PushPlanner(change).plan(tellingOwner: false)
      try transaction.commit(waitPolicy(caller))
      return true
    }
  }
}

/// The effect of a reset of its owner's keys on a zone.
private struct ZoneKeyReset {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// Deletes the zone if it has encrypted fields or assets; a default zone loses only those fields. Returns whether the
  /// zone had any.
  func reset(before generation: Int64) throws -> Bool {
    let files = try transaction.zone.keyFiles()
    let isOld =
      try generation == .max
      || files.contains { path in
        let file = try transaction.file(path).flatMap { try? JSONValue(parsing: $0) }?.object?.keyFile?.present
        return file?["owner"]?["generation"]?.integer.map { $0 < generation } ?? false
      }
    guard isOld else { return false }
    let affected = try transaction.view.allRecords().filter { try transaction.view.record($0)?.isSealed == true }
    if !affected.isEmpty, !change.address.isDefault {
      try ZoneEnding(change: change).remove(.encryptedDataReset)
      return true
    }
    for name in affected {
      guard var record = try transaction.record(name) else { continue }
      record.removeSealedFields()
      record.object["modified"] = change.stampValue
      try transaction.put(record)
    }
    // Records get new keys when they need them.
    for path in files { transaction.setFile(path, nil) }
    if !affected.isEmpty { try PushPlanner(change).plan() }
    return !affected.isEmpty
  }
}

extension StoredRecord {
  /// Whether it has fields that need a key: encrypted fields, and assets, as CloudKit stores their keys like encrypted
  /// fields.
  fileprivate var isSealed: Bool {
    (object["fields"]?.object ?? [:]).contains { Self.isSealed($0.value) }
  }

  fileprivate mutating func removeSealedFields() {
    let rest = (object["fields"]?.object ?? [:]).filter { !Self.isSealed($0.value) }
    object["fields"] = .object(JSONObject(rest.map { ($0.key, $0.value) }))
  }

  private static func isSealed(_ field: JSONValue) -> Bool {
    field.object?.isEncryptedField == true || field["type"]?.string?.hasPrefix("ASSET") == true
  }
}
