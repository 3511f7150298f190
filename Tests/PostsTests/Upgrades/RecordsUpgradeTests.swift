import CloudKit
import Foundation
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

/// This build reads, checks and changes the clouds that earlier versions wrote ([version-2]).
@Suite("Clouds that earlier versions wrote", .serialized)
struct RecordsUpgradeTests {
  private let zoneID = CKRecordZone.ID(zoneName: "Notes")

  private func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zoneID) }

  @Test("there is a recorded state of each kind", arguments: FormerState.kinds)
  func kinds(kind: String) { #expect(FormerState.names(kind).count > 1) }

  @Test("all values, assets and encrypted values are read, and the index answers queries", arguments: names)
  func values(name: String) async throws {
    let state = try FormerState(name)
    #expect(try state.problems() == [])
    try await state.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let ada = try await database.record(for: id("ada"))
      #expect(ada["text"] as String? == "Ada")
      #expect(ada["number"] as Int? == 1)
      #expect(ada.encryptedValues["code"] as String? == "1234")
      let picture = try #require((ada["picture"] as CKAsset?)?.fileURL)
      #expect(try Data(contentsOf: picture) == Data("a picture".utf8))
      let child = try await database.record(for: id("child"))
      #expect(child["text"] as String? == "child of bob")
      #expect(child.parent?.recordID == id("ada"))
      let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "number > 1"))
      query.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
      let found = try await database.records(matching: query, inZoneWith: zoneID).matchResults
      #expect(found.map(\.0.recordName) == ["alone", "child"])
    }
    #expect(try state.problems() == [])
  }

  @Test("a change token of an earlier version continues, also after this build's saves", arguments: names)
  func changes(name: String) async throws {
    let state = try FormerState(name)
    let first = CKServerChangeToken(data: Data(try state.text("token").utf8))
    try await state.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: first)
      let share = try #require(try await database.record(for: id("ada")).share).recordID
      #expect(Set(changes.modificationResultsByID.keys) == [id("ada"), id("child"), id("alone"), share])
      #expect(changes.deletions.map(\.recordID) == [id("former")])
      let new = CKRecord(recordType: "Note", recordID: id("new"))
      new["text"] = "new"
      new.encryptedValues["code"] = "5678"
      try await database.save(new)
      let alone = try await database.record(for: id("alone"))
      alone["text"] = "changed"
      try await database.save(alone)
      try await database.deleteRecord(withID: id("child"))
      let later = try await database.recordZoneChanges(inZoneWith: zoneID, since: changes.changeToken)
      // The deletion changes the parent's tag only.
      #expect(Set(later.modificationResultsByID.keys).subtracting([id("ada")]) == [id("new"), id("alone")])
      #expect(later.deletions.map(\.recordID) == [id("child")])
      #expect(try await database.record(for: id("new")).encryptedValues["code"] as String? == "5678")
      let subscriptions = try await database.allSubscriptions()
      #expect(subscriptions.map(\.subscriptionID) == ["notes"])
    }
    #expect(try state.problems() == [])
  }

  @Test("a participant reads and changes the shared records, and the share's link still opens", arguments: names)
  func share(name: String) async throws {
    let state = try FormerState(name)
    let link = try #require(URL(string: try state.text("link")))
    let owner = try state.service.accounts.account("alice").userRecordName
    let sharedID = CKRecordZone.ID(zoneName: "Notes", ownerName: owner)
    try await state.acting(as: "bob") { container in
      let database = container.sharedCloudDatabase
      let ada = try await database.record(for: CKRecord.ID(recordName: "ada", zoneID: sharedID))
      #expect(ada.encryptedValues["code"] as String? == "1234")
      ada.encryptedValues["code"] = "of bob"
      try await database.save(ada)
      await #expect(throws: CKError.self) {
        try await database.record(for: CKRecord.ID(recordName: "alone", zoneID: sharedID))
      }
      let metadata = try await container.shareMetadata(for: link)
      #expect(metadata.participantStatus == .accepted)
      #expect(metadata.share[CKShare.SystemFieldKey.title] as? String == "Ada")
    }
    try await state.acting(as: "alice") { container in
      let ada = try await container.privateCloudDatabase.record(for: id("ada"))
      #expect(ada.encryptedValues["code"] as String? == "of bob")
    }
    #expect(try state.problems() == [])
  }

  @Test(
    "a record's history has the versions in log lines of earlier versions, with and without authors", arguments: names)
  func history(name: String) async throws {
    let state = try FormerState(name)
    let log = try state.text(
      "cloud/containers/\(FormerState.container)/development/private/alice/zones/Notes/changes.jsonl")
    let hasAuthors = log.contains("\"time\":")
    func versions(_ record: String) throws -> [RecordHistory.Version] {
      let identifier = RecordIdentifier(name: ExactName(record), zone: ZoneIdentifier(name: "Notes"))
      return try state.service.feeds.history(of: identifier, in: .private, by: state.caller("alice")).versions
    }
    #expect(try versions("former").map(\.change) == [.created, .deleted])
    #expect(try versions("child").map(\.change) == [.created, .touched, .changed])
    let before = try versions("alone")
    #expect(before.map(\.change) == [.created, .changed])
    #expect(before.allSatisfy { ($0.stamp != nil) == hasAuthors && ($0.fields != nil) == hasAuthors })
    try await state.acting(as: "alice") { container in
      let alone = try await container.privateCloudDatabase.record(for: id("alone"))
      alone["text"] = "changed"
      try await container.privateCloudDatabase.save(alone)
    }
    let after = try versions("alone")
    #expect(Array(after.dropLast()).map(\.changeTag) == before.map(\.changeTag))
    #expect(after.last?.stamp != nil)
    #expect(after.last?.fields?.map(\.key) == ["text"])
  }

  private static let names = FormerState.names("records")
}
