import LocalCloudStorage
import LocalCloudStore

/// A file of a zone that holds a key, sealed once for each key that opens it.
protocol KeyFile {
  init?(_ object: JSONObject)
  var object: JSONObject { get }
}

/// The earlier versions of a key, and whether the present one must be replaced.
struct KeyHistory: Hashable {
  /// The key of each earlier version, from the first on, sealed with the one after it.
  var earlier: [String] = []
  /// An account without access to new values has the key, so it must not seal any.
  var isExposed = false

  var version: Int { earlier.count + 1 }
}

extension JSONObject {
  /// The dictionary of a key's file: the present key, and the earlier ones.
  ///
  /// A program from before keys had versions would use the present key as the only one. Where that would be wrong, the
  /// present key is under `newest`, and that program finds no key.
  init(keyFile present: JSONObject, _ history: KeyHistory, isLater: Bool) {
    self = present
    if history.version > 1 || isLater {
      self = ["newest": .object(present)]
      if history.version > 1 { self["earlier"] = .array(history.earlier.map { .string($0) }) }
    }
    if history.isExposed { self["isExposed"] = true }
  }

  /// Reads the dictionary of a key's file; nil if it is invalid.
  var keyFile: (present: JSONObject, history: KeyHistory)? {
    var history = KeyHistory()
    history.isExposed = self["isExposed"]?.bool == true
    guard let newest = self["newest"] else { return (self, history) }
    guard let present = newest.object else { return nil }
    for item in self["earlier"]?.array ?? [] {
      guard let sealed = item.string else { return nil }
      history.earlier.append(sealed)
    }
    return VersionedKey.versions.contains(history.version) ? (present, history) : nil
  }
}

/// `keys/zone.json`: the zone's key, for its owner.
struct ZoneKeyFile: KeyFile {
  var owner: PersonalKey
  var history = KeyHistory()

  init(owner: PersonalKey) { self.owner = owner }

  init?(_ object: JSONObject) {
    guard let (present, history) = object.keyFile, let owner = present["owner"].flatMap(PersonalKey.init) else {
      return nil
    }
    self.owner = owner
    self.history = history
  }

  var object: JSONObject { JSONObject(keyFile: ["owner": .object(owner.object)], history, isLater: false) }
}

/// `keys/records/<record>.json`: a record's key: it seals the record's encrypted values and the keys of its children.
struct RecordKeyFile: KeyFile {
  struct UnderZone: Hashable {
    var sealed: String
    /// The version of the zone's key.
    var version: Int
  }

  struct UnderParent: Hashable {
    var parent: ExactName
    var sealed: String
    /// The version of the parent's key.
    var version: Int
  }

  var record: ExactName
  /// The key sealed with the zone's key, if the account that created the key had the zone's key.
  var zone: UnderZone?
  var parent: UnderParent?
  /// The key sealed for the zone's owner, if it is sealed neither with the zone's key nor with a parent's.
  var owner: PersonalKey?
  var history = KeyHistory()

  init(record: ExactName) { self.record = record }

  init?(_ object: JSONObject) {
    guard let (present, history) = object.keyFile, let name = present["recordName"]?.string else { return nil }
    record = ExactName(name)
    self.history = history
    if let value = present["zone"] {
      guard let sealed = value.string, let version = VersionedKey.version(present["zoneVersion"]) else { return nil }
      zone = UnderZone(sealed: sealed, version: version)
    }
    if let value = present["parent"] {
      guard let name = value["recordName"]?.string, let sealed = value["sealed"]?.string,
        let version = VersionedKey.version(value["version"])
      else { return nil }
      parent = UnderParent(parent: ExactName(name), sealed: sealed, version: version)
    }
    if let value = present["owner"] {
      guard let key = PersonalKey(value) else { return nil }
      owner = key
    }
  }

  var object: JSONObject {
    var object: JSONObject = ["recordName": .string(record.string)]
    if let zone {
      object["zone"] = .string(zone.sealed)
      if zone.version > 1 { object["zoneVersion"] = .integer(Int64(zone.version)) }
    }
    if let parent {
      var under: JSONObject = ["recordName": .string(parent.parent.string), "sealed": .string(parent.sealed)]
      if parent.version > 1 { under["version"] = .integer(Int64(parent.version)) }
      object["parent"] = .object(under)
    }
    if let owner { object["owner"] = .object(owner.object) }
    return JSONObject(keyFile: object, history, isLater: max(zone?.version ?? 1, parent?.version ?? 1) > 1)
  }
}

/// `keys/shares/<share>.json`: a share's key, sealed for its participants and its links, and the key that it opens:
/// that of the root, or of the whole zone.
struct ShareKeyFile: KeyFile, Hashable {
  struct ForLink: Hashable {
    var shortGUID: String
    var sealed: String
  }

  var share: ExactName
  var people: [PersonalKey] = []
  var links: [ForLink] = []
  /// The key that the share opens, sealed with the share's key.
  var opens: String
  /// The version of the key that the share opens.
  var version: Int
  /// A former participant has the key: the next save of the share by a manager, or the next save that seals a value in
  /// it, creates another key first.
  var isStale = false

  init(share: ExactName, opens: String, version: Int) {
    self.share = share
    self.opens = opens
    self.version = version
  }

  init?(_ object: JSONObject) {
    guard let name = object["recordName"]?.string, let opens = object["opens"]?.string,
      let version = VersionedKey.version(object["version"]), let people = object["people"]?.array,
      let links = object["links"]?.array
    else { return nil }
    self.init(share: ExactName(name), opens: opens, version: version)
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
    if version > 1 { object["version"] = .integer(Int64(version)) }
    return object
  }

  func person(_ userRecordName: String) -> PersonalKey? { people.first { $0.userRecordName == userRecordName } }
}
