/// What a device of ``SyncRun`` is asked to do.
indirect enum SyncCommand: Codable, Sendable {
  /// A new object; `anchor`: what it is made beside, in whose store and zone it is then.
  case insert(key: String, entity: String, anchor: String?, text: String)
  case set(key: String, name: String, text: String)
  /// Gives a post a tag, or takes it away.
  case link(post: String, tag: String, isLinked: Bool)
  /// Gives an attachment to another post, or to none.
  case move(attachment: String, post: String?)
  case delete(key: String)
  /// An edit, whether or not the person may make it.
  case unasked(SyncCommand)
  /// Shares an object with what it is related to; the answer has the zone.
  case share(key: String)
  /// Adds somebody to a share; the answer has its link.
  case invite(zone: String, account: String, mayWrite: Bool)
  case permit(zone: String, account: String, mayWrite: Bool)
  case uninvite(zone: String, account: String)
  case accept(url: String)
  /// Deletes a zone of one's own, or leaves somebody else's.
  case purge(SyncZone)
  /// Deletes a share, not its zone.
  case stop(zone: String)
  case drain
  case look
}

/// A zone, by the account that owns it.
struct SyncZone: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
  var owner: String
  var name: String

  var isOfShare: Bool { name.hasPrefix("com.apple.coredata.cloudkit.share.") }
  var description: String { "\(owner)/\(name.suffix(8))" }

  static func < (left: SyncZone, right: SyncZone) -> Bool { (left.owner, left.name) < (right.owner, right.name) }
}

/// An object, as a device or the cloud has it.
struct SyncObject: Hashable, Codable {
  var entity: String
  var values: [String: String] = [:]
  /// The keys of what it is related to, sorted, by the relationships that are not empty.
  var links: [String: [String]] = [:]
}

/// All objects that somebody sees: by zone and key. Objects without a record yet are in no zone.
typealias SyncSight = [SyncZone: [String: SyncObject]]

struct SyncAnswer: Codable {
  /// Whether it was done: false if this device does not have the objects, or may not change them.
  var isDone = false
  /// What was deleted with what was asked for.
  var deleted: [String] = []
  var zone: String?
  var url: String?
  var sight: [SyncZoneSight] = []
  /// The keys of objects that have no record.
  var unsent: [String] = []
  /// The errors of the last run of each kind in each store.
  var errors: [String] = []
  /// What must not be.
  var trouble: String?
}

/// A dictionary with zones as keys, for JSON.
struct SyncZoneSight: Codable {
  var zone: SyncZone
  var objects: [String: SyncObject]
}
