import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

/// Changes a store's files as an editor or a failing disk does.
struct StoreEditing {
  let folder: Directory

  init(_ path: String) throws { folder = try Directory.open(path: path, in: FileSystem()) }

  /// The only segment of a table. `table` is a path, for example `objects/Tag`.
  func segment(_ table: String) throws -> (directory: Directory, name: String) {
    let parts = table.split(separator: "/").map(String.init)
    let directory = try #require(try folder.directory(at: parts))
    let names = try directory.entries().map(\.name)
    try #require(names.count == 1)
    return (directory, names[0])
  }

  func path(_ table: String) throws -> String {
    let (directory, name) = try segment(table)
    return directory.path(of: name)
  }

  func lines(_ table: String) throws -> [String] {
    let (directory, name) = try segment(table)
    return Self.lines(try directory.contents(name) ?? [])
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces a line of a table within the existing file. Returns the old line.
  @discardableResult
  func replace(_ line: Int, of table: String, with text: (String) -> String) throws -> String {
    let (directory, name) = try segment(table)
    return try Self.replace(line, of: name, in: directory, text)
  }

  @discardableResult
  func replaceHistory(_ line: Int, with text: (String) -> String) throws -> String {
    try Self.replace(line, of: "history.jsonl", in: folder, text)
  }

  private static func replace(
    _ line: Int, of name: String, in directory: Directory, _ text: (String) -> String
  ) throws -> String {
    var lines = lines(try directory.contents(name) ?? [])
    let old = lines[line]
    lines[line] = text(old)
    try directory.writeStaged(name, Array((lines.joined(separator: "\n") + "\n").utf8))
    return old
  }

  func loseIndex() throws { try folder.directory(".index").remove("index") }

  /// The files that repairs set aside, by their paths below `aside`.
  func aside() throws -> [String: [UInt8]] {
    func files(_ folder: Directory, _ prefix: String) throws -> [String: [UInt8]] {
      var result: [String: [UInt8]] = [:]
      for entry in try folder.entries() {
        if entry.kind == .directory {
          result.merge(try files(folder.directory(entry.name), prefix + entry.name + "/")) { first, _ in first }
        } else {
          result[prefix + entry.name] = try folder.contents(entry.name)
        }
      }
      return result
    }
    return try folder.directoryIfPresent("aside").map { try files($0, "") } ?? [:]
  }

  /// True if a file that was set aside contains a text.
  func isAside(_ text: String) throws -> Bool {
    try aside().values.contains { $0.firstRange(of: Array(text.utf8)) != nil }
  }
}
