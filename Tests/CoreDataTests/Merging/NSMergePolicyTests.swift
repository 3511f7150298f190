import Foundation
import Testing

@testable import CoreData

@Suite("Merge policies and conflicts")
struct NSMergePolicyTests {
  private let object: NSManagedObject

  init() throws {
    let entity = try #require(ModelTexts.model(#"<entity name="A"/>"#).entities.first)
    object = NSManagedObject(entity: entity, insertInto: nil)
  }

  private var conflict: NSMergeConflict {
    NSMergeConflict(
      source: object, objectSnapshot: ["x": 1], newVersion: 3, oldVersion: 2, cachedSnapshot: ["x": 0],
      persistedSnapshot: ["x": 5])
  }

  private var constraint: NSConstraintConflict {
    NSConstraintConflict(
      constraint: ["x"], database: nil, databaseSnapshot: nil, conflicting: [object],
      conflictingSnapshots: [["x": 1, "y": 2]])
  }

  @Test("each policy has its type and its older name")
  func eachPolicyHasItsType() {
    // The compiler fails on a macro that compares them by identity.
    func isSame(_ policy: AnyObject, _ other: NSMergePolicy) -> Bool { policy === other }
    #expect(NSMergePolicy.error.mergeType == .errorMergePolicyType)
    #expect(isSame(NSErrorMergePolicy, .error))
    #expect(isSame(NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrump))
    #expect(isSame(NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrump))
    #expect(isSame(NSOverwriteMergePolicy, .overwrite))
    #expect(isSame(NSRollbackMergePolicy, .rollback))
    #expect(NSMergePolicy(merge: .rollbackMergePolicyType).mergeType == .rollbackMergePolicyType)
  }

  @Test("[coredata-merge-3] only the error policy throws conflicts")
  func onlyTheErrorPolicyThrowsConflicts() throws {
    let (conflict, constraint) = (conflict, constraint)
    var error = #expect(throws: NSError.self) { try NSMergePolicy.error.resolve(mergeConflicts: [conflict]) }
    #expect(error?.code == 133020)
    #expect(error?.userInfo["conflictList"] as? [NSMergeConflict] == [conflict])
    error = #expect(throws: NSError.self) { try NSMergePolicy.error.resolve(mergeConflicts: [constraint]) }
    #expect(error?.code == 133021)
    #expect(error?.userInfo["conflictList"] as? [NSConstraintConflict] == [constraint])
    try NSMergePolicy.error.resolve(mergeConflicts: [])
    try NSMergePolicy.overwrite.resolve(mergeConflicts: [conflict, constraint])
  }

  @Test("[coredata-merge-4] each kind of conflict is passed to its method")
  func eachKindOfConflictIsPassed() throws {
    final class Counting: NSMergePolicy {
      var counts: [Int] = []

      override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { counts.append(list.count) }
      override func resolve(constraintConflicts list: [NSConstraintConflict]) throws { counts.append(-list.count) }
    }
    let policy = Counting(merge: .errorMergePolicyType)
    try policy.resolve(mergeConflicts: [conflict, constraint, conflict])
    #expect(policy.counts == [2, -1])
  }

  @Test("conflicts have their objects, versions and snapshots")
  func conflictsHaveTheirObjectsVersions() {
    #expect(conflict.sourceObject === object)
    #expect(conflict.newVersionNumber == 3)
    #expect(conflict.oldVersionNumber == 2)
    #expect(conflict.objectSnapshot as? [String: Int] == ["x": 1])
    #expect(conflict.cachedSnapshot as? [String: Int] == ["x": 0])
    #expect(conflict.persistedSnapshot as? [String: Int] == ["x": 5])
    #expect(constraint.constraint == ["x"])
    #expect(constraint.constraintValues as? [String: Int] == ["x": 1])
    #expect(constraint.conflictingObjects == [object])
    #expect(constraint.databaseObject == nil)
    #expect(constraint.databaseSnapshot == nil)
    #expect(constraint.conflictingSnapshots.count == 1)
  }
}
