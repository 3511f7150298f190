import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Hand-edited files and tokens never end the process")
struct HandEditedTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("a", "1"))
  }

  private func folder(_ more: String...) throws -> Directory {
    var folder = try Directory.open(path: cloud.path, in: FileSystem())
    for name in ["containers", TemporaryCloud.container, "development", "private", "alice"] + more {
      folder = try folder.directory(name)
    }
    return folder
  }

  @Test("the largest possible sequence in a zone's log")
  func zoneLog() throws {
    try cloud.zoneFolder().edit("changes.jsonl") { $0.replacing("\"sequence\":1", with: "\"sequence\":\(Int64.max)") }
    #expect(code { try alice.save(alice.note("b")) } == .internalError)
    #expect(try !cloud.service.checks.check().isEmpty)
  }

  @Test("the largest possible base sequence in a zone's properties")
  func zoneBase() throws {
    try cloud.zoneFolder().edit("zone.json") { $0.replacing("\"base\": 0", with: "\"base\": \(Int64.max)") }
    #expect(code { try alice.changes() } == .internalError)
    #expect(try !cloud.service.checks.check().isEmpty)
  }

  @Test("the largest and the smallest possible sequence in a pointer", arguments: [Int64.max, .min])
  func largestAndTheSmallestPossibleSequence(sequence: Int64) throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(try alice.share("a", with: ["bob"]))
    var shared = try Directory.open(path: cloud.path, in: FileSystem())
    for name in ["containers", TemporaryCloud.container, "development", "shared", "bob", "zones"] {
      shared = try shared.directory(name)
    }
    try shared.edit("alice,Notes.json") {
      $0.replacing(try! Regex("\"sequence\": [0-9]+"), with: "\"sequence\": \(sequence)")
    }
    #expect(code { try bob.changes() } == .internalError)
    #expect(try !cloud.service.checks.check().isEmpty)
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try bob.changes().changed.contains { $0.id.name == "a" })
  }

  @Test("a folder, pipe or link at a record's path gives an error with the path, without waiting", arguments: 0..<3)
  func otherThings(kind: Int) throws {
    try alice.save(alice.note("b", "1"))
    let records = try cloud.zoneFolder().directory("records")
    try records.remove("a.json")
    switch kind {
    case 0: try records.makeDirectory("a.json")
    case 1: #expect(mkfifo(records.path(of: "a.json"), 0o666) == 0)
    default: try records.createFile("a.json").truncate(to: 1 << 40)
    }
    do {
      _ = try alice.fetch("a")
      Issue.record("it was read")
    } catch let error as ServiceError {
      #expect(error.path?.hasSuffix("a.json") == true, "\(error)")
      #expect(error.cause == .damage, "\(error)")
    }
    #expect(try alice.fetch("b").fields["text"] == .string("1"))
    #expect(try cloud.service.checks.check().contains { $0.path.hasSuffix("a.json") })
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(code { try alice.fetch("a") } == .unknownItem)
    #expect(try alice.fetch("b").fields["text"] == .string("1"))
  }

  @Test("the largest possible sequence and era in a database's log", arguments: ["sequence", "era"])
  func databaseLog(key: String) throws {
    let token = try alice.databaseChanges().token
    let log = try folder()
    try log.edit("changes.jsonl") {
      $0.replacing(try! Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(Int64.max)")
    }
    _ = try? alice.databaseChanges(since: token)
    _ = try? alice.save(alice.note("b"))
    #expect(try alice.databaseChanges().changed.map(\.name) == ["Notes"])
  }

  @Test("a log whose only line has the sequence 0: damage ([check-5], [check-11], [check-16])", arguments: 0..<3)
  func nothingButZero(kind: Int) throws {
    try alice.share("a", with: ["bob"])
    let token = try alice.databaseChanges().token
    let log = try [folder(), cloud.zoneFolder(), cloud.zoneFolder().directory("shares")][kind]
    let name = kind == 2 ? "Share-1.jsonl" : "changes.jsonl"
    try log.edit(name) { text in
      let line = try #require(text.split(separator: "\n").last)
      return line.replacing(try! Regex("\"sequence\":[0-9]+"), with: "\"sequence\":0") + "\n"
    }
    #expect(
      try cloud.service.checks.check().contains {
        $0.path == log.path(of: name) && $0.text.hasPrefix("sequence 0 where")
      })
    _ = try? alice.databaseChanges(since: token)
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try cloud.service.checks.check() == [])
    #expect(try alice.fetch("a").fields["text"] == .string("1"))
  }

  @Test("a first line of a compacted log without the sequence 0 is damage", arguments: ["null", "1", "\"0\""])
  func headerSequence(value: String) throws {
    try alice.share("a", with: ["bob"])
    let shares = try cloud.zoneFolder().directory("shares")
    let header = #"{"forgotten":0,"horizon":1,"kept":0,"sequence":0,"superseded":0}"# + "\n"
    try shares.edit("Share-1.jsonl") { header + $0 }
    #expect(try cloud.service.checks.check() == [])
    try shares.edit("Share-1.jsonl") { $0.replacing("\"sequence\":0", with: "\"sequence\":\(value)") }
    #expect(try cloud.service.checks.check().map(\.path).contains(shares.path(of: "Share-1.jsonl")))
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("an incomplete participant entry makes each request fail with an error that has the path of the share's file")
  func incompleteParticipantEntryMakesEachRequest() throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    let url = try #require(try alice.share("a", with: ["bob"]).shareDetails?.url)
    try bob.accept(alice.fetch("Share-1"))
    let records = try cloud.zoneFolder().directory("records")
    try records.edit("Share-1.json") {
      $0.replacing("\"acceptanceStatus\": \"ACCEPTED\"", with: "\"acceptanceStatus\": \"\"")
    }
    let asked: [(String, () throws -> Any)] = [
      ("fetch", { try bob.fetch("a") }), ("save", { try bob.save(bob.note("a", "2"), policy: .allKeys) }),
      ("changes", { try bob.changes() }), ("own save", { try alice.save(alice.note("a", "2"), policy: .allKeys) }),
      ("own end", { try alice.modify(delete: ["Share-1"]).deletes[0].get() }),
      ("link", { try bob.service.sharing.acceptShare(url: url, by: bob.caller) }),
      (
        "zone",
        {
          try alice.service.zones.modifyZones(
            ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller
          )
          .deletes[0].get()
        }
      ),
    ]
    for (what, ask) in asked {
      do {
        _ = try ask()
        Issue.record("\(what): it was not noticed")
      } catch let error as ServiceError {
        #expect(error.path == records.path(of: "Share-1.json"), "\(what): \(error)")
        #expect(error.cause == .damage, "\(what): \(error)")
      }
    }
    #expect(try cloud.service.checks.check().map(\.path).contains(records.path(of: "Share-1.json")))
  }

  @Test("a database token with a negative position in its walk does not end the process")
  func negativeWalk() throws {
    let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let user = try alice.service.accounts.userRecordName(by: alice.caller)
    let marker = try #require(
      try Directory.open(path: cloud.path, in: FileSystem()).contents("cloud.json").map { try JSONValue(parsing: $0) })
    let object: JSONObject = [
      "container": .string(TemporaryCloud.container), "environment": "development", "era": 1,
      "history": try #require(marker["history"]), "kind": "database", "scope": "private", "sequence": 0,
      "user": .string(user), "version": 1, "walked": -1,
    ]
    var text: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in JSONValue.object(object).compact() {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(url[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { text.append(url[Int(bits << UInt32(6 - count) & 63)]) }
    #expect(try alice.databaseChanges(since: String(decoding: text, as: UTF8.self)).changed.map(\.name) == ["Notes"])
  }

  @Test("an editor's backup copy of a record does not get into a rebuilt index")
  func strayCopy() throws {
    try alice.save(alice.note("c", parent: .set("a", zone: nil)))
    let records = try cloud.zoneFolder().directory("records")
    let copy = try #require(try records.contents("c.json"))
    try alice.save(alice.note("c", tag: try alice.fetch("c").changeTag, parent: .clear))
    try records.writeStaged("c.json~", copy)
    try records.writeStaged("c copy.json", copy)
    _ = try cloud.zoneFolder().directory(".index").remove("index")
    try alice.modify(delete: ["a"]).deletes[0].get()
  }

  @Test(
    "a record whose stored link name can't be a file name can still be shared, and its zone has no problem",
    arguments: ["../x", "a/b", "..", "x\u{0}y", ""])
  func linkName(guid: String) throws {
    let records = try cloud.zoneFolder().directory("records")
    var object = try #require(try JSONValue(parsing: records.contents("a.json") ?? []).object)
    object["shortGUID"] = .string(guid)
    try records.writeStaged("a.json", JSONValue.object(object).pretty())
    try alice.share("a", with: ["bob"])
    try alice.save(alice.note("b", "1"))
    #expect(try alice.fetch("Share-1").shareDetails?.url?.hasPrefix("https://www.icloud.com/share/") == true)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("check reports a damaged marker of a deleted zone; after repair the zone's name can be used again")
  func checkReportsADamagedMarker() throws {
    let deleted = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
    try deleted.deletes[0].get()
    try folder("zones", ".deleted").writeStaged("Notes.json", Array("{".utf8))
    #expect(code { try alice.makeZone() } == .internalError)
    #expect(try cloud.service.checks.check().count == 1)
    let report = try cloud.service.repairs.repair()
    #expect(report.done.count == 1)
    #expect(report.left == [])
    try alice.makeZone()
    try alice.save(alice.note("a", "1"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("the earliest and the latest possible time can be printed")
  func earliestAndTheLatestPossibleTime() {
    #expect(Timestamp.text(milliseconds: .min).hasSuffix("Z"))
    #expect(Timestamp.text(milliseconds: .max).hasSuffix("Z"))
  }
}
