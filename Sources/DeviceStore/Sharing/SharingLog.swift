import CloudStore
import Platform
import Storage

/// What the system's sharing screen did on a device: one line each share that it saved or deleted, or could not.
///
/// Every program that runs there reads on from where the log ended when it began; nobody takes a line away. The first one
/// makes the folder, and where there is none nothing is written.
package struct SharingLog: Sendable {
  package static let folder = "sharing"
  package static let fileName = "events.jsonl"

  private let log: DeviceLog

  package init(of device: String, in cloud: Cloud) throws {
    self.init(file: FileName.encode(device), in: try cloud.root.directory(Inbox.devices), limits: cloud.limits)
  }

  /// By the device's folder.
  init(file device: String, in devices: Directory, limits: StorageLimits) {
    let kind = DeviceLog.Kind(folder: Self.folder, fileName: Self.fileName)
    log = DeviceLog(kind, file: device, in: devices, limits: limits)
  }

  /// News of what is appended. Makes the folder.
  package func watch() throws -> DirectoryWatch { try DirectoryWatch(log.makeDirectory()) }

  /// Whether any program ever wanted to be told.
  package func isWanted() throws -> Bool { try log.directory() != nil }

  package func append(_ line: JSONObject, _ patience: LockWaitPolicy) throws {
    try log.append(patience, compacted: Self.compacted) { _ in [line] }
  }

  /// Lines after a sequence, in order, until `body` answers false.
  package func forEach(after sequence: Int64, _ body: (JSONObject) throws -> Bool) throws {
    try log.forEach(after: sequence, body)
  }

  /// The last line's sequence.
  package func end() throws -> Int64 { try log.end() }

  /// Cuts off what a power cut left of lines that were not synced.
  func recover() throws { try log.recover() }

  /// Of what is long past nothing matters any more.
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
