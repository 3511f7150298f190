import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import TestSupport
import Testing

/// A state that an earlier version or this one wrote, in a temporary folder; see `state.sh` for its contents.
final class FormerState: Sendable {
  static let kinds = ["records", "posts", "shares", "lists"]
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
  static let fixtures = folder + "/Fixtures"
  static let container = "iCloud.test"

  let path: String
  var cloud: String { path + "/cloud" }

  /// The names of all recorded states of a kind: each is tested.
  static func names(_ kind: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: fixtures)) ?? []
    return files.filter { $0.hasPrefix(kind + "-") && $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  init(_ name: String) throws {
    path = ScratchFolder.newPath("state")
    try RecordedFolder(recordedIn: "\(Self.fixtures)/\(name).json").image.write(to: path)
  }

  deinit { try? ScratchFolder.remove(path) }

  func text(_ file: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  var service: CloudService { get throws { try CloudService.open(root: cloud) } }

  func problems() throws -> [String] { try service.checks.check().map { "\($0.path): \($0.text)" } }

  func caller(_ account: String) -> Caller {
    Caller(account: account, device: "\(account)-device", container: Self.container)
  }

  /// Runs `body` on an account's device.
  func acting<Result>(
    as account: String, device: String? = nil, container: String = container,
    isolation: isolated (any Actor)? = #isolation, _ body: (CKContainer) async throws -> Result
  ) async throws -> Result {
    let device = device ?? "\(account)-device"
    return try await LocalCloud.acting(as: account, device: device, root: cloud, container: container) {
      try await body(CKContainer.default())
    }
  }

  /// Runs a program of this build on an account's device to its end, and returns the lines of its output.
  func run(
    _ program: String, _ arguments: [String], as account: String, device: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let process = try ChildProcess(
      "\(HostProcess.executableFolder)/\(program)", arguments,
      environment: [
        "LOCALCLOUD_ROOT": cloud, "LOCALCLOUD_ACCOUNT": account, "LOCALCLOUD_DEVICE": device ?? "\(account)-device",
        "LOCALCLOUD_CONTAINER": Self.container,
      ])
    let status = process.wait(seconds: 120)
    #expect(status == 0, "\(program) \(arguments): \(process.errors)", sourceLocation: sourceLocation)
    return process.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
