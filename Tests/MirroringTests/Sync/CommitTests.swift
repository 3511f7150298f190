import CloudKit
import FaultInjection
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

/// A durable commit syncs the store's journal once.
@Suite("Durable commits of a mirroring")
struct CommitTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  /// A store that counts its commits.
  private struct Counted {
    let device: Device
    let recorder = CallRecorder(nil)

    init(_ stage: MirrorStage, _ name: String) throws {
      device = try stage.device("alice", name, isStarted: false, in: recorder.fileSystem())
    }

    var commits: Int { CommitTests.commits(recorder) }
  }

  private static func commits(_ recorder: CallRecorder) -> Int {
    recorder.calls.count { if case .syncFile(let path) = $0 { path.hasSuffix("/.journal/log") } else { false } }
  }

  /// The commits of the first successful run of each kind, from its first event to its last one.
  private func commitsOfRuns(_ counted: Counted, _ name: String) async throws -> [MirroringEvent.Kind: Int] {
    let counts = Mutex<(begin: Int, of: [MirroringEvent.Kind: Int])>((0, [:]))
    let recorder = counted.recorder
    let engine = MirroringEngine(
      store: counted.device.store, containerIdentifier: MirrorStage.container, scope: .private,
      acting: try stage.identity("alice", name),
      event: { event in
        let commits = Self.commits(recorder)
        counts.withLock { counts in
          if event.endDate == nil { counts.begin = commits }
          guard event.succeeded, counts.of[event.kind] == nil else { return }
          counts.of[event.kind] = commits - counts.begin
        }
      })
    engine.start()
    await engine.drain()
    engine.stop()
    #expect(engine.finish())
    return counts.withLock { $0.of }
  }

  @Test("a save, an import of a page and an export of a change are a commit each; names are one more [mirror-10]")
  func roundTrip() async throws {
    let (phone, tablet) = (try Counted(stage, "phone"), try Counted(stage, "tablet"))
    let post = try phone.device.insert("Post", "A")
    let saved = phone.commits
    try phone.device.set(post, "title", .string("B"))
    #expect(phone.commits - saved == 1)
    // The names are stored before the records are sent.
    #expect(try await commitsOfRuns(phone, "phone")[.export] == 2)
    #expect(try await commitsOfRuns(tablet, "tablet")[.import] == 1)
    #expect(try tablet.device.titles("Post") == ["B"])
    try phone.device.set(post, "title", .string("C"))
    #expect(try await commitsOfRuns(phone, "phone")[.export] == 1)
    #expect(try await commitsOfRuns(tablet, "tablet")[.import] == 1)
    #expect(try tablet.device.titles("Post") == ["C"])
    try phone.device.delete(post)
    #expect(try await commitsOfRuns(phone, "phone")[.export] == 1)
    #expect(try await commitsOfRuns(tablet, "tablet")[.import] == 1)
    #expect(try tablet.device.titles("Post").isEmpty)
    // Only the events.
    #expect(try await commitsOfRuns(tablet, "tablet") == [.setup: 1, .import: 1, .export: 1])
  }

  @Test(
    "if the answers can't be stored, no event says that they are, and the next export sends nothing twice [mirror-10]")
  func unstoredAnswers() async throws {
    let isFull = Mutex(false)
    let fileSystem = FileSystem { call in
      guard isFull.withLock({ $0 }), case .write(let path, _, let bytes) = call, path.hasSuffix("/.journal/log"),
        bytes.contains(where: { $0 != 0 })
      else { return .proceed }
      return .fail(SystemError.noSpace)
    }
    let phone = try stage.device("alice", "phone", isStarted: false, in: fileSystem)
    let post = try phone.insert("Post", "A")
    try phone.start { step in
      if step == .sent { isFull.withLock { $0 = true } }
    }
    await phone.drain()
    #expect(!phone.errors(.export).isEmpty)
    #expect(!phone.events.contains { $0.kind == .export && $0.succeeded })
    #expect(try phone.require().recordID(for: post) == nil)
    phone.stop()
    isFull.withLock { $0 = false }
    try phone.start()
    await phone.drain()
    #expect(phone.events.contains { $0.kind == .export && $0.succeeded })
    let recordID = try #require(try phone.require().recordID(for: post))
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: recordID.zoneID, since: nil)
    #expect(Array(changes.modificationResultsByID.keys) == [recordID])
    #expect(try phone.store.check().isEmpty)
  }

  @Test("an event that can't be stored costs no edits: the page and the answers are stored without it [mirror-10]")
  func unstoredEvent() async throws {
    let fileSystem = FileSystem { call in
      guard case .write(let path, _, let bytes) = call, path.hasSuffix("/.journal/log"),
        String(decoding: bytes, as: UTF8.self).contains("mirroring/events")
      else { return .proceed }
      return .fail(SystemError.noSpace)
    }
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "A")
    await phone.drain()
    let tablet = try stage.device("alice", "tablet", isStarted: false, in: fileSystem)
    let post = try tablet.insert("Post", "B")
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.titles("Post").sorted() == ["A", "B"])
    #expect(try tablet.require().recordID(for: post) != nil)
    #expect(try tablet.store.read { try $0.rows(prefix: "", in: .events) }.isEmpty)
    await phone.drain()
    #expect(try phone.titles("Post").sorted() == ["A", "B"])
  }
}
