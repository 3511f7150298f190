import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Repair: afterwards check finds no problem, and all replaced files are set aside")
struct RepairTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let zone: Directory

  init() throws {
    cloud = try TemporaryCloud()
    (alice, bob) = try cloud.shareNotes()
    try alice.save(alice.note("gone", "1"))
    try alice.modify(delete: ["gone"]).deletes[0].get()
    zone = try cloud.zoneFolder()
  }

  private func repaired() throws -> RepairReport {
    let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
    let report = try service.repairs.repair()
    #expect(report.left == [])
    #expect(try service.checks.check() == [])
    let second = try service.repairs.repair()
    #expect(second.done == [])
    #expect(second.left == [])
    return report
  }

  /// Expects that both people see these records and can save.
  private func expectEverything(_ names: Set<ExactName> = ["a", "b", "c", "Share-1"], b: String = "1") throws {
    #expect(try Set(alice.changes().changed.map(\.id.name)) == names)
    #expect(try Set(bob.changes().changed.map(\.id.name)) == names.subtracting(["c"]))
    if names.contains("b") { #expect(try bob.fetch("b").fields["text"] == .string(b)) }
    try alice.save(alice.note("later", "1"))
    try bob.save(bob.note("b", "by bob", parent: .set("a", zone: nil)), policy: .allKeys)
    #expect(try alice.fetch("b").fields["text"] == .string("by bob"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("repair changes nothing in a cloud without problems") func repairChangesNothingInACloud() throws {
    let report = try cloud.service.repairs.repair()
    #expect(report.done == [])
    #expect(report.left == [])
    #expect(try cloud.aside() == [:])
  }

  @Test("repair commits a hand-edited record as a change with a new tag, and tokens stay valid")
  func repairCommitsAHandEditedRecord() throws {
    let token = try alice.changes().token
    let tag = try alice.fetch("b").changeTag
    let bytes = try #require(try zone.directory("records").contents("b.json"))
    try zone.directory("records").writeStaged(
      "b.json", Array(String(decoding: bytes, as: UTF8.self).replacing("\"1\"", with: "\"2\"").utf8))
    let bobs = try bob.changes().token
    // The record, and the log of its share.
    #expect(try repaired().done.count == 2)
    #expect(try bob.changes(since: bobs).changed.map(\.id.name) == ["b"])
    let changes = try alice.changes(since: token)
    #expect(changes.changed.map(\.id.name) == ["b"])
    #expect(changes.changed[0].changeTag != tag)
    try expectEverything(b: "2")
  }

  @Test("repair restores the share reference of a root record that its share names")
  func repairRestoresTheShareReference() throws {
    let records = try zone.directory("records")
    let bytes = try #require(try records.contents("a.json"))
    var object = try #require(try JSONValue(parsing: bytes).object)
    object["share"] = nil
    try records.writeStaged("a.json", JSONValue.object(object).pretty())
    #expect(try repaired().done.contains { $0.text.hasPrefix("it is the root of 'Share-1' again") })
    #expect(try alice.fetch("a").share == "Share-1")
    try expectEverything()
  }

  @Test(
    "repair reports a missing or unreadable record as deleted in every feed, and sets its file aside",
    arguments: [0, 1, 2])
  func repairReportsAMissingOrUnreadableRecord(kind: Int) throws {
    let (token, bobs) = (try alice.changes().token, try bob.changes().token)
    let records = try zone.directory("records")
    switch kind {
    case 0: try records.remove("b.json")
    case 1: try records.writeStaged("b.json", Array("{\"recordName\": ".utf8))
    default: try records.writeStaged("b.json", [])
    }
    _ = try repaired()
    #expect(try alice.changes(since: token).deleted.map(\.record.name) == ["b"])
    #expect(try bob.changes(since: bobs).deleted.map(\.record.name) == ["b"])
    #expect(try cloud.aside().filter { $0.key.hasSuffix("records/b.json") }.count == (kind == 0 ? 0 : 1))
    try alice.save(alice.note("b", "1", parent: .set("a", zone: nil)))
    try expectEverything()
  }

  @Test("repair sets a record aside if its type, device or parent contains a zero byte")
  func zeroByte() throws {
    for (name, old, new) in [
      ("c", "\"Note\"", #""a\u0000b""#), ("c", #""deviceID": "alice"#, #""deviceID": "\u0000alice"#),
      ("b", "\"a\"", #""a\u0000""#),
    ] {
      let bytes = try #require(try zone.directory("records").contents("\(name).json"))
      let text = String(decoding: bytes, as: UTF8.self).replacing(old, with: new)
      try zone.directory("records").writeStaged("\(name).json", Array(text.utf8))
      #expect(code { try alice.fetch(ExactName(name)) } == .internalError)
      _ = try repaired()
      #expect(code { try alice.fetch(ExactName(name)) } == .unknownItem)
      if name == "c" { try alice.save(alice.note("c", "1")) }
    }
    #expect(try cloud.aside().filter { $0.key.contains("records/") }.count == 3)
    try alice.save(alice.note("b", "1", parent: .set("a", zone: nil)))
    try expectEverything()
  }

  @Test("repair starts a new era for a database's log with a negative era")
  func negativeEra() throws {
    let database = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development/shared/bob", in: FileSystem())
    let log = try #require(try database.contents("changes.jsonl"))
    let first = log.split(separator: 0x0A)[0]
    let text = String(decoding: first, as: UTF8.self).replacing(#/"era":\d+/#, with: #""era":-5"#) + "\n"
    try database.writeStaged("changes.jsonl", Array(text.utf8))
    _ = try repaired()
    try expectEverything()
  }

  @Test(
    "repair starts a new history for an unreadable log: old tokens expire, and all change tags are new",
    arguments: 0..<4)
  func repairStartsANewHistory(kind: Int) throws {
    let token = try alice.changes().token
    let tags = Set(try alice.changes().changed.map(\.changeTag))
    let bytes = try #require(try zone.contents("changes.jsonl"))
    switch kind {
    case 0: try zone.writeStaged("changes.jsonl", Array(bytes.dropLast(10)))
    case 1: try zone.writeStaged("changes.jsonl", Array(bytes.dropFirst(10)))
    case 2: try zone.writeStaged("changes.jsonl", Array("garbage".utf8))
    default: try zone.remove("changes.jsonl")
    }
    _ = try repaired()
    #expect(code { try alice.changes(since: token) } == .changeTokenExpired)
    #expect(Set(try alice.changes().changed.map(\.changeTag)).isDisjoint(with: tags))
    #expect(try cloud.aside().filter { $0.key.hasSuffix("changes.jsonl") }.count == (kind == 3 ? 0 : 1))
    try expectEverything()
  }

  @Test("repair restores a share's log that is invalid or missing, and removes one without a share", arguments: 0..<3)
  func shareLog(kind: Int) throws {
    let shares = try zone.directory("shares")
    switch kind {
    case 0: try shares.writeStaged("Share-1.jsonl", Array("garbage\n".utf8))
    case 1: try shares.remove("Share-1.jsonl")
    default: try shares.writeStaged("Other.jsonl", try #require(try shares.contents("Share-1.jsonl")))
    }
    _ = try repaired()
    try expectEverything()
  }

  @Test("repair restores missing zone properties, lock files and folders", arguments: 0..<5)
  func zoneFiles(kind: Int) throws {
    switch kind {
    case 0: try zone.writeStaged("zone.json", Array("{}".utf8))
    case 1: try zone.remove("zone.json")
    case 2: try zone.remove("lock")
    case 3: try zone.removeTree(".index")
    default: try zone.removeTree(".journal")
    }
    _ = try repaired()
    try expectEverything()
  }

  @Test("repair of a journal with a damaged entry applies all complete entries")
  func repairOfAJournalWithADamaged() throws {
    let journal = try zone.directory(".journal")
    var bytes = try #require(try journal.contents("log"))
    // As on another boot: the header is invalid, and the first entry is broken.
    for offset in 0..<48 { bytes[offset] = 0 }
    bytes[80] ^= 0xFF
    try journal.writeStaged("log", bytes)
    #expect(code { try alice.changes() } == .internalError)
    _ = try repaired()
    #expect(try cloud.aside().filter { $0.key.hasSuffix(".journal/log") }.count == 1)
    try expectEverything()
  }

  @Test("repair of a journal with a lost entry does not restore older values from complete entries before it")
  func lostEntry() throws {
    let journal = try zone.directory(".journal")
    for text in ["2", "3"] { try alice.save(alice.note("b", text), policy: .allKeys) }
    let size = try journal.journalEnd()
    try alice.save(alice.note("b", "4"), policy: .allKeys)
    try alice.modify(delete: ["c"]).deletes[0].get()
    var bytes = try #require(try journal.contents("log"))
    for offset in 0..<48 { bytes[offset] = 0 }
    bytes[size + 40] ^= 0xFF
    try journal.writeStaged("log", bytes)
    _ = try repaired()
    #expect(try alice.fetch("b").fields["text"] == .string("4"))
    #expect(code { try alice.fetch("c") } == .unknownItem)
    try expectEverything(["a", "b", "Share-1"], b: "4")
  }

  @Test(
    "repair restores links and pointers that are invalid or missing, and removes those without a target",
    arguments: 0..<6)
  func repairRestoresLinksAndPointers(kind: Int) throws {
    let container = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)", in: FileSystem())
    let links = try container.directory("shares")
    let link = try #require(try links.entries().first?.name)
    let pointers = try container.directory("development").directory("shared").directory("bob").directory("zones")
    let pointer = try #require(try pointers.entries().first?.name)
    switch kind {
    case 0: try links.remove(link)
    case 1: try links.writeStaged(link, Array("{}".utf8))
    case 2: try links.writeStaged("aaaaaaaaaaaaaaaaaaaaaa.json", try #require(try links.contents(link)))
    case 3: try pointers.remove(pointer)
    case 4: try pointers.writeStaged(pointer, Array("[]".utf8))
    default: try pointers.writeStaged("nobody,Notes.json", try #require(try pointers.contents(pointer)))
    }
    _ = try repaired()
    try expectEverything()
    #expect(
      try alice.service.sharing.shareMetadata(
        ShareMetadataRequest(url: alice.fetch("Share-1").shareDetails?.url ?? ""), by: cloud.caller("bob")
      ).status
        == .accepted)
  }

  @Test("repair replaces an invalid database log: the new one reports every zone, and old tokens expire")
  func databaseLog() throws {
    let token = try alice.databaseChanges().token
    let folder = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development/private/alice", in: FileSystem())
    let bytes = try #require(try folder.contents("changes.jsonl"))
    try folder.writeStaged("changes.jsonl", Array(bytes.dropFirst(5)))
    _ = try repaired()
    #expect(try alice.databaseChanges(since: token).changed.map(\.name) == ["Notes"])
    try expectEverything()
  }

  @Test("repair sets unknown files aside under their paths")
  func repairSetsUnknownFilesAsideUnder() throws {
    try zone.directory("records").writeStaged("notes.txt", Array("mine".utf8))
    try zone.directory("records").writeStaged("x.json~", Array("mine".utf8))
    _ = try repaired()
    #expect(try cloud.aside().count == 2)
    try expectEverything()
  }
}
