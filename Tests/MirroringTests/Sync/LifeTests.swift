import CloudKit
import Foundation
import LocalCloud
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Accounts, zones and the lifetime of a mirroring")
struct LifeTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  private func acting<Value>(_ account: String, _ device: String, _ body: () throws -> Value) throws -> Value {
    try LocalCloud.acting(as: account, device: device, root: stage.cloud.path, body)
  }

  @Test("without an account the setup fails and local use continues; a sign-in sends all objects [mirror-16]")
  func signedOut() async throws {
    let phone = try stage.device(nil, "phone")
    try phone.insert("Post", "A")
    try await eventually("the setup fails") { !phone.errors(.setup).isEmpty }
    let error = try #require(phone.errors(.setup).first)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134400)
    let reason = "Unable to initialize without an iCloud account (CKAccountStatusNoAccount)."
    #expect(error.localizedFailureReason == reason)
    #expect(try phone.titles("Post") == ["A"] && phone.require().canModify)
    try acting("alice", "phone") { try LocalCloud.signIn(as: "alice") }
    let tablet = try stage.device("alice", "tablet")
    try await eventually("the phone is set up") { phone.events.contains { $0.kind == .setup && $0.succeeded } }
    try await eventually("the object arrives") { try tablet.titles("Post") == ["A"] }
  }

  @Test(
    "the error for an unusable account has Apple's words [mirror-16]",
    arguments: [
      (CKAccountStatus.restricted, "CKAccountStatusRestricted"),
      (.temporarilyUnavailable, "CKAccountStatusTemporarilyUnavailable"),
    ])
  func unusableAccount(_ status: CKAccountStatus, _ name: String) async throws {
    try acting("alice", "phone") { try LocalCloud.setStatus(status, of: "alice") }
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    let error = try #require(phone.errors(.setup).first)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134400)
    #expect(error.localizedFailureReason == "Unable to initialize without an iCloud account (\(name)).")
    #expect(try phone.require().canModify)
    try acting("alice", "phone") { try LocalCloud.setStatus(.available, of: "alice") }
    let post = try #require(try phone.find("Post", "A"))
    try await eventually("the object is sent") { try phone.require().record(for: post) != nil }
  }

  @Test("each private and shared database has a subscription with a fixed name [mirror-18]")
  func eachPrivateAndSharedDatabase() async throws {
    for (scope, name) in [(CKDatabase.Scope.private, "private"), (.shared, "shared")] {
      let phone = try stage.device("alice", "phone", scope)
      await phone.drain()
      let subscriptions = try await stage.container(of: "alice").database(with: scope).allSubscriptions()
      #expect(subscriptions.map(\.subscriptionID) == ["com.apple.coredata.cloudkit.\(name).subscription"])
      #expect(subscriptions.allSatisfy { $0 is CKDatabaseSubscription })
    }
  }

  @Test("signing out removes the objects, and the next account has only its own [mirror-16] [note-11]")
  func otherAccount() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    try acting("alice", "phone") { try LocalCloud.signOut() }
    try await eventually("the setup fails") { phone.errors(.setup).last?.code == 134400 }
    #expect(try phone.titles("Post").isEmpty)
    let bob = try stage.device("bob", "bobs")
    try bob.insert("Post", "B")
    await bob.drain()
    try acting("alice", "phone") { try LocalCloud.signIn(as: "bob") }
    try await eventually("bob's objects replace alice's") { try phone.titles("Post") == ["B"] }
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A"])
  }

  @Test("signing in again fetches the cloud's objects and sends those saved since signing out [mirror-16]")
  func signedInAgain() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    try acting("alice", "phone") { try LocalCloud.signOut() }
    try await eventually("the objects go") { try phone.titles("Post").isEmpty }
    try await eventually("the setup fails") { phone.errors(.setup).last?.code == 134400 }
    try phone.insert("Post", "meanwhile")
    try acting("alice", "phone") { try LocalCloud.signIn(as: "alice") }
    try await eventually("the objects come again") { try phone.titles("Post") == ["A", "meanwhile"] }
    await phone.drain()
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A", "meanwhile"])
  }

  @Test("a store that is loaded after its user signed out loses its objects at the load [mirror-16]")
  func signedOutMeanwhile() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    try acting("alice", "phone") { try LocalCloud.signOut() }
    #expect(try phone.titles("Post") == ["A"])
    try phone.start()
    try await eventually("the setup fails") { phone.errors(.setup).last?.code == 134400 }
    #expect(try phone.titles("Post").isEmpty)
  }

  @Test("the next setup without an account completes an interrupted removal of objects [mirror-16]")
  func interruptedSignOut() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    try acting("alice", "phone") { try LocalCloud.signOut() }
    try phone.start(step: { if $0 == .forgotten { throw MirroringStopped() } })
    try await eventually("it stops in the middle") {
      try phone.store.read { try $0.row(key: StateKey.account, in: .state)?.values["isLeaving"] } == true
    }
    #expect(try phone.titles("Post") == ["A"])
    phone.stop()
    try phone.start()
    try await eventually("the objects go") { try phone.titles("Post").isEmpty }
  }

  @Test("only one mirroring at a time uses a store [mirror-18]")
  func onlyOneMirroringAtATimeUses() async throws {
    let phone = try stage.device("alice", "phone")
    await phone.drain()
    let events = EventList()
    let second = MirroringEngine(
      store: phone.store, containerIdentifier: MirrorStage.container, scope: .private,
      acting: try stage.identity("alice", "phone"), event: { events.add($0) })
    second.start()
    await second.drain()
    #expect(events.all.map { ($0.error as NSError?)?.code } == [nil, 134410])
    // Its requests fail with the same error.
    await #expect {
      try await second.share([], to: nil)
    } throws: {
      ($0 as NSError).code == 134410
    }
    phone.stop()
    try phone.start()
    await phone.drain()
    #expect(phone.errors(.setup).isEmpty)
  }

  @Test("each run posts two events with one identifier, and is stored [mirror-18]")
  func eachRunPostsTwoEvents() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    // An export without changes also posts events.
    let exports = phone.events.count { $0.kind == .export && $0.succeeded }
    await phone.drain()
    #expect(phone.events.count { $0.kind == .export && $0.succeeded } > exports)
    phone.stop()
    // A push may have begun a run just before.
    let reported = phone.events.filter { ($0.error as NSError?)?.code != 134407 }
    let ended = reported.filter { $0.endDate != nil }
    for (index, end) in reported.enumerated() where end.endDate != nil {
      let begins = reported[..<index].filter { $0.identifier == end.identifier }
      #expect(begins.count == 1)
      #expect(begins.allSatisfy { $0.endDate == nil && $0.kind == end.kind })
      #expect(begins.allSatisfy { !$0.succeeded && $0.error == nil })
      #expect(end.succeeded)
      #expect(reported.filter { $0.identifier == end.identifier }.count == 2)
    }
    #expect(Set(ended.map(\.kind)) == [.setup, .import, .export])
    #expect(ended.first?.kind == .setup)
    #expect(ended.allSatisfy { $0.storeIdentifier == phone.store.identifier })
    let stored = try MirroringEvent.all(of: phone.store)
    #expect(stored.map(\.identifier) == ended.map(\.identifier))
    #expect(stored.map(\.kind) == ended.map(\.kind))
    #expect(stored.allSatisfy { $0.succeeded && $0.endDate != nil })
  }

  @Test("a run ended by the store's removal has an end event with 134407 and is not stored [mirror-18]")
  func removedMeanwhile() async throws {
    let phone = try stage.device("alice", "phone", isStarted: false)
    try phone.insert("Post", "A")
    let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try phone.start { step in
      guard step == .assigned else { return }
      reached.signal()
      goOn.wait()
    }
    let engine = try phone.require()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        reached.wait()
        continuation.resume()
      }
    }
    engine.stop()
    goOn.signal()
    #expect(engine.finish())
    let begin = try #require(phone.events.last { $0.endDate == nil })
    let end = try #require(phone.events.last)
    #expect(begin.kind == .export)
    #expect(end.identifier == begin.identifier)
    #expect(end.endDate != nil)
    #expect(!end.succeeded)
    let error = try #require(end.error as NSError?)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134407)
    #expect(try !MirroringEvent.all(of: phone.store).contains { $0.identifier == end.identifier })
  }

  @Test("a mirroring without references to it ends, and requests that wait for it fail")
  func mirroringWithoutReferencesToItEnds() async throws {
    let phone = try stage.device("alice", "phone")
    let engine = try phone.require()
    await phone.drain()
    engine.stop()
    await #expect(throws: (any Error).self) { try await engine.share([], to: nil) }
    await engine.drain()
    #expect(engine.finish())
    let count = phone.events.count
    try phone.insert("Post", "A")
    engine.saved()
    #expect(phone.events.count == count)
    // A mirroring that is released without a stop.
    let worker = WeakWorker()
    do {
      let store = phone.store
      let another = MirroringEngine(
        store: store, containerIdentifier: MirrorStage.container, scope: .private,
        acting: try stage.identity("alice", "phone"))
      worker.observe(another)
      // A call returns at once if the mirroring was never started.
      await another.drain()
      await #expect(throws: (any Error).self) { try await another.accept([]) }
      #expect(another.finish())
      another.start()
      await another.drain()
    }
    try await eventually("its thread ends") { worker.isReleased }
  }

  @Test("deleting a zone removes its objects; the next save creates the zone again [mirror-15]")
  func deletedZone() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.deleteRecordZone(withID: ZoneLocation.private.zoneID)
    try await eventually("the object is gone") { try phone.titles("Post").isEmpty }
    try phone.insert("Post", "B")
    await phone.drain()
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["B"] && phone.errors(.export).isEmpty)
  }

  @Test("unsent objects of a deleted zone go to the new zone, without the deleted objects [mirror-15]")
  func unsentObjects() async throws {
    let phone = try stage.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    let attachment = try phone.insert("Attachment", "X", toOnes: ["post": post])
    try phone.link(try phone.insert("Post", "B"), "tags", to: try phone.insert("Tag", "T"))
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.deleteRecordZone(withID: ZoneLocation.private.zoneID)
    try phone.start()
    await phone.drain()
    #expect(try phone.lines() == ["Attachment X", "Post B tags=[\"T\"]", "Tag T posts=[\"B\"]"])
    #expect(try phone.row(attachment)?.toOnes == [nil])
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    try expectSame(tablet, phone)
  }

  @Test("deleting the app's data in Settings removes its objects; later ones are sent [mirror-15]")
  func purgedData() async throws {
    let phone = try stage.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    await phone.drain()
    try LocalCloud.acting(as: "alice", root: stage.cloud.path, container: MirrorStage.container) {
      try LocalCloud.purgeData(of: "alice")
    }
    try phone.insert("Post", "B")
    await phone.drain()
    await phone.drain()
    #expect(try phone.row(post) == nil && phone.titles("Post") == ["B"])
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["B"])
  }

  @Test("a zone that was recreated while the device was offline is fetched from its beginning [mirror-15]")
  func expiredToken() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    phone.stop()
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.deleteRecordZone(withID: ZoneLocation.private.zoneID)
    let tablet = try stage.device("alice", "tablet")
    try tablet.insert("Post", "B")
    await tablet.drain()
    try phone.start()
    await phone.drain()
    #expect(try phone.titles("Post") == ["B"])
  }

  @Test("references that arrive before their targets are stored, in any order [mirror-9]")
  func referencesThatArriveBeforeTheirTargets() async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: ZoneLocation.private.zoneID))
    let phone = try stage.device("alice", "phone")
    func record(_ type: String, _ name: String, _ fields: [String: String]) async throws {
      let record = CKRecord(recordType: type, recordID: RecordLocation(.private, name).recordID)
      for (key, value) in fields { record[key] = value }
      try await database.save(record)
      await phone.drain()
    }
    try await record("CD_Attachment", "a", ["CD_entityName": "Attachment", "CD_title": "X", "CD_post": "p"])
    try await record(
      "CDMR", "l",
      ["CD_entityNames": "Post:Tag", "CD_recordNames": "p:t", "CD_relationships": "tags:posts"])
    try await record("CD_Unknown", "u", ["CD_entityName": "Unknown", "CD_title": "?"])
    try await record("CD_Tag", "t", ["CD_entityName": "Tag", "CD_title": "T", "CD_later": "ignored"])
    #expect(try phone.lines() == ["Attachment X", "Tag T"])
    try await record("CD_Post", "p", ["CD_entityName": "ImagePost", "CD_title": "P"])
    let lines = try phone.lines()
    #expect(
      lines == [
        "Attachment X post=[\"P\"]", "ImagePost P attachments=[\"X\"] tags=[\"T\"]", "Tag T posts=[\"P\"]",
      ])
    #expect(phone.errors(.import).isEmpty)
    _ = try await database.deleteRecord(withID: RecordLocation(.private, "l").recordID)
    await phone.drain()
    #expect(try phone.lines().contains("Tag T"))
    _ = try await database.deleteRecord(withID: RecordLocation(.private, "p").recordID)
    await phone.drain()
    #expect(try phone.lines() == ["Attachment X", "Tag T"])
  }

  @Test(
    "pairs may name the objects' own entities, and list their ends in any order [mirror-8]")
  func otherPairs() async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: ZoneLocation.private.zoneID))
    func save(_ type: String, _ name: String, _ fields: [String: String]) async throws {
      let record = CKRecord(recordType: type, recordID: RecordLocation(.private, name).recordID)
      for (key, value) in fields { record[key] = value }
      try await database.save(record)
    }
    func save(pair name: String, _ entities: String, _ records: String, _ relationships: String) async throws {
      try await save(
        "CDMR", name,
        ["CD_entityNames": entities, "CD_recordNames": records, "CD_relationships": relationships])
    }
    try await save("CD_Post", "p", ["CD_entityName": "ImagePost", "CD_title": "P"])
    for name in ["t", "u"] {
      try await save("CD_Tag", name, ["CD_entityName": "Tag", "CD_title": name.uppercased()])
    }
    for name in ["a", "b", "c"] {
      try await save("CD_Person", name, ["CD_entityName": "Person", "CD_title": name.uppercased()])
    }
    try await save(pair: "1", "ImagePost:Tag", "p:t", "tags:posts")
    try await save(pair: "2", "Tag:Post", "u:p", "posts:tags")
    // B follows A, C follows B.
    try await save(pair: "3", "Person:Person", "b:a", "follows:followers")
    try await save(pair: "4", "Person:Person", "b:c", "followers:follows")
    let phone = try stage.device("alice", "phone")
    await phone.drain()
    #expect(
      try phone.lines() == [
        "ImagePost P tags=[\"T\", \"U\"]", "Person A followers=[\"B\"]", "Person B followers=[\"C\"] follows=[\"A\"]",
        "Person C follows=[\"B\"]", "Tag T posts=[\"P\"]", "Tag U posts=[\"P\"]",
      ])
    // Unlinking the pair here deletes its record.
    let post = try #require(try phone.find("ImagePost", "P"))
    try phone.link(post, "tags", to: try #require(try phone.find("Tag", "T")), false)
    await phone.drain()
    await #expect(throws: CKError.self) { try await database.record(for: RecordLocation(.private, "1").recordID) }
    #expect(try await database.record(for: RecordLocation(.private, "2").recordID).recordType == "CDMR")
  }

  @Test("a temporary failure is retried after growing pauses until it succeeds [mirror-18]")
  func fullStorage() async throws {
    let phone = try stage.device("alice", "phone")
    await phone.drain()
    try acting("alice", "phone") { try LocalCloud.setStorageFull(true, of: "alice") }
    try phone.insert("Post", "A")
    try await eventually("the export fails") { !phone.errors(.export).isEmpty }
    #expect((phone.errors(.export).last as Error? as? CKError)?.code == .quotaExceeded)
    // Three attempts take at least three seconds: each follows a longer pause.
    try await eventually("it is tried again") { phone.errors(.export).count >= 3 }
    let starts = phone.events.filter { $0.kind == .export && $0.error != nil }.map(\.startDate)
    #expect(starts[2].timeIntervalSince(starts[0]) > 2.5)
    try acting("alice", "phone") { try LocalCloud.setStorageFull(false, of: "alice") }
    let tablet = try stage.device("alice", "tablet")
    try await eventually("the object arrives") { try tablet.titles("Post") == ["A"] }
  }
}
