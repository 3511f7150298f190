import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

extension RecordService {
  /// Creates the user record of `user` at this address unless it exists. Each user has an empty record of type `Users`
  /// in the public database and one in their own private database, from their first access on ([record-user-1]). The
  /// emulator creates it when a request first looks for it.
  ///
  /// - Difference: every account of the cloud counts as having used every container, so that its public record is
  ///   found.
  func ensureUserRecord(_ user: Account, _ address: ZoneAddress, _ caller: Caller) throws {
    guard address.isDefault else { return }
    let name = ExactName(user.userRecordName)
    let store = try service.zones.store(address, caller)
    if try store.read(waitPolicy(caller), { try $0.record(name) }) != nil { return }
    let stamp = Stamp(
      timestamp: try settings.clock(), userRecordName: user.userRecordName,
      deviceID: Account.defaultDevice(of: user.name))
    try store.write(waitPolicy(caller)) { transaction in
      if try transaction.record(name) != nil { return }
      transaction.stamp = ChangeStamp(stamp, in: address)
      try transaction.put(
        StoredRecord([
          "created": .object(stamp.object), "fields": [:], "modified": .object(stamp.object),
          "recordName": .string(name.string), "recordType": .string(Record.userType),
          "zoneID": .object(address.identifier.object),
        ]))
      try transaction.commit(waitPolicy(caller))
    }
  }

  /// Stores the client's token data for the device; its next fetch of zone changes returns them ([change-zone-10]).
  func rememberClientData(_ data: [UInt8], _ address: ZoneAddress, _ caller: Caller, _ account: Account) throws {
    try cloud.withFolder(Inbox.devices, waitPolicy(caller)) { folder in
      let name = FileName.encode(caller.device(of: account))
      var object = try folder.read(name, "change-tokens.json") ?? [:]
      object[clientDataKey(address, account)] = .string(OpaqueToken.base64(data))
      try folder.write(object, name, "change-tokens.json")
    }
  }

  func clientData(_ address: ZoneAddress, _ caller: Caller, _ account: Account) throws -> [UInt8]? {
    let object = try cloud.folder(Inbox.devices).read(FileName.encode(caller.device(of: account)), "change-tokens.json")
    return object?[clientDataKey(address, account)]?.string.flatMap(OpaqueToken.bytes(base64:))
  }

  /// The key is the account's path to the zone, so that no account gets data of another account on the device.
  private func clientDataKey(_ address: ZoneAddress, _ account: Account) -> String {
    guard address.role == .participant else { return address.path.components.dropFirst().joined(separator: "/") }
    let container = FileName.encode(address.path.database.container.string)
    return ([container] + service.sharing.pointerPath(account.name, address).components).joined(separator: "/")
  }
}
