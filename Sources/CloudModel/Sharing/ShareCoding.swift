import LocalCloudPlatform
import LocalCloudStorage

/// The dictionary form of a share record's own keys ([record-json-5]).
extension ShareDetails {
  package static let urlPrefix = "https://www.icloud.com/share/"

  /// Reads the details from a share record's dictionary. Throws if they are damaged.
  package init(ofRecord object: JSONObject) throws(ServiceError) {
    guard let permission = object["publicPermission"]?.string.flatMap(SharePermission.init),
      let list = object["participants"]?.array
    else { throw .damagedRecord(object, "publicPermission or participants is missing") }
    var participants: [Participant] = []
    for item in list {
      guard let participant = item.object.flatMap(Participant.init) else {
        throw .damagedRecord(object, "a participant is incomplete")
      }
      participants.append(participant)
    }
    var requests = AccessRequests()
    requests.areAllowed = object["denyAccessRequests"]?.bool == false
    requests.requesters = try Self.identities("requesters", object)
    requests.blocked = try Self.identities("blocked", object)
    self.init(
      publicPermission: permission, participants: participants, url: Self.url(ofRecord: object),
      root: object["x-local"]?["root"]?.string.map { ExactName($0) }, accessRequests: requests)
  }

  private static func identities(_ key: String, _ record: JSONObject) throws(ServiceError) -> [UserIdentity] {
    var identities: [UserIdentity] = []
    for item in record[key]?.array ?? [] {
      guard let identity = item["userIdentity"]?.object else {
        throw .damagedRecord(record, "one of \(key) is incomplete")
      }
      identities.append(UserIdentity(identity))
    }
    return identities
  }

  /// The keys that are left out if they have their default values.
  package static let optionalKeys = ["blocked", "denyAccessRequests", "requesters"]

  package var object: JSONObject {
    var object: JSONObject = [
      "participants": .array(participants.map { .object(self.object(of: $0)) }),
      "publicPermission": .string(publicPermission.rawValue),
    ]
    if let owner = participants.first(where: { $0.role == .owner }) { object["owner"] = .object(owner.object) }
    if let url { object["url"] = .string(url) }
    if accessRequests.areAllowed { object["denyAccessRequests"] = false }
    for (key, people) in [("requesters", accessRequests.requesters), ("blocked", accessRequests.blocked)]
    where !people.isEmpty {
      object[key] = .array(people.map { ["userIdentity": .object($0.object)] })
    }
    return object
  }

  package func object(of participant: Participant) -> JSONObject {
    var object = participant.object
    if let url = oneTimeURL(of: participant) { object["oneTimeURL"] = .string(url) }
    return object
  }

  /// The link that admits one person, with the title of the share's own link; nil in requests, and for participants
  /// without a link of their own.
  package func oneTimeURL(of participant: Participant) -> String? {
    guard let url, let guid = participant.shortGUID else { return nil }
    return Self.urlPrefix + guid + (url.firstIndex(of: "#").map { String(url[$0...]) } ?? "")
  }

  /// The share's link. The title after `#` is only for its readers.
  private static func url(ofRecord object: JSONObject) -> String? {
    guard let guid = Record.shortGUID(in: object) else { return nil }
    let title = object["fields"]?["cloudkit.title"]?["value"]?.string ?? ""
    let fragment = title.utf8.reduce(into: "") { text, byte in
      if NameRules.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else if byte == UInt8(ascii: " ") {
        text += "_"
      } else {
        text += "%" + hexadecimal([byte]).uppercased()
      }
    }
    return urlPrefix + guid + (fragment.isEmpty ? "" : "#" + fragment)
  }

  /// The short GUID of a share URL; ignores its fragment; nil for any other URL.
  package static func shortGUID(inURL url: String) -> String? {
    guard url.hasPrefix(urlPrefix) else { return nil }
    let guid = String(url.dropFirst(urlPrefix.count).prefix { $0 != "#" && $0 != "?" })
    return isShortGUID(guid) ? guid : nil
  }

  /// Whether the text is a short GUID: 1 to 64 letters, digits, hyphens and underscores, so that it is safe as a file
  /// name.
  package static func isShortGUID(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      NameRules.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    return (1...64).contains(text.utf8.count) && isPlain
  }
}

extension Participant {
  package var object: JSONObject {
    var object: JSONObject = [
      "acceptanceStatus": .string(acceptance.rawValue), "participantId": .string(participantID),
      "permission": .string(permission.rawValue), "type": .string(role.rawValue),
      "userIdentity": .object(identity.object),
    ]
    var local: JSONObject = [:]
    if let added { local["added"] = .integer(added) }
    if isApprovedRequester { local["isApprovedRequester"] = true }
    if let shortGUID { local["shortGUID"] = .string(shortGUID) }
    if !local.isEmpty { object["x-local"] = .object(local) }
    return object
  }

  package init?(_ object: JSONObject) {
    guard let identifier = object["participantId"]?.string,
      let role = object["type"]?.string.flatMap(ParticipantRole.init),
      let acceptance = object["acceptanceStatus"]?.string.flatMap(AcceptanceStatus.init),
      let permission = object["permission"]?.string.flatMap(SharePermission.init),
      let identity = object["userIdentity"]?.object
    else { return nil }
    self.init(
      participantID: identifier, identity: UserIdentity(identity), role: role, acceptance: acceptance,
      permission: permission)
    let local = object["x-local"]
    added = local?["added"]?.integer
    isApprovedRequester = local?["isApprovedRequester"]?.bool == true
    // A value that is not a safe file name is dropped.
    shortGUID = local?["shortGUID"]?.string.flatMap { ShareDetails.isShortGUID($0) ? $0 : nil }
  }
}

extension UserIdentity {
  package var object: JSONObject {
    var object: JSONObject = [:]
    if let userRecordName { object["userRecordName"] = .string(userRecordName) }
    if let components = name?.object { object["nameComponents"] = .object(components) }
    switch lookup {
    case .email(let email): object["lookupInfo"] = ["emailAddress": .string(email)]
    case .phone(let phone): object["lookupInfo"] = ["phoneNumber": .string(phone)]
    case .userRecordName(let name): object["lookupInfo"] = ["userRecordName": .string(name)]
    case nil: break
    }
    return object
  }

  package init(_ object: JSONObject) {
    self.init(userRecordName: object["userRecordName"]?.string)
    if let components = object["nameComponents"]?.object { name = PersonName(components) }
    let info = object["lookupInfo"]
    if let email = info?["emailAddress"]?.string {
      lookup = .email(email)
    } else if let phone = info?["phoneNumber"]?.string {
      lookup = .phone(phone)
    } else if let name = info?["userRecordName"]?.string {
      lookup = .userRecordName(name)
    }
  }
}

extension ShareMetadata {
  /// The dictionary that the Web Services return for a link ([share-link-2]).
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
