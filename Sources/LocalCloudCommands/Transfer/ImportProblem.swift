import CloudStore
import Storage

/// What is wrong with one line, and where in it.
struct ImportProblem: Error {
  /// `fields.age`; nil: the line as a whole.
  var key: String?
  /// What is wrong, and what was expected.
  var message: String

  init(_ message: String, key: String? = nil) {
    self.message = message
    self.key = key
  }

  /// A line that is no JSON; its own line number is the file's.
  init(_ error: JSONError) { self.init("column \(error.column): \(error.message)") }

  func text(at place: ImportPlace) -> String {
    place.description + (key.map { ", key \($0): " } ?? (message.hasPrefix("column") ? ", " : ": ")) + message
  }
}
