import Foundation

#if !canImport(ObjectiveC)
  extension NSSortDescriptor {
    /// Sorts as a `SortDescriptor` for a property of an entity does.
    ///
    /// - Difference: a comparison of texts that the descriptor asks for, such as `.localizedStandard`, is not taken over: the
    ///   texts are compared as `<` compares them. A descriptor without a key path sorts by nothing that is stored: to fetch
    ///   with it is an exception.
    public convenience init<Compared: NSManagedObject>(_ sortDescriptor: SortDescriptor<Compared>) {
      self.init(
        key: sortDescriptor.keyPath.flatMap { PropertyNames.name(of: $0) }, ascending: sortDescriptor.order == .forward)
    }
  }
#endif
