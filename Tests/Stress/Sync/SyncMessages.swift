/// A request to a device of ``SyncRun``.
indirect enum SyncCommand: Codable, Sendable {
  /// Creates an object. `anchor`: a related object; the new object gets its store and zone.
  case insert(key: String, entity: String, anchor: String?, text: String)
  case set(key: String, name: String, text: String)
  /// Links a post with a tag, or unlinks them.
  case link(post: String, tag: String, isLinked: Bool)
  /// Moves an attachment to another post, or to none.
  case move(attachment: String, post: String?)
  case delete(key: String)
  /// An edit without a permission check.
  case unasked(SyncCommand)
  /// Shares an object with its related objects; the answer has the zone.
  case share(key: String)
  /// Adds an account to a share; the answer has the link.
  case invite(zone: String, account: String, mayWrite: Bool)
  case permit(zone: String, account: String, mayWrite: Bool)
  case uninvite(zone: String, account: String)
  case accept(url: String)
  /// Deletes a zone of the caller, or leaves a zone of another account.
  case purge(SyncZone)
  /// Deletes a share, not its zone.
  case stop(zone: String)
  case drain
  case look
}

/// A zone, identified by the owner's account and its name.
struct SyncZone: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
  var owner: String
  var name: String

  var isOfShare: Bool { name.hasPrefix("com.apple.coredata.cloudkit.share.") }
  var description: String { "\(owner)/\(name.suffix(8))" }

  static func < (left: SyncZone, right: SyncZone) -> Bool { (left.owner, left.name) < (right.owner, right.name) }
}

/// An object on a device or in the cloud.
struct SyncObject: Hashable, Codable {
  var entity: String
  var values: [String: String] = [:]
  /// The sorted keys of the related objects, for relationships that are not empty.
  var links: [String: [String]] = [:]
}

/// All objects that an account sees, by zone and key. Objects without a record are in no zone.
typealias SyncObservation = [SyncZone: [String: SyncObject]]

struct SyncAnswer: Codable {
  /// Whether the request was done: false if this device does not have the objects or may not change them.
  var isDone = false
  /// The objects that were deleted by the request, including cascades.
  var deleted: [String] = []
  var zone: String?
  var url: String?
  var observations: [SyncZoneObservation] = []
  /// The keys of objects without a record.
  var unsent: [String] = []
  /// The errors of the last run of each kind in each store.
  var errors: [String] = []
  /// A violated guarantee.
  var trouble: String?
}

/// A dictionary with zones as keys, for JSON.
struct SyncZoneObservation: Codable {
  var zone: SyncZone
  var objects: [String: SyncObject]
}
