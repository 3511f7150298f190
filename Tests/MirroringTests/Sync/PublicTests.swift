import CloudKit
import Foundation
import LocalCloud
import LocalCloudObjectStore
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Stores of the public database")
struct PublicTests {
  private let people: PublicStage

  init() throws { people = try PublicStage() }

  @Test("an object is exchanged between the stores of two people and plain CloudKit [mirror-35]")
  func objectIsExchangedBetweenTheStores() async throws {
    let (phone, tablet) = (try people.device("alice", "phone"), try people.device("bob", "tablet"))
    let post = try phone.insert("Post", "A", ["likes": .integer(3)])
    try phone.link(post, "tags", to: try phone.insert("Tag", "T"))
    await phone.drain()
    await tablet.drain()
    let theirs = try #require(try tablet.find("Post", "A"))
    try tablet.insert("Attachment", "X", toOnes: ["post": theirs])
    await tablet.drain()
    await phone.drain()
    let lines = [
      "Attachment X post=[\"A\"]", "Post A likes=\(StoredValue.integer(3)) attachments=[\"X\"] tags=[\"T\"]",
      "Tag T posts=[\"A\"]",
    ]
    #expect(try phone.lines().map(Set.init(words:)) == lines.map(Set.init(words:)))
    try expectSame(phone, tablet)
    // The records have the addresses that every program uses.
    let recordID = try #require(try phone.require().recordID(for: post))
    #expect(recordID.zoneID == CKRecordZone.default().zoneID)
    #expect(try await people.database("carol").record(for: recordID)["CD_title"] as? String == "A")
    try await people.save("carol", "CD_Post", "c", ["CD_entityName": "ImagePost", "CD_title": "C"])
    for device in [phone, tablet] {
      await device.drain()
      #expect(try device.titles("ImagePost") == ["C"])
    }
    try phone.set(post, "title", .string("B"))
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["B"])
    for device in [phone, tablet] { #expect(MirroringEvent.Kind.allErrors(of: device).isEmpty) }
  }

  @Test("importing own or unchanged records changes nothing [mirror-35]")
  func importingOwnOrUnchangedRecordsChangesNothing() async throws {
    let phone = try people.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    await phone.drain()
    let (version, commits) = (try phone.row(post)?.version, phone.commits.count)
    await phone.drain()
    await phone.drain()
    #expect(try phone.row(post)?.version == version && phone.commits.count == commits)
    #expect(try phone.titles("Post") == ["A"])
  }

  @Test("an import of several pages continues after an interruption [mirror-35]")
  func importOfSeveralPagesContinues() async throws {
    let database = try people.database("carol")
    for start in [0, 200] {
      let records = (start..<start + 200).map { number in
        let record = CKRecord(recordType: "CD_Post", recordID: CKRecord.ID(recordName: "\(number)"))
        record["CD_entityName"] = "Post"
        record["CD_title"] = "\(1000 + number)"
        return record
      }
      _ = try await database.modifyRecords(saving: records, deleting: [])
    }
    let phone = try Device(acting: try people.stage.identity("alice", "phone"), scope: .public)
    let pages = Mutex(0)
    try phone.start(step: { step in
      guard step == .imported else { return }
      let count = pages.withLock { pages in
        pages += 1
        return pages
      }
      if count == 2 { throw Killer.Kill() }
    })
    await phone.drain()
    #expect(try phone.titles("Post").count == 200)
    try phone.start()
    await phone.drain()
    #expect(try phone.titles("Post") == (1000..<1400).map(String.init))
    #expect(phone.errors(.import).isEmpty)
  }

  @Test("an empty database is no error [mirror-35]")
  func emptyDatabaseIsNoError() async throws {
    let bare = try PublicStage(indexing: [])
    let phone = try bare.device("alice", "phone")
    await phone.drain()
    #expect(MirroringEvent.Kind.allErrors(of: phone).isEmpty)
    #expect(phone.events.contains { $0.kind == .import && $0.succeeded })
  }

  @Test("a type without indexes fails the import with its name; other types are imported [mirror-35]")
  func missingIndex() async throws {
    let bare = try PublicStage(indexing: ["CD_Tag"])
    let phone = try bare.device("alice", "phone")
    try await bare.save("carol", "CD_Tag", "t", ["CD_entityName": "Tag", "CD_title": "T"])
    try await bare.save("carol", "CD_Post", "p", ["CD_entityName": "Post", "CD_title": "P"])
    try phone.insert("Post", "A")
    await phone.drain()
    let error = try #require(phone.errors(.import).last)
    #expect(error.domain == CKErrorDomain)
    #expect(error.code == CKError.Code.invalidArguments.rawValue)
    #expect(error.localizedFailureReason?.contains("'CD_Post'") == true)
    #expect(error.localizedFailureReason?.contains("___modTime") == true)
    #expect(try phone.titles("Tag") == ["T"] && phone.titles("Post") == ["A"])
    // Exports succeed all the same.
    #expect(phone.errors(.export).isEmpty)
    try bare.index("CD_Post")
    #expect(try await bare.posts() == ["A", "P"])
    await phone.drain()
    #expect(try phone.titles("Post") == ["A", "P"])
  }

  @Test("others' deletions are not imported; a change of a deleted object removes it here [mirror-35]")
  func othersDeletionsAreNotImported() async throws {
    let (phone, pad) = (try people.device("alice", "phone"), try people.device("alice", "pad"))
    let posts = try ["A", "B"].map { try phone.insert("Post", $0) }
    try phone.insert("Attachment", "X", toOnes: ["post": posts[0]])
    await phone.drain()
    await pad.drain()
    try phone.delete(posts[0])
    await phone.drain()
    #expect(try await people.posts() == ["B"])
    await pad.drain()
    #expect(try pad.titles("Post") == ["A", "B"])
    let gone = try #require(try pad.find("Post", "A"))
    try pad.set(gone, "title", .string("Again"))
    try pad.insert("Tag", "T")
    await pad.drain()
    #expect(try pad.titles("Post") == ["B"])
    #expect(try await people.posts() == ["B"])
    #expect(pad.errors(.export).isEmpty)
    // Deleting an object that is deleted already causes no error.
    let second = try #require(try pad.find("Post", "B"))
    try phone.delete(posts[1])
    await phone.drain()
    try pad.delete(second)
    await pad.drain()
    #expect(try await people.posts().isEmpty && pad.errors(.export).isEmpty && pad.titles("Post").isEmpty)
  }

  @Test("a refused change of another person's object is reverted and blocks no other change [mirror-36] [mirror-28]")
  func refusedChangeOfAnotherPersonsObject() async throws {
    let (phone, tablet) = (try people.device("alice", "phone"), try people.device("bob", "tablet"))
    let posts = try ["A", "D"].map { try phone.insert("Post", $0) }
    try phone.link(posts[1], "tags", to: try phone.insert("Tag", "T"))
    await phone.drain()
    await tablet.drain()
    try tablet.set(try #require(try tablet.find("Post", "A")), "title", .string("Mine"))
    try tablet.insert("Post", "Bob's")
    await tablet.drain()
    let error = try #require(tablet.errors(.export).first as Error? as? CKError)
    #expect(error.code == .partialFailure)
    let items = try #require(error.partialErrorsByItemID)
    #expect(items.values.map { ($0 as? CKError)?.code } == [.permissionFailure])
    #expect(items.keys.first as? CKRecord.ID == (try phone.require().recordID(for: posts[0])))
    #expect(try tablet.titles("Post") == ["A", "Bob's", "D"])
    #expect(try await people.posts() == ["A", "Bob's", "D"])
    await tablet.drain()
    #expect(tablet.errors(.export).count == 1)
    // The creators of the objects are still known.
    let theirs = try #require(try tablet.find("Post", "A"))
    let own = try #require(try tablet.find("Post", "Bob's"))
    #expect(try !tablet.require().canUpdate(theirs) && tablet.require().canUpdate(own))
    // A refused deletion is also reverted, with the object's pair.
    try tablet.delete(try #require(try tablet.find("Post", "D")))
    await tablet.drain()
    await tablet.drain()
    #expect(tablet.errors(.export).count == 2)
    await phone.drain()
    try expectSame(tablet, phone)
    #expect(try tablet.lines().contains("Post D tags=[\"T\"]"))
  }

  @Test("without an account the database is imported; saved objects are sent after a sign-in [mirror-36]")
  func signedOut() async throws {
    let phone = try people.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    let kiosk = try people.device(nil, "kiosk")
    await kiosk.drain()
    #expect(try kiosk.titles("Post") == ["A"] && !kiosk.require().canModify)
    #expect(kiosk.errors(.setup).isEmpty)
    let mine = try kiosk.insert("Post", "B")
    await kiosk.drain()
    let error = try #require(kiosk.errors(.export).last as Error? as? CKError)
    #expect(error.code == .notAuthenticated)
    #expect(try !kiosk.require().canUpdate(mine))
    #expect(try await people.posts() == ["A"])
    try LocalCloud.acting(as: nil, device: "kiosk", root: people.stage.cloud.path) {
      try LocalCloud.signIn(as: "bob")
    }
    try await eventually("what was saved is sent") { try await people.posts() == ["A", "B"] }
    try await eventually("its record is known") { try kiosk.require().record(for: mine) != nil }
    #expect(try kiosk.require().canModify && kiosk.require().canUpdate(mine) && kiosk.require().canDelete(mine))
  }

  @Test("another account's sign-in removes nothing and changes the permissions [mirror-36]")
  func otherAccount() async throws {
    let (phone, tablet) = (try people.device("alice", "phone"), try people.device("bob", "tablet"))
    let mine = try phone.insert("Post", "A")
    await phone.drain()
    try tablet.insert("Post", "B")
    await tablet.drain()
    await phone.drain()
    let theirs = try #require(try phone.find("Post", "B"))
    #expect(try phone.require().canUpdate(mine) && !phone.require().canUpdate(theirs))
    #expect(try !phone.require().canDelete(theirs))
    let setups = phone.events.count { $0.kind == .setup && $0.succeeded }
    try LocalCloud.acting(as: "alice", device: "phone", root: people.stage.cloud.path) {
      try LocalCloud.signIn(as: "bob")
    }
    try await eventually("the phone is set up anew") {
      phone.events.count { $0.kind == .setup && $0.succeeded } > setups
    }
    await phone.drain()
    #expect(try phone.titles("Post") == ["A", "B"])
    #expect(try !phone.require().canUpdate(mine) && phone.require().canUpdate(theirs))
    // The former account is not reported as the current user.
    let alice = try await people.stage.container(of: "alice").userRecordID()
    let (former, present) = (try phone.require().record(for: mine), try phone.require().record(for: theirs))
    #expect(former?.creatorUserRecordID == alice)
    #expect(former?.lastModifiedUserRecordID == alice)
    #expect(present?.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
    let unsent = try phone.insert("Post", "C")
    #expect(try phone.require().canUpdate(unsent))
  }

  @Test("the database is queried again at intervals [mirror-35]")
  func databaseIsQueriedAgainAtIntervals() async throws {
    let phone = try Device(acting: try people.stage.identity("alice", "phone"), scope: .public)
    try phone.start(pollSeconds: 0.05)
    await phone.drain()
    try await people.save("carol", "CD_Post", "c", ["CD_entityName": "Post", "CD_title": "C"])
    try await eventually("the object comes") { try phone.titles("Post") == ["C"] }
  }

  @Test("two stores of one person's device notify each other [mirror-35]")
  func sameDevice() async throws {
    let (one, other) = (try people.device("alice", "phone"), try people.device("alice", "phone"))
    await other.drain()
    try one.insert("Post", "A")
    await one.drain()
    try await eventually("the object comes") { try other.titles("Post") == ["A"] }
  }

  @Test("records saved after a clock was set back are found [mirror-35]")
  func recordsSavedAfterAClockWasSet() async throws {
    let phone = try people.device("alice", "phone")
    try await people.save("carol", "CD_Post", "a", ["CD_entityName": "Post", "CD_title": "A"])
    await phone.drain()
    let row = try #require(try phone.store.read { try $0.row(key: StateKey.newest("CD_Post"), in: .state) })
    _ = try phone.store.write { transaction in
      var late = row
      late.values["newest"] = .integer((row.values["newest"]?.integer ?? 0) + 3_600_000)
      transaction.put(late, in: .state)
      transaction.isInHistory = false
    }
    try await people.save("carol", "CD_Post", "b", ["CD_entityName": "Post", "CD_title": "B"])
    await phone.drain()
    #expect(try phone.titles("Post") == ["A", "B"])
    #expect(try phone.store.read { try $0.row(key: StateKey.newest("CD_Post"), in: .state) } != row)
  }

  @Test("a forged receipt does not take another person's object [mirror-35]")
  func stolenIdentity() async throws {
    let phone = try people.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    await phone.drain()
    let location = RecordLocation(try #require(try phone.require().recordID(for: post)))
    var receipt = MoveReceipt()
    receipt.add(location, at: 0)
    let record = CKRecord(recordType: "CD_Post", recordID: CKRecord.ID(recordName: "evil"))
    record["CD_entityName"] = "Post"
    record["CD_title"] = "Evil"
    record["CD_moveReceipt"] = Data(receipt.bytes)
    try await people.database("bob").save(record)
    await phone.drain()
    #expect(try phone.titles("Post") == ["A", "Evil"])
    #expect(try phone.require().recordID(for: post)?.recordName == location.name)
  }

  @Test("sharing and zone requests are refused with a reason [mirror-36]")
  func sharingAndZoneRequestsAreRefused() async throws {
    let phone = try people.device("alice", "phone")
    let engine = try phone.require()
    let post = try phone.insert("Post", "A")
    await phone.drain()
    let zone = CKRecordZone.ID(zoneName: RecordNames.privateZone)
    let refusals: [() async throws -> Void] = [
      { _ = try await engine.share([post], to: nil) }, { _ = try await engine.accept([]) },
      { _ = try await engine.fetchParticipants(matching: []) },
      { _ = try await engine.persist(CKShare(recordZoneID: zone)) }, { try await engine.purge(zone) },
    ]
    for refusal in refusals {
      do {
        try await refusal()
        Issue.record("not refused")
      } catch {
        let error = error as NSError
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == 134060)
        #expect(error.localizedFailureReason?.contains("public database") == true)
      }
    }
    #expect(try engine.shares().isEmpty && engine.shares(matching: [post]).isEmpty)
  }

  @Test("another container receives the user's own objects; others' objects are removed from the store [mirror-36]")
  func otherContainer() async throws {
    let (phone, tablet) = (try people.device("alice", "phone"), try people.device("bob", "tablet"))
    let post = try phone.insert("Post", "A")
    await phone.drain()
    await tablet.drain()
    let theirs = try #require(try tablet.find("Post", "A"))
    try tablet.insert("Attachment", "X", toOnes: ["post": theirs])
    try tablet.insert("Post", "B")
    await tablet.drain()
    await phone.drain()
    phone.stop()
    let engine = MirroringEngine(
      store: phone.store, containerIdentifier: "iCloud.com.example.Other", scope: .public,
      acting: try people.stage.identity("alice", "phone"), event: { _ in })
    engine.start()
    await engine.drain()
    #expect(try phone.lines() == ["Post A"])
    #expect(engine.record(for: post)?["CD_title"] as? String == "A")
    engine.stop()
    #expect(engine.finish())
  }
}

extension MirroringEvent.Kind {
  /// The errors of all runs of a device.
  fileprivate static func allErrors(of device: Device) -> [NSError] {
    [Self.setup, .import, .export].flatMap { device.errors($0) }
  }
}

extension Set<String> {
  fileprivate init(words line: String) { self.init(line.split(separator: " ").map(String.init)) }
}
