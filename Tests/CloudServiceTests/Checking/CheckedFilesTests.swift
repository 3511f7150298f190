import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Check examines each file's content; repair keeps a copy of every file it replaces")
struct CheckedFilesTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let container: Directory
  let zone: Directory

  init() throws {
    cloud = try TemporaryCloud()
    (alice, bob) = try cloud.shareNotes()
    container = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)", in: FileSystem())
    zone = try cloud.zoneFolder()
  }

  /// Writes a record as a faulty program would commit it: the log has the digest of the changed bytes.
  private func commit(_ name: String, _ change: (String) throws -> String) throws -> [UInt8] {
    let records = try zone.directory("records")
    let old = Digest.hex64(try #require(try records.contents(name)))
    let bytes = try records.edit(name, change)
    try zone.edit("changes.jsonl") { $0.replacing(old, with: Digest.hex64(bytes)) }
    return bytes
  }

  private func expect(_ folder: Directory, _ name: String, _ text: String) throws {
    #expect(try cloud.service.checks.check() == [Problem(path: folder.path(of: name), text: text)])
  }

  @discardableResult
  private func repaired() throws -> RepairReport {
    let report = try cloud.service.repairs.repair()
    #expect(report.left == [])
    #expect(try cloud.service.checks.check() == [])
    let again = try cloud.service.repairs.repair()
    #expect(again.done == [])
    return report
  }

  /// Expects that the report names the file and the folder below `aside` that now has the replaced bytes.
  private func expectKept(_ bytes: [UInt8], of folder: Directory, _ name: String, _ report: RepairReport) throws {
    let path = folder.path(of: name)
    let below = path.dropFirst(cloud.path.count)
    let kept = try cloud.aside().filter { $0.key.hasSuffix(below) }
    #expect(kept.values.contains(bytes), "\(kept.keys) for \(below)")
    let stamp = kept.first?.key.split(separator: "/").first ?? "none"
    #expect(report.done.contains { $0.path == path && $0.text.contains("aside/\(stamp)") }, "\(report.done)")
  }

  // MARK: Records

  @Test(
    "a committed record with a wrong zone ID or non-canonical spelling is reported and repaired ([file-2], [file-16])",
    arguments: [
      ("\"zoneName\": \"Notes\"", "\"zoneName\": \"Other\"", "its zoneID is not that of its zone"),
      ("\"ownerRecordName\": \"_", "\"ownerRecordName\": \"x_", "its zoneID is not that of its zone"),
      ("\"fields\": {", "\"fields\":  {", "it is not written canonically"),
    ])
  func faultyRecord(old: String, new: String, said: String) throws {
    let bytes = try commit("b.json") { $0.replacing(old, with: new) }
    let records = try zone.directory("records")
    try expect(records, "b.json", said)
    let report = try repaired()
    try expectKept(bytes, of: records, "b.json", report)
    #expect(try bob.fetch("b").fields["text"] == .string("1"))
    #expect(try records.text("b.json").contains("\"zoneName\": \"Notes\""))
  }

  @Test("check reports a root record whose share reference names a wrong zone")
  func faultyRoot() throws {
    let bytes = try commit("a.json") { text in
      var object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
      object["share"] = [
        "recordName": "Share-1", "zoneID": ["ownerRecordName": "__defaultOwner__", "zoneName": "Notes"],
      ]
      return String(decoding: JSONValue.object(object).pretty(), as: UTF8.self)
    }
    try expect(zone.directory("records"), "a.json", "its zoneID is not that of its zone")
    try expectKept(bytes, of: zone.directory("records"), "a.json", repaired())
  }

  @Test("check reports a record whose type or creating device differs from the log's line", arguments: [0, 1])
  func faultyLine(kind: Int) throws {
    try zone.edit("changes.jsonl") { text in
      text.split(separator: "\n").map { line in
        guard line.contains("\"recordName\":\"b\"") else { return line + "\n" }
        return kind == 0
          ? line.replacing("\"recordType\":\"Note\"", with: "\"recordType\":\"Memo\"") + "\n"
          : line.replacing("\"device\":\"alice-device\"", with: "\"device\":\"other\"") + "\n"
      }.joined()
    }
    try expect(
      zone.directory("records"), "b.json",
      kind == 0 ? "its type is not the log's" : "the device that created it is not the log's")
    try repaired()
  }

  @Test(
    "check reports a record without a time, user or device in created or modified ([check-13])",
    arguments: ["created", "modified"])
  func faultyStamp(key: String) throws {
    let records = try zone.directory("records")
    _ = try commit("b.json") { text in
      var object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
      object[key] = ["deviceID": "alice-device", "timestamp": "now", "userRecordName": "_"]
      return String(decoding: JSONValue.object(object).pretty(), as: UTF8.self)
    }
    let found = try cloud.service.checks.check()
    #expect(found.map(\.path) == [records.path(of: "b.json")])
    #expect(found[0].text.contains("created or modified is missing or incomplete"))
  }

  // MARK: Links

  @Test(
    "check reports a link whose file contradicts its share ([file-15])",
    arguments: [
      ("\"containerIdentifier\": \"iCloud.test\"", "\"containerIdentifier\": \"iCloud.other\"", "containerIdentifier"),
      ("\"rootRecordName\": \"a\"", "\"rootRecordName\": \"b\"", "rootRecordName"),
      ("\"ownerRecordName\": \"_", "\"ownerRecordName\": \"x_", "zoneID"),
      ("\"shortGUID\": \"", "\"shortGUID\": \"x", "shortGUID"),
    ])
  func faultyLink(old: String, new: String, key: String) throws {
    let links = try container.directory("shares")
    let link = try #require(try links.entries().first?.name)
    let whole = try links.contents(link)
    let bytes = try links.edit(link) { $0.replacing(old, with: new) }
    try expect(links, link, "its \(key) is not that of the share that it leads to")
    try expectKept(bytes, of: links, link, repaired())
    #expect(try links.contents(link) == whole)
  }

  @Test(
    "other spellings and unknown keys in links, pointers and zone properties are accepted ([version-4])"
  )
  func foreignSpelling() throws {
    let links = try container.directory("shares")
    let pointers = try container.directory("development").directory("shared").directory("bob").directory("zones")
    for (folder, name) in [
      (links, try #require(try links.entries().first?.name)), (pointers, "alice,Notes.json"),
      (zone, "zone.json"),
    ] {
      try folder.edit(name) { $0.replacing("\"zoneID\": {", with: "\"more\":7, \"zoneID\"  : {") }
    }
    #expect(try cloud.service.checks.check() == [])
    #expect(try cloud.service.repairs.repair().done == [])
  }

  // MARK: Strays

  @Test("check reports files that belong to no commit, upload or index, and repair sets them aside ([check-9])")
  func checkReportsFilesThatBelong() throws {
    try zone.directory(".journal").makeDirectory("uploads")
    let files: [(folder: Directory, name: String, text: String)] = [
      (try zone.directory(".journal").directory("staged"), "notes.txt", "no commit stages a file of this name"),
      (try zone.directory(".journal").directory("uploads"), "a.b.c", "no upload has this name"),
      (try zone.directory(".journal"), "log.before", "nothing of a journal's"),
      (try zone.directory(".index"), "index~", "nothing of an index's"),
      (zone, "changes.jsonl.old", "nothing of a zone's"),
    ]
    for file in files { try file.folder.writeStaged(file.name, Array(file.name.utf8)) }
    let expected = files.map { Problem(path: $0.folder.path(of: $0.name), text: $0.text) }
    #expect(Set(try cloud.service.checks.check()) == Set(expected))
    let report = try repaired()
    for file in files {
      #expect(try !file.folder.exists(file.name))
      try expectKept(Array(file.name.utf8), of: file.folder, file.name, report)
    }
  }

  @Test("leftovers of a killed process are no problem; the next commit removes or overwrites them")
  func leftoversOfAKilledProcess() throws {
    let journal = try zone.directory(".journal")
    try journal.makeDirectory("uploads")
    let (staged, uploads) = (try journal.directory("staged"), try journal.directory("uploads"))
    for name in ["0", "17", "compacted-0", "compacted-1", "zone.json", "changes.jsonl"] {
      try staged.writeStaged(name, [1])
    }
    for name in ["9b2e", "9b2e.0", "77aa.1"] { try uploads.writeStaged(name, [1]) }
    try zone.directory(".index").writeStaged("index.new", [1])
    #expect(try cloud.service.checks.check() == [])
    try alice.save(alice.note("b", "2"), policy: .allKeys)
    #expect(try uploads.entries().isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }

  // MARK: Files that repair replaces

  @Test("repair keeps a copy of a record that was edited by hand")
  func keepsRecord() throws {
    let records = try zone.directory("records")
    let bytes = try records.edit("b.json") { $0.replacing("\"1\"", with: "\"2\"") }
    let report = try repaired()
    try expectKept(bytes, of: records, "b.json", report)
    #expect(report.done.map(\.path) == [records.path(of: "b.json"), records.path(of: "Share-1.json")])
    #expect(report.done[0].text.contains("behind the program's back"))
  }

  @Test("repair sets aside the log of a share whose record file is missing")
  func keepsShareLog() throws {
    let (records, shares) = (try zone.directory("records"), try zone.directory("shares"))
    let log = try #require(try shares.contents("Share-1.jsonl"))
    try records.remove("Share-1.json")
    let report = try repaired()
    #expect(try !shares.exists("Share-1.jsonl"))
    let kept = try cloud.aside().filter { $0.key.hasSuffix("/shares/Share-1.jsonl") }
    #expect(kept.values.contains { $0.starts(with: log) })
    #expect(report.done.contains { $0.path == shares.path(of: "Share-1.jsonl") && $0.text.contains("aside/") })
    #expect(try alice.fetch("a").fields["text"] == .string("1"))
  }

  @Test("repair keeps copies of a replaced pointer, and of the zone properties when a new history begins")
  func keepsPointer() throws {
    let pointers = try container.directory("development").directory("shared").directory("bob").directory("zones")
    let pointer = try pointers.edit("alice,Notes.json") { $0.replacing("\"Share-1\"", with: "\"Share-2\"") }
    try expectKept(pointer, of: pointers, "alice,Notes.json", repaired())
    let properties = try #require(try zone.contents("zone.json"))
    try zone.writeStaged("changes.jsonl", Array("garbage".utf8))
    try expectKept(properties, of: zone, "zone.json", repaired())
  }

  // MARK: In use

  @Test("check finds no problem while another process shares, changes, unshares and deletes records")
  func inUse() throws {
    let path = cloud.path
    let settings = cloud.service.settings
    let (zone, caller) = (alice.zone, alice.caller)
    let state = ThreadCondition((isOver: false, hasEnded: false))
    startThread {
      let other = try? CloudService.open(root: path, settings: settings)
      var round = 0
      while state.wait(seconds: 0, { $0.isOver }) == false {
        round += 1
        let id = RecordIdentifier(name: ExactName("w\(round % 3)"), zone: zone)
        let share = RecordIdentifier(name: ExactName("Share-w\(round % 3)"), zone: zone)
        let saves = [
          RecordSave(id: id, type: "Note", fields: ["text": .string("\(round)")]),
          RecordSave(
            id: share, type: Record.shareType,
            share: ShareSave(root: id.name, publicPermission: .readOnly, participants: [])),
        ]
        _ = try? other?.records.modifyRecords(
          ModifyRecordsRequest(scope: .private, saves: saves, policy: .allKeys), by: caller)
        _ = try? other?.records.modifyRecords(
          ModifyRecordsRequest(scope: .private, deletes: [share, id]), by: caller)
      }
      state.change { $0.hasEnded = true }
    }
    for _ in 0..<60 { #expect(try cloud.service.checks.check() == []) }
    state.change { $0.isOver = true }
    _ = state.wait(seconds: 60) { $0.hasEnded ? true : nil }
    #expect(try cloud.service.checks.check() == [])
  }
}
