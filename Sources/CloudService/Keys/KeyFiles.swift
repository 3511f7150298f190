import CloudStore

/// A file of a zone that holds a key, sealed in all the ways in which people come to it.
protocol KeyFile {
  init?(_ object: JSONObject)
  var object: JSONObject { get }
}

/// `keys/zone.json`: the zone's key, for its owner.
struct ZoneKeyFile: KeyFile {
  var owner: PersonalKey

  init(owner: PersonalKey) { self.owner = owner }

  init?(_ object: JSONObject) {
    guard let owner = object["owner"].flatMap(PersonalKey.init) else { return nil }
    self.owner = owner
  }

  var object: JSONObject { ["owner": .object(owner.object)] }
}

/// `keys/records/<record>.json`: a record's key, which its encrypted values and the keys of its children are sealed with.
struct RecordKeyFile: KeyFile {
  struct UnderParent: Hashable {
    var parent: ExactName
    var sealed: String
  }

  var record: ExactName
  /// Sealed with the zone's key, if who made it had that.
  var zone: String?
  var parent: UnderParent?
  /// For the zone's owner, where a participant made it and it hangs below nothing that the owner could come from.
  var owner: PersonalKey?

  init(record: ExactName) { self.record = record }

  init?(_ object: JSONObject) {
    guard let name = object["recordName"]?.string else { return nil }
    record = ExactName(name)
    if let value = object["zone"] {
      guard let sealed = value.string else { return nil }
      zone = sealed
    }
    if let value = object["parent"] {
      guard let name = value["recordName"]?.string, let sealed = value["sealed"]?.string else { return nil }
      parent = UnderParent(parent: ExactName(name), sealed: sealed)
    }
    if let value = object["owner"] {
      guard let key = PersonalKey(value) else { return nil }
      owner = key
    }
  }

  var object: JSONObject {
    var object: JSONObject = ["recordName": .string(record.string)]
    if let zone { object["zone"] = .string(zone) }
    if let parent {
      object["parent"] = ["recordName": .string(parent.parent.string), "sealed": .string(parent.sealed)]
    }
    if let owner { object["owner"] = .object(owner.object) }
    return object
  }
}

/// `keys/shares/<share>.json`: a share's key, for everybody on its list and for its links, and what it opens: the key of
/// the root, or of the whole zone.
struct ShareKeyFile: KeyFile, Hashable {
  struct ForLink: Hashable {
    var shortGUID: String
    var sealed: String
  }

  var share: ExactName
  var people: [PersonalKey] = []
  var links: [ForLink] = []
  /// The key that the share is about, sealed with the share's.
  var opens: String
  /// Somebody went who had the key: the next one who manages the share makes another.
  var isStale = false

  init(share: ExactName, opens: String) {
    self.share = share
    self.opens = opens
  }

  init?(_ object: JSONObject) {
    guard let name = object["recordName"]?.string, let opens = object["opens"]?.string,
      let people = object["people"]?.array, let links = object["links"]?.array
    else { return nil }
    self.init(share: ExactName(name), opens: opens)
    for item in people {
      guard let person = PersonalKey(item) else { return nil }
      self.people.append(person)
    }
    for item in links {
      guard let guid = item["shortGUID"]?.string, let sealed = item["sealed"]?.string else { return nil }
      self.links.append(ForLink(shortGUID: guid, sealed: sealed))
    }
    isStale = object["isStale"]?.bool == true
  }

  var object: JSONObject {
    var object: JSONObject = [
      "links": .array(links.map { ["sealed": .string($0.sealed), "shortGUID": .string($0.shortGUID)] }),
      "opens": .string(opens), "people": .array(people.map { .object($0.object) }),
      "recordName": .string(share.string),
    ]
    if isStale { object["isStale"] = true }
    return object
  }

  func person(_ userRecordName: String) -> PersonalKey? { people.first { $0.userRecordName == userRecordName } }
}
