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

  /// [history-3]
  @Test("a participant does not learn the name of another share that a record was in")
  func otherShares() throws {
    for name: ExactName in ["a", "b"] { try alice.save(alice.note(name, "1")) }
    try bob.accept(try alice.share("a", with: ["bob"]))
    try carol.accept(try alice.share("b", share: "Share-2", with: ["carol"]))
    try alice.save(alice.note("moved", "1", parent: .set("b", zone: nil)))
    try alice.save(alice.note("moved", "1", parent: .set("a", zone: nil)), policy: .allKeys)
    let own = try #require(try history("moved", of: alice).versions.last)
    #expect(own.shareBefore == "Share-2" && own.shareAfter == "Share-1")
    let seen = try history("moved", of: bob).versions
    #expect(seen.map(\.shareBefore) == [nil] && seen.map(\.shareAfter) == ["Share-1"])
    #expect(code { try history("moved", of: carol) } == .unknownItem)
  }

  /// [history-3]
  @Test("a participant of a zone that is shared as a whole has the versions from the one that it was shared with")
  func zoneWide() throws {
    let tag = try alice.save(alice.note("a", "1")).changeTag
    let second = try alice.save(alice.note("a", "2", tag: tag))
    let share = try alice.save(
      RecordSave(
        id: alice.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(root: nil, participants: [alice.invitation("bob")])))
    try bob.accept(share)
    let third = try bob.save(bob.note("a", "3", tag: second.changeTag))
    #expect(try history("a", of: bob).versions.map(\.changeTag) == [second.changeTag, third.changeTag])
    #expect(try history("a", of: alice).versions.count == 3)
    #expect(try history("a", of: bob).versions.map(\.stamp) == [second.modified, third.modified])
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

  /// [history-7]
  @Test("in the public database the grants decide about deleted records, and about each record that had the name")
  func publicDatabase() throws {
    func person(_ account: String?) -> Person {
      var person = Person(cloud, account)
      (person.scope, person.zone) = (.public, .default)
      return person
    }
    let (alice, bob, nobody) = (person("alice"), person("bob"), person(nil))
    _ = try cloud.service.schemas.importSchema(
      """
      DEFINE SCHEMA
        RECORD TYPE Diary (text STRING, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
        RECORD TYPE Wiki (text STRING, GRANT READ, CREATE, WRITE TO "_icloud");
      """, by: alice.caller)
    try alice.save(alice.note("a", "1", type: "Diary"))
    #expect(code { try history("a", of: bob) } == .permissionFailure)
    try alice.modify(delete: ["a"]).deletes[0].get()
    #expect(try history("a", of: alice).versions.map(\.change) == [.created, .deleted])
    for other in [bob, nobody] { #expect(code { try history("a", of: other) } == .unknownItem) }
    try bob.save(bob.note("a", "2", type: "Wiki"))
    #expect(try history("a", of: alice).versions.map(\.change) == [.created, .deleted, .created])
    #expect(try history("a", of: bob).versions.map(\.type) == ["Wiki"])
    #expect(code { try history("a", of: nobody) } == .permissionFailure)
    try bob.modify(delete: ["a"]).deletes[0].get()
    #expect(try history("a", of: bob).versions.map(\.type) == ["Wiki", "Wiki"])
  }

  /// [history-4]
  @Test("a record without a version in the log is unknownItem")
  func missing() throws {
    #expect(code { try history("none", of: alice) } == .unknownItem)
    #expect(code { try history("a/b", of: alice) } == .unknownItem)
  }
}
