/// Faults that have no observable effect. They are not planted.
package struct HarmlessMutants: Sendable {
  package struct Entry: Sendable {
    /// The end of the file's path.
    var file: String
    /// The unchanged line.
    var code: String
    /// The kind of fault; nil for all kinds.
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
  /// The harmless faults of this package.
  package static let known = HarmlessMutants(entries: [
    Entry(
      file: "CloudKit/Records/Internal/ClientValueConvertible.swift",
      code: "return int64Value < 0 && doubleValue > 0 ? .unsigned(uint64Value) : .int64(int64Value)",
      kind: .movedBoundary, reason: "a number whose one half is zero is zero in the other, too"),
    Entry(
      file: "CloudKit/Internal/Conversion/Translator+Records.swift", code: "guard state.shareState != nil else {",
      kind: nil, reason: "a share whose own keys can't be read is damage before the service answers it"),
  ])
}
