import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Each case was found by a fuzz run over a hundred thousand damaged files.
@Suite("Damaged files: the error names the file, and other data stays usable")
struct HarmedFileTests {
  let cloud: TemporaryCloud
  let alice: Person

  init() throws {
    cloud = try TemporaryCloud { settings in
      settings.limits.checkpointBytes = 3000
      settings.limits.retainedChanges = 4
    }
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("plain", "1"))
    var sealed = alice.note("root", "1")
    sealed.encryptedFields = ["secret": .string("hidden")]
    try alice.save(sealed)
  }

  private func folder(_ path: String) throws -> Directory {
    try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development/\(path)", in: FileSystem())
  }

  @Test("the error of a changed encrypted value has the path of its record's file")
  func sealedValue() throws {
    let records = try cloud.zoneFolder().directory("records")
    let bytes = try #require(try records.contents("root.json"))
    let sealed = try #require(try JSONValue(parsing: bytes)["fields"]?["secret"]?["value"]?.string)
    try records.edit("root.json") {
      $0.replacing(sealed, with: (sealed.hasPrefix("A") ? "B" : "A") + sealed.dropFirst())
    }
    let failure = error { try alice.fetch("root") }
    #expect(failure?.code == .internalError)
    #expect(failure?.cause == .damage)
    #expect(failure?.path == records.path(of: "root.json"))
    #expect(failure?.message.contains("'secret'") == true)
    #expect(try alice.fetch("root", keys: ["text"]).fields["text"] == .string("1"))
    #expect(try alice.fetch("plain").fields["text"] == .string("1"))
  }

  @Test(
    "if a share's key is not a regular file, participants can still read unencrypted fields",
    arguments: ["folder", "pipe", "link"])
  func shareKey(kind: String) throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(try alice.share("root", with: ["bob"]))
    #expect(try bob.fetch("root").encryptedFields["secret"] == .string("hidden"))
    let keys = try cloud.zoneFolder().directory("keys").directory("shares")
    let path = keys.path(of: "Share-1.json")
    try keys.remove("Share-1.json")
    switch kind {
    case "folder": try keys.makeDirectory("Share-1.json")
    case "pipe": #expect(mkfifo(path, 0o666) == 0)
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
    }
    #expect(try bob.fetch("root", keys: ["text"]).fields["text"] == .string("1"))
    let failure = error { try bob.fetch("root") }
    #expect(failure?.message.contains("'secret'") == true, "\(String(describing: failure))")
    #expect(failure?.path == path, "\(String(describing: failure))")
    #expect(try cloud.service.checks.check().contains { $0.path == path })
  }

  @Test("a pointer to a record that is not a share gives no access, and does not block the owner's saves ([check-8])")
  func pointerToARecord() throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(try alice.share("root", with: ["bob"]))
    let pointers = try folder("shared/bob/zones")
    try pointers.edit("alice,Notes.json") { $0.replacing("Share-1", with: "plain") }
    #expect(code { try bob.fetch("root") } == .unknownItem)
    try alice.save(alice.note("root", "2"), policy: .allKeys)
    #expect(try cloud.service.checks.check().map(\.path).contains(pointers.path(of: "alice,Notes.json")))
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try bob.fetch("root").fields["text"] == .string("2"))
  }

  @Test("an index copied from another zone is rejected, even with an equal sequence ([index-3])")
  func indexCopiedFromAnotherZoneIsRejected() throws {
    var other = alice
    other.zone = ZoneIdentifier(name: "Other")
    try other.makeZone()
    for name: ExactName in ["x", "y"] { try other.save(other.note(name, "1")) }
    let bytes = try #require(try cloud.zoneFolder("Other").directory(".index").contents("index"))
    try cloud.zoneFolder().directory(".index").writeStaged("index", bytes)
    #expect(try !cloud.service.checks.check().isEmpty)
    let next = try CloudService.open(root: cloud.path)
    let anew = Person(cloud, "alice", by: next)
    #expect(try anew.changes().changed.map(\.id.name).sorted() == ["plain", "root"])
    try anew.save(anew.note("third", "1"))
    #expect(try anew.changes().changed.map(\.id.name).sorted() == ["plain", "root", "third"])
    #expect(try next.checks.check() == [])
  }

  @Test("a compacted log with a wrong horizon or count is damage ([check-11])", arguments: ["horizon", "kept"])
  func logHeader(key: String) throws {
    for text in 0..<40 { try alice.save(alice.note("plain", "\(text)"), policy: .allKeys) }
    let zone = try cloud.zoneFolder()
    try zone.edit("changes.jsonl") { text in
      let header = try #require(text.split(separator: "\n").first)
      #expect(header.contains("\"\(key)\":"), "\(header)")
      let harmed = String(header).replacing(try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(1 << 40)")
      return harmed + text.dropFirst(header.count)
    }
    #expect(try cloud.service.checks.check().contains { $0.path == zone.path(of: "changes.jsonl") })
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try cloud.service.checks.check() == [])
    #expect(try alice.fetch("plain").fields["text"] == .string("39"))
  }

  @Test("a zone change entry with an impossible sequence is reported and repaired ([check-5])")
  func zoneChangeEntryWithAnImpossibleSequence() throws {
    let database = try folder("private/alice")
    try database.edit("changes.jsonl") {
      $0.replacing(try Regex("\"zoneSequence\":[0-9]+"), with: "\"zoneSequence\":-1")
    }
    #expect(try cloud.service.checks.check().map(\.path).contains(database.path(of: "changes.jsonl")))
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try cloud.service.checks.check() == [])
    #expect(try alice.databaseChanges().changed.map(\.name) == ["Notes"])
  }

  @Test("a push without its priority is damage ([check-23])")
  func pushWithoutItsPriorityIsDamage() throws {
    _ = try cloud.service.devices.signIn("alice", on: "tablet")
    let request = ModifySubscriptionsRequest(
      scope: .private, saves: [.init(Subscription(id: "all", kind: .zone(alice.zone)))])
    _ = try cloud.service.subscriptions.modifySubscriptions(request, by: cloud.caller("alice", device: "tablet")).saves[
      0
    ].get()
    try alice.save(alice.note("new", "1"))
    let pushes = try Directory.open(path: cloud.path + "/devices/tablet/pushes", in: FileSystem())
    #expect(try cloud.service.checks.check() == [])
    try pushes.edit("pushes.jsonl") { $0.replacing("\"priority\"", with: "\"urgency\"") }
    #expect(try cloud.service.checks.check().map(\.path) == [pushes.path(of: "pushes.jsonl")])
    #expect(try cloud.service.repairs.repair().left == [])
  }
}
