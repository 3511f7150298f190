import FaultInjection
import Platform
import Storage
import Testing

/// A store that is no cloud, on the commit path alone, stopped and failed at each of its calls.
@Suite("A journaled folder keeps its promises for any store")
struct JournaledFolderTests {
  typealias Change = ToyStore.Change

  /// Steps that do all there is: new and changed documents, removals, attachments, enough of them for checkpoints and for a
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

  private func onCopy<Result>(
    of image: FolderImage, at path: String = MemoryFolder.newPath("toy-case"), _ body: (String) throws -> Result
  ) throws -> Result {
    try image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    return try body(path)
  }

  private func stories(_ step: (name: String, earlier: [[Change]], change: [Change])) throws -> (
    image: FolderImage, before: ToyStory, after: ToyStory
  ) {
    let image = try image(after: step.earlier)
    return try onCopy(of: image) { path in
      let before = try ToyStore(path).story()
      try ToyStore(path).commit(step.change)
      let after = try ToyStore(path).story()
      #expect(before != after && before.contradictions == [] && after.contradictions == [], "\(step.name)")
      return (image, before, after)
    }
  }

  /// What the next process finds is what was before or what is after, whole.
  private func judge(
    _ path: String, _ allowed: [ToyStory], boot: String = HostProcess.bootIdentifier, _ text: @autoclosure () -> String
  ) {
    do {
      let found = try ToyStore(path, in: FileSystem(bootIdentifier: boot)).story()
      #expect(allowed.contains(found), "\(text()): \(found)")
      #expect(found.contradictions == [], "\(text())")
      // It goes on from there.
      try ToyStore(path, in: FileSystem(bootIdentifier: boot)).commit([.set("next", "word")])
      let next = try ToyStore(path, in: FileSystem(bootIdentifier: boot)).story()
      #expect(next.notes["next"] == "word" && next.contradictions == [], "\(text()), and the next commit")
      #expect(next.sequence == found.sequence + 1, "\(text()), and the next commit")
    } catch {
      Issue.record("\(text()): \(error)")
    }
  }

  @Test("killed at each call that changes the tree: all of it or nothing", arguments: steps.indices)
  func kills(place: Int) throws {
    let step = Self.steps[place]
    let (image, before, after) = try stories(step)
    let calls = try onCopy(of: image) { path in
      try CrashHarness().trace { try ToyStore(path, in: $0).commit(step.change) }
    }
    let points = CrashHarness().points(calls)
    #expect(points.count > 20)
    var outcomes: Set<ToyStory> = []
    for point in points {
      try onCopy(of: image) { path in
        let isAcknowledged =
          (try? ToyStore(path, in: CrashHarness().fileSystem(stoppingAt: point)).commit(step.change)) != nil
        outcomes.insert(try onCopy(of: FolderImage(of: path)) { try ToyStore($0).story() })
        judge(path, isAcknowledged ? [after] : [before, after], "\(step.name): \(point)")
      }
    }
    // Else nothing was tried.
    #expect(outcomes == [before, after])
  }

  @Test(
    "the power goes after each call: what was acknowledged is there, nothing is there in part", arguments: steps.indices
  )
  func powerCuts(place: Int) throws {
    let step = Self.steps[place]
    let (image, before, after) = try stories(step)
    let path = MemoryFolder.newPath("toy-power")
    let cut = try onCopy(of: image, at: path) { path in
      try PowerCut.recording(path) { try ToyStore(path, in: $0).commit(step.change) }
    }
    var random = SeededGenerator(seed: TestSeed.value(step.name))
    for count in 0...cut.calls.count {
      let keeps = [Keep.nothing, .everything, .seeded(random.next()), .seeded(random.next()), .seeded(random.next())]
      for keep in keeps {
        try onCopy(of: cut.image(at: count, keeping: keep)) { path in
          let allowed = count == cut.calls.count ? [after] : [before, after]
          judge(
            path, allowed, boot: "another boot",
            "\(step.name): \(count) calls, \(keep): \(cut.losses(at: count, keeping: keep))")
        }
      }
    }
  }

  @Test(
    "each call fails once: an error means that nothing was done, unless it says that nobody can tell",
    arguments: steps.indices)
  func errors(place: Int) throws {
    let step = Self.steps[place]
    let (image, before, after) = try stories(step)
    let calls = try onCopy(of: image) { path in
      try CrashHarness().trace(allCalls: true) { try ToyStore(path, in: $0).commit(step.change) }
    }
    let codes = [SystemError.noSpace, SystemError.inputOutput, SystemError.tooManyFiles]
    for code in codes {
      for point in CrashHarness().failures(calls, code, allCalls: true) {
        try onCopy(of: image) { path in
          var allowed = [after]
          do {
            try ToyStore(path, in: CrashHarness().fileSystem(stoppingAt: point)).commit(step.change)
          } catch StorageError.uncertain {
            allowed = [before, after]
          } catch {
            allowed = [before]
          }
          judge(path, allowed, "\(step.name): \(point)")
        }
      }
    }
  }

  @Test("commits that wait for one folder become durable together, and each is whole")
  func together() throws {
    let path = MemoryFolder.newPath("toy-together")
    defer { try? ScratchFolder.remove(path) }
    try ToyStore.make(path)
    let store = try ToyStore(path, limits: StorageLimits())
    let other = try ToyStore(path, limits: StorageLimits())
    // A journal that has to grow is synced at once.
    try store.commit([.set("first", "zero")])
    let isDone = Counter()
    // The first one is left, and the other comes before it is completed.
    store.folder.whenLeft.withLock {
      $0 = {
        do {
          try other.commit([.set("b", "two")])
          _ = isDone.next()
        } catch { Issue.record(error) }
      }
    }
    try store.commit([.set("a", "one")])
    store.folder.whenLeft.withLock { $0 = nil }
    #expect(isDone.next() == 2)
    let story = try ToyStore(path).story()
    #expect(
      story.notes == ["first": "zero", "a": "one", "b": "two"] && story.sequence == 3 && story.contradictions == [])
  }

  @Test("a damaged index is made anew from documents; a damaged log is told of, and never passed over")
  func damage() throws {
    let path = MemoryFolder.newPath("toy-damage")
    defer { try? ScratchFolder.remove(path) }
    try ToyStore.make(path)
    try ToyStore(path).commit([.set("a", "one"), .set("b", "two")])
    let box = try Directory.open(path: path + "/box", in: FileSystem())
    let index = try box.directory(".index").file("index", .readWrite)
    try index.write([UInt8](repeating: 0xFF, count: 64), at: 2 * 8192)
    let story = try ToyStore(path).story()
    #expect(story.keys == ["one|a", "two|b"])
    try box.directory(".index").remove("index")
    #expect(try ToyStore(path).story() == story)
    try box.file("log.jsonl", .readWrite).truncate(to: 10)
    #expect(throws: StorageError.self) { try ToyStore(path).story() }
    #expect(throws: StorageError.self) { try ToyStore(path).commit([.set("c", "three")]) }
  }

  @Test("the last commit takes the folder away; whoever has it open is told")
  func removal() throws {
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
    #expect(throws: ToyMissing.self) { try other.story() }
  }
}
