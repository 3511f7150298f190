import CloudKit
import CoreData
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudCommands
import LocalCloudObjectStore
import LocalCloudPlatform
import Testing

@testable import LocalCloudCoreDataMirroring

/// The command `wait store` beside a mirroring in the same process.
@Suite("wait store for mirrored stores")
struct WaitStoreTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  @Test("the command ends with the export of a container that was offline, and not before")
  func exportAfterOffline() async throws {
    let folder = try TemporaryFolder("stores")
    let path = folder.path + "/posts.sqlite"
    let program = try container(at: path)
    defer {
      for store in program.persistentStoreCoordinator.persistentStores {
        try? program.persistentStoreCoordinator.remove(store)
      }
      withExtendedLifetime(folder) {}
    }
    let setup = await end(of: path)
    #expect(setup.code == .success, "\(setup.errors)")
    try set(.offline)
    let context = program.newBackgroundContext()
    try await context.perform {
      let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
      post.setValue("Milk", forKey: "title")
      try context.save()
    }
    let look = Self.wait(path, in: stage.cloud.path, timeout: "0")
    #expect(look.code == .timedOut)
    let (messages, continuation) = AsyncStream.makeStream(of: String.self)
    async let ending = end(of: path, continuation)
    let message = await messages.first { $0.hasPrefix("waiting: ") }
    #expect(message == "waiting: 1 object waits to be sent\n")
    #expect(try await titles() == [])
    try set(.online)
    let result = await ending
    #expect(result.code == .success, "\(result.errors)")
    #expect(try await titles() == ["Milk"])
  }

  @Test("at the steps of an export before the answer is stored, the command says that an object waits")
  func steps() async throws {
    let phone = try stage.device("alice", "phone", isStarted: false)
    try phone.insert("Post", "Milk")
    let looks = ThreadCondition<[MirroringStep: WaitResult]>([:])
    let (path, root) = (phone.path, stage.cloud.path)
    try phone.start { step in
      guard [.assigned, .sent].contains(step) else { return }
      let look = Self.wait(path, in: root, timeout: "0")
      looks.change { $0[step] = look }
    }
    await phone.drain()
    let found = looks.change { $0 }
    #expect(found.count == 2)
    for (step, look) in found {
      #expect(look.code == .timedOut, "\(step)")
      #expect(look.errors.contains("1 object waits to be sent"), "\(step): \(look.errors)")
    }
    #expect(Self.wait(path, in: root, timeout: "0").code == .success)
    let tablet = try stage.device("alice", "tablet")
    try tablet.insert("Post", "Tea")
    await tablet.drain()
    // The push may have led to the phone's import already.
    let imported = await end(of: path)
    #expect(imported.code == .success, "\(imported.errors)")
    #expect(try phone.titles("Post") == ["Milk", "Tea"])
  }

  // MARK: The command

  private struct WaitResult: Sendable {
    var code: ExitCode
    var errors: String
  }

  /// Runs the command on a thread of its own, for up to a minute.
  private func end(of path: String, _ messages: AsyncStream<String>.Continuation? = nil) async -> WaitResult {
    let root = stage.cloud.path
    return await withCheckedContinuation { continuation in
      startThread {
        let result = Self.wait(path, in: root, timeout: "60", messages)
        messages?.finish()
        continuation.resume(returning: result)
      }
    }
  }

  private static func wait(
    _ path: String, in root: String, timeout: String, _ messages: AsyncStream<String>.Continuation? = nil
  ) -> WaitResult {
    let environment = ["LOCALCLOUD_CONTAINER": MirrorStage.container, "LOCALCLOUD_ROOT": root]
    let errors = ThreadCondition("")
    let output = Output(
      standardOutput: OutputSink { _ in },
      standardError: OutputSink { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        errors.change { $0 += text }
        messages?.yield(text)
      },
      environment: { environment[$0] })
    let code = CommandLineTool.run(
      arguments: ["wait", "store", path, "--timeout", timeout], environment: { environment[$0] }, output: output)
    return WaitResult(code: code, errors: errors.change { $0 })
  }

  // MARK: The program

  private func set(_ network: LocalCloud.Network) throws {
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      try LocalCloud.setNetwork(network)
    }
  }

  /// The titles of the mirrored posts in the cloud.
  private func titles() async throws -> [String] {
    let zone = CKRecordZone.ID(zoneName: RecordNames.privateZone)
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
    return try changes.modificationResultsByID.values.compactMap { try $0.get().record["CD_title"] as? String }
  }

  private func container(at path: String) throws -> NSPersistentCloudKitContainer {
    let title = NSAttributeDescription()
    (title.name, title.type, title.isOptional) = ("title", .string, true)
    let post = NSEntityDescription()
    (post.name, post.properties) = ("Post", [title])
    let model = NSManagedObjectModel()
    model.entities = [post]
    return try LocalCloud.acting(
      as: "alice", device: "phone", root: stage.cloud.path, container: MirrorStage.container
    ) {
      let container = NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: model)
      container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: path)
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      if let failure { throw failure }
      return container
    }
  }
}
