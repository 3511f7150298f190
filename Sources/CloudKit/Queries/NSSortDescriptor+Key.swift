import Foundation

#if !canImport(ObjectiveC)
  /// A name that stands where a key path is wanted: applied to any probe, `\SortProbe[name]` gives the name back.
  package struct SortProbe {
    package init() {}

    package subscript(name: String) -> String { name }
  }

  extension NSSortDescriptor {
    /// Sorts records by the field with that name.
    ///
    /// - Difference: on Linux it serves queries only; it does not compare objects, as there is no key-value coding.
    public convenience init(key: String?, ascending: Bool) {
      self.init(keyPath: \SortProbe[key ?? ""], ascending: ascending)
    }

    /// The name of the field; nil if the descriptor was made with a key path.
    public var key: String? {
      guard let path = keyPath as? KeyPath<SortProbe, String> else { return nil }
      let name = SortProbe()[keyPath: path]
      return name.isEmpty ? nil : name
    }
  }
#endif
