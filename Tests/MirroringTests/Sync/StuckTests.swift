import CloudKit
import Foundation
import LocalCloud
import LocalCloudObjectStore
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Exports with unsendable objects")
struct StuckTests {
  private let stage: MirrorStage
  private let phone: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
  }

  /// The titles in a zone, read by plain CloudKit.
  private func titles(_ zone: CKRecordZone.ID = ZoneLocation.private.zoneID) async throws -> [String] {
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
    return try changes.modificationResultsByID.values.compactMap { try $0.get().record["CD_title"] as? String }.sorted()
  }

  @Test("an object related to objects of two zones waits until it is not; others are sent [mirror-27]")
  func objectRelatedToObjectsOfTwoZones() async throws {
    let post = try phone.insert("Post", "A")
    let zone = try await phone.require().share([post], to: nil).share.recordID.zoneID
    await phone.drain()
    let other = try phone.insert("Attachment", "X")
    let gone = try phone.insert("Tag", "T")
    await phone.drain()
    try phone.relate(other, "post", to: post)
    try phone.delete(gone)
    try phone.insert("Tag", "U")
    await phone.drain()
    #expect(phone.errors(.export).last?.code == 134060)
    #expect(try await titles() == ["U", "X"])
    #expect(try await titles(zone) == ["A"])
    let record = try await stage.container(of: "alice").privateCloudDatabase
      .record(for: try #require(try phone.require().recordID(for: other)))
    #expect(record["CD_post"] == nil)
    let count = phone.errors(.export).count
    try phone.relate(other, "post", to: nil)
    try phone.set(other, "title", .string("Y"))
    await phone.drain()
    #expect(try await titles() == ["U", "Y"])
    #expect(phone.errors(.export).count == count)
  }

  @Test("with full storage deletions are sent; saved objects are sent when there is room again [mirror-27]")
  func withFullStorageDeletionsAreSent() async throws {
    let posts = try ["A", "B"].map { try phone.insert("Post", $0) }
    await phone.drain()
    try setFull(true)
    let unsent = try phone.insert("Post", "C")
    try phone.delete(posts[0])
    await phone.drain()
    // It already has a record name, and no record.
    let engine = try phone.require()
    #expect(engine.record(for: unsent) == nil)
    #expect(engine.recordID(for: unsent) == nil)
    try await eventually("the deletion is sent") { try await titles() == ["B"] }
    #expect(phone.errors(.export).contains { $0.code == CKError.Code.quotaExceeded.rawValue })
    try setFull(false)
    await phone.drain()
    try await eventually("the rest is sent") { try await titles() == ["B", "C"] }
    try await eventually("its record is known") { engine.recordID(for: unsent) != nil }
  }

  @Test(
    "a record that is too large delays no other record; it is sent once it is smaller [mirror-32]",
    arguments: [1_100_000, 2_500_000])
  func recordThatIsTooLargeDelays(size: Int) async throws {
    try phone.insert("Tag", "T")
    let large = try phone.insert("Value", "V", ["plain_uri": .uri("x:" + String(repeating: "a", count: size))])
    try phone.insert("Tag", "U")
    await phone.drain()
    #expect(try await titles() == ["T", "U"])
    let parts = try #require((phone.errors(.export).last as Error? as? CKError)?.partialErrorsByItemID)
    #expect(parts.values.map { ($0 as? CKError)?.code } == [.limitExceeded])
    try phone.set(large, "plain_uri", .uri("x:a"))
    await phone.drain()
    #expect(try await titles() == ["T", "U", "V"])
  }

  @Test(
    "a number that a record can't hold fails only its record [mirror-32]",
    arguments: [Double.infinity, -.infinity, .nan])
  func notFinite(_ number: Double) async throws {
    let value = try phone.insert("Value", "V", ["plain_double": .double(number)])
    try phone.insert("Tag", "T")
    await phone.drain()
    #expect(try await titles() == ["T"])
    let parts = try #require((phone.errors(.export).last as Error? as? CKError)?.partialErrorsByItemID)
    #expect(parts.values.map { ($0 as? CKError)?.code } == [.invalidArguments])
    try phone.set(value, "plain_double", .double(1))
    await phone.drain()
    #expect(try await titles() == ["T", "V"])
  }

  @Test(
    "an attribute with a field of the other kind, plain or encrypted, fails its records [mirror-32]"
  )
  func otherKind() async throws {
    await phone.drain()
    let database = try stage.container(of: "alice").privateCloudDatabase
    let plain = CKRecord(recordType: "CD_Value", recordID: RecordLocation(.private, "plain").recordID)
    plain["CD_entityName"] = "Value"
    plain["CD_title"] = "P"
    plain["CD_sealed_string"] = "open"
    try await database.save(plain)
    try phone.insert("Value", "V", ["sealed_string": .string("hidden")])
    try phone.insert("Tag", "T")
    await phone.drain()
    #expect(try await titles() == ["P", "T"])
    let parts = try #require((phone.errors(.export).last as Error? as? CKError)?.partialErrorsByItemID)
    #expect(parts.values.map { ($0 as? CKError)?.code } == [.invalidArguments])
    #expect("\(parts)".contains("CD_sealed_string"))
    // The plain value is imported ([mirror-6]).
    let read = try #require(try phone.find("Value", "P"))
    #expect(try phone.row(read)?["sealed_string"] == .string("open"))
  }

  @Test("a device that always loses against concurrent changes retries after a pause [mirror-32]")
  func deviceThatAlwaysLosesAgainstConcurrent() async throws {
    let post = try phone.insert("Post", "A")
    await phone.drain()
    let recordID = try #require(try phone.require().recordID(for: post))
    phone.stop()
    let other = BlockingCloud(MirrorStage.container, acting: try stage.identity("alice", "other"))
    let rounds = Mutex(0)
    try phone.set(post, "likes", .integer(7))
    try phone.start { step in
      guard step == .assigned else { return }
      let round = rounds.withLock { rounds in
        rounds += 1
        return rounds
      }
      guard round <= 7 else { return }
      let database = other.container.privateCloudDatabase
      let record: CKRecord = try other.value { database.fetch(withRecordID: recordID, completionHandler: $0) }
      record["CD_content"] = "round \(round)"
      let _: CKRecord = try other.value { database.save(record, completionHandler: $0) }
    }
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await eventually("it is sent") { try await database.record(for: recordID)["CD_likes"] == 7 }
    #expect(rounds.withLock { $0 } == 8)
    #expect(phone.errors(.export).map(\.code) == [CKError.serverRecordChanged.rawValue])
    try await eventually("all of it is here") { try phone.row(post)?["content"] == .string("round 7") }
    #expect(try await database.record(for: recordID)["CD_content"] == "round 7")
  }

  /// Plain CloudKit saves a record with a reference to another record; the latter's change tag changes without a change
  /// entry.
  private func refer(to recordID: CKRecord.ID) async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    let before = try await database.record(for: recordID).recordChangeTag
    let comment = CKRecord(
      recordType: "Comment", recordID: CKRecord.ID(recordName: UUID().uuidString, zoneID: recordID.zoneID))
    comment["r"] = CKRecord.Reference(recordID: recordID, action: .none)
    try await database.save(comment)
    #expect(try await database.record(for: recordID).recordChangeTag != before)
  }

  @Test("a record that plain CloudKit referred to is sent with the next export [mirror-32]")
  func recordThatPlainCloudKitReferred() async throws {
    let post = try phone.insert("Post", "A")
    await phone.drain()
    let recordID = try #require(try phone.require().recordID(for: post))
    for title in ["B", "C"] {
      try await refer(to: recordID)
      try phone.set(post, "title", .string(title))
      await phone.drain()
      #expect(try await titles() == [title])
    }
    #expect(phone.errors(.export).isEmpty, "\(phone.errors(.export))")
  }

  @Test("the deletion of a moved record is sent although another record refers to it [mirror-32]")
  func referenceToFormerRecord() async throws {
    let post = try phone.insert("Post", "A")
    await phone.drain()
    let former = try #require(try phone.require().recordID(for: post))
    try phone.start { if $0 == .stored { throw MirroringStopped() } }
    _ = try await phone.require().share([post], to: nil)
    await phone.drain()
    phone.stop()
    try await refer(to: former)
    try phone.start()
    await phone.drain()
    #expect(try await titles() == [])
    #expect(phone.errors(.export).isEmpty, "\(phone.errors(.export))")
  }

  @Test("pauses grow until the failed kind of run succeeds; success of another kind does not shorten them [mirror-18]")
  func pausesGrowUntilTheFailedKind() {
    var pauses = RunPauses()
    var lengths: [Double] = []
    for _ in 0..<10 {
      _ = pauses.fail(.export)
      lengths.append(pauses.nextLength)
      pauses.begin(nil)
      pauses.succeed(.import)
      pauses.succeed(.setup)
    }
    #expect(lengths == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
    pauses.succeed(.export)
    #expect(pauses.nextLength == 1)
  }

  private func setFull(_ isFull: Bool) throws {
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      try LocalCloud.setStorageFull(isFull, of: "alice")
    }
  }
}
