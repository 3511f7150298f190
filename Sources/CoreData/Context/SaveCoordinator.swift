import Foundation
import LocalCloudObjectStore

/// Saves a context's changes to its stores. The policy resolves conflicts, until none is left.
///
/// A store rolls its transaction back to report conflicts: the policy, and a program's subclass of it, may read the
/// store and change the context.
struct SaveCoordinator {
  private let context: NSManagedObjectContext
  private let policy: NSMergePolicy
  private var saved = SavedObjects()
  /// The versions in the stores that the policy has been asked about.
  private var resolvedVersions: [NSManagedObject: Int] = [:]
  /// The constraints that the policy has been asked about.
  private var resolvedConstraints: Set<ConstraintCase> = []
  private var passes = 0

  /// The maximum number of passes: a policy may create new conflicts from old ones.
  private static let maximumPasses = 100

  /// Identifies a conflict of unique values.
  private struct ConstraintCase: Hashable {
    var properties: [String]
    var objects: [NSManagedObject]
  }

  init(_ context: NSManagedObjectContext, _ policy: NSMergePolicy) {
    self.context = context
    self.policy = policy
  }

  /// Returns the saved objects. If a store fails, the stores that were written before stay written.
  mutating func run() throws -> SavedObjects {
    guard !context.stores.isEmpty else {
      throw CoreDataError.error(NSPersistentStoreSaveError, reason: "The coordinator has no stores.")
    }
    var parts = try StoreAssignment(context: context).parts()
    while let part = parts.first {
      do {
        let commit = try StoreWriter(part: part, context: context, policy: policy, resolvedVersions: resolvedVersions)
          .run()
        parts.removeFirst()
        saved.inserted.formUnion(part.inserted)
        saved.updated.formUnion(part.updated)
        saved.deleted.formUnion(part.deleted)
        guard let commit else { continue }
        if part.store.isHistoryTracked { saved.transactions[part.store.identifier] = commit.transaction }
        context.persistentStoreCoordinator?.didCommit(commit, to: part.store, by: context)
      } catch let conflict as SaveConflict {
        try resolve(conflict, in: part.store)
        context.processChanges()
        parts = try StoreAssignment(context: context).parts()
      }
    }
    saved.deleted.formUnion(context.changes.missing)
    return saved
  }

  // MARK: Conflicts

  private mutating func resolve(_ conflict: SaveConflict, in store: NSPersistentStore) throws {
    passes += 1
    // The policy reads the state with the conflict, or a later one.
    context.advanceGeneration()
    switch conflict {
    case .versions(let conflicts):
      if passes > Self.maximumPasses { throw CoreDataError.merge(conflicts) }
      try policy.resolve(mergeConflicts: conflicts)
      for conflict in conflicts { resolvedVersions[conflict.sourceObject] = conflict.newVersionNumber }
    case .constraints(let violations, let objects):
      let conflicts = violations.map { self.conflict($0, objects, in: store) }
      let cases = conflicts.map { conflict in
        ConstraintCase(
          properties: conflict.constraint,
          objects: [conflict.databaseObject].compactMap(\.self) + conflict.conflictingObjects)
      }
      // The policy has been asked about this conflict and did not resolve it: the save fails.
      guard resolvedConstraints.isDisjoint(with: cases), passes <= Self.maximumPasses else {
        throw CoreDataError.constraintMerge(conflicts)
      }
      resolvedConstraints.formUnion(cases)
      try policy.resolve(constraintConflicts: conflicts)
    }
  }

  private func conflict(
    _ violation: UniqueConflict, _ objects: [RowID: NSManagedObject], in store: NSPersistentStore
  ) -> NSConstraintConflict {
    let stored = violation.stored.map { (store.objectID($0.id), ObjectSnapshot($0)) }
    let database = stored.map { id, snapshot in
      let object = context.objectOrFault(id)
      object.refresh(with: snapshot)
      return object
    }
    let conflicting = violation.rows.compactMap { objects[$0.id] }
    return NSConstraintConflict(
      constraint: violation.properties, database: database,
      databaseSnapshot: stored.flatMap { database?.conflictValues($0.1) }, conflicting: conflicting,
      conflictingSnapshots: conflicting.map { $0.conflictValues(ObjectSnapshot(of: $0)) })
  }
}

/// The reason why a store rolled a transaction back. The policy resolves it, and the save continues.
// Sendable: it is thrown and caught on the context's queue, where the store's transaction runs too.
enum SaveConflict: Error, @unchecked Sendable {
  /// Objects have other versions in the store than in the context.
  case versions([NSMergeConflict])
  /// Objects have the same unique values. `objects`: the context's objects of the rows.
  case constraints([UniqueConflict], objects: [RowID: NSManagedObject])
}
