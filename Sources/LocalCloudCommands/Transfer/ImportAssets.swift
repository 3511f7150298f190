import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder that contains the files of imported assets. Imported data is untrusted: it cannot name a file outside of
/// this folder.
struct ImportAssets {
  private let path: String
  private let folder: Result<Directory, SystemError>

  init(folder path: String) {
    self.path = path
    folder = Result { () throws(SystemError) in try Directory.open(path: path, in: FileSystem()) }
  }

  /// Parses an asset's dictionary. The bytes are in the file at `x-local.path` or `downloadURL`; without a file, the
  /// asset refers to the content that the record already holds. Throws if the bytes do not match `fileChecksum` and
  /// `size`.
  func asset(_ object: JSONObject, key: String) throws(PortableProblem) -> AssetValue {
    let known = ["fileChecksum", "size", "x-local", "downloadURL", "referenceChecksum", "wrappingKey", "receipt"]
    if let unknown = object.keys.first(where: { !known.contains($0) }) {
      throw PortableProblem("an asset has no key \"\(unknown)\"", key: key)
    }
    let name = try name(object["fileChecksum"], key)
    let size = try size(object["size"], key)
    guard let path = try path(object, key) else {
      guard let name else {
        throw PortableProblem("the asset has no file: expected {\"x-local\": {\"path\": …}}", key: key)
      }
      guard size == nil || size == name.size else {
        throw PortableProblem("\"size\" is not that of \"fileChecksum\", which is \(name.size)", key: key)
      }
      return AssetValue(name: name)
    }
    let (filePath, file) = try file(path, key)
    let count: Int
    var isHeld = true
    do throws(SystemError) {
      count = try file.size()
      if let name { isHeld = try name.isHeld(by: file) }
    } catch {
      throw unreadable(path, error, key)
    }
    if let size, count != size {
      throw PortableProblem(
        "\"size\" is \(size), and the file \"\(path)\" below \(self.path) has \(count) bytes", key: key)
    }
    guard isHeld else {
      throw PortableProblem(
        "the file \"\(path)\" below \(self.path) does not hold the bytes that \"fileChecksum\" tells of", key: key)
    }
    return AssetValue(name: name, file: filePath)
  }

  private func name(_ value: JSONValue?, _ key: String) throws(PortableProblem) -> ContentName? {
    guard let value, !value.isNull else { return nil }
    guard let name = value.string.flatMap({ ContentName($0) }) else {
      throw PortableProblem(
        "\"fileChecksum\" is none that export writes, so that nothing can be compared with it; leave it out", key: key)
    }
    return name
  }

  private func size(_ value: JSONValue?, _ key: String) throws(PortableProblem) -> Int? {
    guard let value, !value.isNull else { return nil }
    guard let size = value.integer, size >= 0 else { throw PortableProblem("\"size\" is no number of bytes", key: key) }
    return Int(size)
  }

  /// The file's path, relative to the folder; nil if the asset names no file.
  private func path(_ object: JSONObject, _ key: String) throws(PortableProblem) -> String? {
    if let path = object["x-local"]?["path"] {
      guard let path = path.string else { throw PortableProblem("\"path\" is not a string", key: key) }
      return path
    }
    guard let url = object["downloadURL"]?.string.flatMap({ URL(string: $0) }), url.isFileURL else { return nil }
    return relative(url.path)
  }

  /// The path relative to the folder if it is inside the folder; otherwise unchanged.
  private func relative(_ absolute: String) -> String {
    var base = path.hasPrefix("/") ? path : HostProcess.workingDirectory + (path == "." ? "" : "/" + path)
    if !base.hasSuffix("/") { base += "/" }
    return absolute.hasPrefix(base) ? String(absolute.dropFirst(base.count)) : absolute
  }

  private func file(_ name: String, _ key: String) throws(PortableProblem) -> (path: String, file: File) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !name.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw PortableProblem(
        "\"\(name)\" is not the path of a file below \(path); --assets names another folder", key: key)
    }
    do throws(SystemError) {
      var directory = try folder.get()
      for part in parts.dropLast() { directory = try directory.directory(part) }
      // `directory(_:)` and `file(_:)` refuse symbolic links, as these could lead outside of the folder.
      let file = try directory.file(parts[parts.count - 1])
      return (file.path, file)
    } catch {
      throw unreadable(name, error, key)
    }
  }

  private func unreadable(_ name: String, _ error: SystemError, _ key: String) -> PortableProblem {
    PortableProblem("the asset's file \"\(name)\" below \(path) can't be read: \(error.reason)", key: key)
  }
}
