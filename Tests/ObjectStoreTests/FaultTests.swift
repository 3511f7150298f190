import FaultInjection
import ObjectStore
import Platform
import Storage
import Testing

/// An object store, stopped and failed at each of its calls.
@Suite("An object store keeps its promises")
struct ObjectStoreFaultTests {
  private typealias Sample = SampleStore

  struct Step: Sendable {
    var name: String
    var earlier: @Sendable (ObjectStore) throws -> Void
    var change: @Sendable (ObjectStore) throws -> Void
  }

  private static let tags = SampleStore.relationship("tags", of: SampleStore.post)

  /// A post with a tag, an author and a file of bytes, and a row of the mirroring.
  private static func fill(_ store: ObjectStore) throws {
    _ = try store.writing { transaction in
      let ids = [Sample.person, Sample.post, Sample.tag].map { transaction.newID(of: $0) }
      transaction.insert(Sample.row(ids[0], ["name": .string("Ann")]))
      transaction.insert(
        Sample.row(
          ids[1], ["title": .string("One"), "body": .external(try transaction.external([1, 2, 3]))], ["author": ids[0]])
      )
      transaction.insert(Sample.row(ids[2], ["name": .string("red")]))
      try transaction.link(ids[1], tags, to: ids[2])
      transaction.put(MirrorRow(id: ids[1].number, key: "zone/One", values: ["tag": "a"]), in: .records)
    }
  }

  private static func update(_ store: ObjectStore, _ text: String, body: [UInt8]? = nil) throws {
    _ = try store.writing { transaction in
      for id in try transaction.ids(of: Sample.post) {
        var row = try #require(try transaction.row(id))
        row.attributes[Sample.place("title", of: Sample.post)] = .string(text)
        if let body {
          row.attributes[Sample.place("body", of: Sample.post)] = .external(try transaction.external(body))
        }
        try transaction.update(row, changed: ["title"])
      }
    }
  }

  static let steps: [Step] = [
    Step(name: "a save", earlier: fill) { store in
      _ = try store.writing { transaction in
        let id = transaction.newID(of: Sample.note)
        transaction.insert(Sample.row(id, ["title": .string("Two")]))
        var row = try #require(try transaction.row(try transaction.ids(of: Sample.post)[0]))
        row.attributes[Sample.place("title", of: Sample.post)] = .string("Other")
        try transaction.update(row, changed: ["title"])
      }
    },
    Step(name: "a deletion", earlier: fill) { store in
      _ = try store.writing { transaction in
        for id in try transaction.ids(of: Sample.post) {
          try transaction.delete(id)
          transaction.remove(id.number, from: .records)
        }
      }
    },
    Step(name: "another file of bytes", earlier: fill) { try update($0, "One", body: [7, 8, 9, 10]) },
    Step(name: "an import", earlier: fill) { store in
      _ = try store.writing { transaction in
        transaction.isInHistory = true
        transaction.author = "import"
        for number in 0..<6 {
          let id = transaction.newID(of: Sample.post)
          transaction.insert(Sample.row(id, ["title": .string("New \(number)")]))
          for tag in try transaction.ids(of: Sample.tag) { try transaction.link(id, tags, to: tag) }
          transaction.put(MirrorRow(id: id.number, key: "zone/\(number)", values: [:]), in: .records)
        }
        for id in try transaction.ids(of: Sample.person) { try transaction.delete(id) }
        transaction.put(MirrorRow(id: transaction.newNumber(), values: ["token": "x"]), in: .state)
      }
    },
    Step(
      name: "a segment is rewritten, and a checkpoint follows",
      earlier: { store in
        try fill(store)
        for number in 0..<6 { try update(store, String(repeating: "long \(number) ", count: 20)) }
      }, change: { store in try update(store, String(repeating: "x", count: 3000)) }),
    Step(
      name: "the history is purged",
      earlier: { store in
        try fill(store)
        try update(store, "Two")
      }, change: { store in try store.purging(through: store.read { try $0.head() } - 1) }),
  ]

  // MARK: Harness

  private func image(_ step: Step) throws -> FolderImage {
    let path = try newFolder()
    defer { try? ScratchFolder.remove(path) }
    try step.earlier(Sample.open(path + "/s"))
    return try FolderImage(of: path)
  }

  private func newFolder() throws -> String {
    let path = MemoryFolder.newPath("objects-fault")
    try Directory.make(path: path, in: FileSystem())
    return path
  }

  private func onCopy<Result>(
    of image: FolderImage, at path: String = MemoryFolder.newPath("objects-case"), _ body: (String) throws -> Result
  ) throws -> Result {
    try image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    return try body(path)
  }

  private func stories(_ step: Step) throws -> (image: FolderImage, before: StoreStory, after: StoreStory) {
    let image = try image(step)
    return try onCopy(of: image) { path in
      let before = try StoreStory(Sample.open(path + "/s"))
      try step.change(Sample.open(path + "/s"))
      let after = try StoreStory(Sample.open(path + "/s"))
      #expect(before != after, "\(step.name)")
      #expect(try Sample.open(path + "/s").check() == [], "\(step.name)")
      return (image, before, after)
    }
  }

  /// What the next process finds is what was before or what is after, whole, and it goes on from there.
  private func judge(
    _ path: String, _ allowed: [StoreStory], boot: String = HostProcess.bootIdentifier,
    _ text: @autoclosure () -> String
  ) {
    do {
      let fileSystem = FileSystem(bootIdentifier: boot)
      let store = try Sample.open(path + "/s", in: fileSystem)
      let found = try StoreStory(store)
      #expect(allowed.contains(found), "\(text())")
      let head = try store.read { try $0.head() }
      let (id, commit) = try store.write { transaction in
        let id = transaction.newID(of: Sample.tag)
        transaction.insert(Sample.row(id, ["name": .string("next")]))
        return id
      }
      #expect(id.number > head && commit?.inserted == [id], "\(text()), and the next commit")
      #expect(try Sample.open(path + "/s", in: fileSystem).check() == [], "\(text()), and the next commit")
    } catch {
      Issue.record("\(text()): \(error)")
    }
  }

  // MARK: Tests

  @Test("killed at each call that changes the store: all of it or nothing", arguments: steps.indices)
  func kills(place: Int) throws {
    let step = Self.steps[place]
    let (image, before, after) = try stories(step)
    let calls = try onCopy(of: image) { path in
      try CrashHarness().trace { try step.change(Sample.open(path + "/s", in: $0)) }
    }
    let points = CrashHarness().points(calls)
    #expect(points.count > 20)
    var outcomes: Set<StoreStory> = []
    for point in points {
      try onCopy(of: image) { path in
        let isAcknowledged =
          (try? step.change(Sample.open(path + "/s", in: CrashHarness().fileSystem(stoppingAt: point)))) != nil
        outcomes.insert(try onCopy(of: FolderImage(of: path)) { try StoreStory(Sample.open($0 + "/s")) })
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
    let path = MemoryFolder.newPath("objects-power")
    let cut = try onCopy(of: image, at: path) { path in
      try PowerCut.recording(path) { try step.change(Sample.open(path + "/s", in: $0)) }
    }
    var random = SeededGenerator(seed: TestSeed.value(step.name))
    for count in 0...cut.calls.count {
      for keep in [Keep.nothing, .everything, .seeded(random.next()), .seeded(random.next())] {
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
      try CrashHarness().trace(allCalls: true) { try step.change(Sample.open(path + "/s", in: $0)) }
    }
    for code in [SystemError.noSpace, SystemError.inputOutput, SystemError.tooManyFiles] {
      for point in CrashHarness().failures(calls, code, allCalls: true) {
        try onCopy(of: image) { path in
          var allowed = [after]
          do {
            try step.change(Sample.open(path + "/s", in: CrashHarness().fileSystem(stoppingAt: point)))
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

  @Test("killed at each call that makes a store: there is none, or a whole one")
  func making() throws {
    let empty = try newFolder()
    defer { try? ScratchFolder.remove(empty) }
    let image = try FolderImage(of: empty)
    let calls = try onCopy(of: image) { path in
      try CrashHarness().trace { _ = try Sample.open(path + "/s", in: $0) }
    }
    let blank = try onCopy(of: image) { path in try StoreStory(Sample.open(path + "/s")) }
    for point in CrashHarness().points(calls) {
      try onCopy(of: image) { path in
        _ = try? Sample.open(path + "/s", in: CrashHarness().fileSystem(stoppingAt: point))
        judge(path, [blank], "\(point)")
        let left = try Directory.open(path: path, in: FileSystem()).entries().map(\.name)
        #expect(left == ["s"], "\(point)")
      }
    }
  }
}
