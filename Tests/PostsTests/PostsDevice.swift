import FaultInjection
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import TestSupport
import Testing

/// A device that runs the program: each command is a process.
struct PostsDevice: Sendable {
  let account: String
  let cloud: TemporaryCloud
  let name: String

  init(_ account: String, _ cloud: TemporaryCloud, name: String? = nil) {
    (self.account, self.cloud) = (account, cloud)
    self.name = name ?? "\(account)-device"
  }

  /// The program in the build folder of the tests.
  private static let program = HostProcess.executableFolder + "/Posts"

  var stores: String { "\(cloud.path)-stores/\(name)" }

  func start(_ arguments: String...) throws -> ChildProcess { try start(arguments) }

  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      Self.program, arguments + ["--stores", stores, "--timeout", "60"],
      environment: [
        "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": account, "LOCALCLOUD_DEVICE": name,
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
      ])
  }

  struct Ended {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs a command to its end, on its own thread: several devices work concurrently.
  func end(_ arguments: [String]) async throws -> Ended {
    let process = try start(arguments)
    return await withCheckedContinuation { continuation in
      startThread {
        let status = process.wait(seconds: 120)
        continuation.resume(returning: Ended(status: status, output: process.output, errors: process.errors))
      }
    }
  }

  /// The command's output, without the last line break.
  @discardableResult
  func run(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    let ended = try await end(arguments)
    #expect(
      ended.status == 0, "\(name): \(arguments): \(ended.errors)",
      sourceLocation: sourceLocation)
    #expect(
      ended.errors.isEmpty, "\(name): \(arguments): \(ended.errors)",
      sourceLocation: sourceLocation)
    return ended.output.trimmingCharacters(in: .newlines)
  }

  /// Runs a command that must fail, and returns its error output.
  func refused(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    let ended = try await end(arguments)
    #expect(ended.status == 1, "\(name): \(arguments): \(ended.output)", sourceLocation: sourceLocation)
    return ended.errors
  }

  func list() async throws -> [String] {
    try await run("list").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The contents and participants of a post, sorted, without the line about editing.
  func content(of title: String) async throws -> [String] {
    try await run("show", title).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("  editable:") }.sorted()
  }
}

/// Four people, each with a device.
struct PostsStage {
  let cloud: TemporaryCloud
  let heather: PostsDevice
  let germaine: PostsDevice
  let percy: PostsDevice
  let mary: PostsDevice

  init() throws {
    cloud = try TemporaryCloud(accounts: ["heather", "germaine", "percy", "mary"])
    heather = PostsDevice("heather", cloud)
    germaine = PostsDevice("germaine", cloud)
    percy = PostsDevice("percy", cloud)
    mary = PostsDevice("mary", cloud)
  }

  var devices: [PostsDevice] { [heather, germaine, percy, mary] }

  /// Runs a body with the stage. Then checks the cloud and all stores, and removes them.
  static func run(_ body: (PostsStage) async throws -> Void) async throws {
    let stage = try PostsStage()
    let stores = "\(stage.cloud.path)-stores"
    defer { try? ScratchFolder.remove(stores) }
    try await body(stage)
    #expect(try stage.cloud.service.checks.check().map { "\($0.path): \($0.text)" } == [])
    try expectSoundStores(in: stores)
  }

  /// Runs `body` concurrently for several devices and returns the results in their order.
  static func together<Result: Sendable>(
    _ devices: [PostsDevice], _ body: @escaping @Sendable (PostsDevice) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for (index, device) in devices.enumerated() { group.addTask { (index, try await body(device)) } }
      var results: [(Int, Result)] = []
      for try await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// Checks the stores of all devices in a folder.
func expectSoundStores(in folder: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  for device in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
    for name in ["private.sqlite", "shared.sqlite"] {
      let store = try ObjectStore.stored("\(folder)/\(device)/\(name)")
      #expect(try store.check().map { "\($0.path): \($0.text)" } == [], sourceLocation: sourceLocation)
    }
  }
}
