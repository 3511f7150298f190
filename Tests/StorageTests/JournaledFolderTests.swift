import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

/// A store other than a cloud, with only the commit path, stopped and failed at each of its calls.
@Suite("Durability and atomicity of a journaled folder")
struct JournaledFolderTests {
  typealias Change = ToyStore.Change

  /// Steps for all operations: new and changed documents, removals and attachments, enough for checkpoints and for a
  /// compaction of the log.
  static let steps: [(name: String, earlier: [[Change]], change: [Change])] = [
    ("new documents", [[.set("a", "one")]], [.set("b", "two"), .set("c", "three")]),
    ("a change and a removal", [[.set("a", "one"), .set("b", "two")]], [.set("a", "other"), .remove("b")]),
    ("an attachment", [[.set("a", "one")]], [.attach("f", Array("bytes of f".utf8)), .set("a", "with f")]),
    ("an attachment goes", [[.attach("f", [1, 2, 3]), .set("a", "one")]], [.detach("f"), .set("a", "without")]),
    ("twice the same", [[.set("a", "one")]], [.set("a", "two"), .set("a", "three"), .remove("a"), .set("a", "four")]),
    ("a checkpoint", [[.set("a", "one")]], [.set("long", String(repeating: "x", count: 4000))]),
    (
      "a checkpoint and a compaction", (0..<12).map { [.set("a", "\($0)"), .set("b\($0 % 2)", "\($0)")] },
      [.set("long", String(repeating: "y", count: 4000)), .remove("b1")]
    ),
  ]

  private func image(after earlier: [[Change]]) throws -> FolderImage {
    let path = MemoryFolder.newPath("toy")
    defer { try? ScratchFolder.remove(path) }
    try ToyStore.make(path)
    let store = try ToyStore(path)
    for changes in earlier { try store.commit(changes) }
    return try FolderImage(of: path)
  }

  private func fault(_ step: (name: String, earlier: [[Change]], change: [Change])) throws -> FaultCase<ToyHistory> {
    let fault = try FaultCase(
      step.name, image(after: step.earlier), change: { try ToyStore($0, in: $1).commit(step.change) },
      state: { try ToyStore($0).history() }, judge: judge)
    let (before, after) = (fault.before, fault.after)
    #expect(before != after, "\(step.name)")
    #expect(before.contradictions == [], "\(step.name)")
    #expect(after.contradictions == [], "\(step.name)")
    return fault
  }

  /// The next process must find the complete state of before or after the change.
  private func judge(_ finding: FaultCase<ToyHistory>.Finding) {
    do {
      let found = try ToyStore(finding.path, in: FileSystem(bootIdentifier: finding.boot)).history()
      #expect(finding.allowed.contains(found), "\(finding.text): \(found)")
      #expect(found.contradictions == [], "\(finding.text)")
      // The store can continue to commit.
      try ToyStore(finding.path, in: FileSystem(bootIdentifier: finding.boot)).commit([.set("next", "word")])
      let next = try ToyStore(finding.path, in: FileSystem(bootIdentifier: finding.boot)).history()
      #expect(next.notes["next"] == "word", "\(finding.text), and the next commit")
      #expect(next.contradictions == [], "\(finding.text), and the next commit")
      #expect(next.sequence == found.sequence + 1, "\(finding.text), and the next commit")
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  @Test("a process killed at any call of a commit leaves all of the commit or nothing", arguments: steps.indices)
  func processKilledAtAnyCall(step: Int) throws {
    let fault = try fault(Self.steps[step])
    let (count, outcomes) = try fault.kills()
    #expect(count > 20)
    // Otherwise the faults were not exercised.
    #expect(outcomes == [fault.before, fault.after])
  }

  @Test(
    "after a power cut at any call the folder has every acknowledged commit and no partial commit",
    arguments: steps.indices
  )
  func powerCuts(step: Int) throws { try fault(Self.steps[step]).powerCuts(seeded: 3) }

  @Test(
    "a commit that fails at any call has no effect, unless its error says that the outcome is unknown",
    arguments: steps.indices)
  func commitThatFailsAtAnyCall(step: Int) throws { try fault(Self.steps[step]).errors() }

  @Test("commits of two instances that wait for one folder share a sync, and each of them is complete")
  func commitsOfTwoInstancesThatWait() throws {
    let path = MemoryFolder.newPath("toy-together")
    defer { try? ScratchFolder.remove(path) }
    try ToyStore.make(path)
    let store = try ToyStore(path, limits: StorageLimits())
    let other = try ToyStore(path, limits: StorageLimits())
    // A journal that has to grow is synced at once.
    try store.commit([.set("first", "zero")])
    let isDone = Counter()
    // The first commit is not synced yet when the other one is appended.
    store.folder.whenLeft = {
      do {
        try other.commit([.set("b", "two")])
        _ = isDone.next()
      } catch { Issue.record(error) }
    }
    try store.commit([.set("a", "one")])
    store.folder.whenLeft = nil
    #expect(isDone.next() == 2)
    let history = try ToyStore(path).history()
    #expect(history.notes == ["first": "zero", "a": "one", "b": "two"])
    #expect(history.sequence == 3)
    #expect(history.contradictions == [])
  }

  @Test("a damaged index is rebuilt from the documents, and a damaged log is reported")
  func damagedIndexIsRebuiltFromTheDocuments() throws {
    let path = MemoryFolder.newPath("toy-damage")
    defer { try? ScratchFolder.remove(path) }
    try ToyStore.make(path)
    try ToyStore(path).commit([.set("a", "one"), .set("b", "two")])
    let box = try Directory.open(path: path + "/box", in: FileSystem())
    let index = try box.directory(".index").file("index", .readWrite)
    try index.write([UInt8](repeating: 0xFF, count: 64), at: 2 * 8192)
    let history = try ToyStore(path).history()
    #expect(history.keys == ["one|a", "two|b"])
    try box.directory(".index").remove("index")
    #expect(try ToyStore(path).history() == history)
    try box.file("log.jsonl", .readWrite).truncate(to: 10)
    #expect(throws: StorageError.self) { try ToyStore(path).history() }
    #expect(throws: StorageError.self) { try ToyStore(path).commit([.set("c", "three")]) }
  }

  @Test("the last commit removes the folder, and other instances fail with the store's error for a missing folder")
  func lastCommitRemovesTheFolder() throws {
    let path = MemoryFolder.newPath("toy-removal")
    defer { try? ScratchFolder.remove(path) }
    try ToyStore.make(path)
    let (store, other) = (try ToyStore(path), try ToyStore(path))
    try store.commit([.set("a", "one")])
    try store.folder.write(ToyStore.waitPolicy) { view in
      let sequence = try view.head()
      try store.folder.commit(
        JournalEntry(previous: sequence, sequence: sequence, effects: [.removeFolder]), in: view, ToyStore.waitPolicy)
    }
    #expect(try store.root.entries().map(\.name).sorted() == [".gate", ".lock"])
    #expect(throws: ToyMissing.self) { try other.commit([.set("b", "two")]) }
    #expect(throws: ToyMissing.self) { try other.history() }
  }
}
