import CloudStore
import Platform

/// Where an export goes, thing by thing: lines, or one document.
final class ExportTarget {
  private let output: Output
  /// Nil: standard output.
  private let file: WrittenFile?
  private let isDocument: Bool
  private var pending: [UInt8] = []
  /// Of a document, which has to be whole before it can be written.
  private var lists: [String: [JSONValue]] = [:]

  init(_ output: Output, path: String?, isDocument: Bool) throws {
    self.output = output
    self.isDocument = isDocument
    if let path, path.hasSuffix("/") || UserFile.isFolder(path) {
      throw CommandFailure(.storage, code: "storage", "cannot write \(path): it is a folder", path: path)
    }
    do throws(SystemError) {
      file = try path.map { (path) throws(SystemError) in try WrittenFile(path: path) }
    } catch {
      throw CommandFailure(.storage, code: "storage", "cannot write \(path ?? ""): \(error.reason)", path: path)
    }
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
    do throws(SystemError) { try file?.finish(durably: true) } catch { throw CommandFailure(error) }
  }

  private func send() throws {
    let bytes = VisibleText.escapeJSON(pending)
    pending = []
    guard let file else { return try output.write(bytes) }
    do throws(SystemError) { try file.write(bytes) } catch { throw CommandFailure(error) }
  }
}
