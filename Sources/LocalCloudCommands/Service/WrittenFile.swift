import CloudStore
import Platform

/// Files that commands write for people: whole or not at all, in the place of what has the name.
enum WrittenFile {
  /// The folder of a path, and the name in it.
  static func place(of path: String) -> (folder: String, name: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    return (folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, String(parts.last ?? ""))
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let (folder, name) = place(of: path)
    guard !name.isEmpty, !UserFile.isFolder(path) else {
      throw CommandFailure(.storage, code: "storage", "cannot write \(path): it is a folder", path: path)
    }
    _ = try write(folder, name) { write in try write(bytes) }
  }

  /// Folders that are missing are made. `body` is handed what writes the next bytes. Answers the file's path.
  static func write(_ folder: String, _ name: String, _ body: (([UInt8]) throws -> Void) throws -> Void) throws
    -> String
  {
    do {
      try Directory.make(path: folder, in: FileSystem())
      let place = try Directory.open(path: folder, in: FileSystem())
      let temporary = ".\(name.utf8.count < 200 ? name : "asset").\(HostProcess.identifier)"
      let file = try place.createFile(temporary)
      do {
        try file.truncate(to: 0)
        var offset = 0
        try body { bytes in
          try file.write(bytes, at: offset)
          offset += bytes.count
        }
        try place.rename(temporary, to: place, as: name)
      } catch {
        _ = try? place.remove(temporary)
        throw error
      }
      return folder == "." ? name : place.path(of: name)
    } catch let error as SystemError {
      throw CommandFailure(.storage, code: "storage", "cannot write \(name): \(error)", path: error.path)
    }
  }
}
