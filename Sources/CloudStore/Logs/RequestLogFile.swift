import LocalCloudPlatform
import LocalCloudStorage

/// The log of requests, for users: one line of JSON per request, in the root. Nothing depends on it, and it may be
/// removed at any time.
package struct RequestLogFile: Sendable {
  package static let name = "requests.jsonl"
  private let cloud: Cloud

  package init(of cloud: Cloud) { self.cloud = cloud }

  package var path: String { cloud.root.path(of: Self.name) }

  /// Appends a line, with the file's lock. The line is not synced: after a power cut the last lines may be missing.
  package func append(_ line: JSONObject, _ waitPolicy: LockWaitPolicy) throws {
    _ = try cloud.root.createFile(Self.name)
    let held = try FairLock.leaf(cloud.root, Self.name).acquire(.exclusive, access: .readWrite, waitPolicy)
    defer { held.release() }
    let size = try held.file.size()
    // A process may have died, or the disk may have been full, in the middle of a line.
    let isTorn = try size > 0 && held.file.read(at: size - 1, count: 1) != [0x0A]
    try held.file.write((isTorn ? [0x0A] : []) + JSONValue.object(line).compact() + [0x0A], at: size)
  }
}
