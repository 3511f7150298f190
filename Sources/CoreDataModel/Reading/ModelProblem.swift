/// An error or a warning about a model's files.
package struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
  package enum Severity: String, Sendable, Hashable { case error, warning }

  package var severity: Severity
  /// The path of the file or folder, as the caller gave it.
  package var file: String
  /// Nil if the problem has no position, for example a missing file.
  package var position: ModelPosition?
  package var message: String

  package init(_ severity: Severity, file: String, at position: ModelPosition? = nil, _ message: String) {
    self.severity = severity
    self.file = file
    self.position = position
    self.message = message
  }

  /// The form that compilers use. Build tools and editors show it at its line.
  package var description: String {
    let lineAndColumn = position.map { "\($0.line):\($0.column):" } ?? "1:1:"
    return "\(file):\(lineAndColumn) \(severity.rawValue): \(message)"
  }
}

/// A model that can't be used, with all problems found: at least one error, and warnings.
package struct ModelFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package var problems: [ModelProblem]

  package init(_ problems: [ModelProblem]) { self.problems = problems }

  package var errors: [ModelProblem] { problems.filter { $0.severity == .error } }

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A version of a model that was read, with warnings about parts that were not understood.
package struct ModelReading: Sendable, Hashable {
  package var model: ManagedModel
  package var warnings: [ModelProblem]
}
