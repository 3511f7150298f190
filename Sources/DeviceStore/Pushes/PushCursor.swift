import LocalCloudPlatform
import LocalCloudStorage

/// The position of the last of a device's pushes that the programs of one container took, and the lease to take the
/// next.
///
/// A program holds the lease while it works on a push, and moves the cursor when it has finished. So one program gets
/// each push; if it dies before, the next one gets it.
package struct PushCursor: Sendable {
  private let log: PushLog
  private let container: String
  private let environment: String

  package init(of container: String, _ environment: String, in log: PushLog) {
    self.log = log
    self.container = container
    self.environment = environment
  }

  static let suffix = ".json"
  private var name: String { FileName.encodePair(container, environment) }
  private var fileName: String { name + Self.suffix }

  /// Watches for incoming pushes, and for changes of the device's network. Makes the folder.
  package func watch() throws -> DirectoryWatch { try log.watch() }

  /// The sequence of the last push that was taken; 0 if none was.
  package func position() throws -> Int64 {
    guard let folder = try log.directory(), let object = try folder.object(at: [fileName]) else { return 0 }
    guard let sequence = Self.sequence(in: object) else {
      throw StorageError.damaged(path: folder.path(of: fileName), reason: "not up to where pushes were taken")
    }
    return sequence
  }

  /// Waits until no other program has the lease, and takes it. Blocks the thread. The thread must hold no lock.
  package func hold() throws -> HeldLease {
    let folder = try log.makeDurableDirectory()
    let lock = "." + name + ".lock"
    while true {
      let file = try folder.createFile(lock)
      try file.waitForLock(.exclusive)
      if try folder.identity(of: lock) == file.identity() {
        return HeldLease(file: file) { try pass($0, in: folder) }
      }
    }
  }

  /// Moves the cursor durably. The log is synced first: a cursor must never be ahead of it.
  private func pass(_ sequence: Int64, in folder: Directory) throws {
    try log.sync()
    try DocumentFolder(folder).write(
      [
        "containerIdentifier": .string(container), "environment": .string(environment), "sequence": .integer(sequence),
      ], fileName)
  }

  // MARK: All of a device

  package static func sequence(in object: JSONObject) -> Int64? {
    guard object["containerIdentifier"]?.string != nil, object["environment"]?.string != nil,
      let sequence = object["sequence"]?.integer, LogFile.sequences.contains(sequence)
    else { return nil }
    return sequence
  }

  /// The file name of a cursor.
  package static func fileName(of object: JSONObject) -> String {
    FileName.encodePair(object["containerIdentifier"]?.string ?? "", object["environment"]?.string ?? "") + suffix
  }

  /// The position of the furthest cursor; one that can't be read is ignored.
  package static func last(in folder: Directory) throws -> Int64 {
    var result: Int64 = 0
    for entry in try folder.entries()
    where entry.kind == .file && entry.name.hasSuffix(suffix) && !entry.name.hasPrefix(".") {
      if let object = try? folder.object(at: [entry.name]), let sequence = sequence(in: object) {
        result = max(result, sequence)
      }
    }
    return result
  }
}

/// The lease to take pushes. No other program has it while this exists.
package struct HeldLease: Sendable {
  private let file: File
  private let move: @Sendable (Int64) throws -> Void

  init(file: File, move: @escaping @Sendable (Int64) throws -> Void) {
    self.file = file
    self.move = move
  }

  /// Moves the cursor: no program gets the pushes up to this one any more.
  package func pass(_ sequence: Int64) throws { try move(sequence) }
}
