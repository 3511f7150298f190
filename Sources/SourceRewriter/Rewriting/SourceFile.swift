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

/// What the rewriter says of a place in a file, in the form in which compilers do.
package struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    case warning, error
  }

  package var severity: Severity
  package var file: String
  package var line: Int
  package var column: Int
  package var message: String

  package var description: String { "\(file):\(line):\(column): \(severity): \(message)" }
}
