import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Forged receipts of a participant")
struct ReceiptTests {
  private let people: HostileStage
  private var phone: Device { people.phone }

  init() async throws { people = try await HostileStage() }

  private func ignored(_ device: Device) throws -> [String] {
    try device.store.read { try RecordNote.ignoredReceipt.records(in: $0).map(\.name).sorted() }
  }

  @Test(
    "a new record with a forged receipt takes no private object, also under the same name [mirror-42]",
    arguments: [true, false])
  func privateObject(isNamedAlike: Bool) async throws {
    let location = try people.location(of: people.own)
    let name = isNamedAlike ? location.name : "evil"
    try await people.expectContained { try await people.saveForged(name, [location]) }
    #expect(try phone.titles("Post") == ["evil", "own-\(HostileStage.secret)", "readable", "shared"])
    #expect(try ignored(phone) == [name])
  }

  @Test(
    "a forged receipt takes no object of a read-only share, on any device [mirror-42]",
    arguments: [true, false])
  func readOnlyShare(isNamedAlike: Bool) async throws {
    let location = try people.location(of: people.readable)
    let name = isNamedAlike ? location.name : "evil"
    // The zone as the owner and as the participants name it.
    let owner = try await people.bobsZone().ownerName
    let other = RecordLocation(ZoneLocation(zone: location.zone.zone, owner: owner), location.name)
    try await people.expectContained { try await people.saveForged(name, [location, other]) }
    #expect(try people.carol.titles("Post") == ["evil", "readable", "shared"])
  }

  @Test("a forged receipt takes no object of a share that has ended [mirror-42]")
  func endedShare() async throws {
    let location = try people.location(of: people.readable)
    let database = try people.stage.container(of: "alice").privateCloudDatabase
    let share = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: people.readableZone)
    try await database.deleteRecord(withID: share)
    for device in [phone, people.carol] { await device.drain() }
    #expect(try people.carol.titles("Post") == ["shared"])
    try await people.expectContained { try await people.saveForged(location.name, [location]) }
    #expect(try people.location(of: people.readable) == location)
  }

  @Test("a receipt that a participant adds to the owner's own record takes no other object [mirror-42]")
  func ownersRecord() async throws {
    let location = try people.location(of: people.own)
    let shared = try people.location(of: people.shared).name
    try await people.expectContained {
      try await people.change(shared) { record in
        record["CD_moveReceipt"] = HostileStage.receipt([location])
        record["CD_title"] = "edited"
      }
    }
    #expect(try phone.row(people.shared)?["title"] == .string("edited"))
    #expect(try ignored(phone) == [shared])
    // Another edit without a receipt removes the note about the ignored receipt.
    try await people.change(shared) { $0["CD_moveReceipt"] = nil }
    await phone.drain()
    #expect(try ignored(phone) == [])
  }

  @Test(
    "a receipt on the owner's record with an object's name does not take an object with another record [mirror-42]")
  func ownersRecordOfThatName() async throws {
    let location = try people.location(of: people.own)
    let record = CKRecord(
      recordType: "CD_Post", recordID: CKRecord.ID(recordName: location.name, zoneID: people.zone))
    record["CD_entityName"] = "Post"
    record["CD_title"] = "double"
    try await people.stage.container(of: "alice").privateCloudDatabase.save(record)
    await phone.drain()
    try await people.expectContained {
      try await people.change(location.name) { $0["CD_moveReceipt"] = HostileStage.receipt([location]) }
    }
    #expect(try ignored(phone) == [location.name])
  }

  @Test("a participant's edit of a moved record retains the object on the owner's other device [mirror-42]")
  func editAfterMove() async throws {
    let tablet = try people.stage.device("alice", "tablet")
    await tablet.drain()
    let there = try #require(try tablet.find("Post", "own-\(HostileStage.secret)"))
    tablet.stop()
    try tablet.set(there, "likes", .integer(7))
    let share = try phone.require().shares().first { $0.recordID.zoneID == people.zone }
    _ = try await phone.require().share([people.own], to: share)
    await phone.drain()
    let name = try people.location(of: people.own).name
    try await people.change(name) { $0["CD_content"] = "by Bob" }
    try tablet.start()
    for device in [tablet, phone] { await device.drain() }
    let row = try #require(try tablet.row(there))
    #expect(row["content"] == .string("by Bob"))
    #expect(row["likes"] == .integer(7))
    #expect(try tablet.require().recordID(for: there)?.zoneID == people.zone)
    try expectSame(tablet, phone)
    #expect(try ignored(tablet) == [])
  }
}
