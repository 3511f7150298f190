import CloudKit
import FaultInjection
import Foundation
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

/// A participant writes arbitrary records into a share, round after round, while the share's owner works.
@Suite("A hostile participant over many rounds [mirror-42] [mirror-44]")
struct HostileRoundsTests {
  /// The number of rounds in one cloud.
  static let rounds = 50

  private final class Run {
    let people: HostileStage
    let seed: UInt64
    private var random: SeededGenerator
    private var count = 0
    /// The initial state of the objects and records outside the share that Bob can write to.
    private var before: [String] = []
    /// Labels of the share's first records by their random names, for a stable order of Bob's choices.
    private var labels: [String: String] = [:]

    init(_ seed: UInt64) async throws {
      people = try await HostileStage()
      self.seed = seed
      random = SeededGenerator(seed: seed)
      before = try people.outside(people.phone)
      for record in try await records() {
        labels[record.recordID.recordName] = " \(record.recordType) \(record["CD_title"] as? String ?? "")"
      }
    }

    var phone: Device { people.phone }

    private func any<Value>(_ values: [Value]) throws -> Value { try #require(values.randomElement(using: &random)) }

    private func newName() -> String {
      count += 1
      return "evil-\(count)"
    }

    /// The records of the share that Bob can read.
    private func records() async throws -> [CKRecord] {
      let zone = try await people.bobsZone()
      var records: [CKRecord] = []
      var token: CKServerChangeToken?
      while true {
        let page = try await people.bob().recordZoneChanges(inZoneWith: zone, since: token)
        records += try page.modificationResultsByID.values.map { try $0.get().record }
        token = page.changeToken
        if !page.moreComing { break }
      }
      func label(_ record: CKRecord) -> String { labels[record.recordID.recordName] ?? record.recordID.recordName }
      return records.filter { !($0 is CKShare) }.sorted { label($0) < label($1) }
    }

    /// The address of one of Alice's records outside the share.
    private func victim() throws -> RecordLocation {
      let entries = try phone.store.read { view in
        try view.rows(prefix: "", in: .records).compactMap { RecordEntry($0) }
      }
      let others = entries.filter { $0.location.zone.zone != people.zone.zoneName }
      return try any(others.sorted { $0.id < $1.id }).location
    }

    // MARK: Bob's actions

    private func act() async throws {
      let database = try people.bob()
      let records = try await records()
      let victim = try victim()
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        try await people.saveForged(Bool.random(using: &random) ? newName() : victim.name, [victim])
      case 1:
        let record = try any(records)
        record["CD_moveReceipt"] = HostileStage.receipt([victim, RecordLocation(.private, record.recordID.recordName)])
        try await database.save(record)
      case 2:
        let record = try any(records)
        record["CD_entityName"] = try any(["Post", "ImagePost", "Tag", "Attachment", "Unknown", "", victim.name])
        try await database.save(record)
      case 3:
        guard let pair = records.filter({ $0.recordType == "CDMR" }).randomElement(using: &random) else { return }
        let key = try any(["CD_recordNames", "CD_entityNames", "CD_relationships"])
        pair[key] = try any(["\(victim.name):\(victim.name)", "Post:Tag", "tags:posts", "x", ":"])
        try await database.save(pair)
      case 4:
        let record = CKRecord(
          recordType: "CDMR", recordID: CKRecord.ID(recordName: newName(), zoneID: try await people.bobsZone()))
        record["CD_entityNames"] = "Post:Tag"
        record["CD_recordNames"] = "\(try any(records).recordID.recordName):\(victim.name)"
        record["CD_relationships"] = "tags:posts"
        try await database.save(record)
      case 5:
        let record = try any(records.filter { $0.recordType == "CD_Attachment" } + records)
        record["CD_post"] = victim.name
        try await database.save(record)
      case 6:
        let record = CKRecord(
          recordType: "Comment", recordID: CKRecord.ID(recordName: newName(), zoneID: try await people.bobsZone()))
        record["r"] = CKRecord.Reference(recordID: try any(records).recordID, action: .none)
        try await database.save(record)
      case 7:
        let zone = try await people.bobsZone()
        let aimed = (0..<20).map { _ in
          let record = CKRecord(
            recordType: "CD_Attachment",
            recordID: CKRecord.ID(recordName: newName(), zoneID: zone))
          record["CD_entityName"] = "Attachment"
          record["CD_post"] = victim.name
          return record
        }
        _ = try await database.modifyRecords(saving: aimed, deleting: [])
      case 8:
        let record = try any(records)
        // Alice works on the shared post.
        if labels[record.recordID.recordName]?.hasPrefix(" CD_Post") != true {
          try await database.deleteRecord(withID: record.recordID)
        }
      default:
        let record = try any(records)
        record["CD_title"] = record.recordType == "CDMR" ? nil : "title-\(count)"
        try await database.save(record)
      }
    }

    // MARK: Rounds

    func round() async throws {
      // CloudKit refuses some of Bob's actions; they change nothing.
      do { try await act() } catch is CKError {}
      if Int.random(in: 0..<3, using: &random) == 0 { try work() }
      let events = phone.events.count
      await phone.drain()
      #expect(phone.events.count - events <= 40, "seed \(seed)")
      #expect(try people.outside(phone) == before, "seed \(seed)")
    }

    /// Alice changes an object of the share if it exists.
    private func work() throws {
      guard try phone.row(people.shared) != nil else { return }
      let likes = Int64.random(in: 0..<1000, using: &random)
      try phone.save { transaction in
        if try transaction.row(people.shared) != nil { try transaction.set(people.shared, "likes", .integer(likes)) }
      }
    }

    func end() async throws {
      for device in [people.carol, phone, people.carol, phone] { await device.drain() }
      let new = try people.stage.device("alice", "new")
      await new.drain()
      let (lines, others) = (try new.lines(), try phone.lines())
      #expect(lines == others, "seed \(seed)")
      #expect(try people.outside(phone) == before, "seed \(seed)")
      #expect(try files(people.stage.cloud.path, holding: "SEALED-") == [], "seed \(seed)")
      #expect(try files(people.carol.store.path, holding: HostileStage.secret) == [], "seed \(seed)")
      let devices = people.stage.cloud.path + "/devices"
      #expect(try files(devices, holding: HostileStage.secret) == [], "seed \(seed)")
      for record in try await records() {
        let values = record.allKeys().map {
          "\(record.object(forKey: $0) ?? record.encryptedValues.object(forKey: $0) as Any)"
        }
        #expect(!values.joined().contains(HostileStage.secret), "seed \(seed): \(record.recordID.recordName)")
      }
    }

    /// The files below a path that contain a text.
    private func files(_ path: String, holding text: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
        // Files appear and disappear while the store is in use.
        guard let data = FileManager.default.contents(atPath: path + "/" + name) else { return false }
        return data.range(of: Data(text.utf8)) != nil
      }
    }
  }

  @Test(
    "a participant's writes change and reveal no object outside the share, and keep no device busy", arguments: 0..<4)
  func participantsWritesChangeAndRevealNoObject(number: UInt64) async throws {
    let run = try await Run(TestSeed.value(8100 + number))
    for _ in 0..<Self.rounds { try await run.round() }
    try await run.end()
  }
}
