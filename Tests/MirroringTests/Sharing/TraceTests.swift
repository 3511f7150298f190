import CloudKit
import Foundation
import LocalCloud
import ObjectStore
import Testing

@testable import CoreData

@Suite("What is lost leaves no bytes")
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

  /// A post that is shared with Bob, who has edited it, and one that is not.
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

  /// The files of a device's store that hold the secret.
  private func traces(_ device: Device) throws -> [String] {
    let path = device.store.path
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      // Files come and go while the store is in use.
      guard let data = FileManager.default.contents(atPath: path + "/" + name) else { return false }
      return data.range(of: Data(Self.secret.utf8)) != nil
    }.sorted()
  }

  @Test("leaving a share: in the store of who leaves, and of nobody else [mirror-20]")
  func leaving() async throws {
    _ = try await fill()
    let zone = try #require(try bob.require().shares().first?.recordID.zoneID)
    try await bob.require().purge(zone)
    #expect(try traces(bob) == [])
    await alice.drain()
    #expect(try alice.titles("Post") == [Self.secret, "kept"] && !traces(alice).isEmpty)
  }

  @Test("ending a share by its zone: in the owner's store at once, in the others' with their next import [mirror-20]")
  func ending() async throws {
    let share = try await fill()
    try await alice.require().purge(share.recordID.zoneID)
    #expect(try traces(alice) == [] && alice.titles("Post") == ["kept"])
    await bob.drain()
    try await eventually("bob's files hold nothing of it") { try bob.lines().isEmpty && traces(bob) == [] }
  }

  @Test("while a context reads an earlier state the wish stays, and a later import fulfils it [mirror-20]")
  func pinned() async throws {
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

  @Test("another person's sign-in: nothing of the one before is in the files [mirror-16] [mirror-20]")
  func account() async throws {
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
