import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

/// A repair, stopped and failed at each of its calls.
@Suite("A repair of a store can be run again")
struct ObjectStoreRepairFaultTests {
  private typealias Sample = SampleStore

  /// The damage of a store.
  enum Damage: String, CaseIterable {
    /// Lines of objects, links and the history that are no rows, and a stray file.
    case lines
    /// A segment of objects is missing, and the end of the history is garbage. Only the index names the segment.
    case missing
    /// An entry of the journal is broken that was committed, and the header is lost.
    case journal
  }

  /// The story of a store is that of its repair: nothing else can be told of a damaged one.
  private func fault(_ damage: Damage) throws -> FaultCase<StoreStory> {
    let folder = MemoryFolder.newPath("objects-repair-fault")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    let path = folder + "/s"
    var options = Sample.options
    if damage == .journal { options.limits.checkpointBytes = 1 << 20 }
    let store = try Sample.open(path, options: options)
    let ids = try RepairStage.fill(store)
    try RepairStage.mirror(store, ids)
    // Else a power cut has the journal applied again, which puts good lines in the place of bad ones.
    if damage != .journal { #expect(try store.scrub()) }
    try spoil(StoreEditing(path), damage)
    return try FaultCase(
      "a store is repaired: \(damage)", FolderImage(of: folder), change: Self.repair,
      story: { path in
        try Self.repair(path, FileSystem())
        return try StoreStory(Sample.open(path + "/s"))
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
      let (place, name) = try files.segment("objects/Tag")
      try place.remove(name)
      let history = try files.folder.contents("history.jsonl") ?? []
      try files.folder.writeStaged("history.jsonl", history + Array("garbage\n".utf8))
    case .journal:
      let journal = try files.folder.directory(".journal").file("log", .readWrite)
      let broken = try #require(try journal.readAll().firstRange(of: Array("red".utf8)))
      try journal.write([0, 0, 0], at: broken.lowerBound)
      try journal.write([UInt8](repeating: 0, count: 8), at: 0)
    }
  }

  /// Texts that are in `aside/` after the repair.
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

  /// A program that is faster than the next repair may make the index anew, and forget the rows that only the index knew.
  private func judgeAfterProgram(_ finding: FaultCase<StoreStory>.Finding) throws {
    let fileSystem = FileSystem(bootIdentifier: finding.boot)
    try FolderImage(of: finding.path).onCopy { path in
      _ = try? Sample.open(path + "/s", in: fileSystem).read { try $0.ids(of: Sample.tag) }
      try Self.repair(path, fileSystem)
      let candidates = try Sample.open(path + "/s").read { try ExportCandidates($0) }
      #expect(candidates.gone == [], "no record of a lost object is deleted: \(finding.text)")
    }
  }

  private func judge(_ finding: FaultCase<StoreStory>.Finding, _ damage: Damage) {
    do {
      if finding.boot == HostProcess.bootIdentifier { try judgeAfterProgram(finding) }
      let fileSystem = FileSystem(bootIdentifier: finding.boot)
      let path = finding.path + "/s"
      _ = try ObjectStore.repairing(path, Sample.options, RepairStage.time, fileSystem)
      let store = try Sample.open(path)
      #expect(finding.allowed.contains(try StoreStory(store)), "\(finding.text)")
      #expect(try store.check() == [], "\(finding.text)")
      let files = try StoreEditing(path)
      for text in texts(damage) { #expect(try files.isAside(text), "\(finding.text): \(text)") }
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  // [store-30]
  @Test("killed at each call, the next repair ends it, and all that was damaged is aside", arguments: Damage.allCases)
  func kills(damage: Damage) throws {
    let (count, outcomes) = try fault(damage).kills()
    #expect(count > 30 && outcomes.count == 1)
  }

  // [store-30]
  @Test("the power goes after each call of a repair", arguments: Damage.allCases)
  func powerCuts(damage: Damage) throws { try fault(damage).powerCuts(seeded: 1) }

  // [store-30]
  @Test("each call of a repair fails once", arguments: Damage.allCases)
  func errors(damage: Damage) throws { try fault(damage).errors() }
}
