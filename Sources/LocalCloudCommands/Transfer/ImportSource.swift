import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage

/// The imported data: JSON Lines, read one by one and repeatedly, or one JSON document, read at once.
struct ImportSource {
  /// The size limit, in bytes, of a document that is read into memory.
  static let mostDocumentBytes = 256 << 20
  /// The limit of a pipe or device: it is copied to a temporary file. Without a line break it may be one document.
  static let streamLimit = ReadLimit(bytes: 4 << 30, lineBytes: mostDocumentBytes)

  /// The name in messages.
  let name: String
  private let file: File
  private let size: Int
  /// The items of a document; nil for JSON Lines.
  private let items: [(position: ImportPosition, value: JSONValue)]?
  private var lines: LineReader
  private var index = 0

  init(_ file: File, name: String) throws {
    self.file = file
    self.name = name
    size = try file.size()
    lines = LineReader(file)
    items = try Self.document(file, size, name)
  }

  /// The fraction that was read, from 0 to 1.
  var fraction: Double {
    if let items { return items.isEmpty ? 1 : Double(index) / Double(items.count) }
    return size == 0 ? 1 : Double(lines.position) / Double(size)
  }

  mutating func rewind() {
    lines = LineReader(file)
    index = 0
  }

  /// The next object, or the problem with it; nil at the end.
  mutating func next() throws -> (position: ImportPosition, value: Result<JSONObject, PortableProblem>)? {
    if let items {
      guard index < items.count else { return nil }
      index += 1
      return (items[index - 1].position, Self.object(items[index - 1].value))
    }
    do {
      while let line = try lines.next() {
        if line.bytes.allSatisfy({ Self.blanks.contains($0) }) { continue }
        return (line.position, Self.object(parsing: line.bytes))
      }
      return nil
    } catch let error as LineReader.TooLong {
      throw failure(PortableProblem("it is longer than any record can be").text(at: error.position))
    }
  }

  /// Reads the object at a position again.
  func object(at position: ImportPosition) throws -> JSONObject {
    switch position {
    case .line(_, let offset, let count):
      let bytes = try file.read(at: offset, count: count)
      return try Self.object(parsing: bytes[...]).mapError { failure($0.text(at: position)) }.get()
    case .item(_, _, let ordinal):
      let value = items?[ordinal].value ?? .null
      return try Self.object(value).mapError { failure($0.text(at: position)) }.get()
    }
  }

  func failure(_ message: String) -> CommandFailure {
    CommandFailure(
      .failure, code: "badInput", "\(name), \(message)", hint: "see \"localcloud help import\" for what a line is")
  }

  // MARK: Reading

  private static let blanks = Array(" \t\r".utf8)

  private static func object(parsing bytes: ArraySlice<UInt8>) -> Result<JSONObject, PortableProblem> {
    do throws(JSONError) {
      return object(try JSONValue(parsing: bytes))
    } catch {
      return .failure(PortableProblem(error))
    }
  }

  private static func object(_ value: JSONValue) -> Result<JSONObject, PortableProblem> {
    value.object.map(Result.success)
      ?? .failure(PortableProblem("expected an object with \"recordName\", \"recordType\" and \"fields\""))
  }

  /// The items of a document; nil for JSON Lines: if the first line is a whole JSON value other than a list of items,
  /// or can't be the beginning of a longer text.
  private static func document(
    _ file: File, _ size: Int, _ name: String
  ) throws -> [(position: ImportPosition, value: JSONValue)]? {
    var lines = LineReader(file)
    var first: LineReader.Line?
    do {
      while first == nil, let line = try lines.next() {
        if !line.bytes.allSatisfy({ blanks.contains($0) }) { first = line }
      }
    } catch is LineReader.TooLong {
      // The file may be a whole document in one line.
    }
    if let first {
      do throws(JSONError) {
        let value = try JSONValue(parsing: first.bytes)
        guard value.array != nil || value["records"]?.array != nil || value["zones"]?.array != nil else { return nil }
      } catch {
        if error.offset < first.bytes.count { return nil }
      }
    } else if size == 0 || lines.position >= size {
      return nil
    }
    guard size <= mostDocumentBytes else {
      throw CommandFailure(
        .failure, code: "badInput", "\(name) is one document of \(size) bytes, which is too much to be read at once",
        hint: "make lines of it: jq -c '.records[]'")
    }
    let bytes = try file.read(at: 0, count: size)
    do throws(JSONError) {
      return try items(of: JSONValue(parsing: bytes))
    } catch {
      throw CommandFailure(.failure, code: "badInput", "\(name), \(error)")
    }
  }

  /// The items of a document: the output of `export --json`, `record list --json` and `record get --json`, and plain
  /// lists.
  private static func items(of document: JSONValue) -> [(position: ImportPosition, value: JSONValue)] {
    let lists: [(String, JSONValue)] =
      document.array != nil
      ? [("", document)] : ["zones", "records"].compactMap { key in document[key].map { (key, $0) } }
    if lists.isEmpty { return [(.item(0, list: "", ordinal: 0), document)] }
    var items: [(position: ImportPosition, value: JSONValue)] = []
    for (list, values) in lists {
      for (index, value) in (values.array ?? []).enumerated() {
        items.append((.item(index, list: list, ordinal: items.count), value))
      }
    }
    return items
  }
}
