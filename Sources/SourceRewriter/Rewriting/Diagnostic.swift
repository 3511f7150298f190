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
