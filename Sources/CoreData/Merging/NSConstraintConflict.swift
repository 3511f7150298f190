import Foundation

/// Several objects with the same values of a uniqueness constraint. The constraint allows only one object with them.
open class NSConstraintConflict: NSObject {
  private final let attributes: [String]
  private final let stored: NSManagedObject?
  private final let storedSnapshot: [AnyHashable: Any]?
  private final let objects: [NSManagedObject]
  private final let snapshots: [Any]

  /// Creates a conflict.
  ///
  /// - Parameters:
  ///   - contraint: The names of the constraint's attributes.
  ///   - databaseObject: The object that the store has already; nil if the objects of the context have the same values
  ///     among each other.
  ///   - databaseSnapshot: The values of that object.
  ///   - conflictingObjects: The objects of the context.
  ///   - conflictingSnapshots: The values of those objects, a dictionary each.
  public init(
    constraint contraint: [String], database databaseObject: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
  ) {
    attributes = contraint
    stored = databaseObject
    storedSnapshot = databaseSnapshot
    objects = conflictingObjects
    snapshots = conflictingSnapshots
  }

  /// Makes a conflict of no objects.
  public override convenience init() {
    self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
  }

  /// The names of the constraint's attributes.
  open var constraint: [String] { attributes }

  /// The values that the objects have in common.
  open var constraintValues: [String: Any] {
    let values = databaseSnapshot ?? conflictingSnapshots.first?.named ?? [:]
    return values.filter { attributes.contains($0.key) }
  }

  /// The object that the store has already; nil if the objects of the context have the same values among each other.
  open var databaseObject: NSManagedObject? { stored }

  /// The values of that object.
  open var databaseSnapshot: [String: Any]? { storedSnapshot?.named }

  /// The objects of the context.
  open var conflictingObjects: [NSManagedObject] { objects }

  /// The values of those objects.
  open var conflictingSnapshots: [[AnyHashable: Any]] { snapshots.map { $0 as? [AnyHashable: Any] ?? [:] } }

  /// A textual description.
  open override var description: String {
    "NSConstraintConflict for constraint (\(attributes.joined(separator: ", "))) with values \(constraintValues): "
      + "database: \(stored?.objectID.description ?? "(null)"), conflictedObjects: \(objects.map(\.objectID))"
  }
}

extension [AnyHashable: Any] {
  fileprivate var named: [String: Any] {
    let pairs = compactMap { key, value in (key.base as? String).map { ($0, value) } }
    return [String: Any](pairs) { first, _ in first }
  }
}
