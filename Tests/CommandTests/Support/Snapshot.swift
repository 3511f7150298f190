import Foundation
import LocalCloudPlatform
import Testing

/// Compares the tool's output with texts recorded in `Snapshots`. With `LOCALCLOUD_RECORD_SNAPSHOTS=1` the texts are
/// recorded again, for review with `git diff`.
enum Snapshot {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")

  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appending(path: name)
    if HostProcess.environment("LOCALCLOUD_RECORD_SNAPSHOTS") == "1" {
      try Data(text.utf8).write(to: file)
      return
    }
    let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(text == recorded, "differs from Snapshots/\(name)", sourceLocation: sourceLocation)
  }
}

/// The paths and bytes of all files below a folder. Lock files are left out, because holders of locks write
/// their names into them, and so are indexes and journals: each process that reads may bring them up to date.
struct TreeContents: Equatable {
  private var files: [String: Data?] = [:]

  init(of folder: String) throws {
    let manager = FileManager.default
    for path in try manager.subpathsOfDirectory(atPath: folder)
    where !path.hasSuffix("/lock") && !path.contains(".journal") && !path.contains(".index") {
      var isFolder: ObjCBool = false
      let whole = folder + "/" + path
      guard manager.fileExists(atPath: whole, isDirectory: &isFolder) else { continue }
      let data: Data? = try isFolder.boolValue ? nil : Data(contentsOf: URL(fileURLWithPath: whole))
      files.updateValue(data, forKey: path)
    }
  }

  static func - (left: TreeContents, right: TreeContents) -> [String] {
    Set(left.files.keys).union(right.files.keys).filter { left.files[$0] != right.files[$0] }.sorted()
  }
}
