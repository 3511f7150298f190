import LocalCloudPlatform
import LocalCloudPredicateFormat

/// Derived attributes are computed here, at the end of a transaction, so that every writer of the store gets them.
extension StoreTransaction {
  /// Computes the derived attributes of the objects that the transaction wrote and of the objects that depend on them.
  /// A transaction that restores rows from another store does not change them.
  func derive() throws {
    guard !store.derivations.isEmpty, !isRestoring else { return }
    let changes = objects.all.filter { !$0.change.isSilent }
    let aggregates = try aggregateChanges(changes)
    var ids = changes.filter { $0.change.after != nil }.map(\.id)
    var known = Set(ids)
    let changed = known
    let others = try dependents(of: changes).union(aggregates.owners)
    for id in others.sorted() where known.insert(id).inserted { ids.append(id) }
    let time = systemTimeSeconds() - Self.referenceTime
    for id in ids { try derive(id, aggregates, now: changed.contains(id) ? time : nil) }
  }

  /// Computes all derived attributes of all objects anew: after a migration that added or changed derived attributes.
  package func recomputeDerived() throws {
    try finishRows()
    let time = systemTimeSeconds() - Self.referenceTime
    for entity in schema.entities.indices where !store.derivations.own[entity].isEmpty {
      for id in try ids(of: entity) { try derive(id, nil, now: time) }
    }
  }

  /// The start of 2001, in seconds since 1970.
  private static let referenceTime = 978_307_200.0

  // MARK: One object

  /// `aggregates`: nil computes all of them anew. `now`: nil leaves the time as it is.
  private func derive(_ id: RowID, _ aggregates: AggregateChanges?, now: Double?) throws {
    let derivations = store.derivations.own[Int(id.entity)]
    guard !derivations.isEmpty, let row = try row(id) else { return }
    var derived = row
    let before = try objects[id].map(\.before) ?? super.row(id)
    for derivation in derivations {
      let stored = before?.attributes[derivation.index]
      let value: StoredValue
      switch derivation.rule {
      case .now:
        let present = stored ?? .null
        value = aggregates == nil && present != .null ? present : now.map { .date($0) } ?? present
      case .value(let hops, let attribute, let function):
        value = try self.value(of: row, hops, attribute, function, derivation.type)
      case .aggregate(let aggregate):
        value = try self.value(of: id, aggregate, derivation.type, stored, aggregates)
      }
      derived.attributes[derivation.index] = value
    }
    if derived != row { amend(derived, before: before) }
  }

  private func value(
    of row: StoredRow, _ hops: [Int], _ attribute: String, _ function: PredicateFunction?,
    _ type: StoreSchema.AttributeType
  ) throws -> StoredValue {
    var row = row
    for hop in hops {
      guard let index = schema.entities[Int(row.id.entity)].toOnes.firstIndex(of: hop), let target = row.toOnes[index],
        let next = try self.row(target)
      else { return .null }
      row = next
    }
    let value = self.value(of: row, attribute)
    guard let function else { return DerivedValue.copy(value, type) }
    if case .string(let text) = value { return .string(StringFolding.changed(text, by: function)) }
    return .null
  }

  private func value(of row: StoredRow, _ attribute: String) -> StoredValue {
    schema.entities[Int(row.id.entity)].attributes.firstIndex { $0.name == attribute }.map { row.attributes[$0] }
      ?? .null
  }

  private func value(
    of id: RowID, _ aggregate: Derivation.Aggregate, _ type: StoreSchema.AttributeType, _ stored: StoredValue?,
    _ changes: AggregateChanges?
  ) throws -> StoredValue {
    if let changes {
      // The stored value of an existing object was computed by an earlier transaction.
      if let stored, stored != .null, changes.isUntouched(id, aggregate) { return stored }
      let before = stored.map(DerivedValue.exact) ?? 0
      if let value = changes.value(before, id, aggregate) { return DerivedValue.number(value, type) }
    }
    let members = try members(of: id, aggregate.relationship).map(\.id)
    guard let attribute = aggregate.attribute else { return DerivedValue.number(Int64(members.count), type) }
    return DerivedValue.sum(try members.sorted().compactMap { try row($0).map { value(of: $0, attribute) } }, type)
  }

  // MARK: Dependents of the changes

  /// The objects with a derived attribute that depends on a changed property.
  private func dependents(of changes: [(id: RowID, change: ObjectChanges.Change)]) throws -> Set<RowID> {
    var found: Set<RowID> = []
    for (id, change) in changes {
      for watch in store.derivations.watches[Int(id.entity)] where Self.differs(change, watch.property) {
        var ids: Set<RowID> = [id]
        for hop in watch.hops.reversed() {
          var sources: Set<RowID> = []
          for id in ids { sources.formUnion(try self.sources(of: hop, to: id).map(\.id)) }
          ids = sources
        }
        found.formUnion(ids)
      }
    }
    return found
  }

  private static func differs(_ change: ObjectChanges.Change, _ property: Derivations.Watch.Property) -> Bool {
    switch property {
    case .attribute(let index): change.before?.attributes[index] != change.after?.attributes[index]
    case .toOne(let index): change.before?.toOnes[index] != change.after?.toOnes[index]
    }
  }

  private func aggregateChanges(
    _ changes: [(id: RowID, change: ObjectChanges.Change)]
  ) throws -> AggregateChanges {
    var result = AggregateChanges()
    for (id, change) in changes {
      for membership in store.derivations.memberships[Int(id.entity)] {
        let (before, after) = (change.before?.toOnes[membership.toOne], change.after?.toOnes[membership.toOne])
        let aggregate = membership.aggregate
        if let before { result.add(0, insteadOf: amount(aggregate, change.before), to: before, aggregate) }
        if let after { result.add(amount(aggregate, change.after), to: after, aggregate) }
      }
    }
    guard !store.derivations.pairings.isEmpty else { return result }
    for (before, after) in linkChanges.all {
      guard let link = after ?? before else { continue }
      for pairing in store.derivations.pairings[link.table] ?? [] {
        for (owner, member) in pairing.ends(link) {
          let row = try before == nil ? row(member) : objects[member].map(\.before) ?? super.row(member)
          let amount = amount(pairing.aggregate, row)
          if after == nil {
            result.add(0, insteadOf: amount, to: owner, pairing.aggregate)
          } else {
            result.add(amount, to: owner, pairing.aggregate)
          }
        }
      }
    }
    for (id, change) in changes where change.before != nil && change.after != nil {
      for (table, pairings) in store.derivations.pairings {
        for pairing in pairings where pairing.aggregate.attribute != nil {
          try addMember(id, change, table, pairing, &result)
        }
      }
    }
    return result
  }

  /// Applies a member's change to the owners that it was linked to before and still is.
  private func addMember(
    _ id: RowID, _ change: ObjectChanges.Change, _ table: Int, _ pairing: Derivations.Pairing,
    _ result: inout AggregateChanges
  ) throws {
    let (before, after) = (amount(pairing.aggregate, change.before), amount(pairing.aggregate, change.after))
    if before != nil, before == after { return }
    let relationship = schema.relationships[pairing.aggregate.relationship]
    guard schema.entities[relationship.destination].family.contains(Int(id.entity)) else { return }
    for owner in try linked(table, isForward: !pairing.isForward, pairing.isOwnInverse, id).keys {
      let ends = pairing.isForward ? (owner, id) : (id, owner)
      let pairs = [ends, pairing.isOwnInverse ? (ends.1, ends.0) : ends].map {
        LinkChanges.Pair(table: table, from: $0.0, to: $0.1)
      }
      if pairs.contains(where: linkChanges.isNew) { continue }
      result.add(after, insteadOf: before, to: owner, pairing.aggregate)
    }
  }

  /// The contribution of a member; nil if it is not known exactly.
  private func amount(_ aggregate: Derivation.Aggregate, _ row: StoredRow?) -> Int64? {
    guard let row else { return 0 }
    guard let attribute = aggregate.attribute else { return 1 }
    return DerivedValue.whole(value(of: row, attribute))
  }
}

extension Derivations.Pairing {
  func ends(_ link: LinkKey) -> [(owner: RowID, member: RowID)] {
    let ends = isForward ? (link.from, link.to) : (link.to, link.from)
    return isOwnInverse && link.from != link.to ? [ends, (ends.1, ends.0)] : [ends]
  }
}
