/// The random actions of the people.
extension ModelAuthor {
  private static let names = (0..<40).map { "n\($0)" }
  private static let shares = (0..<10).map { "s\($0)" }
  /// All record and share names that occur.
  package static let everything = names + shares + [ReferenceModel.zoneWide, "nowhere"]

  private enum Idea {
    case write, create, move, takeOut, delete, deleteTree, share, stop, invite, permit, remove, open
    case accept, quit, deleteShare, deleteRoot, leaveZone
  }

  mutating func ownersAction(_ model: ReferenceModel, _ zone: String) -> ModelStep.Action? {
    guard let state = model.zones[zone] else { return nil }
    let shareWeight: UInt64 = zone == Self.whole ? (state.shares.isEmpty ? 60 : 4) : (state.shares.count < 5 ? 30 : 4)
    let ideas: [(Idea, UInt64)] = [
      (.write, 12), (.create, 20), (.move, 18), (.takeOut, 5), (.delete, 6), (.deleteTree, 3),
      (.share, shareWeight), (.stop, zone == Self.whole ? 2 : 4), (.invite, 12), (.permit, 10), (.remove, 8),
      (.open, 6), (.accept, 1), (.deleteRoot, 1),
    ]
    return choose(ideas).flatMap { action($0, ReferenceModel.owner, state) }
  }

  mutating func guestsAction(_ model: ReferenceModel, _ zone: String, _ person: String) -> ModelStep.Action? {
    guard let state = model.zones[zone] else { return nil }
    guard state.windows[person] != nil || chance(10) else { return action(.accept, person, state) }
    let ideas: [(Idea, UInt64)] = [
      (.write, 25), (.create, 20), (.move, 12), (.takeOut, 4), (.delete, 8), (.deleteTree, 3), (.accept, 16),
      (.quit, 3), (.deleteShare, 3), (.deleteRoot, 3), (.leaveZone, 2), (.share, 2), (.invite, 2), (.permit, 3),
      (.remove, 2), (.open, 2),
    ]
    return choose(ideas).flatMap { action($0, person, state) }
  }

  // MARK: One idea

  private mutating func action(_ idea: Idea, _ person: String, _ zone: ReferenceModel.Zone) -> ModelStep.Action? {
    switch idea {
    case .write: return name(person, zone).map { .save(record: $0, parent: .keep, text: text()) }
    case .create: return .save(record: newName(zone), parent: parent(person, zone), text: text())
    case .move: return name(person, zone).map { .save(record: $0, parent: parent(person, zone), text: text()) }
    case .takeOut: return name(person, zone).map { .save(record: $0, parent: .clear, text: text()) }
    case .delete: return name(person, zone).map { .delete([$0]) }
    case .deleteTree:
      return name(person, zone).map { name in
        let tree = zone.records[name] == nil ? [name] : zone.tree(name)
        return .delete(tree.count > 20 ? [name] : tree.reversed())
      }
    case .stop, .deleteShare: return share(person, zone).map { .delete([$0]) }
    case .deleteRoot: return share(person, zone).flatMap { zone.shares[$0]?.root }.map { .delete([$0]) }
    case .share: return newShare(person, zone)
    case .invite:
      return share(person, zone).flatMap { share in member(zone, in: share, 15).map { (share, $0) } }
        .map { .invite(share: $0, person: $1, pickAccess()) }
    case .permit:
      return share(person, zone).flatMap { share in member(zone, in: share, 95).map { (share, $0) } }
        .map { .permit(share: $0, person: $1, pickAccess()) }
    case .remove:
      return share(person, zone).flatMap { share in member(zone, in: share, 95).map { (share, $0) } }
        .map { .remove(share: $0, person: $1) }
    case .open: return share(person, zone).map { .open(share: $0, pickOpen()) }
    case .quit: return share(person, zone).map { .remove(share: $0, person: person) }
    case .leaveZone: return .leaveZone
    case .accept: return link(person, zone).map { .accept(link: $0) }
    }
  }

  private mutating func newShare(_ person: String, _ zone: ReferenceModel.Zone) -> ModelStep.Action? {
    let isWhole = zone.isZoneWide || zone.link != nil && zone.shares.isEmpty
    let open = chance(30) ? pickOpen() : .none
    var invited: [String: ModelStep.Access] = [:]
    if open == .none || chance(10) {
      for member in members where chance(40) { invited[member] = pickAccess() }
    }
    if chance(isWhole ? 70 : 2) {
      return .share(root: nil, name: ReferenceModel.zoneWide, open: open, invited: invited)
    }
    let free = Self.shares.filter { zone.shares[$0] == nil }
    let name = chance(95) ? pick(free) : pick(Self.shares)
    let roots = zone.records.keys.sorted().filter {
      zone.isZoneWide || zone.share(of: $0) == nil && !zone.holdsShare($0)
    }
    let root = chance(85) ? pick(roots) : self.name(person, zone)
    guard let name, let root else { return nil }
    return .share(root: root, name: name, open: open, invited: invited)
  }

  // MARK: Names

  /// A record name, mostly of a record that the person sees.
  private mutating func name(_ person: String, _ zone: ReferenceModel.Zone) -> String? {
    let all = zone.records.keys.sorted()
    let seen = person == ReferenceModel.owner ? all : all.filter { zone.sees(person, zone.share(of: $0)) }
    if !seen.isEmpty, chance(80) { return pick(seen) }
    return chance(80) ? pick(all) : pick(Self.names)
  }

  private mutating func newName(_ zone: ReferenceModel.Zone) -> String {
    let free = Self.names.filter { zone.records[$0] == nil }
    return (chance(95) ? pick(free) : nil) ?? pick(Self.names) ?? "n0"
  }

  private mutating func parent(_ person: String, _ zone: ReferenceModel.Zone) -> ModelStep.Parent {
    if chance(person == ReferenceModel.owner ? 20 : 5) { return .keep }
    if chance(4), let share = pick(zone.shares.keys.sorted()) { return .below(share) }
    return name(person, zone).map { .below($0) } ?? .keep
  }

  /// A share, mostly one that the person is in.
  private mutating func share(_ person: String, _ zone: ReferenceModel.Zone) -> String? {
    let all = zone.shares.keys.sorted()
    let own = person == ReferenceModel.owner ? all : all.filter { zone.sees(person, $0) }
    return !own.isEmpty && chance(85) ? pick(own) : pick(all)
  }

  /// A person to act on. In `percent` of the cases the person is already in the list.
  private mutating func member(_ zone: ReferenceModel.Zone, in share: String, _ percent: UInt64) -> String? {
    let listed = zone.shares[share]?.people.map(\.person) ?? []
    return chance(percent) ? pick(listed) : pick(members.filter { !listed.contains($0) })
  }

  /// A link, mostly one that lets the person in; sometimes one that is no longer valid.
  private mutating func link(_ person: String, _ zone: ReferenceModel.Zone) -> String? {
    let shares = zone.shares.keys.sorted().compactMap { zone.shares[$0] }
    let inviting = shares.filter { share in
      share.entry(person).map { !$0.isIn } ?? (share.open != .none)
    }
    if !inviting.isEmpty, chance(85) { return pick(inviting)?.link }
    if chance(50) { return pick(shares)?.link }
    let past = zone.links.keys.sorted().flatMap { root in (1...(zone.links[root] ?? 1)).map { "\(root)#\($0)" } }
    return pick(past)
  }
}
