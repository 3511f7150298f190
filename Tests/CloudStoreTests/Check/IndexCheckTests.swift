import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Check compares the index with records and logs ([check-17])")
struct IndexCheckTests {
  private let path = ScratchFolder.newPath("index-check")
  private let cloud: Cloud
  private let zone: ZoneStore
  private let zonePath = ZonePath(
    database: DatabasePath(container: "c", environment: "e", scope: ["private", "alice"]), zone: "Z")

  init() throws {
    try Cloud.create(path: path, history: "h", created: 0)
    cloud = try Cloud(path: path, fieldEncoding: FieldEncoding { _, _ in [] }, observer: ToyObserver())
    let properties = ZoneProperties(name: "Z", owner: "_alice", incarnation: "i", base: 0, capabilities: 0, created: 0)
    zone = try #require(try cloud.createZone(zonePath, properties, mentioned: false, LockWaitPolicy()).zone)
    for name in ["a", "b", "gone"] {
      try commit { transaction in
        try transaction.put(
          StoredRecord([
            "recordName": .string(name), "recordType": "T",
            "zoneID": ["ownerRecordName": "_alice", "zoneName": "Z"],
          ]))
      }
    }
    try commit { try $0.delete("gone") }
  }

  private func commit(_ change: (ZoneTransaction) throws -> Void) throws {
    try zone.write(LockWaitPolicy()) { transaction in
      try change(transaction)
      try transaction.commit(LockWaitPolicy())
    }
  }

  private func check() throws -> [Problem] {
    let rules = CloudChecker.Rules(
      record: { _, _ in ZoneChecker.Finding(text: nil, isLinked: false) }, zone: { _, _, _ in [] })
    return try CloudChecker(cloud, LockWaitPolicy()).check(zonePath, rules)
  }

  private func change(insert: [[UInt8]] = [], remove: [[UInt8]] = []) throws {
    let index = try #require(try zone.folder.openIndex(writing: true))
    try index.apply(insert: insert, remove: remove, sequence: index.sequence)
  }

  @Test("the keys of a record and of a deletion that the index lacks, and keys without reason, are named")
  func wrongKeys() throws {
    #expect(try check() == [])
    try change(
      insert: [IndexKey.typed("T", "x")], remove: [IndexKey.typed("T", "a"), IndexKey.gone(nil, 4, "gone", type: "T")])
    let problems = try check()
    #expect(problems.allSatisfy { $0.path == zone.directory.path(of: ".index") })
    let texts = problems.map(\.text)
    #expect(texts.count == 3, "\(texts)")
    #expect(texts.contains("it lacks tT|a"))
    #expect(texts.contains("it has tT|x without reason"))
    #expect(texts.contains { $0.hasPrefix("it lacks d|") && $0.hasSuffix("gone|T") })
    try ScratchFolder.remove(path)
  }

  @Test("up to five missing keys and five needless ones are named")
  func manyWrongKeys() throws {
    let names = (0..<9).map { ExactName("n\($0)") }
    try commit { transaction in
      for name in names {
        try transaction.put(
          StoredRecord([
            "recordName": .string(name.string), "recordType": "T",
            "zoneID": ["ownerRecordName": "_alice", "zoneName": "Z"],
          ]))
      }
    }
    #expect(try check() == [])
    try change(
      insert: names.map { IndexKey.typed("Other", $0) }, remove: names.map { IndexKey.typed("T", $0) })
    let texts = try check().map(\.text)
    #expect(texts.count { $0.hasPrefix("it lacks tT|n") } == 5)
    #expect(texts.count { $0.hasPrefix("it has tOther|n") } == 5)
    #expect(texts.count == 10)
    #expect(Set(texts).count == 10)
    try ScratchFolder.remove(path)
  }
}
