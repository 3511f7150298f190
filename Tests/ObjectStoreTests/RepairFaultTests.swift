import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

/// Stops a repair, or lets it fail, at each of its file system calls.
@Suite("Repeating an interrupted repair")
struct ObjectStoreRepairFaultTests {
  private typealias Sample = SampleStore

  /// The damage of a store.
  enum Damage: String, CaseIterable {
    /// Invalid lines of objects, links and the history, and a stray file.
    case lines
    /// A segment of objects is missing, and the end of the history is garbage. Only the index names the segment.
    case missing
    /// A committed entry of the journal is damaged, and the journal's header is lost.
    case journal
  }

  /// The observed state is that of the repaired store: a damaged store cannot be read.
  private func fault(_ damage: Damage) throws -> FaultCase<StoreScenario> {
    let folder = MemoryFolder.newPath("objects-repair-fault")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    let path = folder + "/s"
    var options = Sample.options
    if damage == .journal { options.limits.checkpointBytes = 1 << 20 }
    let store = try Sample.open(path, options: options)
    let ids = try RepairStage.fill(store)
    try RepairStage.mirror(store, ids)
    // Otherwise replay after a power cut overwrites the damaged lines with good ones.
    if damage != .journal { #expect(try store.scrub()) }
    try spoil(StoreEditing(path), damage)
    return try FaultCase(
      "a store is repaired: \(damage)", FolderImage(of: folder), change: Self.repair,
      state: { path in
        try Self.repair(path, FileSystem())
        return try StoreScenario(Sample.open(path + "/s"))
      }, judge: { judge($0, damage) })
  }

  private func spoil(_ files: StoreEditing, _ damage: Damage) throws {
    switch damage {
    case .lines:
      try files.replace(0, of: "objects/Tag") { "x" + $0 }
      try files.replace(0, of: "links/Post.tags") { String($0.dropLast(1)) }
      try files.replaceHistory(1) { "x" + $0 }
      try files.folder.directory("binaries").writeStaged("stray", Array("stray".utf8))
    case .missing:
      let (directory, name) = try files.segment("objects/Tag")
      try directory.remove(name)
      let history = try files.folder.contents("history.jsonl") ?? []
      try files.folder.writeStaged("history.jsonl", history + Array("garbage\n".utf8))
    case .journal:
      let journal = try files.folder.directory(".journal").file("log", .readWrite)
      let broken = try #require(try journal.readAll().firstRange(of: Array("red".utf8)))
      try journal.write([0, 0, 0], at: broken.lowerBound)
      try journal.write([UInt8](repeating: 0, count: 8), at: 0)
    }
  }

  /// Texts that the repair must have moved to `aside/`.
  private func texts(_ damage: Damage) -> [String] {
    switch damage {
    case .lines: [#"x{"id":1,"#, #"{"from":"Post/3","id":"#, #"x{"bundle"#, "stray"]
    case .missing: [#""row":"Tag/1""#, "garbage"]
    case .journal: ["navy"]
    }
  }

  private static func repair(_ folder: String, _ fileSystem: FileSystem) throws {
    _ = try ObjectStore.repairing(folder + "/s", Sample.options, RepairStage.time, fileSystem)
  }

  /// A program that opens the store before the next repair may rebuild the index and lose rows known only to the index.
  private func judgeAfterProgram(_ finding: FaultCase<StoreScenario>.Finding) throws {
    let fileSystem = FileSystem(bootIdentifier: finding.boot)
    try FolderImage(of: finding.path).onCopy { path in
      _ = try? Sample.open(path + "/s", in: fileSystem).read { try $0.ids(of: Sample.tag) }
      try Self.repair(path, fileSystem)
      let candidates = try Sample.open(path + "/s").read { try ExportCandidates($0) }
      #expect(candidates.deleted == [], "no record of a lost object is deleted: \(finding.text)")
    }
  }

  private func judge(_ finding: FaultCase<StoreScenario>.Finding, _ damage: Damage) {
    do {
      if finding.boot == HostProcess.bootIdentifier { try judgeAfterProgram(finding) }
      let fileSystem = FileSystem(bootIdentifier: finding.boot)
      let path = finding.path + "/s"
      _ = try ObjectStore.repairing(path, Sample.options, RepairStage.time, fileSystem)
      let store = try Sample.open(path)
      #expect(finding.allowed.contains(try StoreScenario(store)), "\(finding.text)")
      #expect(try store.check() == [], "\(finding.text)")
      let files = try StoreEditing(path)
      for text in texts(damage) { #expect(try files.isAside(text), "\(finding.text): \(text)") }
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  // [store-30]
  @Test(
    "after a repair is killed at any call, the next repair completes it, and all damaged data is in `aside/`",
    arguments: Damage.allCases)
  func afterARepairIsKilledAtAny(damage: Damage) throws {
    let (count, outcomes) = try fault(damage).kills()
    #expect(count > 30)
    #expect(outcomes.count == 1)
  }

  // [store-30]
  @Test("after a power cut during a repair, the next repair completes it", arguments: Damage.allCases)
  func powerCuts(damage: Damage) throws { try fault(damage).powerCuts(seeded: 1) }

  // [store-30]
  @Test("after a repair fails at any call, the next repair completes it", arguments: Damage.allCases)
  func afterARepairFailsAtAnyCall(damage: Damage) throws { try fault(damage).errors() }
}
