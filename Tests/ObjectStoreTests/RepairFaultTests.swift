import FaultInjection
import ObjectStore
import Platform
import Storage
import TestSupport
import Testing

/// A repair, stopped and failed at each of its calls.
@Suite("A repair of a store can be run again")
struct ObjectStoreRepairFaultTests {
  private typealias Sample = SampleStore

  /// The story of a store is that of its repair: nothing else can be told of a damaged one.
  private func fault() throws -> FaultCase<StoreStory> {
    let folder = MemoryFolder.newPath("objects-repair-fault")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    let path = folder + "/s"
    let store = try Sample.open(path)
    _ = try RepairStage.fill(store)
    // Else a power cut has the journal applied again, which puts good lines in the place of bad ones.
    #expect(try store.scrub())
    let files = try StoreEditing(path)
    try files.replace(0, of: "objects/Tag") { "x" + $0 }
    try files.replace(0, of: "links/Post.tags") { String($0.dropLast(1)) }
    try files.replaceHistory(1) { "x" + $0 }
    try files.folder.directory("binaries").writeStaged("stray", Array("stray".utf8))
    return try FaultCase(
      "a store is repaired", FolderImage(of: folder), change: Self.repair,
      story: { path in
        try Self.repair(path, FileSystem())
        return try StoreStory(Sample.open(path + "/s"))
      }, judge: judge)
  }

  private static func repair(_ folder: String, _ fileSystem: FileSystem) throws {
    _ = try ObjectStore.repairing(folder + "/s", Sample.options, RepairStage.time, fileSystem)
  }

  private func judge(_ finding: FaultCase<StoreStory>.Finding) {
    do {
      let path = finding.path + "/s"
      _ = try ObjectStore.repairing(path, Sample.options, RepairStage.time, FileSystem(bootIdentifier: finding.boot))
      let store = try Sample.open(path)
      #expect(finding.allowed.contains(try StoreStory(store)), "\(finding.text)")
      #expect(try store.check() == [], "\(finding.text)")
      let files = try StoreEditing(path)
      for text in [#"x{"id":1,"#, #"{"from":"Post/3","id":"#, #"x{"bundle"#, "stray"] {
        #expect(try files.isAside(text), "\(finding.text): \(text)")
      }
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  // [store-30]
  @Test("killed at each call, the next repair ends it, and all that was damaged is aside")
  func kills() throws {
    let (count, outcomes) = try fault().kills()
    #expect(count > 30 && outcomes.count == 1)
  }

  // [store-30]
  @Test("the power goes after each call of a repair")
  func powerCuts() throws { try fault().powerCuts(seeded: 1) }

  // [store-30]
  @Test("each call of a repair fails once")
  func errors() throws { try fault().errors() }
}
