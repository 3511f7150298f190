import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@Suite("Unsaved changes of a record: rules that a mutation test found untested")
struct PendingEditTests: OnZoneStage {
  let stage: ZoneStage

  init() async throws { stage = try await ZoneStage() }

  // [encryption-value-5]
  @Test("a field that is set plain and encrypted has only the last value, in either order")
  func oneWay() async throws {
    let record = note("plain")
    record.encryptedValues["key"] = "sealed"
    record["key"] = "open"
    #expect(record["key"] as? String == "open")
    #expect(record.encryptedValues["key"] == nil)
    #expect(record.allKeys() == ["key"])
    #expect(record.encryptedValues.allKeys().isEmpty)
    #expect(record.changedKeys() == ["key"])
    #expect(record.encryptedValues.changedKeys().isEmpty)
    // The save succeeds. The server refuses fields that are both plain and encrypted.
    try await database.save(record)
    let fetched = try await database.record(for: record.recordID)
    #expect(fetched["key"] as? String == "open")
    #expect(fetched.encryptedValues.allKeys().isEmpty)

    let other = CKRecord(recordType: "Other", recordID: note("sealed").recordID)
    other["key"] = "open"
    other.encryptedValues["key"] = "sealed"
    #expect(other["key"] == nil)
    #expect(other.encryptedValues["key"] as? String == "sealed")
    #expect(other.allKeys() == ["key"])
    #expect(other.encryptedValues.changedKeys() == ["key"])
    try await database.save(other)
    let sealed = try await database.record(for: other.recordID)
    #expect(sealed["key"] == nil)
    #expect(sealed.encryptedValues["key"] as? String == "sealed")
  }

  // [record-save-7]
  @Test("changes during a save stay in the record as changes, and the next save sends them")
  func editedMeanwhile() async throws {
    let record = note("note", "first")
    record["body"] = "first"
    record.encryptedValues["secret"] = "first"
    let parent = note("parent")
    try await database.save(parent)
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let save = Task { try await database.save(record) }
    // The save has already copied the record, and waits for the lock.
    try await lock.isAwaited()
    record["title"] = "second"
    record["late"] = 1
    record["body"] = nil
    record.encryptedValues["secret"] = "second"
    record.setParent(parent)
    lock.release()
    let saved = try await save.value
    #expect(saved["title"] as? String == "first")
    #expect(saved["late"] == nil)
    #expect(saved.parent == nil)
    #expect(record.recordChangeTag == saved.recordChangeTag)
    #expect(record["title"] as? String == "second")
    #expect(record["late"] as? Int == 1)
    #expect(record["body"] == nil)
    #expect(record.encryptedValues["secret"] as? String == "second")
    #expect(record.changedKeys() == ["body", "late", "secret", "title"])
    #expect(record.parent?.recordID == parent.recordID)
    try await database.save(record)
    let fetched = try await database.record(for: record.recordID)
    #expect(fetched["title"] as? String == "second")
    #expect(fetched["late"] as? Int == 1)
    #expect(fetched["body"] == nil)
    #expect(fetched.encryptedValues["secret"] as? String == "second")
    #expect(fetched.parent?.recordID == parent.recordID)
    #expect(record.changedKeys().isEmpty)
  }

  @Test("participants' roles and permissions that change during a save stay, and the others get the server's values")
  func participantsMeanwhile() async throws {
    let alice = try cloud.container(of: "alice")
    let root = note("root")
    let share = CKShare(rootRecord: root)
    let (bob, carol, dave) = (
      try await alice.shareParticipant(forEmailAddress: "bob@example.com"),
      try await alice.shareParticipant(forEmailAddress: "carol@example.com"),
      try await alice.shareParticipant(forEmailAddress: "dave@example.com")
    )
    for participant in [bob, carol, dave] { share.addParticipant(participant) }
    _ = try await database.modifyRecords(saving: [root, share], deleting: []).saveResults[share.recordID]?.get()
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let save = Task { try await database.save(share) }
    try await lock.isAwaited()
    bob.role = .administrator
    carol.permission = .readWrite
    lock.release()
    _ = try await save.value
    #expect(bob.role == .administrator)
    #expect(bob.permission == .readOnly)
    #expect(carol.role == .privateUser)
    #expect(carol.permission == .readWrite)
    #expect(dave.role == .privateUser)
    #expect(dave.permission == .readOnly)
    #expect(dave.acceptanceStatus == .pending)
    try await database.save(share)
    let fetched = try await database.record(for: share.recordID) as? CKShare
    let saved = try #require(fetched?.participants.dropFirst())
    #expect(saved.map(\.role) == [.administrator, .privateUser, .privateUser])
    #expect(saved.map(\.permission) == [.readOnly, .readWrite, .readOnly])
  }

  // [record-save-8]
  @Test("the ancestor record of a conflict is the record as it was fetched, without a share that is being created")
  func ancestorRecordOfAConflict() async throws {
    let root = try await database.save(note("root", "fetched"))
    let newer = try await database.record(for: root.recordID)
    newer["title"] = "newer"
    try await database.save(newer)
    root["title"] = "mine"
    let share = CKShare(rootRecord: root)
    let (saves, _) = try await database.modifyRecords(saving: [root, share], deleting: [])
    guard case .failure(let failure)? = saves[root.recordID], let error = failure as? CKError else {
      Issue.record("it was saved")
      return
    }
    #expect(error.code == .serverRecordChanged)
    let ancestor = try #require(error.ancestorRecord)
    #expect(ancestor.share == nil)
    #expect(ancestor["title"] as? String == "fetched")
    #expect(ancestor.changedKeys().isEmpty)
    #expect(error.clientRecord?.share?.recordID == share.recordID)
    #expect(error.clientRecord?["title"] as? String == "mine")
    #expect(error.serverRecord?.share == nil)
    #expect(error.serverRecord?["title"] as? String == "newer")
    // If the fetched record was shared, its ancestor has the share.
    let shared = try await database.record(for: root.recordID)
    let made = CKShare(rootRecord: shared)
    _ = try await database.modifyRecords(saving: [shared, made], deleting: []).saveResults[made.recordID]?.get()
    let stale = try await database.record(for: root.recordID)
    shared["title"] = "again"
    try await database.save(shared)
    stale["title"] = "late"
    do {
      try await database.save(stale)
      Issue.record("it was saved")
    } catch let error as CKError {
      #expect(error.ancestorRecord?.share?.recordID == made.recordID)
    }
  }
}
