import Foundation
import Platform
import Synchronization

/// A child process whose output is gathered while it runs, so that it never blocks on a full pipe.
package final class ChildProcess: Sendable {
  private let process = Process()
  private let gathered = Condition((output: [UInt8](), errors: [UInt8](), open: 2))

  package init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], folder: String? = nil)
    throws
  {
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    gather(output) { $0.output += $1 }
    gather(errors) { $0.errors += $1 }
  }

  private typealias State = (output: [UInt8], errors: [UInt8], open: Int)

  private func gather(_ pipe: Pipe, _ add: @escaping @Sendable (inout State, [UInt8]) -> Void) {
    let handle = pipe.fileHandleForReading
    let gathered = gathered
    startThread {
      while true {
        let data = handle.availableData
        if data.isEmpty { break }
        gathered.change { add(&$0, [UInt8](data)) }
      }
      gathered.change { $0.open -= 1 }
    }
  }

  package var identifier: Int32 { process.processIdentifier }

  package var output: String { gathered.change { String(decoding: $0.output, as: UTF8.self) } }
  package var errors: String { gathered.change { String(decoding: $0.errors, as: UTF8.self) } }

  /// Waits until the output holds this; false after the limit.
  package func waitForOutput(_ text: String, seconds: Double) -> Bool {
    gathered.wait(seconds: seconds) { state in
      String(decoding: state.output, as: UTF8.self).contains(text) ? true : nil
    } ?? false
  }

  package func kill() { _ = HostProcess.signal(identifier, .kill) }

  package func signal(_ signal: HostProcess.Signal) { _ = HostProcess.signal(identifier, signal) }

  /// Waits for the end; answers the status, or the signal's number plus 128.
  package func wait() -> Int32 {
    process.waitUntilExit()
    _ = gathered.wait(seconds: 10) { $0.open == 0 ? true : nil }
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}
