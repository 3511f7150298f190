/// A request to a device of ``EngineRun``.
indirect enum EngineCommand: Codable, Sendable {
  /// `isUntracked`: the engine's state does not get the change, only that there is one.
  case edit(EngineEdit, isUntracked: Bool)
  /// Sends now, with the engine of the private or of the shared database. `zone`: only the records of this zone.
  case send(isShared: Bool, zone: String?)
  case fetch(isShared: Bool)
  /// Releases an engine, and creates another one with the stored state.
  case renew(isShared: Bool)
  /// Waits until the engines have sent all changes of this account by themselves.
  case awaitSent(account: String)
  /// Waits until the engines have fetched the markers with this number by themselves.
  case awaitMarkers(Int, zones: [String])
  /// Holds the scheduled work of the engines, and waits for their passes.
  case pause
  /// Pauses, sends and fetches until no change is pending, and returns the items.
  case rest
  /// Lets held engines work again. `forgets`: the device needs no deleted names any more.
  case resume(forgets: Bool)
  /// A request during which the process kills itself: at a write to its file, before or after the write.
  case dying(EngineCommand, write: Int, isBefore: Bool)
}

/// An edit by a user on a device.
struct EngineEdit: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    case add, change, delete
  }

  var kind: Kind
  /// The name of the item and of its record.
  var item: String
  var zone: EngineZone
  /// The account that edits. An app with another account refuses.
  var account: String
  /// The number of the edit, unique in a run. An item consists of the numbers of its edits.
  var number: Int
}

/// A zone, identified by the owner's account and its name.
struct EngineZone: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
  /// The name of the zone that each account has for itself. The engines create it.
  static let ownName = "Own"
  /// The zone of the first account that both accounts use.
  static let family = EngineZone(owner: "anna", name: "Family")

  var owner: String
  var name: String

  var description: String { "\(owner)/\(name)" }

  /// The zones that an account sees.
  static func zones(of account: String) -> [EngineZone] { [EngineZone(owner: account, name: ownName), family] }

  static func < (left: EngineZone, right: EngineZone) -> Bool { (left.owner, left.name) < (right.owner, right.name) }
}

/// The items of zones: their names, and the numbers of their edits.
typealias EngineItems = [EngineZone: [String: Set<Int>]]

struct EngineAnswer: Codable {
  /// Whether the request was done: false if this device does not have the item, or has another account.
  var isDone = false
  /// The codes of errors that the app cannot avoid.
  var errors: [String] = []
  /// The items of the present accounts.
  var zones: [EngineZoneItems] = []
  /// The changes that were not sent, and all that a wait has not reached. A device at rest has none.
  var unfinished: [String] = []
  /// A violated guarantee.
  var trouble: String?

  var items: EngineItems { Dictionary(zones.map { ($0.zone, $0.items) }, uniquingKeysWith: { first, _ in first }) }
}

/// A dictionary with zones as keys, for JSON.
struct EngineZoneItems: Codable {
  var zone: EngineZone
  var items: [String: Set<Int>]
}
