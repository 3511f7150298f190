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
