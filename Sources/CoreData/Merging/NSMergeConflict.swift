import Foundation

/// An object of a context that was changed in the store after the context had read it: by another context of the
/// coordinator, or by another coordinator or process.
///
/// - Difference: a change by a batch request, or by an import from the cloud, counts as one of another coordinator. So does
///   one of very many saved objects.
open class NSMergeConflict: NSObject {
  private final let object: NSManagedObject
  private final let own: [String: Any]?
  private final let cached: [String: Any]?
  private final let persisted: [String: Any]?
  private final let versions: (new: Int, old: Int)

  /// Makes a conflict. The object's own values are those that it has now.
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
    super.init()
  }

  /// The object of the context.
  open var sourceObject: NSManagedObject { object }

  /// The values that the object has. `NSNull` stands for nil in all snapshots; relationships to many objects are in none.
  open var objectSnapshot: [String: Any]? { own }

  /// The values that the coordinator knows: those that another context of the coordinator saved, nil if it deleted the
  /// object; in a conflict with another coordinator, those that the context had read.
  open var cachedSnapshot: [String: Any]? { cached }

  /// The values that the store has by now, in a conflict with another coordinator or process; nil if the object was
  /// deleted there. Nil in a conflict with another context of the coordinator.
  open var persistedSnapshot: [String: Any]? { persisted }

  /// The version that the store has by now; 0 if the object was deleted there.
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

  /// A text for people.
  open override var description: String {
    "<NSMergeConflict> for NSManagedObject (\(object.objectID)) with oldVersion = \(versions.old) and newVersion = "
      + "\(versions.new) and old object snapshot = \(own ?? [:]) and old cached row = \(cached ?? [:]) and new database "
      + "row = \(persisted ?? [:])"
  }
}
