import Foundation
import LocalCloudFoundationPredicates

#if !canImport(ObjectiveC)
  extension NSSortDescriptor {
    /// Sorts by a property of an entity, or by one at the end of relationships to one object: `\.order?.customer?.name`.
    ///
    /// A fetch for a key path of anything else is an exception.
    public convenience init<Root: NSManagedObject, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
      self.init(property: keyPath, ascending: ascending)
    }

    /// The same for values that can be compared: Foundation has an initializer for them, too, whose descriptors are equal
    /// to themselves only.
    public convenience init<Root: NSManagedObject, Value: Comparable>(
      keyPath: KeyPath<Root, Value>, ascending: Bool
    ) {
      self.init(property: keyPath, ascending: ascending)
    }

    private convenience init<Root, Value>(property keyPath: KeyPath<Root, Value>, ascending: Bool) {
      // Without the constraint on `Root` this is the initializer for key paths of any type.
      self.init(keyPath: keyPath, ascending: ascending)
      become(ManagedSortDescriptor.self)
    }
  }

  /// The class of sort descriptors that sort by a property of an entity.
  private final class ManagedSortDescriptor: _PropertySortDescriptor {
    override var _propertyName: String? { PropertyNames.name(of: keyPath) }
  }
#endif
