import CloudKit
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

/// Counts the reads of a store's files during an import of a number of records and of twice as many.
@Suite("Linear cost of imports [mirror-9]")
struct LinearImportTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  private func record(_ type: String, _ name: String, _ fields: [String: String]) -> CKRecord {
    let record = CKRecord(recordType: type, recordID: RecordLocation(.private, name).recordID)
    for (key, value) in fields { record[key] = value }
    return record
  }

  private func attachment(_ index: Int, of post: String) -> CKRecord {
    record(
      "CD_Attachment", "attachment-\(index)",
      ["CD_entityName": "Attachment", "CD_title": "x\(index)", "CD_post": post])
  }

  private func post(_ name: String) -> CKRecord {
    record("CD_Post", name, ["CD_entityName": "Post", "CD_title": name])
  }

  private func tag(_ title: String) -> CKRecord {
    record("CD_Tag", "tag", ["CD_entityName": "Tag", "CD_title": title])
  }

  private func pair(_ index: Int) -> CKRecord {
    record(
      "CDMR", "pair-\(index)",
      ["CD_entityNames": "Post:Tag", "CD_recordNames": "post-\(index):tag", "CD_relationships": "tags:posts"])
  }

  private func save(_ records: [CKRecord], deleting names: [String] = []) async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    let deletions = names.map { RecordLocation(.private, $0).recordID }
    try await database.save(CKRecordZone(zoneID: ZoneLocation.private.zoneID))
    for start in stride(from: 0, to: max(records.count, deletions.count), by: 300) {
      let (saved, deleted) = try await database.modifyRecords(
        saving: Array(records.dropFirst(start).prefix(300)), deleting: Array(deletions.dropFirst(start).prefix(300)),
        savePolicy: .allKeys)
      for result in saved.values { _ = try result.get() }
      for result in deleted.values { try result.get() }
    }
  }

  /// Creates a device, performs the steps one after another, and imports on the device after each of them.
  ///
  /// - Returns: the number of file reads from the last start of the mirroring to the end of its first import, and the
  ///   device. The push of the step may cause more runs after it.
  private func reads(_ name: String, _ steps: [() async throws -> Void]) async throws -> (Int, Device) {
    let counts = Mutex<(now: Int, afterImport: Int?)>((0, nil))
    let fileSystem = FileSystem(observing: .allCalls) { call in
      if case .read = call { counts.withLock { $0.now += 1 } }
      return .proceed
    }
    let device = try stage.device("alice", name, isStarted: false, in: fileSystem)
    for step in steps {
      try await step()
      counts.withLock { $0 = (0, nil) }
      let engine = MirroringEngine(
        store: device.store, containerIdentifier: MirrorStage.container, scope: .private,
        acting: try stage.identity("alice", name),
        event: { event in
          guard event.kind == .import, event.succeeded else { return }
          counts.withLock { $0.afterImport = $0.afterImport ?? $0.now }
        })
      engine.start()
      await engine.drain()
      engine.stop()
      #expect(engine.finish())
    }
    return (try #require(counts.withLock { $0.afterImport }), device)
  }

  /// Runs a scenario with a number of records and with twice as many, each in its own cloud.
  private func expectLinear(
    _ count: Int = 300, sourceLocation: SourceLocation = #_sourceLocation,
    _ scenario: (LinearImportTests, Int) async throws -> Int
  ) async throws {
    let small = try await scenario(try LinearImportTests(), count)
    let large = try await scenario(try LinearImportTests(), 2 * count)
    // A quadratic cost gives 4.
    #expect(Double(large) < Double(small) * 2.7, "\(small) reads, then \(large)", sourceLocation: sourceLocation)
  }

  @Test("an import of children before their parent has linear cost")
  func parentLast() async throws {
    try await expectLinear(600) { run, count in
      let (reads, device) = try await run.reads(
        "phone",
        [
          {
            try await run.save((0..<count).map { run.attachment($0, of: "parent") } + [run.post("parent")])
          }
        ])
      let post = try #require(try device.find("Post", "parent"))
      let attachments = TestModel.relationship("attachments", of: TestModel.entity("Post"))
      #expect(try device.store.read { try $0.related(post, attachments).count } == count)
      return reads
    }
  }

  @Test("an import of pairs before their tag has linear cost")
  func tagLast() async throws {
    try await expectLinear { run, count in
      let posts = (0..<count).map { run.post("post-\($0)") }
      let (reads, device) = try await run.reads(
        "phone",
        [
          {
            try await run.save(posts + (0..<count).map { run.pair($0) } + [run.tag("T")])
          }
        ])
      let tag = try #require(try device.find("Tag", "T"))
      let relationship = TestModel.relationship("posts", of: TestModel.entity("Tag"))
      #expect(try device.store.read { try $0.related(tag, relationship).count } == count)
      return reads
    }
  }

  @Test("an import of pairs and objects in mixed order has linear cost")
  func manyToMany() async throws {
    try await expectLinear { run, count in
      let records = (0..<count).flatMap { [run.pair($0), run.post("post-\($0)")] }
      let (reads, device) = try await run.reads("phone", [{ try await run.save([run.tag("T")] + records) }])
      let tag = try #require(try device.find("Tag", "T"))
      let relationship = TestModel.relationship("posts", of: TestModel.entity("Tag"))
      #expect(try device.store.read { try $0.related(tag, relationship).count } == count)
      return reads
    }
  }

  @Test("renaming a tag costs the same for any number of related objects")
  func renamedTag() async throws {
    func reads(_ count: Int) async throws -> Int {
      let run = try LinearImportTests()
      let posts = (0..<count).map { run.post("post-\($0)") }
      let (reads, device) = try await run.reads(
        "phone",
        [
          { try await run.save([run.tag("T")] + posts + (0..<count).map { run.pair($0) }) },
          { try await run.save([run.tag("U")]) },
        ])
      #expect(try device.titles("Tag") == ["U"])
      return reads
    }
    let (small, large) = (try await reads(150), try await reads(300))
    #expect(Double(large) < Double(small) * 1.3, "\(small) reads, then \(large)")
  }

  @Test("an import and a deletion of records with a missing target have linear cost")
  func missingTarget() async throws {
    try await expectLinear { run, count in
      try await run.reads(
        "phone",
        [
          {
            try await run.save((0..<count).map { run.attachment($0, of: "missing") })
          }
        ]
      ).0
    }
    try await expectLinear { run, count in
      let (reads, device) = try await run.reads(
        "phone",
        [
          { try await run.save((0..<count).map { run.attachment($0, of: "missing") }) },
          { try await run.save([], deleting: (0..<count).map { "attachment-\($0)" }) },
        ])
      #expect(try device.store.read { try $0.rows(prefix: "", in: .waiting).isEmpty })
      return reads
    }
    try await expectLinear { run, count in
      let (reads, device) = try await run.reads(
        "phone",
        [
          { try await run.save((0..<count).map { run.pair($0) }) },
          { try await run.save([], deleting: (0..<count).map { "pair-\($0)" }) },
        ])
      #expect(try device.store.read { try $0.rows(prefix: "", in: .waiting).isEmpty })
      return reads
    }
  }

  @Test("waiting references of a store of an earlier version are found by their rows")
  func earlierVersion() async throws {
    try await save([attachment(0, of: "parent"), pair(0), pair(1)])
    let device = try stage.device("alice", "phone")
    await device.drain()
    device.stop()
    _ = try device.store.write { transaction in
      for row in try transaction.rows(prefix: "", in: .waiting) where WaitingEntry(row) == nil {
        transaction.remove(row.id, from: .waiting)
      }
      let index = try #require(try transaction.row(key: StateKey.waitingIndex, in: .state))
      transaction.remove(index.id, from: .state)
      transaction.isInHistory = false
    }
    try await save([post("parent"), post("post-0"), post("post-1"), tag("T")], deleting: ["pair-1"])
    try device.start()
    await device.drain()
    let lines = try device.lines().map { $0.split(separator: " ").filter { !$0.contains("(") }.joined(separator: " ") }
    #expect(
      lines == [
        "Attachment x0 post=[\"parent\"]", "Post parent attachments=[\"x0\"]", "Post post-0 tags=[\"T\"]",
        "Post post-1", "Tag T posts=[\"post-0\"]",
      ])
    #expect(try device.store.read { try $0.rows(prefix: "", in: .waiting).isEmpty })
  }
}
