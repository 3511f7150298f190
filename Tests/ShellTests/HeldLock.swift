import Foundation
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport

/// A cloud with a zone, and `localcloud` processes that compete for the zone's lock.
///
/// A save writes a line to the database's log while it holds the zone's lock. A test that locks that log therefore can
/// stop a real process in its save, inside the zone's lock, for any time.
struct HeldLock {
  let cloud: TemporaryCloud
  let database: Directory
  private let log: File

  init() throws {
    cloud = try TemporaryCloud()
    let path = "\(cloud.path)/containers/\(TemporaryCloud.container)/development/private/alice"
    _ = try Self.start(["zone", "save", "Z"], "alice", cloud).wait()
    database = try Directory.open(path: path, in: FileSystem())
    log = try database.file("changes.jsonl")
  }

  var zone: Directory { get throws { try database.directory("zones").directory("Z") } }

  /// The text in the lock file.
  var note: String { get throws { String(decoding: try zone.contents("lock") ?? [], as: UTF8.self) } }

  func start(_ arguments: String..., account: String = "alice") throws -> ChildProcess {
    try Self.start(arguments, account, cloud)
  }

  private static func start(_ arguments: [String], _ account: String, _ cloud: TemporaryCloud) throws -> ChildProcess {
    try ChildProcess(
      BuiltTool.path, arguments,
      environment: [
        "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": account,
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container, "LOCALCLOUD_LOCK_TIMEOUT": "60",
      ])
  }

  func save(_ name: String, timeout: String = "60") throws -> ChildProcess {
    try start("record", "save", "T", "--zone", "Z", "--name", name, "--lock-timeout", timeout)
  }

  /// Starts a save that holds the zone's lock until ``release()``. Nil if the save does not reach the lock.
  func holder() throws -> ChildProcess? {
    guard try log.tryLock(.exclusive) else { return nil }
    let child = try save("held")
    for _ in 0..<600 {
      if try note.contains("\"process\":\(child.identifier)") { return child }
      pause(microseconds: 50_000)
    }
    return nil
  }

  func release() { log.unlock() }

  /// Waits until the child process has printed that it waits.
  func isWaiting(_ child: ChildProcess) -> Bool {
    for _ in 0..<600 {
      if child.errors.contains("waiting up to") { return true }
      pause(microseconds: 50_000)
    }
    return false
  }
}
