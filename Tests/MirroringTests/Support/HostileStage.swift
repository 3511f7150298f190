import CloudKit
import FaultInjection
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

/// Alice shares a post with Bob, who writes arbitrary records into the share's zone by plain CloudKit. Carol
/// participates in this share, and in another share of Alice's that Bob may only read.
final class HostileStage {
  let stage: MirrorStage
  let phone: Device
  let carol: Device
  /// The post that Bob may write to, and the zone of its share.
  let shared: RowID
  let zone: CKRecordZone.ID
  /// The post in the share that Bob may only read.
  let readable: RowID
  let readableZone: CKRecordZone.ID
  /// A post that is not shared, with a tag and an attachment.
  let own: RowID

  static let secret = "PRIVATE-WORDS"

  init() async throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    carol = try stage.device("carol", "carols", .shared)
    own = try phone.insert("Post", "own-\(Self.secret)", ["content": .string(Self.secret)])
    try phone.link(own, "tags", to: try phone.insert("Tag", "tag-\(Self.secret)"))
    try phone.insert("Attachment", "file-\(Self.secret)", toOnes: ["post": own])
    try phone.insert("Value", "value-\(Self.secret)", ["sealed_string": .string("SEALED-\(Self.secret)")])
    shared = try phone.insert("Post", "shared")
    try phone.link(shared, "tags", to: try phone.insert("Tag", "shared-tag"))
    try phone.insert("Attachment", "shared-file", toOnes: ["post": shared])
    readable = try phone.insert("Post", "readable")
    try phone.insert("Attachment", "readable-file", toOnes: ["post": readable])
    await phone.drain()
    zone = try await Self.share(shared, with: [("bob", .readWrite), ("carol", .readWrite)], stage, phone, carol)
    readableZone = try await Self.share(
      readable, with: [("bob", .readOnly), ("carol", .readWrite)], stage, phone, carol)
    await carol.drain()
    #expect(try carol.titles("Post") == ["readable", "shared"])
  }

  private static func share(
    _ id: RowID, with people: [(String, CKShare.ParticipantPermission)], _ stage: MirrorStage, _ phone: Device,
    _ carol: Device
  ) async throws -> CKRecordZone.ID {
    let engine = try phone.require()
    let share = try await engine.share([id], to: nil).share
    for (account, permission) in people {
      let user = try await stage.container(of: account).userRecordID()
      let found = try await engine.fetchParticipants(matching: [CKUserIdentity.LookupInfo(userRecordID: user)])
      let participant = try #require(found.first)
      participant.permission = permission
      share.addParticipant(participant)
    }
    let url = try #require(try await engine.persist(share).url)
    await phone.drain()
    let bob = try stage.container(of: "bob")
    try await bob.accept(try await bob.shareMetadata(for: url))
    let metadata = try await carol.require().container.shareMetadata(for: url)
    _ = try await carol.require().accept([metadata])
    return share.recordID.zoneID
  }

  // MARK: Bob

  func bob() throws -> CKDatabase { try stage.container(of: "bob").sharedCloudDatabase }

  /// The share's zone with the owner name that Bob sees.
  func bobsZone() async throws -> CKRecordZone.ID {
    try #require(try await bob().allRecordZones().first { $0.zoneID.zoneName == zone.zoneName }).zoneID
  }

  /// Bob saves a new post in the share, with a receipt that lists these addresses.
  func saveForged(_ name: String, _ locations: [RecordLocation], _ title: String = "evil") async throws {
    let record = CKRecord(
      recordType: "CD_Post", recordID: CKRecord.ID(recordName: name, zoneID: try await bobsZone()))
    record["CD_entityName"] = "Post"
    record["CD_title"] = title
    record["CD_moveReceipt"] = Self.receipt(locations)
    try await bob().save(record)
  }

  /// Bob changes a record of the share.
  func change(_ name: String, _ body: (CKRecord) throws -> Void) async throws {
    let recordID = CKRecord.ID(recordName: name, zoneID: try await bobsZone())
    let record = try await bob().record(for: recordID)
    try body(record)
    try await bob().save(record)
  }

  static func receipt(_ locations: [RecordLocation]) -> Data {
    var receipt = MoveReceipt()
    for location in locations { receipt.add(location, at: 1) }
    return Data(receipt.bytes)
  }

  // MARK: Contents that must not change

  func location(of id: RowID) throws -> RecordLocation {
    RecordLocation(try #require(try phone.require().recordID(for: id)))
  }

  /// The objects of a device outside the zone that Bob may write to, each with its values, its record's address and its
  /// version in the store.
  func outside(_ device: Device) throws -> [String] {
    try device.store.read { view in
      var lines: [String] = []
      for entity in TestModel.schema.entities.indices {
        for id in try view.ids(of: entity) {
          let row = try #require(try view.row(id))
          let entry = try #require(try view.record(of: id), "\(row["title"])")
          if entry.location.zone.zone == zone.zoneName { continue }
          lines.append("\(id) \(row.version) \(row.attributes) \(row.toOnes) \(entry.location.key)")
        }
      }
      return lines.sorted()
    }
  }

  /// The records of Alice's private database outside the zone that Bob may write to.
  func recordsOutside() async throws -> [String] {
    let database = try stage.container(of: "alice").privateCloudDatabase
    var lines: [String] = []
    for other in [ZoneLocation.private.zoneID, readableZone] {
      let changes = try await database.recordZoneChanges(inZoneWith: other, since: nil)
      for (recordID, result) in changes.modificationResultsByID {
        lines.append("\(other.zoneName) \(recordID.recordName) \(try result.get().record.recordChangeTag ?? "-")")
      }
    }
    return lines.sorted()
  }

  /// Expects that an action of Bob's changes nothing outside the share: in the cloud, on Alice's phone, on a new device
  /// of Alice's, and on Carol's device.
  func expectContained(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws {
    let before = (try outside(phone), try outside(carol), try await recordsOutside())
    try await body()
    for device in [phone, carol, phone] { await device.drain() }
    #expect(try outside(phone) == before.0, sourceLocation: sourceLocation)
    #expect(try outside(carol) == before.1, sourceLocation: sourceLocation)
    #expect(try await recordsOutside() == before.2, sourceLocation: sourceLocation)
    let new = try stage.device("alice", "new")
    await new.drain()
    try expectSame(new, phone, sourceLocation: sourceLocation)
  }
}
