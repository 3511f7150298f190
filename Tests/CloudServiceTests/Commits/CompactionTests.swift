import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Compaction of logs: bounded size, and feeds that report every change after the horizon")
struct CompactionTests {
  let cloud: TemporaryCloud
  let alice: Person

  init() throws {
    cloud = try TemporaryCloud {
      $0.limits.retainedChanges = 50
      $0.limits.checkpointBytes = 8 << 10
    }
    alice = Person(cloud, "alice")
    try alice.makeZone()
  }

  private var zone: Directory {
    get throws {
      try cloud.zoneFolder()
    }
  }

  private func lines(_ log: String, in folder: Directory? = nil) throws -> Int {
    try (folder ?? zone).contents(log).map { $0.filter { $0 == 0x0A }.count } ?? 0
  }

  private func rewrite(_ names: [ExactName], rounds: Int) throws {
    for round in 0..<rounds {
      for save in try alice.modify(names.map { alice.note($0, "\(round)") }, policy: .allKeys).saves {
        _ = try save.get()
      }
    }
  }

  @Test("ten records written 2,000 times leave a few hundred lines and a feed with each record once")
  func tenRecordsWritten2000TimesLeave() throws {
    let names = (0..<10).map { ExactName("n\($0)") }
    try rewrite(names, rounds: 200)
    #expect(try lines("changes.jsonl") < 300)
    #expect(try Set(alice.changes().changed.map(\.id.name)) == Set(names))
    #expect(try alice.changes().changed.allSatisfy { $0.fields["text"] == .string("199") })
    #expect(try cloud.service.checks.check() == [])
    _ = try zone.directory(".index").remove("index")
    #expect(try Set(alice.changes().changed.map(\.id.name)) == Set(names))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a token older than the horizon stays valid until a later removal is forgotten ([change-token-4])")
  func tokenOlderThanTheHorizonStaysValid() throws {
    try rewrite(["gone", "a", "b"], rounds: 1)
    let early = try alice.changes().token
    try rewrite(["a"], rounds: 400)
    #expect(try alice.changes(since: early).changed.map(\.id.name) == ["a"])
    try alice.modify(delete: ["gone"]).deletes[0].get()
    #expect(try alice.changes(since: early).deleted.map(\.record.name) == ["gone"])
    let late = try alice.changes().token
    try rewrite(["a"], rounds: 400)
    #expect(code { try alice.changes(since: early) } == .changeTokenExpired)
    #expect(try alice.changes(since: late).changed.map(\.id.name) == ["a"])
    #expect(try Set(alice.changes().changed.map(\.id.name)) == ["a", "b"])
  }

  @Test("a walk from nil continues when the log is compacted between two pages")
  func walkFromNilContinuesWhenTheLog() throws {
    let names = (0..<40).map { ExactName("n\($0)") }
    try rewrite(names + ["gone"], rounds: 2)
    try alice.modify(delete: ["gone"]).deletes[0].get()
    var seen: Set<ExactName> = []
    var token: String?
    var more = true
    while more {
      let page = try alice.changes(since: token, limit: 7)
      seen.formUnion(page.changed.map(\.id.name))
      (token, more) = (page.token, page.moreComing)
      if seen.count == 14 { try rewrite(["other"], rounds: 300) }
    }
    #expect(seen == Set(names + ["other"]))
  }

  @Test("a compacted share's log serves new participants, continuing ones, and one who was away too long")
  func compactedSharesLogServesNewParticipants() throws {
    try alice.save(alice.note("root", "1"))
    try alice.save(alice.note("child", "1", parent: .set("root", zone: nil)))
    let share = try alice.share("root", with: ["bob", "carol"])
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(share)
    let early = try bob.changes().token
    for round in 0..<300 {
      try alice.save(alice.note("child", "\(round)"), policy: .allKeys)
    }
    #expect(try lines("Share-1.jsonl", in: zone.directory("shares")) < 250)
    #expect(try bob.changes(since: early).changed.map(\.id.name) == ["child"])
    let carol = try Person(cloud, "carol").inShared(zoneOf: alice)
    try carol.accept(share)
    #expect(try Set(carol.changes().changed.map(\.id.name)) == ["root", "child", "Share-1"])
    #expect(try cloud.service.checks.check() == [])

    try alice.save(alice.note("child", "out", tag: try alice.fetch("child").changeTag, parent: .clear))
    #expect(try bob.changes(since: early).deleted.map(\.record.name) == ["child"])
    for round in 0..<300 { try alice.save(alice.note("root", "\(round)"), policy: .allKeys) }
    #expect(code { try bob.changes(since: early) } == .changeTokenExpired)
    // A walk from nil in pages of one, past the forgotten removals.
    var seen: [ExactName] = []
    var token: String?
    repeat {
      let page = try bob.changes(since: token, limit: 1)
      seen += page.changed.map(\.id.name)
      token = page.token
      if !page.moreComing { break }
    } while true
    #expect(Set(seen) == ["root", "Share-1"])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a share's log that was compacted, deleted and created again survives a power cut without loss in the zone")
  func restartedShareLog() throws {
    try alice.save(alice.note("a", "1"))
    try alice.share("a", share: "Share-a", with: ["bob"])
    var isCompacted = false
    for round in 0..<1000 where !isCompacted {
      try alice.save(alice.note("a", "\(round)"), policy: .allKeys)
      let log = try zone.directory("shares").contents("Share-a.jsonl") ?? []
      // Until the log is compacted right after a checkpoint.
      isCompacted = try log.starts(with: Array(#"{"forgotten""#.utf8)) && zone.directory(".journal").journalEnd() < 2000
    }
    #expect(isCompacted)
    try alice.modify(delete: ["Share-a"]).deletes[0].get()
    try alice.share("a", share: "Share-a", with: ["bob"])
    let service = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings, fileSystem: FileSystem(bootIdentifier: "another boot"))
    #expect(try service.checks.check() == [])
    #expect(try Set(alice.changes().changed.map(\.id.name)) == ["a", "Share-a"])
  }

  @Test("random histories give the same feeds with and without compaction", arguments: TestSeed.values(0..<6))
  func randomHistoriesGiveTheSameFeeds(seed: UInt64) throws {
    let plain = try TemporaryCloud { $0.limits.retainedChanges = 1 << 40 }
    let both = [alice, Person(plain, "alice")]
    try both[1].makeZone()
    var random = SeededGenerator(seed: seed)
    var tokens: [[String]] = [[], []]
    for step in 0..<400 {
      let name = ExactName("n\(random.next() % 60)")
      let deletes = random.next() % 4 == 0
      for (index, person) in both.enumerated() {
        if deletes {
          _ = try person.modify(delete: [name])
        } else {
          try person.save(person.note(name, "\(step)"), policy: .allKeys)
        }
        if step % 25 == 0 { tokens[index].append(try person.changes().token) }
      }
    }
    func summary(_ changes: ZoneChanges) -> [String] {
      changes.changed.map { "\($0.id.name) \($0.fields)" }.sorted()
        + changes.deleted.map { "gone \($0.record.name)" }.sorted()
    }
    // A walk from nil reports removals of the device's own records as far as the log still has them.
    let (ours, theirs) = (try both[0].changes(), try both[1].changes())
    #expect(ours.changed.map(\.id.name) == theirs.changed.map(\.id.name), "seed \(seed)")
    #expect(Set(ours.deleted).isSubset(of: Set(theirs.deleted)), "seed \(seed)")
    var expired = 0
    for (mine, other) in zip(tokens[0], tokens[1]) {
      do {
        let changes = try both[0].changes(since: mine)
        #expect(summary(changes) == summary(try both[1].changes(since: other)), "seed \(seed)")
      } catch let error as ServiceError where error.code == .changeTokenExpired {
        expired += 1
      }
    }
    #expect(expired > 0 && expired < tokens[0].count, "seed \(seed)")
    #expect(try cloud.service.checks.check() == [], "seed \(seed)")
  }
}
