import LocalCloudPlatform

/// The holder of a lock, as the `lock` file shows it. The kernel manages the lock itself: the note of a dead process
/// blocks no caller.
package struct LockHolder: Sendable, Hashable {
  /// The user on behalf of the holder, in the store's terms.
  package struct User: Sendable, Hashable {
    /// The user's key in the note; it is none of the note's own keys.
    package var key: String
    package var name: String

    package init(key: String, name: String) {
      self.key = key
      self.name = name
    }
  }

  package var user: User?
  package var command: String
  package var process: Int32
  /// ISO 8601, UTC; empty if unknown.
  package var since: String

  package init(user: User?, command: String, process: Int32 = HostProcess.identifier, since: String = "") {
    self.user = user
    self.command = command
    self.process = process
    self.since = since
  }

  /// The note is padded to a multiple of this many bytes, so that it can be overwritten without truncating the file.
  package static let block = 256

  /// The note, padded with blank lines: overwriting bytes costs a hundredth of truncating the file.
  package var bytes: [UInt8] {
    var object: JSONObject = [
      "command": .string(command), "process": .integer(Int64(process)), "since": .string(since),
    ]
    if let user { object[user.key] = .string(user.name) }
    let line = JSONValue.object(object).compact()
    return line + Self.blank((line.count / Self.block + 1) * Self.block - line.count)
  }

  package static func blank(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "\n"), count: count) }

  init?(bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes), let command = value["command"]?.string,
      let process = value["process"]?.integer, let since = value["since"]?.string
    else { return nil }
    let key = value.object?.keys.first { !["command", "process", "since"].contains($0) && value[$0]?.string != nil }
    let user = key.flatMap { key in value[key]?.string.map { User(key: key, name: $0) } }
    self.init(user: user, command: command, process: Int32(truncatingIfNeeded: process), since: since)
  }

  /// `notes save (alice, process 4711, since 2026-01-01T00:00:00Z)`
  package var text: String {
    let who = [user?.name, "process \(process)", since.isEmpty ? nil : "since \(since)"].compactMap { $0 }
      .joined(separator: ", ")
    return "\(command) (\(who))"
  }
}

extension Double {
  /// The number of seconds as text for messages: `30`, `0.5`.
  package var secondsText: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}

/// The maximum wait for a lock, the note to write to it, and how to report the wait.
package struct LockWaitPolicy: Sendable {
  package var seconds: Double
  package var user: LockHolder.User?
  package var command: String
  /// Called at most once per wait, with a line for the user.
  package var notice: (@Sendable (String) -> Void)?
  /// The delay in seconds before ``notice`` is called.
  package var noticeAfter = 0.2

  package init(
    seconds: Double = 30, user: LockHolder.User? = nil, command: String = HostProcess.programName,
    notice: (@Sendable (String) -> Void)? = nil
  ) {
    self.seconds = seconds
    self.user = user
    self.command = command
    self.notice = notice
  }
}

/// One caller's wait for one lock: the time that is left, and whether the wait was reported.
package final class LockWait {
  let waitPolicy: LockWaitPolicy
  private let start = monotonicNanoseconds()
  private var isNoticed = false

  package init(_ waitPolicy: LockWaitPolicy) { self.waitPolicy = waitPolicy }

  private var waited: Double { Double(monotonicNanoseconds() - start) / 1e9 }

  /// The time that is left, in seconds.
  package var remaining: Double { waitPolicy.seconds - waited }

  /// The seconds until the wait is reported. A short wait is not reported; a long one is reported before it is given
  /// up.
  package var untilNotice: Double {
    if isNoticed || waitPolicy.notice == nil { return .infinity }
    return max(0, min(waitPolicy.noticeAfter, waitPolicy.seconds / 2) - waited)
  }

  /// Reports, once, the holder that the caller waits for.
  package func giveNotice(_ holder: String, _ path: String) {
    guard !isNoticed, let notice = waitPolicy.notice else { return }
    isNoticed = true
    notice("waiting up to \(waitPolicy.seconds.secondsText) s for \(holder), which holds \(path)")
  }
}
