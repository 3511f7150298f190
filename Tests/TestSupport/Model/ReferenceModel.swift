import LocalCloudModel

/// A model of the shared zones, written from the rules on sharing and independent of the service it checks.
///
/// ``apply(_:)`` performs a step or refuses it, and returns CloudKit's code for each item, 0 for success.
/// ``visible(to:in:)`` returns the data that a person sees afterwards.
package struct ReferenceModel: Sendable, Hashable {
  package static let owner = "alice"
  package static let zoneWide = "cloudkit.zoneshare"

  struct Record: Sendable, Hashable {
    var text: String
    var parent: String?
    /// The share with this record as its root, for a hierarchical share.
    var share: String?
    /// The link. It stays with the root when the share ends.
    var link: String?
    var version = 0
  }

  struct Entry: Sendable, Hashable {
    var person: String
    var isPublic: Bool
    var access: ModelStep.Access
    var isIn: Bool
  }

  struct Share: Sendable, Hashable {
    /// The root; nil for a zone-wide share.
    var root: String?
    var link: String
    var open: ModelStep.Access
    /// The participants without the owner.
    var people: [Entry]
    var version = 0

    func entry(_ person: String) -> Entry? { people.first { $0.person == person } }
  }

  struct Zone: Sendable, Hashable {
    var records: [String: Record] = [:]
    var shares: [String: Share] = [:]
    /// The link of the zone's present or past zone-wide share.
    var link: String?
    /// The number of links that the zone has had for roots of each name.
    var links: [String: Int] = [:]
    /// The people with the zone in their shared database, with the number of times they have received it.
    var windows: [String: Int] = [:]
    var openings: [String: Int] = [:]
  }

  package enum Code {
    /// The person is not in the list that was to be edited. This is not a CloudKit code.
    package static let absent = -1
    package static let done = 0
    package static let notPermitted = 10
    package static let unknownItem = 11
    package static let invalid = 12
    package static let changed = 14
    package static let rejected = 15
    package static let batchFailed = 22
    package static let zoneNotFound = 26
    package static let alreadyShared = 30
    package static let reference = 31
  }

  var zones: [String: Zone]
  private var ticks = 0

  package init(zones names: [String]) {
    zones = Dictionary(uniqueKeysWithValues: names.map { ($0, Zone()) })
  }

  package mutating func apply(_ step: ModelStep) -> [Int] {
    ticks += 1
    guard var zone = zones[step.zone] else { return [Code.zoneNotFound] }
    let codes = zone.apply(step, tick: ticks)
    zone.followWindows()
    zones[step.zone] = zone
    return codes
  }
}

extension ReferenceModel.Zone {
  typealias Code = ReferenceModel.Code

  mutating func apply(_ step: ModelStep, tick: Int) -> [Int] {
    let person = step.person
    if case .accept(let link) = step.action { return [accept(link, person, tick)] }
    guard person == ReferenceModel.owner || windows[person] != nil else {
      // Each item gets the code.
      switch step.action {
      case .delete(let names): return names.map { _ in Code.zoneNotFound }
      case .share(.some, _, _, _): return [Code.zoneNotFound, Code.zoneNotFound]
      default: return [Code.zoneNotFound]
      }
    }
    switch step.action {
    case .save(let record, let parent, let text): return [save(record, parent, text, person, tick)]
    case .delete(let names): return delete(names, person, tick)
    case .share(let root, let name, let open, let invited): return share(root, name, open, invited, person, tick)
    case .leaveZone:
      for name in shares.keys.sorted() where sees(person, name) { leave(name, person, tick) }
      return [Code.done]
    case .accept: return []
    case .invite(let share, _, _), .permit(let share, _, _), .remove(let share, _), .open(let share, _):
      guard person == ReferenceModel.owner ? shares[share] != nil : sees(person, share) else {
        return [Code.unknownItem]
      }
      return [edit(share, step.action, person, tick)]
    }
  }

  /// Updates the windows. A zone is in a person's shared database from their first share in it to their last one.
  mutating func followWindows() {
    let present = Set(shares.values.flatMap { $0.people.filter(\.isIn).map(\.person) })
    for person in present where windows[person] == nil {
      openings[person, default: 0] += 1
      windows[person] = openings[person]
    }
    windows = windows.filter { present.contains($0.key) }
  }

  // MARK: Permissions

  func sees(_ person: String, _ share: String?) -> Bool {
    share.flatMap { shares[$0]?.entry(person)?.isIn } ?? false
  }

  func writes(_ person: String, _ share: String?) -> Bool {
    guard let share, let share = shares[share], let entry = share.entry(person), entry.isIn else { return false }
    return max(entry.access.rawValue, share.open.rawValue) == ModelStep.Access.readWrite.rawValue
  }

  var isZoneWide: Bool { shares[ReferenceModel.zoneWide] != nil }

  /// The share that a record is in: its own, or that of the nearest ancestor with one.
  func share(of name: String) -> String? {
    if isZoneWide { return records[name] == nil ? nil : ReferenceModel.zoneWide }
    var next: String? = name
    while let name = next, let record = records[name] {
      if let share = record.share { return share }
      next = record.parent
    }
    return nil
  }

  func children(of name: String) -> [String] {
    records.filter { $0.value.parent == name }.keys.sorted()
  }

  /// The record and all its descendants.
  func tree(_ root: String) -> [String] { [root] + children(of: root).flatMap(tree) }

  func isBelow(_ name: String, _ ancestor: String) -> Bool {
    var next: String? = name
    while let name = next {
      if name == ancestor { return true }
      next = records[name]?.parent
    }
    return false
  }

  /// Whether the record or a descendant is the root of a share.
  func holdsShare(_ name: String) -> Bool { tree(name).contains { records[$0]?.share != nil } }
}
