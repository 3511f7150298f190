import LocalCloudStorage
import LocalCloudStore

/// The target of an export: JSON Lines, or one JSON document. Records are written as they arrive.
final class ExportTarget {
  private let output: Output
  /// The file to write; nil for standard output.
  private let file: WrittenFile?
  private let isDocument: Bool
  private var pending: [UInt8] = []
  /// The list that a document begins with.
  private var records = JSONListText("records")
  /// The zones of a document. They follow the records.
  private var zones: [JSONValue] = []

  init(_ output: Output, path: String?, isDocument: Bool) throws {
    self.output = output
    self.isDocument = isDocument
    file = try path.map { try WrittenFile(path: $0) }
    if let folder = file?.madeFolder { output.notice("made the folder \(folder)") }
  }

  func add(zone object: JSONObject) throws {
    if isDocument { zones.append(.object(object)) } else { try add(line: object) }
  }

  func add(record object: JSONObject) throws {
    if isDocument { try add(records.items([.object(object)])) } else { try add(line: object) }
  }

  private func add(line object: JSONObject) throws {
    try add(JSONValue.object(object).compact() + [UInt8(ascii: "\n")])
  }

  private func add(_ bytes: [UInt8]) throws {
    pending += bytes
    if pending.count > 1 << 16 { try send() }
  }

  func finish() throws {
    if isDocument {
      pending += records.end(["schemaVersion": CommandContext.schemaVersion, "zones": .array(zones)])
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
