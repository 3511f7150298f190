import LocalCloudStorage

/// Saves and deletes records ([record-parent-1], [share-tree-5], [share-write-1]).
extension ReferenceModel.Zone {
  mutating func save(
    _ name: String, _ parent: ModelStep.Parent, _ text: String, _ person: String, _ tick: Int
  ) -> Int {
    if person != ReferenceModel.owner, let refusal = refusal(name, parent, person) { return refusal }
    if case .below(let parent) = parent {
      if shares[parent] != nil || isBelow(parent, name) { return Code.invalid }
      guard records[parent] != nil else { return Code.reference }
      let moves = records[name] != nil && records[name]?.parent != parent
      if moves, !isZoneWide, share(of: parent) != nil, holdsShare(name) { return Code.alreadyShared }
    }
    var record = records[name] ?? ReferenceModel.Record(text: "")
    record.text = text
    switch parent {
    case .keep: break
    case .clear: record.parent = nil
    case .below(let parent): record.parent = parent
    }
    record.version = tick
    records[name] = record
    return Code.done
  }

  /// The code that refuses a participant's save; nil if it is permitted.
  private func refusal(_ name: String, _ parent: ModelStep.Parent, _ person: String) -> Int? {
    if isZoneWide { return writes(person, ReferenceModel.zoneWide) ? nil : Code.notPermitted }
    let current = share(of: name)
    guard let record = records[name], sees(person, current) else {
      // A record that is new to the person must be below a record they may write to, and must not replace an unseen
      // one.
      guard records[name] == nil, case .below(let parent) = parent, writes(person, shareOfChildren(parent)) else {
        return Code.notPermitted
      }
      return nil
    }
    guard writes(person, current) else { return Code.notPermitted }
    switch parent {
    case .keep: return nil
    case .clear: return record.parent == nil ? nil : Code.notPermitted
    case .below(let parent):
      if record.share != nil, record.parent == parent { return nil }
      return shareOfChildren(parent) == current ? nil : Code.notPermitted
    }
  }

  /// The share for a child of this name. For a share's name, it is that share.
  private func shareOfChildren(_ name: String) -> String? { shares[name] == nil ? share(of: name) : name }

  // MARK: Deleting

  private enum Effect: Equatable {
    case nothing
    case delete
    case leave(String)
    case fail(Int)
  }

  mutating func delete(_ names: [String], _ person: String, _ tick: Int) -> [Int] {
    var effects = names.map { effect(of: $0, person) }
    // A person who leaves a share loses access to its other records.
    for index in effects.indices where effects[index] == .delete && person != ReferenceModel.owner {
      if let share = share(of: names[index]), effects.contains(.leave(share)) {
        effects[index] = .fail(Code.notPermitted)
      }
    }
    // A parent can only be deleted together with its children.
    var isStable = false
    while !isStable {
      isStable = true
      let gone = Set(names.indices.filter { effects[$0] == .delete }.map { names[$0] })
      for index in names.indices where effects[index] == .delete {
        guard children(of: names[index]).contains(where: { !gone.contains($0) }) else { continue }
        effects[index] = .fail(Code.reference)
        isStable = false
      }
    }
    let codes = effects.map { effect in
      if case .fail(let code) = effect { code } else { Code.done }
    }
    if codes.contains(where: { $0 != Code.done }) {
      return codes.map { $0 == Code.done ? Code.batchFailed : $0 }
    }
    for (name, effect) in zip(names, effects) {
      switch effect {
      case .leave(let share): leave(share, person, tick)
      case .delete where shares[name] != nil: end(name, tick)
      case .delete:
        if let share = records[name]?.share { shares[share] = nil }
        records[name] = nil
      case .nothing, .fail: break
      }
    }
    return codes
  }

  private func effect(of name: String, _ person: String) -> Effect {
    guard records[name] != nil || shares[name] != nil else { return .nothing }
    if person == ReferenceModel.owner { return .delete }
    if shares[name] != nil { return sees(person, name) ? .leave(name) : .nothing }
    let share = share(of: name)
    guard sees(person, share) else { return .nothing }
    if let own = records[name]?.share { return .leave(own) }
    return writes(person, share) ? .delete : .fail(Code.notPermitted)
  }

  /// Ends a share as its owner. The root record changes, and all records stay.
  private mutating func end(_ name: String, _ tick: Int) {
    if let root = shares[name]?.root {
      records[root]?.share = nil
      records[root]?.version = tick
    }
    shares[name] = nil
  }
}
