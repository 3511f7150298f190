import Foundation

#if !canImport(ObjectiveC)
  extension NSSortDescriptor {
    /// Sorts like a `SortDescriptor` for a property of an entity.
    ///
    /// - Difference: the descriptor's comparison of texts, for example `.localizedStandard`, is ignored: texts are
    ///   compared as by `<`. A descriptor without a key path sorts by no stored value: fetching with it raises an
    ///   exception.
    public convenience init<Compared: NSManagedObject>(_ sortDescriptor: SortDescriptor<Compared>) {
      self.init(
        key: sortDescriptor.keyPath.flatMap { PropertyNames.name(of: $0) }, ascending: sortDescriptor.order == .forward)
    }
  }
#endif
