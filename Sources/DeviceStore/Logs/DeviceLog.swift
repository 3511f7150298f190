import LocalCloudPlatform
import LocalCloudStorage

/// A log of the events of a device, in its own folder that programs watch: one line each, in the order of arrival. Many
/// processes append to it, with the log's own lock; lines are not synced.
struct DeviceLog: Sendable {
  /// Identifies one of a device's logs.
  struct Kind: Sendable {
    var folder: String
    var fileName: String
  }

  let devices: Directory
  /// The name of the device's folder.
  let device: String
  private let kind: Kind
  private let limits: StorageLimits

  init(_ kind: Kind, file device: String, in devices: Directory, limits: StorageLimits) {
    self.kind = kind
    self.devices = devices
    self.device = device
    self.limits = limits
  }

  /// The log's folder; nil if nothing was ever logged.
  func directory() throws -> Directory? { try devices.directory(at: [device, kind.folder]) }

  /// The log's folder, made durably if missing.
  func makeDirectory() throws -> Directory {
    try directory() ?? DocumentFolder(devices).folder(device, kind.folder)
  }

  /// Watches for more lines, and for changes of the device's documents. Makes the folder.
  func watch() throws -> DirectoryWatch {
    let folder = try makeDirectory()
    return try DirectoryWatch(WatchedFolders([folder, devices.directory(device)], entriesOf: [devices]))
  }

  /// Watches for more lines. Makes the folder. The watch ends when a restore moves the folder of all devices away.
  func watchLines() throws -> DirectoryWatch {
    try DirectoryWatch(WatchedFolders([makeDirectory()], entriesOf: [devices]))
  }

  /// The log's folder, with its name durable even if another process made it.
  func makeDurableDirectory() throws -> Directory {
    let folder = try makeDirectory()
    try devices.directory(device).sync()
    try devices.sync()
    return folder
  }

  // MARK: Writing

  /// Appends lines, and compacts the log if that is due.
  ///
  /// - Parameters:
  ///   - floor: returns the sequence after which an empty log continues.
  ///   - compacted: returns the contents of a log compacted up to a horizon.
  ///   - lines: returns the lines to append.
  func append(
    above floor: (Directory) throws -> Int64 = { _ in 0 }, _ waitPolicy: LockWaitPolicy,
    compacted: @escaping @Sendable (LogFile, Int64) throws -> [UInt8],
    lines: (LogFile) throws -> [JSONObject]
  ) throws {
    let folder = try makeDirectory()
    let held = try locked(folder, waitPolicy)
    let log = LogFile(held.file)
    do {
      defer { held.release() }
      let tail = try log.tail()
      // A killed process left a partial line.
      if !tail.isWhole { try log.file.truncate(to: tail.end) }
      var sequence = try tail.last?.sequence ?? max(log.header().horizon, floor(folder))
      var bytes: [UInt8] = []
      for var line in try lines(log) {
        sequence += 1
        line["sequence"] = .integer(sequence)
        bytes += JSONValue.object(line).compact() + [0x0A]
      }
      if !bytes.isEmpty { try log.file.write(bytes, at: tail.end) }
    }
    try folder.announceChange()
    try? compactIfDue(log, in: folder, waitPolicy, compacted)
  }

  private func locked(_ folder: Directory, _ waitPolicy: LockWaitPolicy) throws -> HeldLock {
    try FairLock.leaf(folder, kind.fileName).acquireMakingFile(waitPolicy)
  }

  private func compactIfDue(
    _ log: LogFile, in folder: Directory, _ waitPolicy: LockWaitPolicy,
    _ compacted: @escaping @Sendable (LogFile, Int64) throws -> [UInt8]
  ) throws {
    guard let last = try log.last()?.sequence, last >= 2 * limits.retainedChanges else { return }
    let header = try log.header()
    guard header.isDue(worthless: last - header.horizon, retaining: limits.retainedChanges) else { return }
    let horizon = last - limits.retainedChanges
    try LogReplacement(folder, log.file, name: kind.fileName) { try compacted($0, horizon) }.run(waitPolicy)
  }

  /// Replaces the log by `contents`, durably. No other process may append during the call.
  ///
  /// - Throws: ``StorageError/busy(path:holder:waited:)`` if another process appends or compacts it.
  func replace(_ waitPolicy: LockWaitPolicy, by contents: @escaping (LogFile) throws -> [UInt8]) throws {
    guard let folder = try directory(), let log = try LogFile.open(kind.fileName, in: folder) else { return }
    guard try LogReplacement(folder, log.file, name: kind.fileName, contents).run(waitPolicy) else {
      throw StorageError.busy(path: folder.path(of: kind.fileName), holder: nil, waited: 0)
    }
    try sync()
  }

  /// Makes the log durable, if there is one.
  func sync() throws {
    guard let folder = try directory() else { return }
    try folder.fileIfPresent(kind.fileName, .readWrite)?.sync()
    try folder.sync()
  }

  // MARK: Reading

  /// Calls `body` with the lines after a sequence, in order, until it returns false.
  func forEach(after sequence: Int64, _ body: (JSONObject) throws -> Bool) throws {
    guard let folder = try directory(), let log = try LogFile.open(kind.fileName, in: folder) else { return }
    try log.forEach(after: sequence) { line in
      guard let object = line.value.object else { return true }
      return try body(object)
    }
  }

  /// The last line's sequence.
  func end() throws -> Int64 {
    guard let folder = try directory(), let log = try LogFile.open(kind.fileName, in: folder) else { return 0 }
    return try log.last()?.sequence ?? log.header().horizon
  }

  // MARK: After a boot, and in repair

  /// Truncates the log at the first line that is not whole or not in order after a power cut; lines are not synced.
  func recover() throws {
    guard let folder = try directory(), let file = try folder.fileIfPresent(kind.fileName, .readWrite) else { return }
    let bytes = try file.readAll()
    var end = 0
    var last: Int64 = -1
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard end + line.count < bytes.count, let value = try? JSONValue(parsing: Array(line)) else { break }
      if end > 0 || LogHeader(value) == nil {
        guard let sequence = value["sequence"]?.integer, sequence > last else { break }
        last = sequence
      }
      end += line.count + 1
    }
    if end < bytes.count { try file.truncate(to: end) }
  }

  /// Makes the log continue above a sequence: sequences up to it must not be used again.
  func goOn(above sequence: Int64, _ waitPolicy: LockWaitPolicy) throws {
    let folder = try makeDirectory()
    let held = try locked(folder, waitPolicy)
    defer { held.release() }
    let tail = try LogFile(held.file).tail()
    guard (tail.last?.sequence ?? 0) < sequence else { return }
    try held.file.truncate(to: tail.end)
    try held.file.write(JSONValue.object(["sequence": .integer(sequence)]).compact() + [0x0A], at: tail.end)
  }
}
