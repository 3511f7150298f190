import CloudService
import CloudStore
import Platform
import Synchronization
import TestSupport
import Testing

/// Each harness is shown programs with a planted fault, and must find them out.
@Suite("Planted faults are caught")
struct MutantTests {
  private static let scale: AttackScale = {
    var scale = AttackScale.short(seed: 1)
    scale.cutsAfterKills = 1
    return scale
  }()

  private static func attack(_ kind: String, _ mutant: @escaping FileSystem.Observer) throws -> Attack {
    try Attack(try #require(AttackKind.named(kind)), scale, mutant: mutant)
  }

  private static func isCaught(_ report: AttackReport, by text: String) -> Bool {
    report.failures.contains { $0.contains(text) }
  }

  @Test("a journal that is not synced: power cuts lose acknowledged commits")
  func unsyncedJournal() throws {
    let report = try Self.attack("save") { call in
      if case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { .skip } else { .proceed }
    }.cuts()
    // The one under attack, or the one before it.
    #expect(Self.isCaught(report, by: "is lost") || Self.isCaught(report, by: "neither before nor after"))
  }

  @Test("an entry dropped before its files are durable: power cuts lose acknowledged commits")
  func droppedEarly() throws {
    let report = try Self.attack("checkpoint") { call in
      if case .syncFileSystem = call { .skip } else { .proceed }
    }.cuts()
    #expect(Self.isCaught(report, by: "neither before nor after") || Self.isCaught(report, by: "is lost"))
  }

  @Test("no entry in the journal: kills leave half a batch")
  func noJournal() throws {
    let report = try Self.attack("batch") { call in
      if case .write(let path, let offset, _) = call, path.hasSuffix("/.journal/log"), offset > 0 {
        .skip
      } else {
        .proceed
      }
    }.kills()
    #expect(Self.isCaught(report, by: "the log knows no such record"))
  }

  @Test("a recovery that does not sync what it found: a power cut takes back what people saw")
  func unsyncedRecovery() throws {
    // It writes again what stands there, where a commit mentions the zone elsewhere before it writes to the journal.
    let written = Mutex(["", ""])
    let report = try Self.attack("save") { call in
      switch call {
      case .write(let path, _, _): written.withLock { $0 = [$0[1], path] }
      case .syncFile(let path) where written.withLock({ $0 == [path, path] }): return .skip
      default: break
      }
      return .proceed
    }.cuts()
    #expect(Self.isCaught(report, by: "recovered, cut"))
  }

  @Test("a line of a log that is written twice: check tells")
  func doubledLine() throws {
    let report = try Self.attack("save") { call in
      if case .write(let path, _, _) = call, path.hasSuffix("/zones/Notes/changes.jsonl") { .twice } else { .proceed }
    }.kills()
    #expect(Self.isCaught(report, by: "nothing happened"))
    #expect(Self.isCaught(report, by: "check: "))
  }

  @Test("one file of a batch that is not put in its place: check tells")
  func missingFile() throws {
    let report = try Self.attack("batch") { call in
      if case .rename(_, let to) = call, to.hasSuffix("/records/n3.json") { .skip } else { .proceed }
    }.kills()
    #expect(Self.isCaught(report, by: "nothing happened"))
    #expect(Self.isCaught(report, by: "n3"))
  }

  @Test("an entry that is not withdrawn after a failed sync: an error, and done all the same")
  func notWithdrawn() throws {
    let report = try Self.attack("save") { call in
      if case .write(let path, _, let bytes) = call, path.hasSuffix("/.journal/log"), bytes.allSatisfy({ $0 == 0 }) {
        .skip
      } else {
        .proceed
      }
    }.errors()
    #expect(Self.isCaught(report, by: "done in spite of an error"))
  }
}
