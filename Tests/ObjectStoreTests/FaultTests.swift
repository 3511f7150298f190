import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

/// Stops an object store, or lets it fail, at each of its file system calls.
@Suite("Durability and atomicity of an object store")
struct ObjectStoreFaultTests {
  private typealias Sample = SampleStore

  struct Step: Sendable {
    var name: String
    var earlier: @Sendable (ObjectStore) throws -> Void
    var change: @Sendable (ObjectStore) throws -> Void
    /// True if readers observe the same state before and after the step.
    var isSilent = false
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
        row.attributes[Sample.attributeIndex("title", of: Sample.post)] = .string(text)
        if let body {
          row.attributes[Sample.attributeIndex("body", of: Sample.post)] = .external(try transaction.external(body))
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
        row.attributes[Sample.attributeIndex("title", of: Sample.post)] = .string("Other")
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
    Step(
      name: "scrubbing",
      earlier: { store in
        try fill(store)
        try update(store, "Other", body: [7, 8, 9, 10])
        _ = try store.writing { transaction in
          for id in try transaction.ids(of: Sample.tag) { try transaction.delete(id) }
        }
      }, change: { _ = try $0.scrubbing() }, isSilent: true),
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

  func image(_ step: Step) throws -> FolderImage {
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

  private func fault(_ step: Step) throws -> FaultCase<StoreScenario> {
    let fault = try FaultCase(
      step.name, image(step), change: { try step.change(Sample.open($0 + "/s", in: $1)) },
      state: { try StoreScenario(Sample.open($0 + "/s")) }, judge: judge)
    #expect((fault.before == fault.after) == step.isSilent, "\(step.name)")
    try fault.image.onCopy { path in
      try step.change(Sample.open(path + "/s"))
      #expect(try Sample.open(path + "/s").check() == [], "\(step.name)")
    }
    return fault
  }

  /// The next process must find the complete state of before or after the change, and can continue to write.
  func judge(_ finding: FaultCase<StoreScenario>.Finding) {
    do {
      let fileSystem = FileSystem(bootIdentifier: finding.boot)
      let store = try Sample.open(finding.path + "/s", in: fileSystem)
      let found = try StoreScenario(store)
      #expect(finding.allowed.contains(found), "\(finding.text)")
      let head = try store.read { try $0.head() }
      let (id, commit) = try store.write { transaction in
        let id = transaction.newID(of: Sample.tag)
        transaction.insert(Sample.row(id, ["name": .string("next")]))
        return id
      }
      #expect(id.number > head, "\(finding.text), and the next commit")
      #expect(commit?.inserted == [id], "\(finding.text), and the next commit")
      let problems = try Sample.open(finding.path + "/s", in: fileSystem).check()
      #expect(problems == [], "\(finding.text), and the next commit")
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  // MARK: Tests

  @Test("a process killed at any call of a change leaves all of the change or nothing", arguments: steps.indices)
  func processKilledAtAnyCall(step: Int) throws {
    let fault = try fault(Self.steps[step])
    let (count, outcomes) = try fault.kills()
    #expect(count > 20)
    // Otherwise the faults were not exercised.
    #expect(outcomes == [fault.before, fault.after])
  }

  @Test(
    "after a power cut at any call the store has every acknowledged change and no partial change",
    arguments: steps.indices
  )
  func powerCuts(step: Int) throws { try fault(Self.steps[step]).powerCuts(seeded: 2) }

  @Test(
    "a change that fails at any call has no effect, unless its error says that the outcome is unknown",
    arguments: steps.indices)
  func changeThatFailsAtAnyCall(step: Int) throws { try fault(Self.steps[step]).errors() }

  // MARK: Creating a store

  /// The state is nil where there is no store.
  private func makingFault() throws -> FaultCase<StoreScenario?> {
    let empty = try newFolder()
    defer { try? ScratchFolder.remove(empty) }
    return try FaultCase(
      "a store is made", FolderImage(of: empty), change: { _ = try Sample.open($0 + "/s", in: $1) },
      state: { path in
        let isThere = try Directory.open(path: path, in: FileSystem()).kind(of: "s") != nil
        return isThere ? try StoreScenario(Sample.open(path + "/s")) : nil
      }, judge: judgeMaking)
  }

  /// An acknowledged store exists. Otherwise there is none or a complete one. The next process can always open one.
  private func judgeMaking(_ finding: FaultCase<StoreScenario?>.Finding) {
    do {
      let folder = try Directory.open(path: finding.path, in: FileSystem())
      if !finding.allowed.contains(nil) { #expect(try folder.kind(of: "s") == .directory, "\(finding.text)") }
      let allowed = finding.allowed.compactMap(\.self) + [StoreScenario()]
      judge(.init(finding.path, allowed, boot: finding.boot) { finding.text })
      #expect(try folder.entries().map(\.name) == ["s"], "\(finding.text)")
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  @Test("a process killed at any call of a store's creation leaves no store or a complete one")
  func processKilledAtAnyCallOfAStoresCreation() throws {
    let fault = try makingFault()
    let (count, outcomes) = try fault.kills()
    #expect(count > 10)
    #expect(outcomes == [fault.before, fault.after])
    #expect(fault.before == nil)
  }

  @Test("a store whose creation was acknowledged exists after a power cut")
  func makingPowerCuts() throws { try makingFault().powerCuts(seeded: 3) }

  @Test("after a failed creation of a store the next process can create it")
  func makingErrors() throws { try makingFault().errors() }

  // MARK: Replacing a store

  private func replacingFault() throws -> FaultCase<StoreScenario> {
    let empty = try newFolder()
    defer { try? ScratchFolder.remove(empty) }
    try Self.fill(Sample.open(empty + "/s"))
    try Self.fill(Sample.open(empty + "/source"))
    try Self.update(Sample.open(empty + "/source"), "Two", body: [4, 5])
    return try FaultCase(
      "a store is replaced", FolderImage(of: empty),
      change: { path, fileSystem in
        try Sample.open(path + "/source").copying(to: path + "/s", in: fileSystem)
      }, state: { try StoreScenario(Sample.open($0 + "/s")) }, judge: judgeReplacing)
  }

  private func judgeReplacing(_ finding: FaultCase<StoreScenario>.Finding) {
    judge(finding)
    do {
      let folder = try Directory.open(path: finding.path, in: FileSystem())
      #expect(try folder.entries().map(\.name).sorted() == ["s", "source"], "\(finding.text)")
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  // [store-19]
  @Test("a process killed at any call of a replacement leaves the complete old or the complete new store")
  func processKilledAtAnyCallOfAReplacementLeaves() throws {
    let fault = try replacingFault()
    let (count, outcomes) = try fault.kills()
    #expect(count > 20)
    #expect(outcomes == [fault.before, fault.after])
    #expect(fault.before != fault.after)
  }

  @Test("after a power cut during a replacement the complete old or the complete new store is there")
  func replacingPowerCuts() throws { try replacingFault().powerCuts(seeded: 2) }

  @Test("a replacement that fails at any call leaves the complete old or the complete new store")
  func replacingErrors() throws { try replacingFault().errors() }
}
