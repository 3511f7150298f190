/// Faults that change nothing that anybody could notice: they are not planted.
package struct HarmlessMutants: Sendable {
  package struct Entry: Sendable {
    /// The end of the file's path.
    var file: String
    /// The line, as it stands.
    var code: String
    /// Nil: all of them.
    var kind: Mutant.Kind?
    var reason: String

    package init(file: String, code: String, kind: Mutant.Kind?, reason: String) {
      self.file = file
      self.code = code
      self.kind = kind
      self.reason = reason
    }
  }

  private let entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }

  package func contains(_ mutant: Mutant) -> Bool {
    entries.contains { entry in
      mutant.file.hasSuffix("/" + entry.file) && mutant.code == entry.code
        && (entry.kind == nil || entry.kind == mutant.kind)
    }
  }
}

extension HarmlessMutants {
  /// In this package.
  package static let known = HarmlessMutants(entries: [])
}
