import FaultInjection
import LocalCloudPlatform

/// A file that a corruption run can harm.
package struct CorruptionFile: Sendable {
  var path: [String]
  var kind: CorruptionKind

  var text: String { path.joined(separator: "/") }
  var name: String { path.last ?? "" }

  /// The folder that contains the file, in the cloud at `root`.
  func folder(in root: String) throws(SystemError) -> Directory {
    try Directory.open(path: ([root] + path.dropLast()).joined(separator: "/"), in: FileSystem())
  }

  /// The folder of the file's zone, as `private/alice/Notes`; nil for other files.
  var zone: String? {
    guard let zones = path.firstIndex(of: "zones"), zones + 2 < path.count, kind != .tombstone else { return nil }
    return (path[3..<zones] + [path[zones + 1]]).joined(separator: "/")
  }

  static func files(in image: FolderImage, _ path: [String] = []) -> [CorruptionFile] {
    var result = image.files.keys.sorted().compactMap { name in
      CorruptionKind(path: path + [name]).map { CorruptionFile(path: path + [name], kind: $0) }
    }
    for (name, folder) in image.folders.sorted(by: { $0.key < $1.key }) {
      result += files(in: folder, path + [name])
    }
    return result
  }

  func bytes(in image: FolderImage) -> [UInt8] { parent(in: image).files[name]?.bytes ?? [] }

  /// The files and folders with this file's path in each folder of `aside`. A number may follow the name.
  func copies(in aside: FolderImage) -> (files: [[UInt8]], folders: [FolderImage]) {
    let parents = aside.folders.values.map { parent(in: $0) }
    func isCopy(_ other: String) -> Bool { other == name || other.hasPrefix(name + ".") }
    return (
      parents.flatMap(\.files).filter { isCopy($0.key) }.map(\.value.bytes),
      parents.flatMap(\.folders).filter { isCopy($0.key) }.map(\.value)
    )
  }

  private func parent(in image: FolderImage) -> FolderImage {
    path.dropLast().reduce(image) { $0.folders[$1] ?? FolderImage() }
  }
}
