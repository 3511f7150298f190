/// A Swift file of the target.
package struct SourceFile: Sendable {
  /// Absolute; diagnostics and debuggers lead there.
  package var path: String
  package var text: SourceText

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    text = SourceText(bytes)
  }
}

/// What the compiler gets in place of a file.
package struct RewrittenFile: Sendable {
  package var path: String
  package var bytes: [UInt8]
  package var diagnostics: [Diagnostic]
}
