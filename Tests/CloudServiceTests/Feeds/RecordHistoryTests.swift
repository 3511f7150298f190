import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Histories of records")
struct RecordHistoryTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func history(_ name: ExactName, of person: Person) throws -> RecordHistory {
    try person.service.feeds.history(of: person.id(name), in: person.scope, by: person.caller)
  }

  /// [history-1]
  @Test("a history has the versions in the order of the log, with tag, author and changed fields")
  func versions() throws {
    let first = try alice.save(alice.note("a", "one"))
    try alice.save(alice.note("b", "other"))
    let second = try alice.save(alice.note("a", "two", tag: first.changeTag))
    _ = try alice.modify(delete: ["a"])
    let versions = try history("a", of: alice).versions
    #expect(versions.map(\.change) == [.created, .changed, .deleted])
    #expect(versions.prefix(2).map(\.changeTag) == [first.changeTag, second.changeTag])
    #expect(versions.map { $0.fields?.map(\.key) } == [["text"], ["text"], []])
    #expect(versions.map(\.stamp?.userRecordName) == Array(repeating: second.modified.userRecordName, count: 3))
    #expect(versions[1].stamp == second.modified)
    // A save that changes nothing is a version.
    let other = try alice.fetch("b")
    try alice.save(alice.note("b", "other", tag: other.changeTag))
    #expect(try history("b", of: alice).versions.last?.fields == [])
  }

  /// [history-2]
  @Test("values are those of files that the log's digests name; a file that was edited by hand gives none")
  func values() throws {
    try alice.save(alice.note("a", "one"))
    let field = try #require(try history("a", of: alice).versions.first?.fields?.first)
    #expect(field.key == "text" && field.before == nil && field.after == .plain(.string("one")))
    try cloud.zoneFolder().directory("records").edit("a.json") { $0.replacing("one", with: "two") }
    let version = try #require(try history("a", of: alice).versions.first)
    #expect(!version.hasAfter)
    #expect(version.fields?.map(\.key) == ["text"])
    #expect(version.fields?.first?.after == nil)
  }

  /// [history-3]
  @Test("a participant has the versions since the record entered the share, and none after they lost it")
  func participants() throws {
    let first = try alice.save(alice.note("a", "hidden"))
    try alice.save(alice.note("a", "shared", tag: first.changeTag))
    #expect(code { try history("a", of: bob) } == .zoneNotFound)
    let share = try alice.share("a", with: ["bob"])
    try bob.accept(share)
    let all = try history("a", of: alice).versions
    let seen = try history("a", of: bob).versions
    #expect(seen.count == all.count - 2)
    #expect(seen.first?.shareAfter == "Share-1")
    try alice.save(alice.note("b", "outside"))
    #expect(code { try history("b", of: bob) } == .unknownItem)
    _ = try alice.modify(delete: ["Share-1"])
    #expect(code { try history("a", of: bob) } == .zoneNotFound)
    #expect(try history("a", of: alice).versions.count > all.count)
  }

  /// [history-1]
  @Test("the log names the users who do not own the zone, and other devices than the creating one; a touch has neither")
  func authors() throws {
    let created = try alice.save(alice.note("a", "1"))
    try bob.accept(try alice.share("a", with: ["bob"]))
    let changed = try bob.save(bob.note("a", "2", tag: try bob.fetch("a").changeTag))
    try alice.save(alice.note("child", "1", parent: .set("a", zone: nil)))
    let versions = try history("a", of: alice).versions
    #expect(versions.first?.stamp == created.modified)
    #expect(versions.first { $0.changeTag == changed.changeTag }?.stamp == changed.modified)
    #expect(versions.last?.change == .touched && versions.last?.stamp == nil)
    #expect(try history("a", of: bob).versions.last?.stamp == nil)
    let log = String(decoding: try #require(try cloud.zoneFolder().contents("changes.jsonl")), as: UTF8.self)
    let lines = try log.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(!log.contains(#""user":"\#(created.modified.userRecordName)""#))
    let line = lines.first { $0["recordChangeTag"]?.string == changed.changeTag }
    #expect(line?["user"]?.string == changed.modified.userRecordName)
    #expect(line?["userDevice"]?.string == changed.modified.deviceID)
  }

  /// [history-4]
  @Test("a record without a version in the log is unknownItem")
  func missing() throws {
    #expect(code { try history("none", of: alice) } == .unknownItem)
    #expect(code { try history("a/b", of: alice) } == .unknownItem)
  }
}
