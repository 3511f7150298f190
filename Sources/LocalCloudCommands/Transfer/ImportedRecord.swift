import CloudModel
import Storage

/// One record as it is to be imported, and where it stands.
@dynamicMemberLookup
struct ImportedRecord {
  var place: ImportPlace
  var content: PortableRecord

  subscript<Value>(dynamicMember member: KeyPath<PortableRecord, Value>) -> Value { content[keyPath: member] }
}

extension PortableProblem {
  /// A line that is no JSON; its own line number is the file's.
  init(_ error: JSONError) { self.init("column \(error.column): \(error.message)") }

  func text(at place: ImportPlace) -> String {
    let near = key.flatMap { WordSuggestion.nearest(to: $0, among: known) }
    let meant = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return place.description + (key.map { ", key \($0): " } ?? (message.hasPrefix("column") ? ", " : ": ")) + message
      + meant
  }
}
