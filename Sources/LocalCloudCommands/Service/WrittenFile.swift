import CloudStore
import Platform

/// A file that a command writes for people: whole or not at all, in the place of what has the name.
final class WrittenFile {
  private let folder: Directory
  private let name: String
  private let temporary: String
  private let file: File
  private var offset = 0
  private var isDone = false

  /// Folders that are missing are made.
  init(_ name: String, inFolder path: String) throws(SystemError) {
    try Directory.make(path: path, in: FileSystem())
    folder = try Directory.open(path: path, in: FileSystem())
    self.name = name
    temporary = ".\(name.utf8.count < 200 ? name : "file").\(HostProcess.identifier)"
    file = try folder.createFile(temporary)
    try file.truncate(to: 0)
  }

  convenience init(path: String) throws(SystemError) {
    let (folder, name) = Self.place(of: path)
    try self.init(name, inFolder: folder)
  }

  deinit {
    if !isDone { _ = try? folder.remove(temporary) }
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes, at: offset)
    offset += bytes.count
  }

  /// Gives it its name; answers where it is.
  @discardableResult
  func finish(durably: Bool = false) throws(SystemError) -> String {
    if durably { try file.sync() }
    try folder.rename(temporary, to: folder, as: name)
    isDone = true
    return folder.path == "." ? name : folder.path(of: name)
  }

  // MARK: At once

  static func write(_ bytes: [UInt8], to path: String) throws {
    let (folder, name) = place(of: path)
    guard !name.isEmpty, !UserFile.isFolder(path) else {
      throw CommandFailure(.storage, code: "storage", "cannot write \(path): it is a folder", path: path)
    }
    _ = try write(folder, name) { write in try write(bytes) }
  }

  /// `body` is handed what writes the next bytes. Answers the file's path.
  static func write(
    _ folder: String, _ name: String, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> String {
    do {
      let file = try WrittenFile(name, inFolder: folder)
      try body { try file.write($0) }
      return try file.finish()
    } catch let error as SystemError {
      throw CommandFailure(.storage, code: "storage", "cannot write \(name): \(error)", path: error.path)
    }
  }

  /// The folder of a path, and the name in it; `.` for a name alone.
  static func place(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.utf8.startIndex ? "/" : String(path[..<slash]), name)
  }
}
