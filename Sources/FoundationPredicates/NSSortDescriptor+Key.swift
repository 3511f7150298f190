import Foundation

#if !canImport(ObjectiveC)
  /// The root type of key paths that carry a name: applying `\SortProbe[name]` to a probe returns the name.
  package struct SortProbe {
    package init() {}

    package subscript(name: String) -> String { name }
  }

  extension NSSortDescriptor {
    /// Sorts by the value with that key.
    ///
    /// - Difference: on Linux it serves CloudKit's queries only; it does not compare objects, as there is no key-value
    ///   coding.
    public convenience init(key: String?, ascending: Bool) {
      self.init(keyPath: \SortProbe[key ?? ""], ascending: ascending)
    }
  }

  /// A protocol for all sort descriptors that declares ``key``.
  ///
  /// The class itself cannot declare it: Foundation on Linux declares a `key` of the same type there, marked as
  /// unavailable, and the optimizer of a program that uses a subclass from another module makes the compiler fail over
  /// the two.
  public protocol _KeyedSortDescriptor: NSSortDescriptor {}

  extension NSSortDescriptor: _KeyedSortDescriptor {}

  extension _KeyedSortDescriptor {
    /// The key of the sorted value; nil if the descriptor was made with a key path.
    public var key: String? {
      guard let path = keyPath as? KeyPath<SortProbe, String> else { return nil }
      let name = SortProbe()[keyPath: path]
      return name.isEmpty ? nil : name
    }
  }
#endif
