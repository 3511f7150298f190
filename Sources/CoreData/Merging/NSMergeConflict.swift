import Foundation

/// An object of a context that was changed in the store after the context had read it: by another context of the
/// coordinator, or by another coordinator or process.
///
/// - Difference: a change by a batch request, or by an import from the cloud, counts as one of another coordinator. So
///   does a change in a save of very many objects.
open class NSMergeConflict: NSObject {
  private final let object: NSManagedObject
  private final let own: [String: Any]?
  private final let cached: [String: Any]?
  private final let persisted: [String: Any]?
  private final let versions: (new: Int, old: Int)

  /// Creates a conflict. The object's own values are its present ones.
  public convenience init(
    source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
    cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
  ) {
    self.init(
      source: srcObject, objectSnapshot: Self.values(of: srcObject), newVersion: newvers, oldVersion: oldvers,
      cachedSnapshot: cachesnap, persistedSnapshot: persnap)
  }

  init(
    source: NSManagedObject, objectSnapshot: [String: Any]?, newVersion: Int, oldVersion: Int,
    cachedSnapshot: [String: Any]?, persistedSnapshot: [String: Any]?
  ) {
    object = source
    own = objectSnapshot
    cached = cachedSnapshot
    persisted = persistedSnapshot
    versions = (newVersion, oldVersion)
  }

  /// The object of the context.
  open var sourceObject: NSManagedObject { object }

  /// The object's values. In all snapshots `NSNull` stands for nil, and to-many relationships are left out.
  open var objectSnapshot: [String: Any]? { own }

  /// The values that the coordinator knows: those that another context of the coordinator saved, nil if it deleted the
  /// object. In a conflict with another coordinator, the values that the context had read.
  open var cachedSnapshot: [String: Any]? { cached }

  /// The present values in the store, in a conflict with another coordinator or process; nil if the object was deleted
  /// there. Nil in a conflict with another context of the coordinator.
  open var persistedSnapshot: [String: Any]? { persisted }

  /// The present version in the store; 0 if the object was deleted there.
  open var newVersionNumber: Int { versions.new }

  /// The version that the context had read.
  open var oldVersionNumber: Int { versions.old }

  private static func values(of object: NSManagedObject) -> [String: Any] {
    let names = object.entity.properties.compactMap { property in
      switch property {
      case let relationship as NSRelationshipDescription where relationship.isToMany: nil as String?
      case is NSFetchedPropertyDescription: nil
      default: property.name
      }
    }
    return Dictionary(names.map { ($0, object.primitiveValue(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }

  /// A textual description.
  open override var description: String {
    "<NSMergeConflict> for NSManagedObject (\(object.objectID)) with oldVersion = \(versions.old) and newVersion = "
      + "\(versions.new) and old object snapshot = \(own ?? [:]) and old cached row = \(cached ?? [:]) and new database "
      + "row = \(persisted ?? [:])"
  }
}
