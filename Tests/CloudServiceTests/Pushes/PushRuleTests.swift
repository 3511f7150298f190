import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Pushes: triggers and recipients")
struct PushRuleTests {
  private let stage: PushStage
  private var alice: Person { stage.alice }
  private var phone: Person { stage.phone }

  init() throws { stage = try PushStage() }

  @Test("the creation, update and deletion of a record fire each kind of subscription by its options ([push-fire-1])")
  func creationUpdateAndDeletionOfARecord() throws {
    try alice.subscribe(id: "all")
    try alice.subscribe(id: "new", fires: .creation)
    try alice.subscribe(id: "gone", fires: .deletion)
    try alice.subscribe(toType: "Tale", id: "tales")
    try alice.subscribeToZone()
    try alice.subscribeToDatabase()
    let note = try alice.save(alice.note("a", "1"))
    #expect(try phone.receivedPushes() == ["all created a", "database changed", "new created a", "zone changed"])
    try alice.save(alice.note("a", "2", tag: note.changeTag))
    #expect(try phone.receivedPushes().dropFirst(4) == ["all updated a", "database changed", "zone changed"])
    _ = try alice.modify(delete: ["a", "nothing"])
    #expect(
      try phone.receivedPushes().dropFirst(7) == [
        "all deleted a", "database changed", "gone deleted a", "zone changed",
      ])
    try alice.save(alice.note("t", type: "Tale"))
    #expect(try phone.receivedPushes().dropFirst(11) == ["database changed", "tales created t", "zone changed"])
    // A request that changes nothing sends no push.
    _ = try alice.modify(delete: ["nothing"])
    try alice.makeZone()
    #expect(try phone.pushes().count == 14)
    #expect(try alice.pushes() == [])
  }

  // [push-fire-2]
  @Test("a commit fires a zone subscription once and a query subscription once a record; a parent's new tag fires none")
  func commitFiresAZoneSubscriptionOnce() throws {
    try alice.save(alice.note("parent", type: "Parent"))
    try alice.subscribe()
    try alice.subscribe(toType: "Parent", id: "parents")
    try alice.subscribeToZone()
    for save in try alice.modify((0..<3).map { alice.note(ExactName("n\($0)"), parent: .set("parent", zone: nil)) })
      .saves
    {
      _ = try save.get()
    }
    #expect(try phone.receivedPushes() == ["query created n0", "query created n1", "query created n2", "zone changed"])
  }

  @Test("the default zone fires query subscriptions, but no database subscription ([push-fire-3])")
  func defaultZone() throws {
    try alice.subscribe()
    try alice.subscribeToDatabase()
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    try inDefaultZone.save(inDefaultZone.note("a"))
    #expect(try phone.receivedPushes() == ["query created a"])
    _ = try alice.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [.default]), by: alice.caller)
    #expect(try phone.receivedPushes() == ["query created a", "query deleted a"])
  }

  @Test("a subscription fires only for its zone and its record type, if it has one ([push-fire-4])")
  func subscriptionFiresOnlyForItsZone() throws {
    var other = alice
    other.zone = ZoneIdentifier(name: "Other")
    try other.makeZone()
    try alice.subscribe(id: "here", in: alice.zone)
    try alice.subscribeToZone(type: "Tale")
    try alice.subscribeToDatabase(type: "Tale")
    try other.save(other.note("a"))
    #expect(try phone.receivedPushes() == [])
    try alice.save(alice.note("a"))
    #expect(try phone.receivedPushes() == ["here created a"])
    try alice.save(alice.note("t", type: "Tale"))
    try other.save(other.note("t", type: "Tale"))
    #expect(try phone.receivedPushes() == ["here created a", "database changed", "zone changed", "database changed"])
  }

  @Test("creating or deleting a zone fires only database subscriptions ([push-fire-5])")
  func creatingOrDeletingAZoneFires() throws {
    try alice.subscribe()
    try alice.subscribeToZone()
    try alice.subscribeToDatabase()
    try alice.save(alice.note("a"))
    let before = try phone.pushes().count
    var new = alice
    new.zone = ZoneIdentifier(name: "New")
    try new.makeZone()
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller
    )
    .deletes[0].get()
    let pushes = try phone.pushes().dropFirst(before)
    #expect(pushes.map(\.subscriptionID) == ["database", "database"])
    #expect(pushes.map(\.zone.name) == ["New", "Notes"])
    // A new zone with the old name: its pushes are not mistaken for duplicates of the old zone's pushes.
    try alice.makeZone()
    try alice.save(alice.note("a"))
    #expect(
      try phone.receivedPushes().dropFirst(before + 2) == ["database changed", "database changed", "query created a"])
  }

  @Test("firesOnce: the first push deletes the subscription, also within a batch ([push-fire-6])")
  func firesOnceTheFirstPushDeletesTheSubscription() throws {
    try alice.subscribe(fires: [.creation, .once])
    try alice.save(alice.note("t", type: "Tale"))
    #expect(try alice.subscriptions().count == 1)
    _ = try alice.modify([alice.note("a"), alice.note("b")])
    #expect(try phone.receivedPushes() == ["query created a"])
    #expect(try alice.subscriptions() == [])
    try alice.save(alice.note("c"))
    #expect(try phone.receivedPushes() == ["query created a"])
    try alice.subscribe(fires: [.creation, .once])
    try alice.save(alice.note("d"))
    #expect(try phone.receivedPushes() == ["query created a", "query created d"])
    #expect(try alice.service.checks.check() == [])
  }

  @Test("firesOnce: a subscription without a device to notify stays ([push-fire-6])")
  func onceAlone() throws {
    var bob = stage.bob
    bob.zone = alice.zone
    try bob.makeZone()
    try bob.subscribe(fires: [.creation, .once])
    try bob.save(bob.note("a"))
    #expect(try bob.subscriptions().count == 1)
    let laptop = try bob.signedIn(on: "laptop")
    try bob.save(bob.note("b"))
    #expect(try laptop.receivedPushes() == ["query created b"])
    #expect(try bob.subscriptions() == [])
  }

  @Test("firesOnce: concurrent commits in several zones send one push")
  func onceInARace() throws {
    let rounds = 8
    for round in 0..<rounds {
      try alice.subscribe(toType: "T\(round)", id: "once", fires: [.creation, .once])
      let people = try (0..<4).map { number in
        var person = alice
        person.zone = ZoneIdentifier(name: ExactName("Z\(number)"))
        try person.makeZone()
        return person
      }
      let left = ThreadCondition(people.count)
      for person in people {
        startThread {
          _ = try? person.save(person.note(ExactName("r\(round)"), type: "T\(round)"))
          left.change { $0 -= 1 }
        }
      }
      #expect(left.wait(seconds: 60) { $0 == 0 ? true : nil } == true)
      #expect(try alice.subscriptions() == [])
    }
    #expect(try phone.pushes().count == rounds)
  }

  @Test("the device that made a change gets no push, unless a setting includes it ([push-fire-7])")
  func deviceThatMadeAChangeGets() throws {
    try alice.subscribeToZone()
    try alice.save(alice.note("a"))
    try phone.save(phone.note("b"))
    #expect(try (alice.receivedPushes(), phone.receivedPushes()) == (["zone changed"], ["zone changed"]))
    var settings = stage.cloud.service.settings
    settings.pushes.reachesSender = true
    let service = CloudService(cloud: stage.cloud.service.cloud, settings: settings)
    _ = try service.records.modifyRecords(
      ModifyRecordsRequest(scope: .private, saves: [alice.note("c")]), by: alice.caller
    ).saves[0].get()
    #expect(try (alice.pushes().count, phone.pushes().count) == (2, 2))
  }

  // [push-fire-8]
  @Test("a participant's change notifies the owner's devices, the owner's change the participants, and no other person")
  func participantsChangeNotifiesTheOwnersDevices() throws {
    let guest = try stage.join()
    let tablet = try guest.signedIn(on: "tablet")
    try guest.subscribeToDatabase(id: "shared")
    try alice.subscribeToDatabase()
    var carol = Person(stage.cloud, "carol")
    carol.scope = .shared
    try carol.subscribeToDatabase(id: "shared")
    let root = try alice.fetch("root")
    try alice.save(alice.note("root", "2", tag: root.changeTag))
    #expect(try (guest.receivedPushes(), tablet.receivedPushes()) == (["shared changed"], ["shared changed"]))
    #expect(try (alice.receivedPushes(), phone.receivedPushes()) == ([], ["database changed"]))
    try guest.save(guest.note("root", "3", tag: guest.fetch("root").changeTag))
    #expect(try (guest.pushes().count, tablet.pushes().count) == (1, 2))
    #expect(try (alice.pushes().count, phone.pushes().count) == (1, 2))
    // A change outside the share does not notify the participant.
    try alice.save(alice.note("outside", "1"))
    #expect(try (guest.pushes().count, phone.pushes().count) == (1, 3))
    #expect(try carol.pushes() == [])
    let zone = try #require(try guest.pushes().first?.zone)
    #expect(zone == guest.zone)
  }

  @Test("a read-only participant is notified; a removed one is notified of the removal only ([push-fire-9])")
  func readOnlyParticipantIsNotified() throws {
    let guest = try stage.join(.readOnly)
    try guest.subscribeToDatabase(id: "shared")
    let root = try alice.fetch("root")
    try alice.save(alice.note("root", "2", tag: root.changeTag))
    #expect(try guest.pushes().count == 1)
    try alice.edit { details in details.participants.removeAll { $0.role != .owner } }
    #expect(try guest.pushes().count == 2)
    try alice.save(alice.note("root", "3"), policy: .allKeys)
    _ = try alice.modify(delete: ["Share-1"])
    #expect(try guest.pushes().count == 2)
  }

  @Test("accepting, changing and leaving a share notifies the owner and the participants")
  func shareChanges() throws {
    let guest = try stage.join()
    try guest.subscribeToDatabase(id: "shared")
    try alice.subscribeToZone()
    try alice.edit { $0.publicPermission = .readOnly }
    #expect(try (guest.pushes().count, phone.pushes().count) == (1, 1))
    var carol = try Person(stage.cloud, "carol").inShared(zoneOf: alice)
    try carol.subscribeToDatabase(id: "shared")
    try carol.accept(alice.fetch("Share-1"))
    let carols = try carol.signedIn(on: "carols-phone")
    #expect(try (guest.pushes().count, phone.pushes().count, alice.pushes().count) == (2, 2, 1))
    #expect(try carol.pushes() == [])
    _ = try carol.modify(delete: ["Share-1"])
    #expect(try (guest.pushes().count, phone.pushes().count, carols.pushes().count) == (3, 3, 1))
    carol = carols
    _ = try alice.modify(delete: ["Share-1"])
    #expect(try (guest.pushes().count, phone.pushes().count, carol.pushes().count) == (4, 4, 1))
  }

  @Test("a type filter in the shared database considers only records that the participant can see ([push-fire-4])")
  func sharedFilter() throws {
    let guest = try stage.join()
    try guest.subscribeToDatabase(id: "shared", type: "Tale")
    try alice.save(alice.note("plain", parent: .set("root", zone: nil)))
    _ = try alice.modify([
      alice.note("other"), alice.note("hidden", type: "Tale"), alice.note("in", parent: .set("root", zone: nil)),
    ])
    #expect(try guest.pushes() == [])
    try alice.save(alice.note("tale", parent: .set("root", zone: nil), type: "Tale"))
    #expect(try guest.pushes().count == 1)
  }

  @Test("in the public database each user with a matching subscription is notified ([push-fire-10])")
  func publicDatabase() throws {
    var (writer, bob) = (alice, stage.bob)
    (writer.scope, writer.zone, bob.scope) = (.public, .default, .public)
    try writer.subscribe()
    try bob.subscribe()
    let note = try writer.save(writer.note("a", "1"))
    #expect(
      try (bob.receivedPushes(), alice.receivedPushes(), phone.receivedPushes()) == (
        ["query created a"], [], ["query created a"]
      ))
    try writer.save(writer.note("a", "2", tag: note.changeTag))
    #expect(try bob.receivedPushes() == ["query created a", "query updated a"])
    let push = try #require(try bob.pushes().last)
    let query = push.userInfo["ck"]?["qry"]
    #expect(query?["dbs"] == 2)
    #expect(query?["zid"] == "_defaultZone")
    #expect(query?["zoid"] == "_defaultOwner")
    #expect(push.userInfo["ck"]?["ckuserid"]?.string == (try bob.service.accounts.userRecordName(by: bob.caller)))
  }

  @Test("a refused request, or one without a change, sends no push ([push-fire-11])")
  func refusedRequestOrOneWithoutAChange() throws {
    try alice.subscribeToZone()
    try alice.save(alice.note("a"))
    let response = try alice.modify([alice.note("b"), alice.note("a", "conflict")])
    #expect(response.saves.allSatisfy { (try? $0.get()) == nil })
    #expect(try phone.pushes().count == 1)
  }

  @Test("a device's pushes are listed only for their container and environment")
  func devicesPushesAreListed() throws {
    try alice.subscribeToZone()
    try alice.save(alice.note("a"))
    var other = phone.caller
    other.container = "iCloud.other"
    #expect(try alice.service.pushes.list(by: other).all == [])
    other = phone.caller
    other.environment = .production
    #expect(try alice.service.pushes.list(by: other).all == [])
  }
}
