import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The log of the system's sharing screen on a device: one line for each share that it saved or deleted, or failed to.
///
/// Every program on the device reads on from the log's end at the start of the program; no program removes a line. The
/// first program makes the folder; without a folder nothing is written.
package struct SharingLog: Sendable {
  package static let folder = "sharing"
  package static let fileName = "events.jsonl"

  private let log: DeviceLog

  package init(of device: String, in cloud: Cloud) throws {
    self.init(file: FileName.encode(device), in: try cloud.root.directory(Inbox.devices), limits: cloud.limits)
  }

  /// `device`: the name of the device's folder.
  init(file device: String, in devices: Directory, limits: StorageLimits) {
    let kind = DeviceLog.Kind(folder: Self.folder, fileName: Self.fileName)
    log = DeviceLog(kind, file: device, in: devices, limits: limits)
  }

  /// Watches for appended lines. Makes the folder.
  package func watch() throws -> DirectoryWatch { try log.watchLines() }

  /// Whether any program ever listened.
  package func isWanted() throws -> Bool { try log.directory() != nil }

  package func append(_ line: JSONObject, _ waitPolicy: LockWaitPolicy) throws {
    try log.append(waitPolicy, compacted: Self.compacted) { _ in [line] }
  }

  /// Calls `body` with the lines after a sequence, in order, until it returns false.
  package func forEach(after sequence: Int64, _ body: (JSONObject) throws -> Bool) throws {
    try log.forEach(after: sequence, body)
  }

  /// The last line's sequence.
  package func end() throws -> Int64 { try log.end() }

  /// Truncates the log at the first line that is not whole after a power cut; lines are not synced.
  func recover() throws { try log.recover() }

  /// The contents of the log without the lines up to a horizon. Those lines are no longer needed.
  private static func compacted(_ log: LogFile, _ horizon: Int64) throws -> [UInt8] {
    var bytes = LogHeader(horizon: horizon).bytes
    try log.forEach(after: horizon) { line in
      bytes += line.bytes + [0x0A]
      return true
    }
    return bytes
  }
}

extension IndependentLog {
  package init(sharingLog bytes: [UInt8]) { self.init(unjournalledLog: bytes) }
}
