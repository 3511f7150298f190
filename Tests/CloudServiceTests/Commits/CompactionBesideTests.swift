import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Background compaction of a large log while other processes commit")
struct CompactionBesideTests {
  let cloud: TemporaryCloud
  let alice: Person

  init() throws {
    cloud = try TemporaryCloud {
      $0.limits.retainedChanges = 20
      $0.limits.compactedAtOnceBytes = 0
    }
    alice = Person(cloud, "alice")
    try alice.makeZone()
  }

  private var path: ZonePath {
    ZonePath(
      database: DatabasePath(
        container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"]),
      zone: "Notes")
  }

  private func store(_ service: CloudService? = nil) throws -> ZoneStore {
    try #require(try (service ?? cloud.service).cloud.zone(path))
  }

  private var folder: Directory {
    get throws {
      try cloud.zoneFolder()
    }
  }

  private func lines(_ log: String = "changes.jsonl") throws -> [String] {
    try folder.directory("shares").contents(log).map { String(decoding: $0, as: UTF8.self) }
      .map { $0.split(separator: "\n").map(String.init) }
      ?? String(decoding: folder.contents(log) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func isCompacted(_ log: String = "changes.jsonl") throws -> Bool {
    try lines(log).first?.hasPrefix(#"{"forgotten""#) ?? false
  }

  private func staged() throws -> [String] {
    try folder.directory(".journal").directory("staged").entries().map(\.name).filter { $0.hasPrefix("compacted") }
  }

  private func rewrite(_ names: [ExactName] = ["a", "b"], rounds: Int) throws {
    for round in 0..<rounds {
      for save in try alice.modify(names.map { alice.note($0, "\(round)") }, policy: .allKeys).saves {
        _ = try save.get()
      }
    }
  }

  /// Expects these records by a walk from nil, and these changes since the token, also on another boot with a replay.
  private func requireHistory(_ names: Set<ExactName>, since token: String? = nil, changed: Set<ExactName> = []) throws
  {
    let another = FileSystem(bootIdentifier: "another boot")
    let services = [
      cloud.service, try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: another),
    ]
    for service in services {
      #expect(try service.checks.check() == [])
      #expect(try Set(alice.changes().changed.map(\.id.name)) == names)
      if let token { #expect(try Set(alice.changes(since: token).changed.map(\.id.name)) == changed) }
    }
  }

  @Test("commits of all sizes during a background compaction stay in the log once, and the feeds are the same")
  func commitsOfAllSizesDuringABackground() throws {
    try rewrite(["a", "b", "gone"], rounds: 60)
    let token = try alice.changes().token
    let before = try lines()
    try store().folder.compactBesideOthers(LockWaitPolicy()) {
      try rewrite(["b"], rounds: 30)
      try alice.save(alice.note("c", String(repeating: "long ", count: 4000)))
      try alice.modify(delete: ["gone"]).deletes[0].get()
    }
    let after = try lines()
    #expect(try isCompacted())
    #expect(after.count < before.count / 2 + 32)
    // Lines that were appended during the compaction follow the retained lines.
    #expect(after.suffix(32).filter { before.contains($0) }.isEmpty)
    #expect(try staged() == [])
    try rewrite(["a"], rounds: 3)
    try requireHistory(["a", "b", "c"], since: token, changed: ["a", "b", "c"])
    #expect(try alice.changes(since: token).deleted.map(\.record.name) == ["gone"])
  }

  @Test(
    "random commits during and after a background compaction give the same feeds as without compaction",
    arguments: TestSeed.values(0..<6))
  func randomCommitsDuringAndAfterABackground(seed: UInt64) throws {
    let plain = try TemporaryCloud { $0.limits.retainedChanges = 1 << 40 }
    let both = [alice, Person(plain, "alice")]
    try both[1].makeZone()
    var random = SeededGenerator(seed: seed)
    func step() throws {
      let name = ExactName("n\(random.next() % 15)")
      let text = "\(random.next() % 1000)"
      let deletes = random.next() % 5 == 0
      for person in both {
        if deletes {
          _ = try person.modify(delete: [name])
        } else {
          try person.save(person.note(name, text), policy: .allKeys)
        }
      }
    }
    for _ in 0..<4 {
      for _ in 0..<150 { try step() }
      let tokens = try both.map { try $0.changes().token }
      try store().folder.compactBesideOthers(LockWaitPolicy()) { for _ in 0..<(random.next() % 30) { try step() } }
      #expect(try isCompacted(), "seed \(seed)")
      let (ours, theirs) = (try both[0].changes(since: tokens[0]), try both[1].changes(since: tokens[1]))
      #expect(ours.changed.map(\.fields) == theirs.changed.map(\.fields), "seed \(seed)")
      #expect(ours.deleted.map(\.record.name) == theirs.deleted.map(\.record.name), "seed \(seed)")
    }
    #expect(try alice.changes().changed.map(\.fields) == both[1].changes().changed.map(\.fields), "seed \(seed)")
    #expect(try cloud.service.checks.check() == [], "seed \(seed)")
  }

  /// A service for the same cloud, in the role of another process, that writes a checkpoint with each commit.
  private func tidyService(_ fileSystem: FileSystem = FileSystem(), atOnce: Int = .max) throws -> CloudService {
    var settings = cloud.service.settings
    settings.limits.checkpointBytes = 1
    settings.limits.compactedAtOnceBytes = atOnce
    return try CloudService.open(root: cloud.path, settings: settings, fileSystem: fileSystem)
  }

  @Test("a log that another process compacts during a background compaction stays as that process left it")
  func logThatAnotherProcessCompactsDuring() throws {
    try rewrite(rounds: 60)
    var theirs: [String] = []
    try store().folder.compactBesideOthers(LockWaitPolicy()) {
      let people = FaultRunPeople(try tidyService())
      try people.modify([people.note("c", "1")])
      #expect(try isCompacted())
      try rewrite(rounds: 2)
      theirs = try lines()
    }
    #expect(try lines() == theirs)
    #expect(try staged() == [])
    try requireHistory(["a", "b", "c"])
  }

  @Test("only one process compacts a log: a second one does not start while the first is active")
  func oneAtATime() throws {
    try rewrite(rounds: 60)
    try store().folder.compactBesideOthers(LockWaitPolicy()) {
      let before = try lines()
      try store(CloudService.open(root: cloud.path, settings: cloud.service.settings))
        .folder.compactBesideOthers(LockWaitPolicy())
      #expect(try lines() == before)
      #expect(try staged() == ["compacted-0"])
    }
    #expect(try isCompacted())
    try requireHistory(["a", "b"])
  }

  @Test("feeds are correct after a share ends, or ends and is created again, during a background compaction")
  func feedsAreCorrectAfterAShareEnds() throws {
    for (root, share) in [("x", "Share-x"), ("y", "Share-y"), ("z", "Share-z")] {
      try alice.save(alice.note(ExactName(root), "1"))
      try alice.share(ExactName(root), share: ExactName(share), with: ["bob"])
    }
    try rewrite(["x", "y", "z"], rounds: 60)
    try store().folder.compactBesideOthers(LockWaitPolicy()) {
      for share in ["Share-x", "Share-y"] { try alice.modify(delete: [ExactName(share)]).deletes[0].get() }
      try alice.share("x", share: "Share-x", with: ["bob"])
      try rewrite(["x", "y", "z"], rounds: 60)
    }
    #expect(try isCompacted() && isCompacted("Share-z.jsonl"))
    #expect(try !isCompacted("Share-x.jsonl"))
    #expect(try staged() == [])
    try requireHistory(["x", "y", "z", "Share-x", "Share-z"])
  }

  @Test("a zone that is deleted and created again during a background compaction gets no data of the old zone")
  func deletedZone() throws {
    try rewrite(rounds: 60)
    let store = try store()
    #expect(throws: StoreError.self) {
      try store.folder.compactBesideOthers(LockWaitPolicy()) {
        try FaultRunPeople(cloud.service).deleteZone()
        try alice.makeZone()
        try rewrite(["new"], rounds: 1)
      }
    }
    #expect(try !isCompacted() && lines().count == 1)
    #expect(try staged() == [])
    try requireHistory(["new"])
  }

  @Test("a full disk during a background compaction loses no data, and leaves no staged file")
  func fullDisk() throws {
    try rewrite(rounds: 60)
    let before = try lines()
    for point in 0..<40 {
      let counter = Counter()
      let fileSystem = FileSystem { call in
        counter.next() == Int64(point) ? .fail(SystemError.noSpace) : .proceed
      }
      let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
      do {
        try store(service).folder.compactBesideOthers(LockWaitPolicy())
      } catch {
        #expect(try lines() == before, "call \(point)")
      }
      #expect(try staged() == [], "call \(point)")
      if try isCompacted() { break }
    }
    #expect(try isCompacted())
    try requireHistory(["a", "b"])
  }

  @Test("after a checkpoint a background thread compacts a large log, and no commit waits for it")
  func afterACheckpointABackgroundThreadCompacts() throws {
    try rewrite(rounds: 60)
    let people = FaultRunPeople(try tidyService(atOnce: 0))
    try people.modify([people.note("c", "1")])
    let start = monotonicNanoseconds()
    while try !isCompacted(), monotonicNanoseconds() - start < 60_000_000_000 { pause(microseconds: 1000) }
    #expect(try isCompacted())
    try requireHistory(["a", "b", "c"])
  }

  @Test("if the background compaction does not finish, a commit compacts the log when it has grown to twice the limit")
  func ifTheBackgroundCompactionDoesNotFinish() throws {
    try rewrite(rounds: 30)
    let folder = try folder.directory(".journal").directory("staged")
    let stopped = try folder.createFile("compacting")
    #expect(try stopped.tryLock(.exclusive))
    let people = FaultRunPeople(try tidyService(atOnce: 0))
    try people.modify([people.note("c", "1")])
    pause(microseconds: 50_000)
    #expect(try !isCompacted())
    try rewrite(rounds: 60)
    try people.modify([people.note("c", "2")])
    #expect(try isCompacted())
    stopped.unlock()
    try requireHistory(["a", "b", "c"])
  }

  @Test(
    "the file system is synced before a checkpoint, outside the lock; if that fails, all entries are applied again",
    arguments: [false, true])
  func syncedAhead(isFailing: Bool) throws {
    let syncs = Mutex(0)
    let fileSystem = FileSystem { call in
      guard case .syncFileSystem = call else { return .proceed }
      return syncs.withLock { syncs in
        syncs += 1
        return isFailing && syncs == 1 ? .fail(SystemError.inputOutput) : .proceed
      }
    }
    var settings = cloud.service.settings
    settings.limits.checkpointBytes = 64 << 10
    let people = FaultRunPeople(try CloudService.open(root: cloud.path, settings: settings, fileSystem: fileSystem))
    let journal = try folder.directory(".journal")
    func save() throws { try people.modify([people.note("a", String(repeating: "long ", count: 200))]) }
    while try journal.journalEnd() < 56 << 10 {
      #expect(syncs.withLock { $0 } == 0)
      try save()
    }
    let start = monotonicNanoseconds()
    while syncs.withLock({ $0 }) == 0, monotonicNanoseconds() - start < 60_000_000_000 { pause(microseconds: 1000) }
    #expect(syncs.withLock { $0 } == 1)
    func isTrusted() throws -> Bool { try journal.contents("log")?[16..<32].contains { $0 != 0 } ?? false }
    while try isFailing && isTrusted(), monotonicNanoseconds() - start < 60_000_000_000 { pause(microseconds: 1000) }
    #expect(try isTrusted() != isFailing)
    while try journal.journalEnd() > 50 << 10 {
      #expect(syncs.withLock { $0 } == 1)
      try save()
    }
    #expect(syncs.withLock { $0 } == 2)
    try requireHistory(["a"])
  }
}
