import LocalCloudStorage
import LocalCloudStore

/// The target of an export: JSON Lines, or one JSON document.
final class ExportTarget {
  private let output: Output
  /// The file to write; nil for standard output.
  private let file: WrittenFile?
  private let isDocument: Bool
  private var pending: [UInt8] = []
  /// The items of a document by list. A document has to be complete before it can be written.
  private var lists: [String: [JSONValue]] = [:]

  init(_ output: Output, path: String?, isDocument: Bool) throws {
    self.output = output
    self.isDocument = isDocument
    file = try path.map { try WrittenFile(path: $0) }
    if let folder = file?.madeFolder { output.notice("made the folder \(folder)") }
  }

  func add(_ object: JSONObject, to list: String) throws {
    guard !isDocument else {
      lists[list, default: []].append(.object(object))
      return
    }
    pending += JSONValue.object(object).compact() + [UInt8(ascii: "\n")]
    if pending.count > 1 << 16 { try send() }
  }

  func finish() throws {
    if isDocument {
      var document: JSONObject = ["schemaVersion": CommandContext.schemaVersion]
      for key in ["records", "zones"] { document[key] = .array(lists[key] ?? []) }
      pending += JSONValue.object(document).pretty()
    }
    try send()
    try file?.finish(durably: true)
  }

  private func send() throws {
    let bytes = VisibleText.escapeJSON(pending)
    pending = []
    guard let file else { return try output.write(bytes) }
    try file.write(bytes)
  }
}
