import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudEmulator
import Testing

@Suite("Temporary clouds")
struct TemporaryCloudTests {
  @Test("two people share a note, and no file remains")
  func share() async throws {
    let root = try await LocalCloud.temporary(people: "ada", "ben") { cloud in
      let container = CKContainer(identifier: "iCloud.test")
      let url = try await cloud.acting(as: "ada") { try await sharedNote(in: container, with: "ben@example.com") }
      try await cloud.acting(as: "ben") {
        let metadata = try await container.shareMetadata(for: url)
        _ = try await container.accept(metadata)
        let id = try #require(metadata.hierarchicalRootRecordID)
        let note = try await container.sharedCloudDatabase.record(for: id)
        #expect(note["title"] as String? == "Milk")
      }
      #expect(hasFiles(cloud))
      return cloud.root
    }
    #expect(!FileManager.default.fileExists(atPath: root.deletingLastPathComponent().path))
  }

  /// Shares a note with a person. Returns the link.
  private func sharedNote(in container: CKContainer, with address: String) async throws -> URL {
    let database = container.privateCloudDatabase
    let zone = try await database.save(CKRecordZone(zoneName: "Notes"))
    let note = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "milk", zoneID: zone.zoneID))
    note["title"] = "Milk"
    let share = CKShare(rootRecord: note)
    let participant = try await container.shareParticipant(forEmailAddress: address)
    participant.permission = .readWrite
    share.addParticipant(participant)
    let results = try await database.modifyRecords(saving: [note, share], deleting: []).saveResults
    let saved = try #require(try results[share.recordID]?.get() as? CKShare)
    return try #require(saved.url)
  }

  @Test("clouds that exist at the same time have different roots and records")
  func parallelClouds() async throws {
    let roots = try await withThrowingTaskGroup(of: URL.self, returning: [URL].self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await LocalCloud.temporary(people: "ada") { cloud in
            try await cloud.acting(as: "ada") {
              let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
              // It would be refused where the record exists.
              _ = try await database.save(CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "milk")))
            }
            return cloud.root
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(roots).count == 4)
  }

  @Test("within the body, functions of LocalCloud use the cloud; outside of it there is none")
  func scope() throws {
    try LocalCloud.temporary(people: "ada") { cloud in
      #expect(try LocalCloud.cloud.root == cloud.root)
      let inner = try LocalCloud.acting(as: "ada") { try LocalCloud.cloud.root }
      #expect(inner == cloud.root)
      try LocalCloud.addAccount("ben")
      try LocalCloud.setStatus(.restricted, of: "ben")
      #expect(try cloud.stores(of: "ada").path.hasPrefix(cloud.root.deletingLastPathComponent().path))
      #expect(FileManager.default.fileExists(atPath: try cloud.stores(of: "ada").path))
    }
    #expect(throws: CKError.self) { try LocalCloud.cloud }
  }

  @Test("people that the cloud does not have are refused")
  func unknownPerson() async throws {
    try await LocalCloud.temporary(people: "ada") { cloud in
      #expect(throws: CKError.self) { try cloud.stores(of: "zoe") }
      do {
        try await cloud.acting(as: "zoe") {
          _ = try await CKContainer(identifier: "iCloud.test").privateCloudDatabase.save(CKRecordZone(zoneName: "Z"))
        }
        Issue.record("an account that the cloud does not have saved a zone")
      } catch {
        #expect((error as? CKError)?.code == .notAuthenticated)
      }
    }
  }

  @Test("a schema is that of development, and a clock and a seed give equal clouds")
  func schemaClockAndSeed() async throws {
    let schema = "DEFINE SCHEMA RECORD TYPE Note (title STRING, text STRING QUERYABLE);"
    var users: Set<CKRecord.ID> = []
    for _ in 0..<2 {
      try await LocalCloud.temporary(
        people: "ada", schema: schema, seed: "7", clock: "2026-01-31T12:00:00Z", container: "iCloud.test"
      ) { cloud in
        let (user, date) = try await cloud.acting(as: "ada") {
          let container = CKContainer.default()
          #expect(container.containerIdentifier == "iCloud.test")
          let note = CKRecord(recordType: "Note")
          note["title"] = "Milk"
          let saved = try await container.privateCloudDatabase.save(note)
          return (try await container.userRecordID(), saved.creationDate)
        }
        users.insert(user)
        #expect(date?.timeIntervalSince1970 == 1_769_860_800)
        let file = cloud.root.appendingPathComponent("containers/iCloud.test/development/schema.ckdb")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("QUERYABLE"))
      }
    }
    #expect(users.count == 1)
  }

  @Test("the clock of a temporary cloud can be moved and set, for what is saved next")
  func movedClock() async throws {
    // A query by the modification date needs an index. No save creates it.
    let schema = """
      DEFINE SCHEMA RECORD TYPE Note (
        "___modTime" TIMESTAMP QUERYABLE, number INT64,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
      """
    try await LocalCloud.temporary(
      people: "ada", schema: schema, clock: "2026-01-31T12:00:00Z", container: "iCloud.test"
    ) { cloud in
      try await cloud.acting(as: "ada") {
        let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
        let note = CKRecord(recordType: "Note")
        func dateOfASave() async throws -> TimeInterval? {
          note["number"] = (note["number"] as Int? ?? 0) + 1
          return try await database.save(note).modificationDate?.timeIntervalSince1970
        }
        try LocalCloud.advanceClock(by: 3600)
        #expect(try await dateOfASave() == 1_769_864_400)
        #expect(throws: CKError.self) { try LocalCloud.advanceClock(by: -1) }
        #expect(throws: CKError.self) { try LocalCloud.advanceClock(by: .nan) }
        #expect(throws: CKError.self) { try LocalCloud.setClock(.fixed(.distantFuture.addingTimeInterval(1e12))) }
        #expect(throws: CKError.self) { try LocalCloud.setClock(.offset(.infinity)) }
        #expect(try await dateOfASave() == 1_769_864_400)
        try LocalCloud.setClock(.fixed(Date(timeIntervalSince1970: 1_000_000_000.5)))
        #expect(try await dateOfASave() == 1_000_000_000.5)
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "modificationDate > now()"))
        #expect(try await database.records(matching: query).matchResults.isEmpty)
        try LocalCloud.setClock(.offset(1_000_000))
        let before = Date().timeIntervalSince1970
        #expect(try await dateOfASave() ?? 0 > before + 999_000)
        try LocalCloud.setClock(.system)
        #expect(try await dateOfASave() ?? .infinity < before + 999_000)
        #expect(try await database.records(matching: query).matchResults.isEmpty)
        try LocalCloud.advanceClock(by: 0)
      }
    }
  }

  // MARK: Files that remain

  /// In a process of its own, whose standard error it reads.
  @Test("after an error, the cloud remains and standard error has its path, unless it is never to remain")
  func remainingFiles() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let failed = try #require(failedRoot(keep: .onFailure))
      #expect(FileManager.default.fileExists(atPath: failed.appendingPathComponent("cloud.json").path))
      try FileManager.default.removeItem(at: failed.deletingLastPathComponent())
      let removed = try #require(failedRoot(keep: .never))
      #expect(!FileManager.default.fileExists(atPath: removed.deletingLastPathComponent().path))
      let kept = try keptRoot()
      #expect(FileManager.default.fileExists(atPath: kept.appendingPathComponent("cloud.json").path))
      try FileManager.default.removeItem(at: kept.deletingLastPathComponent())
    }
    let lines = String(decoding: try #require(result).standardErrorContent, as: UTF8.self).split(separator: "\n")
    let roots = lines.filter { $0.contains("export LOCALCLOUD_ROOT=/") && $0.hasSuffix("/cloud") }
    #expect(Set(roots).count == 2)
  }

  /// In a process of its own, with a temporary folder of its own.
  @Test("a cloud that is refused leaves no files")
  func refusedClouds() async {
    await #expect(processExitsWith: .success) {
      let folder = ScratchFolder.newPath("refused")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? ScratchFolder.remove(folder) }
      setenv("TMPDIR", folder, 1)
      #expect(refusal(people: "a/b") == .invalidArguments)
      #expect(refusal(people: "") == .invalidArguments)
      #expect(refusal(people: "..") == .invalidArguments)
      #expect(refusal(people: "ada", "ada") == .serverRejectedRequest)
      #expect(refusal(people: "ada", schema: "DEFINE NONSENSE") == .invalidArguments)
      #expect(refusal(people: "ada", clock: "yesterday") == .invalidArguments)
      #expect(refusal(people: "ada", schema: "DEFINE SCHEMA", container: "nonsense") == .badContainer)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      setenv("TMPDIR", folder + "/missing", 1)
      #expect(refusal(people: "ada") != nil)
    }
  }

  /// In a process of its own, whose open files it counts.
  @Test("ended clouds have no open files")
  func openFiles() async {
    await #expect(processExitsWith: .success) {
      func count() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
      var before = 0
      for number in 0..<50 {
        if number == 10 { before = count() }
        try await LocalCloud.temporary(people: "ada") { cloud in
          try await cloud.acting(as: "ada") {
            let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
            _ = try await database.save(CKRecord(recordType: "Note"))
          }
        }
      }
      // Each open cloud would have several. A thread that ends may have some for a moment.
      #expect(count() < before + 40)
    }
  }

  // MARK: Work that uses the cloud

  @Test("a listener that is not stopped ends with the cloud")
  func listener() async throws {
    let (listener, root) = try await LocalCloud.temporary(people: "ada") { cloud in
      let listener = try await cloud.acting(as: "ada") {
        let container = CKContainer(identifier: "iCloud.test")
        _ = try await container.privateCloudDatabase.save(CKDatabaseSubscription(subscriptionID: "all"))
        return try LocalCloud.onPush(in: container) { _ in }
      }
      #expect(!FolderUsers.users(below: cloud.root.path).isEmpty)
      return (listener, cloud.root)
    }
    #expect(FolderUsers.users(below: root.path).isEmpty)
    await listener.stop()
  }
}

private struct Failure: Error {}

private func hasFiles(_ cloud: LocalCloud.TemporaryCloud) -> Bool {
  FileManager.default.fileExists(atPath: cloud.root.path)
}

/// The root of a cloud with a body that throws.
private func failedRoot(keep: LocalCloud.Keep) -> URL? {
  var root: URL?
  do {
    try LocalCloud.temporary(people: "ada", keep: keep) { cloud in
      root = cloud.root
      throw Failure()
    }
  } catch {}
  return root
}

/// The root of a cloud that always remains.
private func keptRoot() throws -> URL { try LocalCloud.temporary(people: "ada", keep: .always) { $0.root } }

/// The code of the error that refuses a cloud; nil if it is created.
private func refusal(
  people: String..., schema: String? = nil, clock: String? = nil, container: String? = nil
) -> CKError.Code? {
  let plan = TemporaryRoot.Plan(people: people, schema: schema, seed: nil, clock: clock, container: container)
  do {
    try LocalCloud.TemporaryCloud(plan, .never).end(failed: false)
    return nil
  } catch {
    return (error as? CKError)?.code
  }
}
