import Foundation
import LocalCloudObjectStore

/// Writes a store's part of a save, as one transaction, and then updates the objects.
///
/// The transaction may run more than once, so nothing in the context changes before its commit.
struct StoreWriter {
  let part: StorePart
  let context: NSManagedObjectContext
  let policy: NSMergePolicy
  /// The versions in the store that the policy has been asked about.
  let resolvedVersions: [NSManagedObject: Int]

  private var store: NSPersistentStore { part.store }

  /// The results for the objects.
  private struct Outcome {
    var ids: [ObjectIdentifier: RowID] = [:]
    var rows: [(object: NSManagedObject, row: StoredRow)] = []
    /// Objects with changes that the policy discarded in favour of the store's.
    var discarded: [NSManagedObject] = []
    /// Objects that the store no longer has.
    var missing: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []

    /// The new versions of objects that other contexts may have in earlier versions.
    func versions(in store: NSPersistentStore) -> [RowID: Int64?] {
      var versions: [RowID: Int64?] = [:]
      for (_, row) in rows where row.version > 1 { versions[row.id] = row.version }
      for object in deleted { store.rowID(object.identity).map { versions[$0] = 0 } }
      return versions
    }
  }

  /// Returns the store's commit; nil if there was nothing to write. Throws ``SaveConflict`` for conflicts that the
  /// policy has to resolve first.
  func run() throws -> StoreCommit? {
    let metadata = store.newMetadata
    var outcome = Outcome()
    do {
      let commit = try store.writing(for: context) { transaction in
        transaction.metadata = metadata
        outcome = try write(transaction)
        // Before the commit: no other context can check for conflicts until then.
        store.record(outcome.versions(in: store))
      }
      .commit
      store.wrote(metadata)
      finish(outcome)
      return commit
    } catch {
      store.record(outcome.versions(in: store).mapValues { _ in nil })
      guard let violation = error as? UniqueViolation else { throw error }
      let objects = Dictionary(outcome.rows.map { ($0.row.id, $0.object) }, uniquingKeysWith: { first, _ in first })
      throw SaveConflict.constraints(violation.conflicts, objects: objects)
    }
  }

  // MARK: In the transaction

  private func write(_ transaction: StoreTransaction) throws -> Outcome {
    var outcome = Outcome()
    for object in part.inserted {
      outcome.ids[ObjectIdentifier(object)] =
        store.rowID(object.identity) ?? transaction.newID(of: store.entityIndex(of: object.entity) ?? 0)
    }
    let conflicts = try conflicts(transaction)
    let unresolved = conflicts.filter { resolvedVersions[$0.value.sourceObject] != $0.value.newVersionNumber }
    if !unresolved.isEmpty { throw SaveConflict.versions(Array(unresolved.values)) }
    for object in part.inserted {
      guard let id = outcome.ids[ObjectIdentifier(object)] else { continue }
      let row = try row(of: object, id, outcome.ids, transaction)
      transaction.insert(row)
      outcome.rows.append((object, row))
    }
    for object in part.updated { try update(object, transaction, conflicts, &outcome) }
    for object in part.deleted { try delete(object, transaction, conflicts, &outcome) }
    // These objects are read again when they are next used.
    outcome.discarded += part.checked.filter { conflicts[ObjectIdentifier($0)] != nil }
    for (object, _) in outcome.rows { try link(object, transaction, outcome.ids) }
    try transaction.finishRows()
    for index in outcome.rows.indices {
      if let row = try transaction.row(outcome.rows[index].row.id) { outcome.rows[index].row = row }
    }
    return outcome
  }

  /// The conflicts of objects with other versions in the store than in the context.
  private func conflicts(_ transaction: StoreTransaction) throws -> [ObjectIdentifier: NSMergeConflict] {
    var result: [ObjectIdentifier: NSMergeConflict] = [:]
    for object in part.updated + part.deleted + part.checked {
      guard let id = store.rowID(object.identity), let base = object.committed else { continue }
      let version = try transaction.version(of: id)
      guard version != base.version else { continue }
      if object.stage == .present, !object.hasPersistentChangedValues, !context.changes.checked.contains(object) {
        continue
      }
      let stored = try transaction.row(id).map { object.conflictValues(ObjectSnapshot($0)) }
      let isOwn = store.hasSaved(id, version: version)
      result[ObjectIdentifier(object)] = NSMergeConflict(
        source: object, newVersion: Int(version ?? 0), oldVersion: Int(base.version),
        cachedSnapshot: isOwn ? stored : object.conflictValues(base), persistedSnapshot: isOwn ? nil : stored)
    }
    return result
  }

  private func update(
    _ object: NSManagedObject, _ transaction: StoreTransaction, _ conflicts: [ObjectIdentifier: NSMergeConflict],
    _ outcome: inout Outcome
  ) throws {
    guard let id = store.rowID(object.identity) else { return }
    guard try transaction.exists(id) else { return outcome.missing.append(object) }
    let differences = ObjectDifferences(object: object)
    let changed = object.changedKeys.filter { !object.isTransient($0) && differences.contains($0) }
    if changed.isEmpty { return }
    var row = try row(of: object, id, outcome.ids, transaction)
    var names = changed
    if conflicts[ObjectIdentifier(object)] != nil {
      guard let theirs = try transaction.row(id), let base = object.committed,
        let written = object.layout.merge(&row, theirs, base, in: store, changed, policy.mergeType)
      else {
        outcome.discarded.append(object)
        return
      }
      names = written
    }
    try transaction.update(row, changed: names.sorted())
    outcome.rows.append((object, row))
  }

  private func delete(
    _ object: NSManagedObject, _ transaction: StoreTransaction, _ conflicts: [ObjectIdentifier: NSMergeConflict],
    _ outcome: inout Outcome
  ) throws {
    guard let id = store.rowID(object.identity) else { return }
    let isConflict = conflicts[ObjectIdentifier(object)] != nil
    let exists = try transaction.exists(id)
    let yields = [.rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType].contains(policy.mergeType)
    if isConflict, exists, yields {
      outcome.discarded.append(object)
      return
    }
    if exists { try transaction.delete(id) }
    outcome.deleted.append(object)
  }

  /// The object's values; the transaction sets the version.
  private func row(
    of object: NSManagedObject, _ id: RowID, _ ids: [ObjectIdentifier: RowID], _ transaction: StoreTransaction
  ) throws -> StoredRow {
    var attributes = object.attributes
    for (index, attribute) in object.layout.attributes.enumerated() {
      attributes[index] = try transaction.placed(attributes[index], of: attribute)
    }
    let toOnes = try object.toOnes.enumerated().map { index, toOne -> RowID? in
      if let target = toOne.object { return try self.row(ofTarget: target, ids, transaction) }
      let target = toOne.id.flatMap(store.rowID)
      return try target == object.committed?.toOneRow(index, in: store) ? target : present(target, transaction)
    }
    return StoredRow(id: id, version: 0, attributes: attributes, toOnes: toOnes)
  }

  /// The row of an object that another one refers to; nil if it was deleted, in the context or in the store.
  private func row(
    ofTarget target: NSManagedObject, _ ids: [ObjectIdentifier: RowID], _ transaction: StoreTransaction
  ) throws -> RowID? {
    guard target.stage.isLive else { return nil }
    if let id = ids[ObjectIdentifier(target)] { return id }
    return try present(store.rowID(target.identity), transaction)
  }

  /// Nil for a row that the store no longer has: the save that deleted it did not see this save's references to it, and
  /// did not clear them.
  private func present(_ id: RowID?, _ transaction: StoreTransaction) throws -> RowID? {
    try id.flatMap { try transaction.exists($0) ? $0 : nil }
  }

  /// Writes the pairs of relationships with rows of their own, and the order of ordered relationships.
  private func link(
    _ object: NSManagedObject, _ transaction: StoreTransaction, _ ids: [ObjectIdentifier: RowID]
  ) throws {
    for (index, relationship) in object.layout.toManys.enumerated() where object.toManys[index].hasChanges {
      let members = object.toManys[index]
      guard let number = store.relationship(relationship, of: object.entity),
        let own = ids[ObjectIdentifier(object)] ?? store.rowID(object.identity)
      else { continue }
      func rows(_ targets: some Sequence<NSManagedObject>) throws -> [RowID] {
        try targets.compactMap { try row(ofTarget: $0, ids, transaction) }
      }
      if case .links = store.objects.schema.relationships[number].storage {
        for target in members.removed {
          if let other = store.rowID(target.identity) { try transaction.unlink(own, number, from: other) }
        }
        for other in try rows(members.added) { try transaction.link(own, number, to: other) }
      }
      switch members.order?.difference(added: members.added) {
      case .none?, nil: break
      case .tail(let last)?: try transaction.append(try rows(last), to: own, number)
      case .arrangement(let list)?: try transaction.arrange(own, number, by: try rows(list))
      }
    }
  }

  // MARK: After the commit

  private func finish(_ outcome: Outcome) {
    for object in part.inserted {
      guard let id = outcome.ids[ObjectIdentifier(object)] else { continue }
      if object.identity.isTemporaryID { context.rename(object, store.objectID(id)) }
    }
    for (object, row) in outcome.rows {
      object.committed = ObjectSnapshot(row)
      for index in row.attributes.indices where object.attributes[index] != row.attributes[index] {
        // A value that moved to a file of the store is read from there from now on.
        if case .external = row.attributes[index] { object.objects[object.layout.attributes[index].name] = nil }
        object.attributes[index] = row.attributes[index]
      }
      for index in row.toOnes.indices {
        let id = row.toOnes[index].map(store.objectID)
        if object.toOnes[index].object?.identity != id { object.toOnes[index].object = nil }
        object.toOnes[index].id = id
      }
    }
    for object in outcome.missing { ContextMerge.clearReferences(to: object) }
    for object in outcome.missing + outcome.deleted { context.release(object) }
    // Before the functions of a program that a fault calls: they may change objects again.
    context.changes.markSaved(part.inserted + part.updated, deleted: part.deleted)
    for object in outcome.discarded {
      context.changes.discard(object)
      object.becomeFault()
      context.changes.reportRefresh(object)
    }
    context.readAhead = ReadAhead()
  }
}
