import CloudModel
import CloudStore
import Storage

/// What a reset of an account's keys took along.
package struct KeyReset: Sendable, Hashable {
  /// Of the keys from now on.
  package var generation: Int64
  /// Zones of the account's own that went; of a default zone only the encrypted fields.
  package var zones: [EnvironmentZone]
  /// Zones of others that the account can't read any more.
  package var shared: [EnvironmentZone]
}

/// Losing the keychain and starting over ([encryption-reset-1] and following).
extension KeyService {
  /// Throws an account's keys in a container away. What is encrypted with them is gone for good: zones of its own that
  /// hold any of it read as absent, until they are deleted or made again; a default zone loses the encrypted fields; in
  /// zones of others the account has to accept the shares again. If it is cut short, doing it again does the rest.
  ///
  /// - Assumption: all custom zones that hold encrypted fields or assets are affected, as a whole; the default zone loses
  ///   those fields alone.
  package func resetKeys(of name: String, container: String) throws(ServiceError) -> KeyReset {
    try perform(.administration, by: nil) {
      try NameRules.check(container: container)
      let account = try service.accounts.requireAccount(name)
      var reset = KeyReset(generation: 0, zones: [], shared: [])
      do {
        // Zones first: what is half done can be done again, while a zone whose keys are gone tells nobody why.
        try resetZones(of: account, container, before: .max, &reset)
        reset.generation = try discardKeys(of: account, container)
        // What was saved meanwhile.
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
    try forgetKeys(of: account, container, patience(nil))
    return changed.keys[container]?.generation ?? 0
  }

  /// Only what is sealed for earlier key pairs than that of `generation`.
  private func resetZones(
    of account: Account, _ container: String, before generation: Int64, _ reset: inout KeyReset
  ) throws {
    for caller in service.zones.callers(account, container) {
      try service.zones.changeOwnZones(of: account, caller, affected: &reset.zones) { change in
        try ZoneKeyReset(change: change).reset(before: generation)
      }
      let shared = try cloud.database(service.zones.databasePath(.shared, account: account.name, caller))
      for window in try shared?.pointers().compactMap(SharedZonePointer.init) ?? [] {
        let address = try service.zones.address(window.zone, in: .shared, as: account, caller)
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
      guard let window = try service.sharing.window(of: account.name, address, transaction) else { return false }
      let change = try ZoneChange(service, caller, account, address, transaction, leaving: true)
      for grant in window.grants { try change.keyPlan.leave(grant.share, account, before: generation) }
      try change.keyPlan.write()
      guard !transaction.isEmpty else { return false }
      change.affectedAccounts.insert(account.name)
      try change.mention()
      try PushPlanner(change).plan(tellingOwner: false)
      try transaction.commit(patience(caller))
      return true
    }
  }
}

/// What a zone loses when its owner's keys are reset.
private struct ZoneKeyReset {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// The zone goes if it holds anything encrypted; a default zone loses that alone. Answers whether there was any.
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
    // Whatever has a key gets another when it is needed.
    for path in files { transaction.setFile(path, nil) }
    if !affected.isEmpty { try PushPlanner(change).plan() }
    return !affected.isEmpty
  }
}

extension StoredRecord {
  /// Whether it has fields that only keys open: encrypted ones, and assets, whose keys are in fields like them.
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
