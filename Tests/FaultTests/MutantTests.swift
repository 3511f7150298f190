import LocalCloudPlatform
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// Each harness runs programs with a planted fault and must detect it.
@Suite("Detection of planted faults", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct MutantTests {
  @Test("power cuts reveal a journal that is not synced, because acknowledged commits are lost")
  func unsyncedJournal() throws {
    let isFound = try FaultRun.finds("neither before nor after", by: .cuts, of: "save") { call in
      if case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("power cuts reveal a commit lease whose holder does not sync the appended entries of others")
  func unsyncedEntriesOfOthers() throws {
    let isFound = try FaultRun.finds("neither before nor after", by: .cuts, of: "save that is left") { call in
      if case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("power cuts reveal an implementation that drops a journal entry before its files are durable")
  func droppedEarly() throws {
    let isFound = try FaultRun.finds("neither before nor after", by: .cuts, of: "checkpoint") { call in
      if case .syncFileSystem = call { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("the check reveals a concurrent compaction that omits the lines that were appended since it began")
  func missingTail() throws {
    let isFound = try FaultRun.finds(
      "check: ", by: .kills, of: "save beside a compaction"
    ) { call in
      if case .write(let path, let offset, _) = call, path.contains("/staged/compacted-"), offset > 0 {
        .skip
      } else {
        .proceed
      }
    }
    #expect(isFound)
  }

  @Test("kills reveal a missing journal entry, because half of a batch is left")
  func noJournal() throws {
    let isFound = try FaultRun.finds("the log knows no such record", by: .kills, of: "batch") { call in
      if case .write(let path, let offset, _) = call, path.hasSuffix("/.journal/log"), offset > 0 {
        .skip
      } else {
        .proceed
      }
    }
    #expect(isFound)
  }

  @Test("a power cut reveals a recovery that does not sync, because changes that were read are lost")
  func unsyncedRecovery() throws {
    // A recovery writes an entry again at its offset. A commit writes the database's change log before the journal.
    let written = Mutex(["", ""])
    let isFound = try FaultRun.finds("recovered, cut", by: .cuts, of: "save") { call in
      switch call {
      case .write(let path, _, _): written.withLock { $0 = [$0[1], path] }
      case .syncFile(let path) where written.withLock({ $0 == [path, path] }): return .skip
      default: break
      }
      return .proceed
    }
    #expect(isFound)
  }

  @Test("the check reveals a line of a log that was written twice")
  func doubledLine() throws {
    let isFound = try FaultRun.finds("nothing happened", "check: ", by: .kills, of: "save") { call in
      if case .write(let path, _, _) = call, path.hasSuffix("/zones/Notes/changes.jsonl") { .twice } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("the check reveals a file of a batch that was not renamed to its path")
  func missingFile() throws {
    let isFound = try FaultRun.finds("nothing happened", "n3", by: .kills, of: "batch") { call in
      if case .rename(_, let to) = call, to.hasSuffix("/records/n3.json") { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("failing calls reveal an entry that is not withdrawn after a failed sync, because it is applied after an error")
  func notWithdrawn() throws {
    let isFound = try FaultRun.finds("done in spite of an error", by: .errors, of: "save") { call in
      if case .write(let path, _, let bytes) = call, path.hasSuffix("/.journal/log"), bytes.allSatisfy({ $0 == 0 }) {
        .skip
      } else {
        .proceed
      }
    }
    #expect(isFound)
  }

  @Test("power cuts reveal an upload that is not synced, or whose name is not synced")
  func unsyncedUpload() throws {
    let contents = try FaultRun.finds("damaged", by: .cuts, of: "upload") { call in
      if case .syncFile(let path) = call, path.contains("/uploads/") { .skip } else { .proceed }
    }
    #expect(contents)
    let names = try FaultRun.finds("damaged", by: .cuts, of: "upload") { call in
      if case .syncDirectory(let path) = call, path.hasSuffix("/uploads") { .skip } else { .proceed }
    }
    #expect(names)
  }

  @Test("the check reveals an asset that remains when its last record is deleted")
  func checkRevealsAnAssetThatRemains() throws {
    let isFound = try FaultRun.finds("no record holds it", by: .kills, of: "last holder") { call in
      if case .remove(let path) = call, path.contains("/assets/") { .skip } else { .proceed }
    }
    #expect(isFound)
  }
}
