/// Creates, edits, joins and leaves shares ([share-create-1], [share-zone-1], [share-manage-1], [share-join-1],
/// [share-leave-1]).
extension ReferenceModel.Zone {
  /// Creates a share. Returns the root's code, if there is a root, and the share's.
  mutating func share(
    _ root: String?, _ name: String, _ open: ModelStep.Access, _ invited: [String: ModelStep.Access],
    _ person: String, _ tick: Int
  ) -> [Int] {
    func refused(_ code: Int) -> [Int] { root == nil ? [code] : [Code.batchFailed, code] }
    guard person == ReferenceModel.owner else {
      let code = sees(person, name) ? Code.changed : Code.notPermitted
      guard let root else { return [code] }
      return [mayEdit(root, person) ? Code.batchFailed : Code.notPermitted, code]
    }
    if shares[name] != nil { return refused(Code.changed) }
    let people = invited.sorted { $0.key < $1.key }.map {
      ReferenceModel.Entry(person: $0.key, isPublic: false, access: $0.value, isIn: false)
    }
    if let root {
      if isZoneWide { return refused(Code.rejected) }
      if share(of: root) != nil || records[root] != nil && holdsShare(root) { return refused(Code.alreadyShared) }
      if open != .none, !people.isEmpty { return refused(Code.invalid) }
      var record = records[root] ?? ReferenceModel.Record(text: "")
      let link = record.link ?? newLink(root)
      (record.share, record.link, record.version) = (name, link, tick)
      records[root] = record
      shares[name] = ReferenceModel.Share(root: root, link: link, open: open, people: people, version: tick)
      return [Code.done, Code.done]
    }
    if !shares.isEmpty || open != .none && !people.isEmpty { return [Code.invalid] }
    let link = self.link ?? newLink("*")
    self.link = link
    shares[name] = ReferenceModel.Share(root: nil, link: link, open: open, people: people, version: tick)
    return [Code.done]
  }

  private mutating func newLink(_ root: String) -> String {
    links[root, default: 0] += 1
    return "\(root)#\(links[root, default: 0])"
  }

  /// Whether a participant may save an existing record or, in a zone-wide share, a new one.
  private func mayEdit(_ name: String, _ person: String) -> Bool {
    isZoneWide ? writes(person, ReferenceModel.zoneWide) : records[name] != nil && writes(person, share(of: name))
  }

  // MARK: Editing

  mutating func edit(_ name: String, _ action: ModelStep.Action, _ person: String, _ tick: Int) -> Int {
    guard let share = shares[name] else { return Code.unknownItem }
    let code = person == ReferenceModel.owner ? ownersEdit(name, action) : guestsEdit(share, action, person)
    guard code == Code.done else { return code }
    if person != ReferenceModel.owner, case .remove = action {
      leave(name, person, tick)
    } else {
      shares[name]?.version = tick
    }
    return code
  }

  private mutating func ownersEdit(_ name: String, _ action: ModelStep.Action) -> Int {
    guard var share = shares[name] else { return Code.unknownItem }
    switch action {
    case .invite(_, let person, let access):
      if share.open != .none || share.entry(person) != nil { return Code.invalid }
      share.people.append(ReferenceModel.Entry(person: person, isPublic: false, access: access, isIn: false))
    case .permit(_, let person, let access):
      guard let index = share.people.firstIndex(where: { $0.person == person }) else { return Code.absent }
      share.people[index].access = access
    case .remove(_, let person):
      guard share.entry(person) != nil else { return Code.absent }
      share.people.removeAll { $0.person == person }
    case .open(_, let access):
      if access == .none {
        share.people.removeAll(where: \.isPublic)
      } else if access != share.open {
        share.people.removeAll { !$0.isPublic && !$0.isIn }
        for index in share.people.indices where share.people[index].isPublic { share.people[index].access = access }
      }
      share.open = access
    default: break
    }
    shares[name] = share
    return Code.done
  }

  /// A participant may only leave. An edit without changes succeeds.
  private func guestsEdit(_ share: ReferenceModel.Share, _ action: ModelStep.Action, _ person: String) -> Int {
    func seen(_ other: String) -> ReferenceModel.Entry? {
      share.open == .none || other == person ? share.entry(other) : nil
    }
    switch action {
    case .permit(_, let other, let access):
      guard let entry = seen(other) else { return Code.absent }
      return entry.access == access ? Code.done : Code.notPermitted
    case .remove(_, let other):
      guard seen(other) != nil else { return Code.absent }
      return other == person ? Code.done : Code.notPermitted
    case .open(_, let access): return access == share.open ? Code.done : Code.notPermitted
    default: return Code.notPermitted
    }
  }

  // MARK: Joining and leaving

  mutating func accept(_ link: String, _ person: String, _ tick: Int) -> Int {
    guard let name = shares.first(where: { $0.value.link == link })?.key, var share = shares[name] else {
      return Code.unknownItem
    }
    if person == ReferenceModel.owner { return Code.invalid }
    if let index = share.people.firstIndex(where: { $0.person == person }) {
      if share.people[index].isIn { return Code.done }
      share.people[index].isIn = true
    } else {
      if share.open == .none { return Code.notPermitted }
      share.people.append(ReferenceModel.Entry(person: person, isPublic: true, access: share.open, isIn: true))
    }
    share.version = tick
    shares[name] = share
    return Code.done
  }

  /// Leaves a share. An invited participant may return by the same link; a participant by public link is removed.
  mutating func leave(_ name: String, _ person: String, _ tick: Int) {
    guard var share = shares[name], let index = share.people.firstIndex(where: { $0.person == person }) else { return }
    if share.people[index].isPublic {
      share.people.remove(at: index)
    } else {
      share.people[index].isIn = false
    }
    share.version = tick
    shares[name] = share
  }
}
