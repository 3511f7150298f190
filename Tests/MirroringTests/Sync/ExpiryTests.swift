import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Expired tokens")
struct ExpiryTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet", isStarted: false)
  }

  // MARK: Helpers

  private enum Token { case database, zones }

  /// Replaces the tokens of a store by those of a deleted zone, so that they are expired as after a very long time.
  private func expire(_ tokens: Set<Token>, of device: Device) async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    let zone = CKRecordZone(zoneName: "gone")
    try await database.save(zone)
    let token = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil).changeToken
    _ = try await database.deleteRecordZone(withID: zone.zoneID)
    let text = String(decoding: token.data, as: UTF8.self)
    _ = try device.store.write { edits in
      if tokens.contains(.database) { try edits.setState(StateKey.database, "token", .string(text)) }
      if tokens.contains(.zones) {
        for row in try edits.rows(prefix: "", in: .zones) {
          guard let entry = ZoneEntry(row), entry.token != nil else { continue }
          try edits.editZone(entry.location) { $0.token = text }
        }
      }
    }
  }

  /// Starts the device's mirroring and kills it at its first step, then at its second one, and so on, each time after a
  /// change and an expiry of its tokens, until a run ends without a kill. Returns the steps.
  private func everyStep(
    _ device: Device, _ tokens: Set<Token>, _ happens: (Int) async throws -> Void
  ) async throws -> [MirroringStep] {
    var steps: [MirroringStep] = []
    while steps.count < 60 {
      device.stop()
      try await happens(steps.count)
      try await expire(tokens, of: device)
      let killer = Killer(after: steps.count)
      try device.start { try killer.pass($0) }
      await device.drain()
      try device.start()
      await device.drain()
      try expectSame(device, phone)
      #expect(device.errors(.import).isEmpty, "\(steps)")
      #expect(device.errors(.export).isEmpty, "\(steps)")
      guard let step = killer.killed.withLock({ $0 }) else { return steps }
      steps.append(step)
    }
    Issue.record("there is no end")
    return steps
  }

  /// Shares a post on the phone and exports all records.
  @discardableResult
  private func share(_ title: String) async throws -> CKShare {
    let post = try phone.insert("Post", title)
    let share = try await phone.require().share([post], to: nil).share
    await phone.drain()
    return share
  }

  // MARK: Zones

  @Test("a zone of several pages is fetched again, also after kills; deleted objects are removed [mirror-15]")
  func zoneOfSeveralPagesIsFetchedAgain() async throws {
    let seed = TestSeed.value(77)
    var random = SeededGenerator(seed: seed)
    let tag = try phone.insert("Tag", "T")
    try phone.save { transaction in
      for number in 0..<450 {
        let id = transaction.newID(of: TestModel.entity("Post"))
        transaction.insert(StoredRow(id, ["title": .string("P\(number)")]))
        guard number % 10 == 0 else { continue }
        try transaction.link(tag, TestModel.relationship("posts", of: TestModel.entity("Tag")), to: id)
      }
    }
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    let steps = try await everyStep(tablet, [.zones]) { round in
      for _ in 0..<3 {
        try phone.delete(try #require(try posts().randomElement(using: &random)))
        try phone.set(try #require(try posts().randomElement(using: &random)), "likes", .integer(Int64(round)))
      }
      try phone.link(try phone.insert("Post", "Q\(round)"), "tags", to: tag)
      let linked = try phone.store.read { try $0.related(tag, TestModel.relationship("posts", of: Int(tag.entity))) }
      if let other = linked.randomElement(using: &random) { try phone.link(tag, "posts", to: other, false) }
      await phone.drain()
    }
    // Three pages, each fetched and imported.
    #expect(steps.filter { $0 == .imported }.count >= 3, "\(steps), seed \(seed)")
    #expect(try tablet.store.check().isEmpty, "seed \(seed)")
  }

  private func posts() throws -> [RowID] { try phone.store.read { try $0.ids(of: TestModel.entity("Post")) } }

  @Test(
    "an object that this device moved and another one deleted is removed [mirror-13] [mirror-15]",
    arguments: [true, false])
  func objectThatThisDeviceMoved(isDeleted: Bool) async throws {
    let post = try phone.insert("Post", "A")
    try phone.link(post, "tags", to: try phone.insert("Tag", "T"))
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    // The mirroring executes only requests, no exports or imports.
    try phone.start()
    try phone.require().worker.state.change { $0.pauses.begin(100_000) }
    // A post that was never sent from its former zone.
    let unsent = try phone.insert("Post", "B")
    try phone.link(unsent, "tags", to: try #require(try phone.find("Tag", "T")))
    _ = try await phone.require().share([post], to: nil)
    phone.stop()
    let there = try #require(try tablet.find("Post", "A"))
    if isDeleted {
      try tablet.delete(there)
    } else {
      try tablet.link(there, "tags", to: try #require(try tablet.find("Tag", "T")), false)
    }
    await tablet.drain()
    try await expire([.database, .zones], of: phone)
    try phone.start()
    for device in [phone, tablet, phone, tablet] { await device.drain() }
    try expectSame(tablet, phone)
    #expect(
      try phone.lines()
        == (isDeleted
          ? ["Post B tags=[\"T\"]", "Tag T posts=[\"B\"]"] : ["Post A", "Post B tags=[\"T\"]", "Tag T posts=[\"B\"]"]))
    #expect(phone.errors(.export).isEmpty)
    #expect(tablet.errors(.export).isEmpty)
  }

  @Test("a pair is dropped if its record is deleted before its objects arrive [mirror-9] [mirror-15]")
  func pairIsDroppedIfItsRecord() async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    func save(_ type: String, _ name: String, _ fields: [String: String]) async throws {
      let record = CKRecord(recordType: type, recordID: RecordLocation(.private, name).recordID)
      for (key, value) in fields { record[key] = value }
      try await database.save(record)
    }
    await phone.drain()
    try await save("CD_Post", "p", ["CD_entityName": "Post", "CD_title": "P"])
    try await save(
      "CDMR", "l", ["CD_entityNames": "Post:Tag", "CD_recordNames": "p:t", "CD_relationships": "tags:posts"])
    await phone.drain()
    phone.stop()
    _ = try await database.deleteRecord(withID: RecordLocation(.private, "l").recordID)
    try await expire([.zones], of: phone)
    try phone.start()
    await phone.drain()
    try await save("CD_Tag", "t", ["CD_entityName": "Tag", "CD_title": "T"])
    await phone.drain()
    #expect(try phone.lines() == ["Post P", "Tag T"])
  }

  @Test("a share that its owner deleted is removed; the objects stay [mirror-15]")
  func endedShare() async throws {
    let share = try await share("A")
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.require().shares().count == 1)
    tablet.stop()
    let database = try stage.container(of: "alice").privateCloudDatabase
    _ = try await database.deleteRecord(withID: share.recordID)
    try await expire([.zones], of: tablet)
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.require().shares().isEmpty && tablet.titles("Post") == ["A"])
    #expect(tablet.commits.last?.updated.isEmpty == true)
  }

  // MARK: The database

  @Test("a database with created and deleted zones is fetched again, also after kills [mirror-15]")
  func databaseWithCreatedAndDeletedZones() async throws {
    try phone.insert("Post", "unshared")
    try await share("S")
    try tablet.start()
    await tablet.drain()
    let steps = try await everyStep(tablet, [.database]) { round in
      let old = try #require(try phone.require().shares().first)
      try await share("S\(round)")
      try await phone.require().purge(old.recordID.zoneID)
      await phone.drain()
    }
    // One zone existed, one was created and one was deleted; their random names determine the order of the requests.
    #expect(steps.count >= 5, "\(steps)")
    #expect(try tablet.require().shares().count == 1 && tablet.titles("Post").count == 2)
  }

  @Test("a database with several pages of zones is fetched again [mirror-15]")
  func manyZones() async throws {
    let names = (0..<230).map { RecordNames.shareZonePrefix + String(1000 + $0) }
    let database = try stage.container(of: "alice").privateCloudDatabase
    for part in names.chunks(of: 100) {
      let zones = part.map { CKRecordZone(zoneName: $0) }
      _ = try await database.modifyRecordZones(saving: zones, deleting: [])
    }
    func fill(_ name: String, _ title: String) async throws {
      let zone = ZoneLocation(zone: name, owner: ZoneLocation.ownOwner)
      let record = CKRecord(recordType: "CD_Post", recordID: RecordLocation(zone, title).recordID)
      record["CD_entityName"] = "Post"
      record["CD_title"] = title
      try await database.save(record)
    }
    for index in [0, 150, 229] { try await fill(names[index], "A\(index)") }
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A0", "A150", "A229"])
    tablet.stop()
    _ = try await database.modifyRecordZones(
      saving: [], deleting: [0, 229, 50].map { CKRecordZone(zoneName: names[$0]).zoneID })
    try await fill(names[210], "B")
    try await expire([.database], of: tablet)
    try tablet.start { if $0 == .fetched { throw Killer.Kill() } }
    await tablet.drain()
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A150", "B"] && tablet.errors(.import).isEmpty)
    #expect(try tablet.store.read { try $0.rows(prefix: "", in: .zones).count } == 228)
  }

  @Test("a participant removed since the token has no objects of the share [mirror-15]")
  func participantRemovedSinceTheToken() async throws {
    let bob = try stage.device("bob", "bobs", .shared)
    for title in ["A", "B"] {
      let share = try await share(title)
      share.publicPermission = .readWrite
      let url = try #require(try await phone.require().persist(share).url)
      _ = try await bob.require().accept([try await bob.require().container.shareMetadata(for: url)])
    }
    await bob.drain()
    #expect(try bob.titles("Post") == ["A", "B"])
    bob.stop()
    let post = try #require(try phone.find("Post", "A"))
    let zone = try #require(try phone.require().recordID(for: post)).zoneID
    try await phone.require().purge(zone)
    await phone.drain()
    try await expire([.database, .zones], of: bob)
    try bob.start()
    await bob.drain()
    #expect(try bob.titles("Post") == ["B"] && bob.require().shares().count == 1)
    #expect(bob.errors(.import).isEmpty)
  }

  @Test("a key reset since the token removes no objects of the owner [mirror-22]")
  func keyResetSinceTheTokenRemoves() async throws {
    try phone.insert("Value", "V", ["sealed_string": .string("secret")])
    await phone.drain()
    phone.stop()
    try LocalCloud.acting(as: "alice", root: stage.cloud.path, container: MirrorStage.container) {
      try LocalCloud.resetKeys(of: "alice")
    }
    let lines = try phone.lines()
    try await expire([.database], of: phone)
    try phone.start()
    await phone.drain()
    #expect(try phone.lines() == lines && lines.count == 1)
    try tablet.start()
    await tablet.drain()
    try expectSame(tablet, phone)
  }
}
