import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The files that share links lead to.
extension SharingService {
  /// The path of a link's file, below its container's folder.
  func shareFile(_ guid: String) -> StorePath { StorePath(.container, shareFileComponents(guid)) }

  func shareFileComponents(_ guid: String) -> [String] { ["shares", guid + ".json"] }

  /// The contents of a link's file.
  func shareFileContents(_ share: StoredRecord, _ guid: String, _ address: ZoneAddress) -> [UInt8] {
    var object: JSONObject = [
      "containerIdentifier": .string(address.path.database.container.string),
      "environment": .string(address.path.database.environment),
      "ownerAccount": .string(address.ownerAccount ?? ""),
      "share": ["recordName": .string(share.name.string)],
      "shortGUID": .string(guid),
      "zoneID": .object(address.identifier.object),
    ]
    if let root = share.object["x-local"]?["root"] { object["rootRecordName"] = root }
    return JSONValue.object(object).pretty()
  }

  /// A resolved share link. ``caller`` holds the share's container and environment.
  struct Link {
    var caller: Caller
    var address: ZoneAddress
    var share: ExactName
    var guid: String

    /// The share's record; nil if it was deleted or does not have this link, for example in a file that another program
    /// wrote.
    func target(in reader: any ZoneReader) throws -> (record: StoredRecord, details: ShareDetails)? {
      guard let found = try reader.share(share), found.details.links(of: found.record).contains(guid) else {
        return nil
      }
      return found
    }
  }

  /// Resolves a URL to its link and the zone that it leads to; nil for a link that no longer works, and for one of the
  /// other environment.
  func resolve(_ url: String, _ caller: Caller) throws -> (link: Link, store: ZoneStore)? {
    guard let link = try link(url, caller), link.caller.environment == caller.environment,
      let store = try cloud.zone(link.address.path)
    else { return nil }
    return (link, store)
  }

  /// Resolves a URL as ``resolve(_:_:)`` does. Throws `unknownItem` for a link that no longer works.
  func requireLink(_ url: String, _ caller: Caller) throws -> (link: Link, store: ZoneStore) {
    guard let found = try resolve(url, caller) else { throw ServiceError.shareNotFound }
    return found
  }

  /// Resolves a URL to its link, in any container; nil for a link that no longer works.
  func link(_ url: String, _ caller: Caller) throws -> Link? {
    guard let guid = ShareDetails.shortGUID(inURL: url) else { return nil }
    for container in [ExactName(caller.container)] + (try cloud.containers()).filter({ $0.string != caller.container })
    {
      guard let bytes = try cloud.containerFile(container, shareFileComponents(guid)) else { continue }
      let value = try? JSONValue(parsing: bytes)
      guard let value, let owner = value["ownerAccount"]?.string, let share = value["share"]?["recordName"]?.string,
        let environment = value["environment"]?.string.flatMap(CloudEnvironment.init),
        let zone = value["zoneID"]?.object.flatMap(ZoneIdentifier.init)
      else {
        throw StorageError.damaged(
          path: cloud.path(of: shareFileComponents(guid), in: container), reason: "not a share's metadata")
      }
      var there = caller
      there.container = container.string
      there.environment = environment
      return Link(
        caller: there,
        address: ZoneAddress(
          path: ZonePath(database: service.zones.databasePath(.private, account: owner, there), zone: zone.name),
          identifier: zone,
          ownerAccount: owner, role: .owner),
        share: ExactName(share), guid: guid)
    }
    return nil
  }
}
