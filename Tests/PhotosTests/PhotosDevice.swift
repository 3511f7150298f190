import FaultInjection
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudService
import TestSupport
import Testing

/// A device that runs the program: each command is a process.
struct PhotosDevice: Sendable {
  let account: String
  let cloud: TemporaryCloud
  let name: String

  init(_ account: String, _ cloud: TemporaryCloud, name: String? = nil) {
    (self.account, self.cloud) = (account, cloud)
    self.name = name ?? "\(account)-device"
  }

  /// The program in the build folder of the tests.
  private static let program = HostProcess.executableFolder + "/Photos"

  var folder: String { "\(cloud.path)-photos" }
  var stores: String { "\(folder)/\(name)" }

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

  /// The lines that the command prints.
  @discardableResult
  func run(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
    let ended = try await end(arguments)
    #expect(
      ended.status == 0, "\(name): \(arguments): \(ended.errors)",
      sourceLocation: sourceLocation)
    #expect(
      ended.errors.isEmpty, "\(name): \(arguments): \(ended.errors)",
      sourceLocation: sourceLocation)
    return ended.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Runs a command that must fail, and returns its error output.
  func refused(
    _ arguments: String..., status: Int32 = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let ended = try await end(arguments)
    #expect(ended.status == status, "\(name): \(arguments): \(ended.output)", sourceLocation: sourceLocation)
    return ended.errors
  }

  /// Adds a picture of one colour. Without iCloud the photo is stored, and the command reports that it is not sent.
  func add(
    _ title: String, _ arguments: String..., width: Int = 2, height: Int = 2, isOffline: Bool = false
  ) async throws {
    let file = "\(folder)-\(UUID().uuidString).ppm"
    defer { try? FileManager.default.removeItem(atPath: file) }
    var data = Data("P6\n# a picture\n\(width) \(height)\n255\n".utf8)
    data.append(Data(repeating: 7, count: width * height * 3))
    try data.write(to: URL(fileURLWithPath: file))
    let ended = try await end(["add", file, title] + arguments)
    if isOffline {
      #expect(ended.status == 1, "\(name): add \(title): \(ended.errors)")
      #expect(ended.errors.contains("134400"), "\(name): add \(title): \(ended.errors)")
    } else {
      #expect(ended.status == 0, "\(name): add \(title): \(ended.errors)")
      #expect(ended.errors.isEmpty, "\(name): add \(title): \(ended.errors)")
    }
  }
}

/// Three people; Alice has two devices.
struct PhotosStage {
  let cloud: TemporaryCloud
  let phone: PhotosDevice
  let tablet: PhotosDevice
  let bob: PhotosDevice
  let carol: PhotosDevice

  /// Runs a body with the stage. Then checks the cloud and all stores, and removes them.
  static func run(_ body: (PhotosStage) async throws -> Void) async throws {
    let cloud = try TemporaryCloud()
    let stage = PhotosStage(
      cloud: cloud, phone: PhotosDevice("alice", cloud, name: "phone"),
      tablet: PhotosDevice("alice", cloud, name: "tablet"), bob: PhotosDevice("bob", cloud),
      carol: PhotosDevice("carol", cloud))
    defer { try? ScratchFolder.remove(stage.phone.folder) }
    try await body(stage)
    #expect(try cloud.service.checks.check().map { "\($0.path): \($0.text)" } == [])
    for device in try FileManager.default.contentsOfDirectory(atPath: stage.phone.folder).sorted() {
      for name in ["private.sqlite", "shared.sqlite"] {
        let store = try ObjectStore.stored("\(stage.phone.folder)/\(device)/\(name)")
        #expect(try store.check().map { "\($0.path): \($0.text)" } == [])
      }
    }
  }

  /// Runs a body while iCloud is unavailable for Alice's devices.
  func withoutCloud(_ body: () async throws -> Void) async throws {
    try setReachable(false)
    try await body()
    try setReachable(true)
  }

  private func setReachable(_ isReachable: Bool) throws {
    var changes = AccountChanges()
    changes.status = isReachable ? .available : .temporarilyUnavailable
    _ = try cloud.service.accounts.setAccount("alice", changes)
  }
}
