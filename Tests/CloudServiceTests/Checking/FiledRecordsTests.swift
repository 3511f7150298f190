import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

@Suite("Records as their files hold them")
struct FiledRecordsTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private var database: DatabaseContents {
    get throws {
      try #require(try cloud.service.checks.contents().first { $0.scope == .private && $0.account == "alice" })
    }
  }

  @Test("an administrator reads all records without a key, with the names of encrypted fields and the shares")
  func allRecords() throws {
    try alice.save(alice.secret("root", "hush"))
    try alice.save(alice.secret("child", "c", parent: .set("root", zone: nil)))
    try alice.save(alice.secret("outside", "o"))
    _ = try alice.share("root", with: ["bob"], permission: .readOnly)
    let page = try cloud.service.checks.records(of: alice.zone.name, in: database, limit: 10)
    let notes = page.items.filter { $0.record.type == "Note" }
    #expect(notes.map(\.record.id.name) == ["child", "outside", "root"])
    #expect(notes.allSatisfy { $0.sealed.map(\.name) == ["secret"] && $0.record.encryptedFields.isEmpty })
    #expect(notes.map { $0.share == nil } == [false, true, false])
    #expect(page.counts?.records == 3 && page.counts?.shares == 1)
    #expect(page.next == nil)
  }

  @Test("a page ends at its limit, and the next one goes on after it")
  func pages() throws {
    for name in ["a", "b", "c"] as [ExactName] { try alice.save(alice.secret(name, "s")) }
    let first = try cloud.service.checks.records(of: alice.zone.name, in: database, type: "Note", limit: 2)
    #expect(first.items.map(\.record.id.name) == ["a", "b"])
    let second = try cloud.service.checks.records(
      of: alice.zone.name, in: database, type: "Note", after: first.next, limit: 2)
    #expect(second.items.map(\.record.id.name) == ["c"])
    #expect(second.next == nil)
  }

  @Test("a zone that does not exist is not found")
  func missingZone() throws {
    #expect(throws: ServiceError.self) {
      try cloud.service.checks.records(of: "None", in: database, limit: 2)
    }
  }
}
