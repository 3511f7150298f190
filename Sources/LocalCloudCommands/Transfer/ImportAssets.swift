import CloudService
import CloudStore
import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder that the files of imported assets are in. What is imported may come from anybody: nothing in it can name a
/// file outside.
struct ImportAssets {
  private let path: String
  private let folder: Result<Directory, SystemError>

  init(folder path: String) {
    self.path = path
    folder = Result { () throws(SystemError) in try Directory.open(path: path, in: FileSystem()) }
  }

  /// An asset's dictionary: bytes in the file at `x-local.path` or `downloadURL`, or else those that the record holds.
  func asset(_ object: JSONObject, key: String) throws(ImportProblem) -> AssetValue {
    let known = ["fileChecksum", "size", "x-local", "downloadURL", "referenceChecksum", "wrappingKey", "receipt"]
    if let unknown = object.keys.first(where: { !known.contains($0) }) {
      throw ImportProblem("an asset has no key \"\(unknown)\"", key: key)
    }
    let name = object["fileChecksum"]?.string.flatMap { AssetName($0) }
    if let path = object["x-local"]?["path"] {
      guard let path = path.string else { throw ImportProblem("\"path\" is not a string", key: key) }
      return AssetValue(name: name, file: try file(path, key))
    }
    if let url = object["downloadURL"]?.string.flatMap({ URL(string: $0) }), url.isFileURL {
      return AssetValue(name: name, file: try file(relative(url.path), key))
    }
    guard let name else {
      throw ImportProblem("the asset has no file: expected {\"x-local\": {\"path\": …}}", key: key)
    }
    return AssetValue(name: name)
  }

  /// Below the folder, if it lies there.
  private func relative(_ absolute: String) -> String {
    var base = path.hasPrefix("/") ? path : HostProcess.workingDirectory + (path == "." ? "" : "/" + path)
    if !base.hasSuffix("/") { base += "/" }
    return absolute.hasPrefix(base) ? String(absolute.dropFirst(base.count)) : absolute
  }

  private func file(_ name: String, _ key: String) throws(ImportProblem) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !name.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw ImportProblem(
        "\"\(name)\" is not the path of a file below \(path); --assets names another folder", key: key)
    }
    do throws(SystemError) {
      var place = try folder.get()
      for part in parts.dropLast() { place = try place.directory(part) }
      // That it can be read, too; a link may lead anywhere.
      _ = try place.file(parts[parts.count - 1])
      return place.path(of: parts[parts.count - 1])
    } catch {
      throw ImportProblem("the asset's file \"\(name)\" below \(path) can't be read: \(error.reason)", key: key)
    }
  }
}
