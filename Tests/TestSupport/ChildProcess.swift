import Foundation
import LocalCloudPlatform
import Synchronization

/// A child process. Threads collect its output while it runs, so that it never blocks on a full pipe.
package final class ChildProcess: Sendable {
  private let process = Process()
  private let input: Pipe?
  private let collected = ThreadCondition((output: [UInt8](), errors: [UInt8](), open: 2))

  /// Starts the process. `hasInput` gives it a standard input that ``send(_:)`` writes to.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], folder: String? = nil,
    hasInput: Bool = false
  ) throws {
    input = hasInput ? Pipe() : nil
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input ?? FileHandle.nullDevice
    try process.run()
    collect(output) { $0.output += $1 }
    collect(errors) { $0.errors += $1 }
  }

  private typealias State = (output: [UInt8], errors: [UInt8], open: Int)

  private func collect(_ pipe: Pipe, _ add: @escaping @Sendable (inout State, [UInt8]) -> Void) {
    let handle = pipe.fileHandleForReading
    let collected = collected
    startThread {
      while true {
        let data = handle.availableData
        if data.isEmpty { break }
        collected.change { add(&$0, [UInt8](data)) }
      }
      collected.change { $0.open -= 1 }
    }
  }

  /// Whether a Swift compiler is in the path.
  package static let hasCompiler = (try? ChildProcess("/usr/bin/env", ["swiftc", "--version"]).wait(seconds: 300)) == 0

  package var identifier: Int32 { process.processIdentifier }

  package var output: String { collected.change { String(decoding: $0.output, as: UTF8.self) } }
  package var errors: String { collected.change { String(decoding: $0.errors, as: UTF8.self) } }

  /// Waits until the output contains `text`. Returns false after the time limit.
  package func waitForOutput(_ text: String, seconds: Double) -> Bool {
    collected.wait(seconds: seconds) { state in
      String(decoding: state.output, as: UTF8.self).contains(text) ? true : nil
    } ?? false
  }

  /// Writes a line to the child's standard input. Returns false if the child no longer reads it.
  package func send(_ line: String) -> Bool {
    guard let input, process.isRunning else { return false }
    do { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) } catch { return false }
    return true
  }

  /// Closes the child's standard input.
  package func hangUp() { try? input?.fileHandleForWriting.close() }

  /// Removes the next whole line from the output. Returns nil at the end of the output or after the time limit.
  package func nextLine(seconds: Double) -> String? {
    let line: String?? = collected.wait(seconds: seconds) { state in
      if let end = state.output.firstIndex(of: UInt8(ascii: "\n")) {
        defer { state.output.removeFirst(end + 1) }
        return .some(String(decoding: state.output[..<end], as: UTF8.self))
      }
      return state.open == 0 ? .some(nil) : nil
    }
    return line ?? nil
  }

  package func kill() { _ = HostProcess.signal(identifier, .kill) }

  package func signal(_ signal: HostProcess.Signal) { _ = HostProcess.signal(identifier, signal) }

  /// Waits for the end of the process. Returns its status, or the number of the signal that ended it plus 128. Kills
  /// the child after the time limit. Foundation's own wait would also wait for all processes that the child has
  /// started.
  package func wait(seconds: Double = 900) -> Int32 {
    let start = monotonicNanoseconds()
    while true {
      let waited = monotonicNanoseconds() - start
      switch HostProcess.end(ofChild: identifier) {
      case .status(let status)?:
        _ = collected.wait(seconds: 10) { $0.open == 0 ? true : nil }
        return status
      case .unknown?:
        process.waitUntilExit()
        _ = collected.wait(seconds: 10) { $0.open == 0 ? true : nil }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
      case nil:
        if Double(waited) > seconds * 1e9 { kill() }
        pause(microseconds: min(max(waited / 20_000, 200), 10_000))
      }
    }
  }
}
