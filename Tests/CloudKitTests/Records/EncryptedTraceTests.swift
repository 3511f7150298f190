import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import TestSupport
import Testing

/// Runs in its own process. The search includes that process's temporary and staging folders and its request log.
@Suite("No plain text of encrypted values in any file")
struct EncryptedTraceTests {
  @Test(
    "after saves, shares, fetches, queries and pushes no file contains an encrypted value as plain text",
    .timeLimit(.minutes(5)))
  // [encryption-value-1] [encryption-value-10] [key-3] [operation-7]
  func afterSavesSharesFetchesQueriesAndPushes() async {
    await #expect(processExitsWith: .success) {
      let files = try TestFolder()
      setenv("XDG_CACHE_HOME", files.url.path + "/caches", 1)
      setenv("TMPDIR", files.url.path, 1)
      setenv("LOCALCLOUD_LOG", "on", 1)
      umask(0)
      let scenario = try await SecretScenario(files.url)
      try await scenario.records()
      try await scenario.shares()
      try await scenario.subscriptions()
      try await scenario.refusals()
      try await scenario.operations()
      scenario.expectNothing("at the end")
      // Proves that the search finds plain values.
      let found = try await scenario.control()
      #expect(found.contains { $0.hasSuffix("/records/control.json") })
      #expect(found.contains("caches/control"))
      let log = try String(contentsOfFile: scenario.cloud.cloud.path + "/requests.jsonl", encoding: .utf8)
      #expect(log.contains("modifyRecords"))
      #expect(log.contains("keepOperation"))
      #expect(log.contains("\"error\""))
      try withExtendedLifetime(scenario) { try FileManager.default.removeItem(at: files.url) }
    }
  }
}

/// People with encrypted values of all types.
private final class SecretScenario {
  static let text = "SECRET-4711-TEXT"
  static let integer = 4_711_471_147_114_711
  static let number = 47_114_711.4711
  static let control = "CONTROL-4711-TEXT"
  private static let search = SecretSearch([text, "\(integer)", "\(number)"])

  /// The folder of all files that this process writes.
  let folder: URL
  private let stage: SharingStage

  init(_ folder: URL) async throws {
    self.folder = folder
    stage = try await SharingStage()
  }

  var cloud: TestCloud { stage.cloud }

  func expectNothing(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let found = (try? Self.search.paths(below: folder.path)) ?? ["nothing could be read"]
    let exposed = (try? exposedDeviceFiles(in: cloud.cloud.path)) ?? ["nothing could be read"]
    #expect(found == [], "\(what)", sourceLocation: sourceLocation)
    #expect(exposed == [], "\(what)", sourceLocation: sourceLocation)
  }

  /// The paths of files with plain values, for comparison.
  func control() async throws -> [String] {
    let record = note("control", Self.control)
    record["open"] = Data(Self.control.utf8)
    try await stage.mine.save(record)
    try Data(("." + Self.control).utf8).base64EncodedData().write(to: folder.appendingPathComponent("caches/control"))
    return try SecretSearch([Self.control]).paths(below: folder.path)
  }

  private func secret(_ name: String, of parent: String? = nil, in zoneID: CKRecordZone.ID = testZoneID) -> CKRecord {
    let record = note(name, name, in: zoneID)
    fill(record)
    if let parent { record.setParent(CKRecord.ID(recordName: parent, zoneID: zoneID)) }
    return record
  }

  private func fill(_ record: CKRecord) {
    record.encryptedValues["text"] = Self.text
    record.encryptedValues["texts"] = ["a", Self.text]
    record.encryptedValues["data"] = Data(("bytes " + Self.text).utf8)
    record.encryptedValues["integer"] = Self.integer
    record.encryptedValues["number"] = Self.number
    record.encryptedValues["place"] = CLLocation(latitude: 1, longitude: 2)
  }

  private func phone(_ account: String) throws -> CKContainer {
    try LocalCloud.acting(as: account, device: "\(account)-phone", root: cloud.cloud.path) { cloud.container() }
  }

  // MARK: Saving and fetching

  func records() async throws {
    let mine = stage.mine
    try await mine.save(secret("one"))
    let file = folder.appendingPathComponent("picture")
    try Data("no secret".utf8).write(to: file)
    let batch = (0..<20).map { secret("batch\($0)", of: "one") }
    batch[0]["picture"] = CKAsset(fileURL: file)
    _ = try await mine.modifyRecords(saving: batch, deleting: [], atomically: true)
    _ = try await mine.modifyRecords(saving: [secret("home", in: .default)], deleting: [], atomically: false)
    let changed = try await mine.record(for: batch[0].recordID)
    let staged = try #require((changed["picture"] as? CKAsset)?.fileURL)
    #expect(staged.path.hasPrefix(folder.path + "/caches/"))
    let attributes = try FileManager.default.attributesOfItem(atPath: staged.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    changed.encryptedValues["text"] = Self.text + " again"
    try await mine.save(changed)
    try await mine.deleteRecord(withID: batch[1].recordID)
    let other = try phone("alice").privateCloudDatabase
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title BEGINSWITH 'batch'"))
    let found = try await other.records(matching: query, inZoneWith: testZoneID).matchResults
    #expect(try found.compactMap { try $0.1.get().encryptedValues["text"] as? String }.count == 19)
    _ = try await other.recordZoneChanges(inZoneWith: testZoneID, since: nil)
    expectNothing("after saving and fetching")
  }

  func shares() async throws {
    let share = try await stage.share("one", with: ["bob", "carol"])
    try await stage.edit(share) { $0.encryptedValues["text"] = Self.text }
    try await stage.join(stage.bob, share)
    try await stage.join(stage.carol, share)
    let seen = try await stage.record("batch2", seenBy: stage.bob)
    #expect(seen.encryptedValues["text"] as? String == Self.text)
    let theirs = secret("bobs", of: "one", in: stage.theirs)
    try await stage.bob.sharedCloudDatabase.save(theirs)
    try await stage.edit(share) { share in
      if let bob = share.participants.first(where: { $0.role != .owner }) { share.removeParticipant(bob) }
    }
    try await stage.mine.save(secret("later", of: "one"))
    expectNothing("after sharing")
  }

  func subscriptions() async throws {
    let subscription = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "notes",
      options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion])
    let info = CKSubscription.NotificationInfo()
    info.alertLocalizationKey = "%@ and %@"
    info.alertLocalizationArgs = ["title", "text", "integer"]
    info.desiredKeys = ["title", "text", "integer"]
    subscription.notificationInfo = info
    try await stage.mine.save(subscription)
    _ = try await phone("alice").privateCloudDatabase.recordZoneChanges(inZoneWith: testZoneID, since: nil)
    try await stage.mine.save(secret("told"))
    let log = cloud.cloud.path + "/devices/alice-phone/pushes/pushes.jsonl"
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("told"))
    expectNothing("after a push")
  }

  /// Refused requests have error texts and log lines.
  func refusals() async throws {
    let stale = secret("one")
    #expect(await code { try await self.stage.mine.save(stale) } == .serverRecordChanged)
    let open = note("open")
    open["text"] = "in the open"
    #expect(await code { try await self.stage.mine.save(open) } != nil)
    let wrong = note("wrong")
    wrong.encryptedValues["text"] = Self.integer
    #expect(await code { try await self.stage.mine.save(wrong) } != nil)
    #expect(
      await code { try await self.stage.alice.publicCloudDatabase.save(self.secret("public", in: .default)) } != nil)
    let large = secret("large")
    large.encryptedValues["data"] = Data(String(repeating: Self.text, count: 80_000).utf8)
    #expect(await code { try await self.stage.mine.save(large) } == .limitExceeded)
    let many = (0...400).map { self.secret("many\($0)") }
    #expect(await code { _ = try await self.stage.mine.modifyRecords(saving: many, deleting: []) } == .limitExceeded)
    expectNothing("after refusals")
  }

  // MARK: Long-lived operations

  /// Runs an operation, and searches while its request and its answers are stored.
  private func pending(_ operation: CKDatabaseOperation, in database: CKDatabase) async throws {
    func start() { database.add(operation) }
    try await operation.whilePending(start) {
      let files = try FileManager.default.subpathsOfDirectory(atPath: cloud.cloud.path + "/devices")
      #expect(files.contains { $0.hasSuffix("\(operation.operationID)-answers.json") })
      expectNothing("while \(type(of: operation)) is pending")
    }
  }

  func operations() async throws {
    let mine = stage.mine
    let save = CKModifyRecordsOperation(recordsToSave: [secret("long"), secret("one")])
    save.isAtomic = false
    try await pending(save, in: mine)
    let ids = ["long", "one", "batch3"].map { note($0).recordID }
    let fetch = CKFetchRecordsOperation(recordIDs: ids)
    let fetched = SecretCount()
    fetch.perRecordResultBlock = { _, result in
      if (try? result.get().encryptedValues["text"] as? String) != nil { fetched.add() }
    }
    try await pending(fetch, in: mine)
    #expect(fetched.count == 3)
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title == 'long'"))
    let queried = CKQueryOperation(query: query)
    queried.zoneID = testZoneID
    try await pending(queried, in: mine)
    try await pending(
      CKFetchRecordZoneChangesOperation(recordZoneIDs: [testZoneID], configurationsByRecordZoneID: nil), in: mine)
    let theirs = CKFetchRecordsOperation(recordIDs: [stage.there("batch3")])
    try await pending(theirs, in: stage.carol.sharedCloudDatabase)
    let publicly = CKModifyRecordsOperation(recordsToSave: [secret("public", in: .default)])
    try await pending(publicly, in: stage.alice.publicCloudDatabase)
  }
}

private final class SecretCount: Sendable {
  private let counter = Counter()
  func add() { _ = counter.next() }
  var count: Int64 { counter.add(0) }
}
