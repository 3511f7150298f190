import Foundation

#if !canImport(ObjectiveC)
  /// A name that stands where a key path is wanted: applied to any probe, `\SortProbe[name]` gives the name back.
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

  /// Every sort descriptor; where its ``key`` is declared.
  ///
  /// Not the class itself: Linux's Foundation declares a `key` of the same type there, which it marks as unavailable, and
  /// the optimizer of a program that uses a subclass from another module stops the compiler over two of them.
  public protocol _KeyedSortDescriptor: NSSortDescriptor {}

  extension NSSortDescriptor: _KeyedSortDescriptor {}

  extension _KeyedSortDescriptor {
    /// The key by which it sorts; nil if the descriptor was made with a key path.
    public var key: String? {
      guard let path = keyPath as? KeyPath<SortProbe, String> else { return nil }
      let name = SortProbe()[keyPath: path]
      return name.isEmpty ? nil : name
    }
  }
#endif
