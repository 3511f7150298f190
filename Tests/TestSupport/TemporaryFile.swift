import FaultInjection
import LocalCloudPlatform

/// A user's file outside of any cloud. It is removed on deinit.
package final class TemporaryFile: Sendable {
  package let path: String

  package init(_ bytes: [UInt8]) throws {
    path = MemoryFolder.newPath("source")
    let parts = path.split(separator: "/")
    try Directory.open(path: "/" + parts.dropLast().joined(separator: "/"), in: FileSystem())
      .writeStaged(String(parts.last ?? ""), bytes)
  }

  package convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

  deinit {
    let parts = path.split(separator: "/")
    _ = try? Directory.open(path: "/" + parts.dropLast().joined(separator: "/"), in: FileSystem())
      .remove(String(parts.last ?? ""))
  }
}

/// The folder of this package. Some tests read its sources and its documentation.
package enum Repository {
  package static let path = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}
