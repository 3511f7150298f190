import LocalCloudPlatform
import LocalCloudStorage

/// The log of requests, for users: one line of JSON per request, in the root. Nothing depends on it, and it may be
/// removed at any time.
///
/// A file that has reached its size becomes the previous one, and replaces that: the log never takes more than twice
/// that size, and two lines.
package struct RequestLogFile: Sendable {
  package static let name = "requests.jsonl"
  package static let previousName = "requests.1.jsonl"
  /// The maximum length of a line, with its newline.
  package static let longestLine = 16 << 10

  private let cloud: Cloud
  private let fullAt: Int

  /// - Parameter fullAt: the size in bytes of a full file; further lines go to a new file.
  package init(of cloud: Cloud, fullAt: Int = 4 << 20) {
    self.cloud = cloud
    self.fullAt = fullAt
  }

  package var path: String { cloud.root.path(of: Self.name) }

  /// Appends a line, with the file's lock. The line is not synced: after a power cut the last lines may be missing.
  ///
  /// The lock makes the line whole and the change of files exact: no line goes to a file after the next one has begun.
  /// A process keeps the file open from one line to the next.
  ///
  /// - Parameter line: one JSON object, and the newline.
  package func append(_ line: [UInt8], _ waitPolicy: LockWaitPolicy) throws {
    var isFull = false
    while true {
      let held = try FairLock.leaf(cloud.root, Self.name).acquireMakingFile(waitPolicy)
      defer { held.release() }
      let size = try held.file.size()
      if size >= fullAt {
        // Unless this succeeds, no line is appended. It does nothing if both names are links to one file.
        if isFull { throw StorageError.damaged(path: path, reason: "it can't be replaced by an empty file") }
        isFull = true
        try cloud.root.rename(Self.name, to: cloud.root, as: Self.previousName)
        continue
      }
      // A process may have died, or the disk may have been full, in the middle of a line.
      let isTorn = try size > 0 && held.file.read(at: size - 1, count: 1) != [0x0A]
      try held.file.write(isTorn ? [0x0A] + line : line, at: size)
      return try cloud.root.announceChange()
    }
  }
}

/// Reads the log of requests from its first line on, and what is appended later. Lines that a process did not write
/// completely are left out, and so are lines that are longer than any request's. A file that a user has emptied is read
/// from its beginning again.
package struct RequestLogReader {
  private let root: Directory
  /// The last two files that were read, the present one last. They stay open, so that no new file gets their identity.
  private var files: [File] = []
  private var offset = 0
  /// The end of the bytes that were read: it is no whole line yet.
  private var rest: [UInt8] = []
  /// Whether the line that `rest` begins is longer than any request's.
  private var isTooLong = false

  /// The bytes of an unfinished line that a reader stores: more than any line of this or an earlier version has.
  private static let mostBytes = 1 << 20

  package init(of cloud: Cloud) { root = cloud.root }

  /// Whether there was no log so far.
  package var isMissing: Bool { files.isEmpty }

  /// Calls `body` with the lines that were appended since the last call.
  package mutating func forEachNewLine(_ body: (JSONObject) throws -> Void) throws {
    while true {
      let next = try nextFile()
      // Nothing is appended to a file after the log has begun the next one.
      try readOn(body)
      guard let next else { return }
      (files, offset, rest, isTooLong) = (Array(files.suffix(1)) + [next], 0, [], false)
    }
  }

  private mutating func readOn(_ body: (JSONObject) throws -> Void) throws {
    if let size = try files.last?.size(), size < offset { (offset, rest, isTooLong) = (0, [], false) }
    while let file = files.last, case let part = try file.read(at: offset, count: 1 << 16), !part.isEmpty {
      offset += part.count
      guard let end = part.lastIndex(of: 0x0A) else {
        if rest.count + part.count > Self.mostBytes { (rest, isTooLong) = ([], true) }
        if !isTooLong { rest += part }
        continue
      }
      let begin = isTooLong ? part.firstIndex(of: 0x0A) ?? 0 : 0
      isTooLong = false
      let whole = rest + part[begin..<end]
      rest = Array(part[(end + 1)...])
      for line in whole.split(separator: 0x0A) {
        if let object = (try? JSONValue(parsing: Array(line)))?.object { try body(object) }
      }
    }
  }

  /// The file after the one that is read; nil if there is none yet. The log may have begun two files meanwhile.
  private func nextFile() throws -> File? {
    for name in [RequestLogFile.previousName, RequestLogFile.name] {
      guard let next = try root.fileIfPresent(name), case let identity = try next.identity() else { continue }
      if try !files.contains(where: { try $0.identity() == identity }) { return next }
    }
    return nil
  }
}
