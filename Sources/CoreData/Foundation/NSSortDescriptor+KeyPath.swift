import Foundation
import LocalCloudFoundationPredicates

#if !canImport(ObjectiveC)
  extension NSSortDescriptor {
    /// Sorts by a property of an entity, or by one at the end of relationships to one object:
    /// `\.order?.customer?.name`.
    ///
    /// A fetch for a key path of any other kind raises an exception.
    public convenience init<Root: NSManagedObject, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
      self.init(property: keyPath, ascending: ascending)
    }

    /// The same for comparable values. Foundation has an initializer for them, too, but its descriptors are equal only
    /// to themselves.
    public convenience init<Root: NSManagedObject, Value: Comparable>(
      keyPath: KeyPath<Root, Value>, ascending: Bool
    ) {
      self.init(property: keyPath, ascending: ascending)
    }

    private convenience init<Root, Value>(property keyPath: KeyPath<Root, Value>, ascending: Bool) {
      // Without the constraint on `Root` this call resolves to the initializer for key paths of any type.
      self.init(keyPath: keyPath, ascending: ascending)
      become(ManagedSortDescriptor.self)
    }
  }

  /// The class of sort descriptors that sort by a property of an entity.
  private final class ManagedSortDescriptor: _PropertySortDescriptor {
    override var _propertyName: String? { PropertyNames.name(of: keyPath) }
  }
#endif
