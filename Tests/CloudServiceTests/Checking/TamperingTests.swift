import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Files changed from outside: found and reported, never a crash")
struct TamperingTests {
  let cloud: TemporaryCloud
  let alice: Person
  let zone: Directory

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    for name in ["a", "b", "c"] as [ExactName] { try alice.save(alice.note(name, "1")) }
    try alice.share("a", with: ["bob"])
    zone = try cloud.zoneFolder()
  }

  @Test(
    "a record file that is edited, emptied, garbled, removed or renamed is reported, and other records work",
    arguments: 0..<6)
  func recordFileThatIsEditedEmptiedGarbled(kind: Int) throws {
    let records = try zone.directory("records")
    let bytes = try #require(try records.contents("b.json"))
    let text = String(decoding: bytes, as: UTF8.self)
    switch kind {
    case 0: try records.writeStaged("b.json", Array(text.replacing("\"1\"", with: "\"2\"").utf8))
    case 1: try records.writeStaged("b.json", [])
    case 2: try records.writeStaged("b.json", Array("{\"recordName\": ".utf8))
    case 3: try records.remove("b.json")
    case 4: try records.writeStaged("b.json", Array(text.replacing("\"b\"", with: "\"x\"").utf8))
    default: try records.writeStaged("x.json", bytes)
    }
    #expect(!(try cloud.service.checks.check().isEmpty))
    _ = try? alice.fetch("b")
    _ = try? alice.save(alice.note("b", "3"), policy: .allKeys)
    _ = try? alice.changes()
    #expect(try alice.fetch("c").fields["text"] == .string("1"))
  }

  @Test("a log that ends within a line is damage for readers and writers, so that no sequence is used twice")
  func cutLog() throws {
    let bytes = try #require(try zone.contents("changes.jsonl"))
    try zone.writeStaged("changes.jsonl", Array(bytes.dropLast(10)))
    #expect(code { try alice.save(alice.note("d")) } == .internalError)
    #expect(code { try alice.changes() } == .internalError)
    #expect(!(try cloud.service.checks.check().isEmpty))
    try zone.writeStaged("changes.jsonl", bytes)
    try alice.save(alice.note("d"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a missing or garbled index is rebuilt", arguments: [0, 1])
  func missingOrGarbledIndexIsRebuilt(kind: Int) throws {
    let index = try zone.directory(".index")
    if kind == 0 {
      try index.remove("index")
    } else {
      try index.writeStaged("index", Array(repeating: 7, count: 20_000))
    }
    let query = QueryRecordsRequest(scope: .private, zone: alice.zone, recordType: "Note")
    #expect(try alice.service.queries.queryRecords(query, by: alice.caller).records.count == 3)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("each file of the tree garbled: links, pointers, zone properties and accounts never end the process")
  func everyFile() throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(try alice.fetch("Share-1"))
    func files(_ directory: Directory) throws -> [(Directory, String)] {
      try directory.entries().flatMap { entry -> [(Directory, String)] in
        if entry.kind == .directory { return try files(try directory.directory(entry.name)) }
        return entry.name == "lock" || entry.name == "gate" || entry.name == ".lock" ? [] : [(directory, entry.name)]
      }
    }
    for (directory, name) in try files(try Directory.open(path: cloud.path, in: FileSystem())) {
      let bytes = try #require(try directory.contents(name))
      for garbage in [[], Array("{}".utf8), Array("{\"a\":[".utf8), Array(bytes.prefix(bytes.count / 2))] as [[UInt8]]
      where garbage != bytes {
        try directory.writeStaged(name, garbage)
        let service = try? CloudService.open(root: cloud.path, settings: cloud.service.settings)
        // Any answer or error is accepted.
        if let service {
          let found = try? service.checks.check()
          if name.hasSuffix(".json"), !name.hasPrefix("."), name != "cloud.json" {
            #expect(found?.isEmpty != true, "\(name) as \(String(decoding: garbage, as: UTF8.self))")
          }
        }
        _ = try? bob.changes()
        _ = try? alice.changes()
        _ = try? alice.databaseChanges()
        _ = try? alice.fetch("a")
        try directory.writeStaged(name, bytes)
      }
    }
    // A damaged mark of the origin made the cloud a copy, which every process opens anew.
    let again = Person(cloud, "alice", by: try CloudService.open(root: cloud.path, settings: cloud.service.settings))
    _ = try again.save(again.note("last"))
  }
}
