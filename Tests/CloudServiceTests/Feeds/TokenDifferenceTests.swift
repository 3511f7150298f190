import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Differences between change tokens")
struct TokenDifferenceTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func differences(from old: String, to new: String? = nil, of person: Person) throws -> [String] {
    try person.service.feeds.differences(from: old, to: new, by: person.caller).map { difference in
      switch difference {
      case .loggedRecord(_, let record):
        let names = ((record.fields ?? ["?"]) + (record.members ?? [])).joined(separator: " ")
        return "\(record.kind) \(record.name.string) \(names)"
      case .zone(let path, let kind): return "\(kind) \(path.zone.string)"
      default: return "?"
      }
    }
  }

  /// [diff-1]
  @Test("two tokens of a zone give each record that was added, removed or changed in between, with its fields")
  func records() throws {
    for name: ExactName in ["a", "b", "c"] { try alice.save(alice.note(name, "1")) }
    let start = try alice.changes().token
    #expect(try differences(from: start, of: alice) == [])
    try alice.save(alice.note("a", "2"), policy: .allKeys)
    try alice.save(alice.note("d", "1"))
    try alice.save(alice.note("e", "1"))
    _ = try alice.modify(delete: ["b", "e"])
    let end = try alice.changes(since: start).token
    let expected = ["changed a text", "added d text", "removed b "]
    #expect(try differences(from: start, to: end, of: alice) == expected)
    // A save of a child gives its parent nothing but a tag.
    try alice.save(alice.note("f", parent: .set("c", zone: nil)))
    #expect(try differences(from: start, to: end, of: alice) == expected)
    #expect(try differences(from: end, of: alice) == ["added f parent"])
  }

  /// [diff-2]
  @Test("tokens of other feeds, in the wrong order, of another account or no tokens are refused")
  func refusals() throws {
    let start = try alice.changes().token
    try alice.save(alice.note("a", "1"))
    let end = try alice.changes().token
    #expect(code { try differences(from: end, to: start, of: alice) } == .invalidArguments)
    let database = try alice.databaseChanges().token
    #expect(code { try differences(from: start, to: database, of: alice) } == .invalidArguments)
    #expect(code { try differences(from: start, of: carol) } == .changeTokenExpired)
    #expect(code { try differences(from: "none", of: alice) } == .changeTokenExpired)
    #expect(alice.service.feeds.isToken(start) && alice.service.feeds.isToken(database))
    for text in ["", "now", "none", "e30", String(repeating: "A", count: 100_000)] {
      #expect(!alice.service.feeds.isToken(text))
    }
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
    try alice.makeZone()
    #expect(code { try differences(from: start, of: alice) } == .changeTokenExpired)
  }

  /// [diff-3]
  @Test("two tokens of a database give its zones that changed or were deleted")
  func zones() throws {
    var other = alice
    other.zone.name = "Other"
    try other.makeZone()
    let start = try alice.databaseChanges().token
    try alice.save(alice.note("a", "1"))
    let middle = try alice.databaseChanges(since: start).token
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [other.zone]), by: alice.caller)
    #expect(try differences(from: start, to: middle, of: alice) == ["changed Notes"])
    #expect(try differences(from: start, of: alice) == ["changed Notes", "removed Other"])
    #expect(code { try differences(from: middle, to: start, of: alice) } == .invalidArguments)
  }

  /// [diff-4]
  @Test("a participant gets the records that entered, changed in or left the joined shares, and no others")
  func participants() throws {
    try alice.save(alice.note("a", "1"))
    try alice.save(alice.note("b", "1"))
    try alice.save(alice.note("in", "1", parent: .set("a", zone: nil)))
    try bob.accept(try alice.share("a", with: ["bob"]))
    let start = try bob.changes().token
    try alice.save(alice.note("b", "2"), policy: .allKeys)
    try alice.save(alice.note("b", "2", parent: .set("a", zone: nil)), policy: .allKeys)
    try alice.save(alice.note("in", "1", parent: .clear), policy: .allKeys)
    let lines = try differences(from: start, of: bob)
    #expect(lines.contains { $0.hasPrefix("added b ") })
    #expect(lines.contains("removed in "))
    #expect(!lines.contains { $0.contains("text") })
  }
}
