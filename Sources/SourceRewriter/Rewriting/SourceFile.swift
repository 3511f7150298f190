/// A Swift file of the target.
package struct SourceFile: Sendable {
  /// Absolute; diagnostics and debuggers refer to it.
  package var path: String
  package var text: SourceText

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    text = SourceText(bytes)
  }
}

/// The file that the compiler gets instead of the original one.
package struct RewrittenFile: Sendable {
  package var path: String
  package var bytes: [UInt8]
  package var diagnostics: [Diagnostic]
}

/// A message of the rewriter about a position in a file, in the form that compilers use.
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
