// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The way a save handles objects that have changed in the store since the context read them.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails, with the conflicts.
  case errorMergePolicyType = 0
  /// Property by property: if both the object and the store changed the value, the store's value wins.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property: if both the object and the store changed the value, the object's value wins.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// All values of the object are written.
  case overwriteMergePolicyType = 3
  /// The object's changes are discarded.
  case rollbackMergePolicyType = 4
}

/// Resolves the conflicts between a context's objects and those of the store.
///
/// A subclass may override ``resolve(optimisticLockingConflicts:)`` and ``resolve(constraintConflicts:)`` to change the
/// objects before it calls the method of this class, or to throw an error instead. The save then acts by ``mergeType``.
open class NSMergePolicy: NSObject {
  private final let type: NSMergePolicyType

  /// Creates a policy.
  public init(merge ty: NSMergePolicyType) { type = ty }

  /// The type of the policy.
  open var mergeType: NSMergePolicyType { type }

  // The policies are immutable.
  nonisolated(unsafe) private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
  nonisolated(unsafe) private static let storeTrumpPolicy = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
  nonisolated(unsafe) private static let objectTrumpPolicy = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  nonisolated(unsafe) private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
  nonisolated(unsafe) private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// The save fails, with the conflicts. This is the default policy of contexts.
  open class var error: NSMergePolicy { errorPolicy }

  /// Property by property: if both the object and the store changed the value, the store's value wins.
  open class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }

  /// Property by property: if both the object and the store changed the value, the object's value wins.
  open class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }

  /// All values of the object are written.
  open class var overwrite: NSMergePolicy { overwritePolicy }

  /// The object's changes are discarded.
  open class var rollback: NSMergePolicy { rollbackPolicy }

  /// Resolves conflicts of both kinds. A save calls it with the conflicts of objects that were changed in the store.
  ///
  /// - Throws: the error of ``resolve(optimisticLockingConflicts:)`` or ``resolve(constraintConflicts:)``.
  open func resolve(mergeConflicts list: [Any]) throws {
    let locking = list.compactMap { $0 as? NSMergeConflict }
    if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts with objects that were changed in the store. If this returns, the save continues.
  ///
  /// - Throws: ``NSManagedObjectMergeError`` with the conflicts, if the policy is ``error``.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw CoreDataError.merge(list) }
  }

  /// Resolves conflicts between objects with the same unique values: one of the objects stays, and the save continues.
  /// Conflicts that the program has resolved before the call are ignored.
  ///
  /// A save throws ``NSManagedObjectConstraintMergeError`` if a conflict remains after this returns.
  ///
  /// - Throws: ``NSManagedObjectConstraintMergeError`` with the conflicts, if the policy is ``error``.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw CoreDataError.constraintMerge(list) }
    ConstraintResolver.run(list, mergeType)
  }
}

/// ``NSMergePolicy/error``.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// ``NSMergePolicy/mergeByPropertyStoreTrump``.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }

/// ``NSMergePolicy/mergeByPropertyObjectTrump``.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }

/// ``NSMergePolicy/overwrite``.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// ``NSMergePolicy/rollback``.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
