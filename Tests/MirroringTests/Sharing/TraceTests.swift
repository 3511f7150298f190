import CloudKit
import CoreData
import Foundation
import LocalCloud
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Erasure of lost objects")
struct TraceTests {
  private static let secret = "SECRET-4711"

  private let stage: MirrorStage
  private let alice: Device
  private let bob: Device

  init() throws {
    stage = try MirrorStage()
    alice = try stage.device("alice", "phone")
    bob = try stage.device("bob", "bobs", .shared)
  }

  /// Saves one post that is shared with Bob, and one that is not.
  private func fill() async throws -> CKShare {
    let post = try alice.insert("Post", Self.secret, ["content": .string(Self.secret)])
    try alice.link(post, "tags", to: try alice.insert("Tag", Self.secret))
    try alice.insert("Post", "kept")
    let engine = try alice.require()
    let share = try await engine.share([post], to: nil).share
    share.publicPermission = .readWrite
    let saved = try await engine.persist(share)
    await alice.drain()
    let url = try #require(saved.url)
    let metadata = try await bob.require().container.shareMetadata(for: url)
    _ = try await bob.require().accept([metadata])
    await bob.drain()
    #expect(try bob.titles("Post") == [Self.secret] && !traces(bob).isEmpty && !traces(alice).isEmpty)
    return saved
  }

  /// The files of a device's store that contain the secret.
  private func traces(_ device: Device) throws -> [String] {
    let path = device.store.path
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      // Files appear and disappear while the store is in use.
      guard let data = FileManager.default.contents(atPath: path + "/" + name) else { return false }
      return data.range(of: Data(Self.secret.utf8)) != nil
    }.sorted()
  }

  @Test("leaving a share erases its objects from the store of the participant only [mirror-20]")
  func leavingAShareErasesItsObjects() async throws {
    _ = try await fill()
    let zone = try #require(try bob.require().shares().first?.recordID.zoneID)
    try await bob.require().purge(zone)
    #expect(try traces(bob) == [])
    await alice.drain()
    #expect(try alice.titles("Post") == [Self.secret, "kept"] && !traces(alice).isEmpty)
  }

  @Test("purging a share's zone erases its objects, in other stores with their next import [mirror-20]")
  func purgingASharesZoneErasesItsObjects() async throws {
    let share = try await fill()
    try await alice.require().purge(share.recordID.zoneID)
    #expect(try traces(alice) == [] && alice.titles("Post") == ["kept"])
    await bob.drain()
    try await eventually("bob's files hold nothing of it") { try bob.lines().isEmpty && traces(bob) == [] }
  }

  @Test("a pinned generation defers the erasure, and a later import finishes it [mirror-20]")
  func pinnedGenerationDefersTheErasure() async throws {
    _ = try await fill()
    var generation: StoreGeneration? = try bob.store.generation()
    let zone = try #require(try bob.require().shares().first?.recordID.zoneID)
    try await bob.require().purge(zone)
    #expect(try bob.lines().isEmpty && !traces(bob).isEmpty)
    let earlier = try generation.map { generation in
      try bob.store.read(at: generation) { try $0.rows(prefix: "", in: .zones).count }
    }
    #expect(earlier == 1)
    generation = nil
    await bob.drain()
    #expect(try traces(bob) == [])
  }

  /// A full disk: it refuses the zeros that an erasure writes over the journal's frames.
  private final class Disk: Sendable {
    private let state = Mutex(false)

    var isFull: Bool {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }

    var fileSystem: FileSystem {
      FileSystem { [self] call in
        guard isFull, case .write(let path, _, let bytes) = call, path.hasSuffix("/.journal/log"),
          bytes.allSatisfy({ $0 == 0 })
        else { return .proceed }
        return .fail(SystemError.noSpace)
      }
    }
  }

  @Test(
    "on a full disk a purge succeeds, an event reports the remaining bytes, and they are erased later [mirror-20]",
    arguments: [false, true])
  func onAFullDiskAPurgeSucceeds(isKilled: Bool) async throws {
    let disk = Disk()
    let carol = try stage.device("carol", "carols", .shared, in: disk.fileSystem)
    let saved = try await fill()
    let metadata = try await carol.require().container.shareMetadata(for: try #require(saved.url))
    _ = try await carol.require().accept([metadata])
    await carol.drain()
    let zone = try #require(try carol.require().shares().first?.recordID.zoneID)
    disk.isFull = true
    try await carol.require().purge(zone)
    #expect(try carol.lines().isEmpty && carol.require().shares().isEmpty && !traces(carol).isEmpty)
    try await eventually("an import tells of it") { !carol.errors(.import).isEmpty }
    let error = try #require(carol.errors(.import).first)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == NSPersistentStoreOperationError)
    #expect(error.localizedFailureReason?.contains("/.journal/log") == true)
    if isKilled { carol.stop() }
    disk.isFull = false
    if isKilled { try carol.start() }
    // The mirroring retries the erasure automatically.
    try await eventually("nothing is left") { try traces(carol) == [] }
    #expect(try carol.store.check().isEmpty)
  }

  @Test("on a full disk an import deletes the zone's objects, imports others, and erases bytes later [mirror-20]")
  func fullImport() async throws {
    let disk = Disk()
    let tablet = try stage.device("alice", "tablet", in: disk.fileSystem)
    let share = try await fill()
    await tablet.drain()
    #expect(try tablet.titles("Post") == [Self.secret, "kept"])
    disk.isFull = true
    try await alice.require().purge(share.recordID.zoneID)
    try alice.insert("Post", "new")
    await alice.drain()
    try tablet.insert("Post", "own")
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["kept", "new", "own"] && !traces(tablet).isEmpty)
    #expect(!tablet.errors(.import).isEmpty)
    #expect(tablet.errors(.export).isEmpty)
    await alice.drain()
    #expect(try alice.titles("Post") == ["kept", "new", "own"])
    disk.isFull = false
    try await eventually("nothing is left") { try traces(tablet) == [] }
  }

  @Test(
    "after a sign-in of another account the files have no bytes of the former one's objects [mirror-16] [mirror-20]")
  func afterASignInOfAnotherAccount() async throws {
    let phone = try stage.device("carol", "carols")
    try phone.insert("Post", Self.secret)
    await phone.drain()
    try acting("carol", "carols") { try LocalCloud.signIn(as: "alice") }
    try await eventually("carol's objects went, and their bytes") {
      try !phone.titles("Post").contains(Self.secret) && traces(phone) == []
    }
  }

  private func acting(_ person: String, _ device: String, _ body: () throws -> Void) throws {
    try LocalCloud.acting(as: person, device: device, root: stage.cloud.path, body)
  }
}
