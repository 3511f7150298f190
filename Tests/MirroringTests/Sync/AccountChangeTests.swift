import CloudKit
import Foundation
import LocalCloud
import LocalCloudEmulator
import LocalCloudObjectStore
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Stores with another container, account or key")
struct AccountChangeTests {
  private let stage: MirrorStage
  private let phone: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
  }

  private func acting<Value>(_ account: String, _ device: String, _ body: () throws -> Value) throws -> Value {
    try LocalCloud.acting(as: account, device: device, root: stage.cloud.path, body)
  }

  /// The titles of all posts in a container, read by plain CloudKit.
  private func posts(_ container: CKContainer) async throws -> [String] {
    let database = container.privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: ZoneLocation.private.zoneID, since: nil)
    let records = try changes.modificationResultsByID.values.map { try $0.get().record }
    return records.filter { $0.recordType != "CD_Tag" }.compactMap { $0["CD_title"] as? String }.sorted()
  }

  /// Mirrors the phone's store temporarily to another container or environment.
  private func visit(_ container: String, environment: String? = nil) async throws {
    let identity = try LocalCloud.acting(
      as: "alice", device: "phone", root: stage.cloud.path, environment: environment
    ) { ActingIdentity.current }
    let engine = MirroringEngine(
      store: phone.store, containerIdentifier: container, scope: .private, acting: identity, event: { _ in })
    engine.start()
    await engine.drain()
    engine.stop()
  }

  @Test("in another container the objects stay and are sent there as well [mirror-23]")
  func otherContainer() async throws {
    try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    try await visit("iCloud.com.example.Other")
    #expect(try phone.titles("Post") == ["A"])
    let other = try LocalCloud.acting(as: "alice", device: "plain", root: stage.cloud.path) {
      CKContainer(identifier: "iCloud.com.example.Other")
    }
    #expect(try await posts(other) == ["A"])
    // Back in the first container both sides are merged, as with two stores that were never mirrored.
    try phone.start()
    await phone.drain()
    #expect(try phone.titles("Post") == ["A", "A"])
    #expect(try await posts(stage.container(of: "alice")) == ["A", "A"])
  }

  @Test(
    "signing out empties a shared store; signing in again restores it [mirror-16]"
  )
  func otherAccountOfShares() async throws {
    let alice = try stage.device("alice", "phone")
    let share = try await alice.require().share([try alice.insert("Post", "A")], to: nil).share
    share.publicPermission = .readWrite
    let url = try #require(try await alice.require().persist(share).url)
    await alice.drain()
    let tablet = try stage.device("bob", "tablet", .shared)
    let metadata = try await tablet.require().container.shareMetadata(for: url)
    _ = try await tablet.require().accept([metadata])
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A"])
    func signIn(_ account: String) async throws {
      let setups = tablet.events.count { $0.kind == .setup && $0.endDate != nil }
      try acting("bob", "tablet") {
        try LocalCloud.signIn(as: account)
      }
      try await eventually("the setup ends") { tablet.events.count { $0.kind == .setup && $0.endDate != nil } > setups }
      await tablet.drain()
    }
    // Unsent objects are removed with the others.
    tablet.stop()
    try tablet.insert("Attachment", "unsent", toOnes: ["post": try #require(try tablet.find("Post", "A"))])
    try acting("bob", "tablet") { try LocalCloud.signOut() }
    try tablet.start()
    try await eventually("the objects go") { try tablet.lines().isEmpty }
    try await signIn("carol")
    #expect(try tablet.lines().isEmpty && tablet.require().shares().isEmpty)
    try await signIn("bob")
    try await eventually("the share's objects come again") { try tablet.lines() == ["Post A"] }
    await alice.drain()
    #expect(try alice.lines() == ["Post A"])
  }

  @Test("in another environment the objects stay [mirror-23]")
  func otherEnvironment() async throws {
    try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    try await visit(MirrorStage.container, environment: "production")
    #expect(try phone.titles("Post") == ["A"])
    #expect(try await posts(stage.container(of: "alice")) == ["A"])
  }

  @Test("an interrupted account change continues for any account, and posts notifications [mirror-23]")
  func interruptedAccountChangeContinuesForAny() async throws {
    let notices = Mutex<[String]>([])
    let center = NotificationCenter.default
    let tokens = [ResetNotice.will, .did].map { notice in
      center.addObserver(forName: Notification.Name(notice.rawValue), object: nil, queue: nil) { note in
        guard note.userInfo?[ResetNotice.reasonKey] as? String == "AccountChange" else { return }
        notices.withLock { $0.append(notice.rawValue) }
      }
    }
    defer { for token in tokens { center.removeObserver(token) } }
    try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    try acting("alice", "phone") { try LocalCloud.signIn(as: "bob") }
    try phone.start(step: { if $0 == .forgotten { throw MirroringStopped() } })
    try await eventually("it stops in the middle") {
      try phone.store.read { try $0.row(key: StateKey.account, in: .state)?.values["isLeaving"] } == true
    }
    #expect(try phone.titles("Post") == ["A"])
    phone.stop()
    try acting("alice", "phone") { try LocalCloud.signIn(as: "alice") }
    try phone.start()
    await phone.drain()
    #expect(try phone.titles("Post") == ["A"])
    #expect(try await posts(stage.container(of: "alice")) == ["A"])
    #expect(notices.withLock { Set($0) } == [ResetNotice.will.rawValue, ResetNotice.did.rawValue])
  }

  // MARK: Keys

  private func resetKeys() throws {
    try LocalCloud.acting(as: "alice", root: stage.cloud.path, container: MirrorStage.container) {
      try LocalCloud.resetKeys(of: "alice")
    }
  }

  @Test("after a key reset the owner's devices send their objects once [mirror-22]")
  func afterAKeyResetTheOwnersDevices() async throws {
    let post = try phone.insert("Post", "A")
    try phone.link(post, "tags", to: try phone.insert("Tag", "T"))
    // Only zones with encrypted values are affected.
    try phone.insert("Value", "V", ["sealed_string": .string("secret")])
    await phone.drain()
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    let lines = try phone.lines()
    try resetKeys()
    await phone.drain()
    #expect(try phone.lines() == lines)
    await tablet.drain()
    await phone.drain()
    await tablet.drain()
    #expect(try phone.lines() == lines && tablet.lines() == lines)
    #expect(try await posts(stage.container(of: "alice")) == ["A", "V"])
    let new = try stage.device("alice", "new")
    await new.drain()
    #expect(try new.lines() == lines)
  }

  @Test("a device that learns of a key reset after another one recreated the zone loses nothing [mirror-22]")
  func lateKeyReset() async throws {
    let tablet = try stage.device("alice", "tablet")
    try phone.insert("Post", "A")
    try phone.insert("Value", "V", ["sealed_string": .string("secret")])
    await phone.drain()
    await tablet.drain()
    phone.stop()
    tablet.stop()
    let sealed = try tablet.insert("Value", "W", ["sealed_string": .string("secret")])
    let lines = try phone.lines()
    try resetKeys()
    // The tablet has no copy of the post: the phone has the only one.
    let post = try #require(try tablet.find("Post", "A"))
    _ = try tablet.store.write { transaction in
      transaction.author = MirrorAuthor.import
      try transaction.delete(post)
      transaction.remove(post.number, from: .records)
    }
    try tablet.start()
    await tablet.drain()
    try phone.start()
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.row(sealed) != nil)
    #expect(try phone.lines().count == lines.count + 1 && tablet.lines() == phone.lines())
    #expect(try await posts(stage.container(of: "alice")) == ["A", "V", "W"])
  }

  @Test(
    "after a key reset later values win over a device's earlier ones, and its own edits stay [mirror-43]",
    arguments: [true, false])
  func keysAndStaleDevice(isStaleFirst: Bool) async throws {
    let value = try phone.insert("Value", "V", ["plain_integer32": .integer(1), "sealed_string": .string("early")])
    let tablet = try stage.device("alice", "tablet")
    for device in [phone, tablet] { await device.drain() }
    let there = try #require(try tablet.find("Value", "V"))
    tablet.stop()
    try phone.set(value, "sealed_string", .string("late"))
    try phone.set(value, "plain_double", .double(7))
    await phone.drain()
    phone.stop()
    try tablet.set(there, "plain_integer32", .integer(2))
    try resetKeys()
    let order = isStaleFirst ? [tablet, phone] : [phone, tablet]
    for device in order {
      try device.start()
      await device.drain()
    }
    for device in order + order { await device.drain() }
    let row = try #require(try phone.row(value))
    #expect(row["sealed_string"] == .string("late"))
    #expect(row["plain_double"] == .double(7))
    #expect(row["plain_integer32"] == .integer(2))
    try expectSame(tablet, phone)
    let new = try stage.device("alice", "new")
    await new.drain()
    try expectSame(new, phone)
    for device in [phone, tablet] { #expect(device.errors(.export).isEmpty, "\(device.errors(.export))") }
  }

  @Test("after a key reset in production all objects are sent, without a field for receipts [mirror-43]")
  func keysInProduction() async throws {
    // The development schema has the fields that had values; receipts had none.
    try phone.insert("Value", "V", ["sealed_string": .string("secret")])
    await phone.drain()
    phone.stop()
    _ = try stage.cloud.service.schemas.deploySchema(by: stage.cloud.caller("alice"))
    func production<Value>(_ device: String, _ body: () throws -> Value) throws -> Value {
      try LocalCloud.acting(
        as: "alice", device: device, root: stage.cloud.path, container: MirrorStage.container,
        environment: "production", body)
    }
    let acting = try #require(try production("tablet") { ActingIdentity.current })
    let tablet = try Device(acting: acting, scope: .private)
    try tablet.start()
    try tablet.insert("Value", "W", ["sealed_string": .string("secret")])
    await tablet.drain()
    let container = try production("plain") { CKContainer(identifier: MirrorStage.container) }
    #expect(try await posts(container) == ["W"])
    tablet.stop()
    try production("plain") { try LocalCloud.resetKeys(of: "alice") }
    await #expect(throws: CKError.self) { try await posts(container) }
    try tablet.start()
    await tablet.drain()
    await tablet.drain()
    #expect(try await posts(container) == ["W"])
    #expect(tablet.errors(.export).isEmpty, "\(tablet.errors(.export))")
  }

  @Test("a key reset ends a share; its objects stay with the owner only [mirror-22]")
  func keysOfShare() async throws {
    let bob = try stage.device("bob", "bobs", .shared)
    let post = try phone.insert("Value", "A", ["sealed_string": .string("secret")])
    let engine = try phone.require()
    let share = try await engine.share([post], to: nil).share
    share.publicPermission = .readWrite
    let saved = try await engine.persist(share)
    await phone.drain()
    let metadata = try await bob.require().container.shareMetadata(for: try #require(saved.url))
    _ = try await bob.require().accept([metadata])
    await bob.drain()
    #expect(try bob.titles("Value") == ["A"])
    // The engine runs, and may import and export between the steps of the reset.
    try resetKeys()
    await phone.drain()
    await phone.drain()
    #expect(try phone.titles("Value") == ["A"] && phone.require().shares().isEmpty)
    #expect(try await posts(stage.container(of: "alice")) == ["A"])
    await bob.drain()
    #expect(try bob.lines().isEmpty)
  }
}
