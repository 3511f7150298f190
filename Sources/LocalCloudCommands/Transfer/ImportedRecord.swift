import LocalCloudModel
import LocalCloudStorage

/// One record to import, and its position in the imported data.
@dynamicMemberLookup
struct ImportedRecord {
  var position: ImportPosition
  var content: PortableRecord

  subscript<Value>(dynamicMember member: KeyPath<PortableRecord, Value>) -> Value { content[keyPath: member] }
}

extension PortableProblem {
  /// The problem of a line that is not JSON. It omits the error's own line number, because the file's line number is
  /// shown.
  init(_ error: JSONError) { self.init("column \(error.column): \(error.message)") }

  func text(at position: ImportPosition) -> String {
    let near = key.flatMap { WordSuggestion.nearest(to: $0, among: known) }
    let meant = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return position.description + (key.map { ", key \($0): " } ?? (message.hasPrefix("column") ? ", " : ": ")) + message
      + meant
  }
}
