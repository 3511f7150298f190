import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Repair of accounts whose files can't be read. No data may be lost with a damaged file: the account's data holds its
/// user record name, and the file is created again with it.
extension RepairService {
  func repairAccounts(_ aside: Quarantine) throws -> [Problem] {
    try cloud.withFolder(Account.folder, waitPolicy(nil)) { folder in
      var done: [Problem] = []
      for file in try folder.names(.file) where file.hasSuffix(".json") {
        let path = folder.directory.path(of: file)
        let problem = try service.checks.problem(path, "not an account") {
          try folder.read(file).flatMap(Account.init).map { Account.file(of: $0.name) == file } ?? false
        }
        guard let problem, !problem.isUnread else { continue }
        let left = (try? folder.read(file)) ?? nil
        guard let name = FileName.decode(String(file.dropLast(".json".count))), Account.file(of: name) == file else {
          let moved = try aside.move(file, in: folder.directory)
          done.append(Problem(path: path, text: "\(problem.text): it is in \(moved)"))
          continue
        }
        // The account always has a file: after an interruption, the next repair finds the damaged one again.
        let kept = try aside.copy(file, in: folder.directory)
        try folder.write(restored(name, left ?? [:]), file)
        done.append(
          Problem(
            path: path,
            text: "\(problem.text): what was there is in \(kept), and the account \(name) was made anew; "
              + "`localcloud account set \(name)` says again what it lacks"))
      }
      return done
    }
  }

  /// An account with all its data that can be recovered.
  private func restored(_ name: String, _ left: JSONObject) throws -> JSONObject {
    // If the file holds another account, its contents are not used.
    var object = left["name"].map { $0.string == name } ?? true ? left : [:]
    object["name"] = .string(name)
    let user = try object["userRecordName"]?.string ?? userRecordName(ofLost: name) ?? "_" + newIdentifier()
    object["userRecordName"] = .string(user)
    if object["status"]?.string.flatMap(AccountStatus.init(name:)) == nil {
      object["status"] = .string(AccountStatus.available.name)
    }
    if object["created"]?.string.flatMap(Timestamp.milliseconds(text:)) == nil {
      object["created"] = .string(Timestamp.text(milliseconds: try settings.clock()))
    }
    for key in ["storage", "permissions", "keys"] where Account(object) == nil { object[key] = nil }
    if object["keys"] == nil {
      let keys = try keptKeys(of: user)
      if !keys.isEmpty { object["keys"] = .object(keys) }
    }
    for (key, value) in Account(object)?.object ?? [:] where object[key] == nil { object[key] = value }
    return object
  }

  /// The user record name as found in the account's subscriptions, zones and keychain; nil if there is none.
  private func userRecordName(ofLost account: String) throws -> String? {
    let others = Set(try service.accountFiles.readable().accounts.map(\.userRecordName))
    for container in try cloud.containers() {
      for path in try cloud.databases(of: container, passingOver: { _ in })
      where path.scope.dropFirst().first == account {
        guard let database = try? cloud.database(path) else { continue }
        var names = ((try? database.storedSubscriptions()) ?? []).map(\.userRecordName)
        if path.scope.first == DatabaseScope.private.name {
          for zone in (try? database.zones()) ?? [] {
            let store = try? cloud.zone(ZonePath(database: path, zone: zone))
            if let properties = try? store?.properties() { names.append(properties.owner) }
          }
        }
        if let name = names.first(where: {
          $0.hasPrefix("_") && $0 != ZoneIdentifier.currentUser && !others.contains($0)
        }) {
          return name
        }
      }
    }
    let keychain = (try? service.keys.keychain(of: FileName.encode(Account.defaultDevice(of: account)))) ?? nil
    let kept = Set(keychain?.entries.map(\.userRecordName) ?? []).subtracting(others)
    return kept.count == 1 ? kept.first : nil
  }

  /// The public keys of the private ones in its devices' keychains. Without them, new keys would replace them, and all
  /// values sealed for the old keys would be lost.
  private func keptKeys(of user: String) throws -> JSONObject {
    guard let sealer = try? service.keys.sealer(), let devices = try? cloud.folder(Inbox.devices) else { return [:] }
    var keys: [String: AccountKey] = [:]
    for device in try devices.names(.directory) {
      for entry in ((try? service.keys.keychain(of: device)) ?? nil)?.entries ?? [] where entry.userRecordName == user {
        guard entry.generation >= keys[entry.container]?.generation ?? 0,
          let key = try? sealer.cryptography.publicKey(ofPrivateKey: entry.privateKey)
        else { continue }
        keys[entry.container] = AccountKey(generation: entry.generation, publicKey: key)
      }
    }
    return JSONObject(keys.map { ($0, .object($1.object)) })
  }
}
