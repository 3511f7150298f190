import CloudStore
import Storage

extension ShareMetadata {
  /// What the Web Services answer of a link ([share-link-2]).
  package var object: JSONObject {
    var object: JSONObject = [
      "containerIdentifier": .string(container), "databaseScope": role == .owner ? "PRIVATE" : "SHARED",
      "environment": .string(environment.rawValue), "ownerIdentity": .object(owner.object),
      "participantPermission": .string(permission.rawValue), "participantStatus": .string(status.rawValue),
      "participantType": .string(role.rawValue), "share": .object(share.object), "url": .string(url),
      "zoneID": .object(share.id.zone.object),
    ]
    if let root { object["rootRecordName"] = .string(root.name.string) }
    if let rootRecord { object["rootRecord"] = .object(rootRecord.object) }
    if let guid = ShareDetails.shortGUID(inURL: url) { object["shortGUID"] = .string(guid) }
    return object
  }
}
