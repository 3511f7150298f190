import LocalCloudModel
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Save policies and their conflict rules")
struct SavePolicyTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  // [record-save-1]
  @Test("a missing record is created; with a change tag ifServerRecordUnchanged refuses it with unknownItem")
  func missingRecordIsCreated() throws {
    let made = try alice.save(alice.note("a", "1"))
    #expect(made.changeTag == "1")
    #expect(made.created == made.modified)
    #expect(made.created.userRecordName == (try alice.service.accounts.userRecordName(by: alice.caller)))
    #expect(code { try alice.save(alice.note("b", "1", tag: "9")) } == .unknownItem)
    #expect(try alice.save(alice.note("b", "1", tag: "9"), policy: .changedKeys).fields["text"] == .string("1"))
    #expect(try alice.save(alice.note("c", "1", tag: "9"), policy: .allKeys).fields["text"] == .string("1"))
  }

  // [record-save-2], [record-save-3]
  @Test(
    "ifServerRecordUnchanged refuses a nil or old tag of an existing record; the other policies merge the fields",
    arguments: [nil, "zz"] as [String?])
  func ifServerRecordUnchangedRefusesANilOrOldTag(tag: String?) throws {
    let first = try alice.save(alice.note("a", "1"))
    do {
      try alice.save(alice.note("a", "2", tag: tag))
      Issue.record("no conflict")
    } catch let error as ServiceError {
      #expect(error.code == .serverRecordChanged)
      #expect(error.internalCode == 2004)
      #expect(error.message == (tag == nil ? "record to insert already exists" : "client oplock error updating record"))
      #expect(error.serverRecord == first)
    }
    #expect(try alice.fetch("a") == first)
    for policy in [SavePolicy.changedKeys, .allKeys] {
      let merged = try alice.save(
        RecordSave(id: alice.id("a"), type: "Note", changeTag: tag, fields: ["other": .int64(1)]), policy: policy)
      // No policy replaces the whole record: fields that only the server has stay.
      #expect(merged.fields == ["text": .string("1"), "other": .int64(1)])
      #expect(merged.created == first.created)
    }
  }

  // [record-value-3], [record-system-1], [record-save-4]
  @Test("a save with an equal tag merges the fields, a nil value removes one, and each save gives a new tag")
  func equalTag() throws {
    let first = try alice.save(
      RecordSave(id: alice.id("a"), type: "Note", fields: ["text": .string("1"), "gone": .int64(1)]))
    let second = try alice.save(
      RecordSave(id: alice.id("a"), type: "Note", changeTag: first.changeTag, fields: ["gone": FieldValue?.none]))
    #expect(second.fields == ["text": .string("1")])
    #expect(second.changeTag != first.changeTag)
    #expect(second.modified.timestamp > first.modified.timestamp)
    let third = try alice.save(alice.note("a", tag: second.changeTag))
    #expect(third.fields == second.fields)
    #expect(third.changeTag != second.changeTag)
  }

  @Test("a new record type fails with invalidArguments, after the check of the tag ([record-save-5], [record-save-9])")
  func otherType() throws {
    let first = try alice.save(alice.note("a", "1"))
    #expect(code { try alice.save(alice.note("a", tag: "zz", type: "Other")) } == .serverRecordChanged)
    #expect(code { try alice.save(alice.note("a", tag: first.changeTag, type: "Other")) } == .invalidArguments)
  }

  // [record-system-5], [record-delete-1]
  @Test("deleting a missing record succeeds without a change; a deleted name can be used for a new record")
  func deletingAMissingRecordSucceeds() throws {
    let first = try alice.save(alice.note("a", "1"))
    let token = try alice.changes().token
    _ = try alice.modify(delete: ["never"]).deletes[0].get()
    #expect(try alice.changes(since: token).deleted.isEmpty)
    _ = try alice.modify(delete: ["a"]).deletes[0].get()
    #expect(code { try alice.fetch("a") } == .unknownItem)
    let deleted = try alice.changes(since: token).deleted
    #expect(deleted.map(\.record) == [try alice.id("a").owned(by: alice)])
    #expect(deleted.map(\.type) == ["Note"])
    let second = try alice.save(alice.note("a", "2"))
    #expect(second.created.timestamp > first.created.timestamp)
    #expect(second.changeTag != first.changeTag)
    #expect(code { try alice.save(alice.note("a", "3", tag: first.changeTag)) } == .serverRecordChanged)
  }

  @Test("saves, deletions and fetches in a missing zone fail with zoneNotFound ([record-batch-8])")
  func missingZone() throws {
    var other = alice
    other.zone = ZoneIdentifier(name: "None")
    #expect(code { try other.save(other.note("a")) } == .zoneNotFound)
    #expect(code { try other.modify(delete: ["a"]).deletes[0].get() } == .zoneNotFound)
    #expect(code { try other.fetch("a") } == .zoneNotFound)
    #expect(code { try other.changes() } == .zoneNotFound)
  }

  @Test(
    "desiredKeys: nil means all fields, an empty list system fields only, unknown names are ignored ([record-fetch-2])")
  func desiredKeys() throws {
    try alice.save(alice.note("parent"))
    try alice.save(alice.note("a", "1", parent: .set("parent", zone: nil)))
    #expect(try alice.fetch("a", keys: nil).fields.count == 1)
    #expect(try alice.fetch("a", keys: []).fields.isEmpty)
    #expect(try alice.fetch("a", keys: []).parent == "parent")
    #expect(try alice.fetch("a", keys: ["nothing", "text"]).fields == ["text": .string("1")])
  }
}

extension RecordIdentifier {
  /// The identifier with the owner's name, as answers contain it.
  func owned(by person: Person) throws -> RecordIdentifier {
    var copy = self
    copy.zone.owner = try person.service.accounts.userRecordName(by: person.caller)
    return copy
  }
}
