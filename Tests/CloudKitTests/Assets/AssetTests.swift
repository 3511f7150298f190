import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudStorage
import Synchronization
import TestSupport
import Testing

@Suite("CKAsset: an app's files, saved and fetched")
struct AssetTests {
  let cloud: TestCloud
  private let files: TestFolder

  init() throws {
    cloud = try TestCloud()
    files = try TestFolder()
  }

  private var folder: URL { files.url }

  private func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func text(_ value: (any __CKRecordObjCValue)?) throws -> String? {
    guard let url = (value as? CKAsset)?.fileURL else { return nil }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  private func acting<Value>(
    as account: String = "alice", isolation: isolated (any Actor)? = #isolation,
    _ body: (CKDatabase) async throws -> Value
  ) async throws -> Value {
    try await cloud.acting(as: account) { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      return try await body(database)
    }
  }

  @Test(
    "an asset's file is read when the record is saved, and stays; each fetch creates a new file"
  )
  func roundTrip() async throws {
    try await acting { database in
      let url = try file("photo", "draft")
      let record = note("a")
      record["photo"] = CKAsset(fileURL: url)
      try Data("final".utf8).write(to: url)
      let saved = try await database.save(record)
      #expect((record["photo"] as? CKAsset)?.fileURL == url)
      #expect((saved["photo"] as? CKAsset)?.fileURL == url)
      #expect(record["photo"] as? CKAsset !== saved["photo"] as? CKAsset)
      let first = try await database.record(for: record.recordID)
      let second = try await database.record(for: record.recordID)
      #expect(try text(first["photo"]) == "final" && text(second["photo"]) == "final")
      let urls = [first, second].compactMap { ($0["photo"] as? CKAsset)?.fileURL }
      #expect(Set(urls + [url]).count == 3)
      #expect(!urls[0].path.hasPrefix(cloud.cloud.path))
      #expect(first["photo"] as? CKAsset === first["photo"] as? CKAsset)
      // The app may move and change a fetched file without any effect on other fetches.
      let kept = folder.appendingPathComponent("kept")
      try FileManager.default.moveItem(at: urls[0], to: kept)
      try Data("scribble".utf8).write(to: kept)
      #expect(try text(second["photo"]) == "final")
      #expect(try await text(database.record(for: record.recordID)["photo"]) == "final")
      #expect(try String(decoding: Data(contentsOf: url), as: UTF8.self) == "final")
    }
  }

  @Test("lists of assets, and one file in several records, can be saved, replaced and removed")
  func listsOfAssetsAndOneFile() async throws {
    try await acting { database in
      let (one, two) = (try file("one", "1"), try file("two", "2"))
      let record = note("a")
      record["photos"] = [CKAsset(fileURL: one), CKAsset(fileURL: two), CKAsset(fileURL: one)]
      let other = note("b")
      other["photo"] = CKAsset(fileURL: one)
      _ = try await database.modifyRecords(saving: [record, other]).saveResults.values.map { try $0.get() }
      let fetched = try await database.record(for: record.recordID)
      let photos = try #require(fetched["photos"] as? [CKAsset])
      #expect(try photos.map { try text($0) } == ["1", "2", "1"])
      #expect(Set(photos.compactMap(\.fileURL)).count == 3)
      fetched["photos"] = [photos[1]]
      let saved = try await database.save(fetched)
      #expect(try (saved["photos"] as? [CKAsset])?.map { try text($0) } == ["2"])
      saved["photos"] = nil
      try await database.save(saved)
      #expect(try await database.record(for: record.recordID)["photos"] == nil)
      #expect(try await text(database.record(for: other.recordID)["photo"]) == "1")
    }
  }

  // [record-asset-2]
  @available(*, deprecated)
  @Test("a missing asset file fails its record with error 16, an unreadable one with 35; each record has its own error")
  func missingAssetFileFailsItsRecord() async throws {
    try await acting { database in
      let (missing, unreadable) = (note("missing"), note("unreadable"))
      missing["photo"] = CKAsset(fileURL: folder.appendingPathComponent("nowhere"))
      unreadable["photo"] = CKAsset(fileURL: URL(fileURLWithPath: "/proc/self/mem"))
      let good = note("good", "1")
      let results = try await database.modifyRecords(saving: [missing, unreadable, good]).saveResults
      #expect(results[missing.recordID]?.code == .assetFileNotFound)
      #expect(results[unreadable.recordID]?.code == .assetNotAvailable)
      #expect(results[good.recordID]?.code == .batchRequestFailed)
      let loose = try await database.modifyRecords(saving: [missing, good], atomically: false).saveResults
      #expect(loose[missing.recordID]?.code == .assetFileNotFound)
      #expect(loose[good.recordID]?.code == nil)
      let error = await oldError(of: CKModifyRecordsOperation(recordsToSave: [missing]), in: database)
      let partial = try #require(error as? CKError)
      #expect(partial.code == .partialFailure)
      #expect((partial.partialErrorsByItemID?[missing.recordID] as? CKError)?.code == .assetFileNotFound)
    }
  }

  @available(*, deprecated)
  private func oldError(of operation: CKModifyRecordsOperation, in database: CKDatabase) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      operation.modifyRecordsCompletionBlock = { _, _, error in continuation.resume(returning: error) }
      database.add(operation)
    }
  }

  @Test("a file that grows while it is read fails its record with assetFileModified (17)")
  func fileThatGrowsWhileItIsRead() async throws {
    try await acting { database in
      let url = try file("large", String(repeating: "x", count: 5 << 20))
      let record = note("a")
      record["photo"] = CKAsset(fileURL: url)
      let operation = CKModifyRecordsOperation(recordsToSave: [record])
      // The block runs concurrently with the reading. Either the file changes before the reading ends, or the reading
      // has already ended and the save succeeds.
      operation.perRecordProgressBlock = { _, fraction in
        guard fraction < 1, let handle = try? FileHandle(forWritingTo: url) else { return }
        _ = try? handle.seekToEnd()
        try? handle.write(contentsOf: Data([1]))
      }
      let results = Collector<CKError.Code?>()
      operation.perRecordSaveBlock = { results.append($1.code) }
      await withCheckedContinuation { continuation in
        operation.modifyRecordsResultBlock = { _ in continuation.resume() }
        database.add(operation)
      }
      #expect(results.values.count == 1)
      #expect(results.values[0] == nil || results.values[0] == .assetFileModified)
    }
  }

  @Test("desiredKeys without the asset's key leave out the asset and its download ([record-asset-6])")
  func desiredKeys() async throws {
    try await acting { database in
      let record = note("a", "title")
      record["photo"] = CKAsset(fileURL: try file("photo", "1"))
      try await database.save(record)
      let fetched = try await database.records(for: [record.recordID], desiredKeys: ["title"])
      #expect(try fetched[record.recordID]?.get().allKeys() == ["title"])
      let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
      let found = try await database.records(matching: query, inZoneWith: testZoneID)
      #expect(try text(found.matchResults.first?.1.get()["photo"]) == "1")
      let changes = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil)
      #expect(try text(changes.modificationResultsByID[record.recordID]?.get().record["photo"]) == "1")
    }
  }

  // [record-asset-3]
  @Test("assets of serverRecord in a conflict have no file, and saving that record keeps the stored bytes")
  func assetsOfServerRecordInAConflict() async throws {
    try await acting { database in
      let record = note("a", "1")
      record["photo"] = CKAsset(fileURL: try file("photo", "bytes"))
      try await database.save(record)
      let stale = note("a", "2")
      do {
        try await database.save(stale)
        Issue.record("saved")
      } catch let error as CKError {
        let server = try #require(error.serverRecord)
        let asset = try #require(server["photo"] as? CKAsset)
        #expect(error.code == .serverRecordChanged)
        #expect(asset.fileURL == nil)
        server["title"] = "merged"
        let saved = try await database.save(server)
        #expect(saved["title"] as? String == "merged")
        let all = try await database.modifyRecords(saving: [saved], savePolicy: .allKeys).saveResults
        #expect(all[saved.recordID]?.code == nil)
        #expect(try await text(database.record(for: record.recordID)["photo"]) == "bytes")
        // The asset can't be used in another record.
        let copy = note("copy")
        copy["photo"] = asset
        #expect(await code { _ = try await database.save(copy) } == .assetNotAvailable)
      }
    }
  }

  @Test("a saved record can be saved again with each policy, and a fetched asset can be assigned to another record")
  func savedRecordCanBeSavedAgain() async throws {
    try await acting { database in
      let record = note("a", "1")
      record["photo"] = CKAsset(fileURL: try file("photo", "bytes"))
      try await database.save(record)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("photo"))
      for policy in [CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
        record["title"] = "2"
        let results = try await database.modifyRecords(saving: [record], savePolicy: policy).saveResults
        #expect(results[record.recordID]?.code == nil, "\(policy)")
      }
      let fetched = try await database.record(for: record.recordID)
      #expect(try text(fetched["photo"]) == "bytes")
      let copy = note("copy")
      copy["photo"] = fetched["photo"]
      try await database.save(copy)
      #expect(try await text(database.record(for: copy.recordID)["photo"]) == "bytes")
      // An asset that is assigned again is read again, and its file does not exist any more.
      record["photo"] = record["photo"]
      #expect(await code { _ = try await database.save(record) } == .assetFileNotFound)
    }
  }

  @Test("progress is between 0 and 1 while files are copied, and 1 exactly once at the end of each record")
  func progressIsBetween0And1() async throws {
    try await acting { database in
      let record = note("a")
      record["photo"] = CKAsset(fileURL: try file("large", String(repeating: "x", count: 8 << 20)))
      let plain = note("b", "1")
      let saving = CKModifyRecordsOperation(recordsToSave: [record, plain])
      let saved = Collector<(String, Double)>()
      saving.perRecordProgressBlock = { saved.append(($0.recordID.recordName, $1)) }
      await withCheckedContinuation { continuation in
        saving.modifyRecordsResultBlock = { _ in continuation.resume() }
        database.add(saving)
      }
      expectProgress(saved.values, ["a": true, "b": false])
      let fetching = CKFetchRecordsOperation(recordIDs: [record.recordID, plain.recordID])
      let fetched = Collector<(String, Double)>()
      fetching.perRecordProgressBlock = { fetched.append(($0.recordName, $1)) }
      await withCheckedContinuation { continuation in
        fetching.fetchRecordsResultBlock = { _ in continuation.resume() }
        database.add(fetching)
      }
      expectProgress(fetched.values, ["a": true, "b": false])
    }
  }

  private func expectProgress(_ reported: [(String, Double)], _ hasBetween: [String: Bool]) {
    for (name, expectsBetween) in hasBetween {
      let values = reported.filter { $0.0 == name }.map(\.1)
      #expect(values.last == 1, "\(name): \(values)")
      #expect(values.count { $0 == 1 } == 1, "\(name): \(values)")
      #expect(values == values.sorted(), "\(name): \(values)")
      #expect(values.allSatisfy { $0 >= 0 }, "\(name): \(values)")
      #expect((values.count > 1) == expectsBetween, "\(name): \(values)")
    }
  }

  @Test("a participant can fetch the owner's asset and save an own one")
  func participantCanFetchTheOwnersAsset() async throws {
    let root = note("root", "1")
    root["photo"] = CKAsset(fileURL: try file("photo", "Alice's"))
    let (alice, bob) = (try cloud.container(of: "alice"), try cloud.container(of: "bob"))
    try await alice.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
    let share = CKShare(rootRecord: root)
    share.publicPermission = .readWrite
    _ = try await alice.privateCloudDatabase.modifyRecords(saving: [root, share])
    let operation = CKFetchShareMetadataOperation(shareURLs: [try #require(share.url)])
    operation.shouldFetchRootRecord = true
    let found = Collector<CKShare.Metadata>()
    operation.perShareMetadataResultBlock = { _, result in if let value = result.value { found.append(value) } }
    await withCheckedContinuation { continuation in
      operation.completionBlock = { continuation.resume() }
      bob.add(operation)
    }
    let metadata = try #require(found.values.first)
    #expect(try text(metadata.rootRecord?["photo"]) == "Alice's")
    _ = try await bob.accept(metadata)
    let id = try #require(metadata.hierarchicalRootRecordID)
    let fetched = try await bob.sharedCloudDatabase.record(for: id)
    #expect(try text(fetched["photo"]) == "Alice's")
    fetched["photo"] = CKAsset(fileURL: try file("own", "Bob's"))
    try await bob.sharedCloudDatabase.save(fetched)
    #expect(try await text(alice.privateCloudDatabase.record(for: root.recordID)["photo"]) == "Bob's")
  }
}

/// A folder for an app's files. The last reference removes it.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = URL(fileURLWithPath: ScratchFolder.newPath("files"))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
