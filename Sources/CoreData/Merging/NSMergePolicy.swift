// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// What happens to a save when the store's objects were changed meanwhile.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails, with the conflicts.
  case errorMergePolicyType = 0
  /// Property by property, the store's value is kept if it was changed in both places.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property, the object's value is kept if it was changed in both places.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The object is written as it is.
  case overwriteMergePolicyType = 3
  /// The object's changes are dropped.
  case rollbackMergePolicyType = 4
}

/// Settles the conflicts between a context's objects and those of the store.
///
/// A subclass may override ``resolve(optimisticLockingConflicts:)`` and ``resolve(constraintConflicts:)`` to change the
/// objects before it calls the method of this class, or to throw an error in its place. The save then does what
/// ``mergeType`` says.
open class NSMergePolicy: NSObject {
  private final let type: NSMergePolicyType

  /// Makes a policy.
  public init(merge ty: NSMergePolicyType) {
    type = ty
    super.init()
  }

  /// What the policy does.
  open var mergeType: NSMergePolicyType { type }

  // Nothing in them changes.
  nonisolated(unsafe) private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
  nonisolated(unsafe) private static let storeTrumpPolicy = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
  nonisolated(unsafe) private static let objectTrumpPolicy = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  nonisolated(unsafe) private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
  nonisolated(unsafe) private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// The save fails, with the conflicts. Contexts have this policy unless another one is set.
  open class var error: NSMergePolicy { errorPolicy }

  /// Property by property, the store's value is kept if it was changed in both places.
  open class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }

  /// Property by property, the object's value is kept if it was changed in both places.
  open class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }

  /// The object is written as it is.
  open class var overwrite: NSMergePolicy { overwritePolicy }

  /// The object's changes are dropped.
  open class var rollback: NSMergePolicy { rollbackPolicy }

  /// Settles conflicts of both kinds. A save calls it with those about objects that were changed in the store.
  open func resolve(mergeConflicts list: [Any]) throws {
    let locking = list.compactMap { $0 as? NSMergeConflict }
    if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Settles conflicts with objects that were changed in the store. Throws them if that is the policy; otherwise the save
  /// goes on.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw CoreDataError.merge(list) }
  }

  /// Settles conflicts between objects with the same unique values. Throws them if that is the policy; otherwise one of
  /// the objects stays, and the save goes on. What the program changed before, so that no conflict is left, is left alone.
  ///
  /// A save throws ``NSManagedObjectConstraintMergeError`` if a conflict is still there when this returns.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw CoreDataError.constraintMerge(list) }
    ConstraintSettlement.run(list, mergeType)
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
