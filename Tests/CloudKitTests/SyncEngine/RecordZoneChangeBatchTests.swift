import Foundation
import Testing

@testable import CloudKit

@Suite("Batches of a sync engine")
struct RecordZoneChangeBatchTests {
  private typealias Change = CKSyncEngine.PendingRecordZoneChange
  private typealias Batch = CKSyncEngine.RecordZoneChangeBatch

  private func saves(_ names: some Sequence<String>) -> [Change] { names.map { .saveRecord(note($0).recordID) } }

  // [sync-value-6]
  @Test("a batch takes the changes in order, and asks for the records of saves only")
  func order() async throws {
    let requested = Collector<String>()
    let changes = saves(["b", "a"]) + [Change.deleteRecord(note("x").recordID)] + saves(["c"])
    let made = await Batch(pendingChanges: changes) { recordID in
      requested.append(recordID.recordName)
      return note(recordID.recordName, "t")
    }
    let batch = try #require(made)
    #expect(requested.values == ["b", "a", "c"])
    #expect(batch.recordsToSave.map(\.recordID.recordName) == ["b", "a", "c"])
    #expect(batch.recordIDsToDelete == [note("x").recordID])
    #expect(!batch.atomicByZone)
    #expect(batch.changes == saves(["b", "a", "c"]) + [Change.deleteRecord(note("x").recordID)])
  }

  // [sync-value-6]
  @Test("a batch has at most 400 changes, saves and deletions together")
  func count() async throws {
    let names = (0..<300).map(String.init)
    let deletions = names.map { Change.deleteRecord(note("x" + $0).recordID) }
    let requested = Collector<String>()
    let made = await Batch(pendingChanges: deletions + saves(names)) { recordID in
      requested.append(recordID.recordName)
      return note(recordID.recordName)
    }
    let batch = try #require(made)
    #expect(batch.recordIDsToDelete.count == 300)
    #expect(batch.recordsToSave.map(\.recordID.recordName) == Array(names.prefix(100)))
    #expect(requested.values.count == 100)
  }

  // [sync-value-6]
  @Test("a batch has at most 2 MB, and ends before the change that does not fit")
  func size() async throws {
    let made = await Batch(pendingChanges: saves(["a", "b", "c", "d"])) { recordID in
      note(recordID.recordName, String(repeating: "a", count: recordID.recordName == "d" ? 1 : 1_000_000))
    }
    #expect(try #require(made).recordsToSave.map(\.recordID.recordName) == ["a", "b"])
    // The keys count as well: 5 bytes for each title.
    let most = (2 << 20) - 10
    for (extra, count) in [(0, 2), (1, 1)] {
      let made = await Batch(pendingChanges: saves(["a", "b"])) { recordID in
        note(recordID.recordName, String(repeating: "a", count: most / 2 + (recordID.recordName == "b" ? extra : 0)))
      }
      #expect(try #require(made).recordsToSave.count == count)
    }
  }

  // [sync-value-6]
  @Test("a record that no batch can hold is the only save of its batch")
  func largeRecord() async throws {
    let changes = [Change.deleteRecord(note("x").recordID)] + saves(["a", "b"])
    let made = await Batch(pendingChanges: changes) { recordID in
      note(recordID.recordName, String(repeating: "a", count: recordID.recordName == "a" ? 3_000_000 : 1))
    }
    let batch = try #require(made)
    #expect(batch.recordsToSave.map(\.recordID.recordName) == ["a"])
    #expect(batch.recordIDsToDelete.count == 1)
  }

  // [sync-value-7]
  @Test("a save without a record is skipped and does not count")
  func skipped() async throws {
    let names = (0..<500).map(String.init)
    let made = await Batch(pendingChanges: saves(names)) { recordID in
      (Int(recordID.recordName) ?? 0) < 200 ? nil : note(recordID.recordName)
    }
    #expect(try #require(made).recordsToSave.map(\.recordID.recordName) == Array(names.dropFirst(200)))
  }

  // [sync-value-7]
  @Test("there is no batch without a change")
  func nothing() async {
    let empty = await Batch(pendingChanges: []) { note($0.recordName) }
    #expect(empty == nil)
    let skipped = await Batch(pendingChanges: saves(["a"])) { _ in nil }
    #expect(skipped == nil)
    let deletion = await Batch(pendingChanges: [.deleteRecord(note("a").recordID)]) { _ in nil }
    #expect(deletion != nil)
  }

  // [sync-value-8], [sync-value-11]
  @Test("a batch of records has what the app gave it")
  func ownBatch() {
    var batch = Batch()
    #expect(batch.recordsToSave == [])
    #expect(batch.recordIDsToDelete == [])
    #expect(!batch.atomicByZone)
    let records = (0..<401).map { note("\($0)") }
    batch = Batch(recordsToSave: records, recordIDsToDelete: [note("x").recordID], atomicByZone: true)
    #expect(batch.recordsToSave == records)
    #expect(batch.recordIDsToDelete == [note("x").recordID])
    #expect(batch.atomicByZone)
    batch.recordsToSave = [records[0]]
    batch.recordIDsToDelete = []
    batch.atomicByZone = false
    #expect(batch.changes == [.saveRecord(records[0].recordID)])
    #expect(batch.description.contains("saveRecord(0:(Home:"))
  }
}
