import LocalCloudPlatform
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// Each harness is shown programs with a planted fault, and must find them out.
@Suite("Planted faults are caught")
struct MutantTests {
  @Test("a journal that is not synced: power cuts lose acknowledged commits")
  func unsyncedJournal() throws {
    let isFound = try FaultRun.finds("neither before nor after", by: .cuts, of: "save") { call in
      if case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("a turn that does not sync what others left: power cuts lose acknowledged commits")
  func unsyncedTurn() throws {
    let isFound = try FaultRun.finds("neither before nor after", by: .cuts, of: "save that is left") { call in
      if case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("an entry dropped before its files are durable: power cuts lose acknowledged commits")
  func droppedEarly() throws {
    let isFound = try FaultRun.finds("neither before nor after", by: .cuts, of: "checkpoint") { call in
      if case .syncFileSystem = call { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("a compaction beside others that leaves out what came meanwhile: check tells")
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

  @Test("no entry in the journal: kills leave half a batch")
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

  @Test("a recovery that does not sync what it found: a power cut takes back what people saw")
  func unsyncedRecovery() throws {
    // It writes again what stands there, where a commit mentions the zone elsewhere before it writes to the journal.
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

  @Test("a line of a log that is written twice: check tells")
  func doubledLine() throws {
    let isFound = try FaultRun.finds("nothing happened", "check: ", by: .kills, of: "save") { call in
      if case .write(let path, _, _) = call, path.hasSuffix("/zones/Notes/changes.jsonl") { .twice } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("one file of a batch that is not put in its place: check tells")
  func missingFile() throws {
    let isFound = try FaultRun.finds("nothing happened", "n3", by: .kills, of: "batch") { call in
      if case .rename(_, let to) = call, to.hasSuffix("/records/n3.json") { .skip } else { .proceed }
    }
    #expect(isFound)
  }

  @Test("an entry that is not withdrawn after a failed sync: an error, and done all the same")
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

  @Test("an upload that is not synced, or whose name is not: power cuts lose acknowledged bytes")
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

  @Test("an asset that stays when its last holder goes: check tells")
  func orphan() throws {
    let isFound = try FaultRun.finds("no record holds it", by: .kills, of: "last holder") { call in
      if case .remove(let path) = call, path.contains("/assets/") { .skip } else { .proceed }
    }
    #expect(isFound)
  }
}
