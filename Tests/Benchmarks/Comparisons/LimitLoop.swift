import FaultInjection
import Foundation
import LocalCloudPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The minimal cost of a batch of new files on this disk: prepared bytes, one write for each file, no journal, and one
/// rewritten page and sync of another file.
final class LimitLoop {
  private let folder: TemporaryFolder
  private let files: [[UInt8]]
  private let other: File
  private let page = [UInt8](repeating: 1, count: 4096)
  private var written = 0

  /// `files` are the contents of one batch.
  init(_ files: [[UInt8]]) throws {
    self.files = files
    folder = try Leftovers.folder("limit")
    other = try folder.directory.createFile("other")
    try folder.directory.makeDirectory("files")
  }

  func writeBatch() throws {
    for bytes in files {
      // Calls the system directly, so that no layer of this package adds to the limit.
      let descriptor = open("\(folder.path)/files/file-\(written).json", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count, close(descriptor) == 0 else {
        throw UnexpectedResult(text: "the limit loop could not write: \(errno)")
      }
      written += 1
    }
    try other.write(page, at: 0)
    try other.sync()
  }
}
