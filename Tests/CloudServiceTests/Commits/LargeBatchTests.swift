import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Large commits read, stage and rename their files on a second thread.
@Suite("Large batches: all or nothing, with faults on either thread")
struct LargeBatchTests {
  private static let names = (0..<120).map { ExactName("n\($0)") }
  /// The distance between tested calls. The two threads determine the order of calls in each run.
  private static let step = 9

  private struct Stage {
    let cloud: TemporaryCloud
    let people: FaultRunPeople

    /// A cloud that contains every second record.
    init() throws {
      cloud = try TemporaryCloud()
      people = FaultRunPeople(cloud.service)
      try people.makeZone()
      let old = names.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      try people.modify(old.map { people.note($0, "old") })
    }

    /// Saves all records through a given file system.
    func save(_ fileSystem: FileSystem) throws {
      let other = FaultRunPeople(
        try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
      try other.modify(names.map { other.note($0, "new") })
    }

    /// True if the whole batch is saved, false if no part of it is, nil if only a part is.
    func outcome() throws -> Bool? {
      let texts = try Person(cloud, "alice").changes().changed.map { $0.fields["text"] }
      #expect(try cloud.service.checks.check() == [])
      if texts.count == names.count, texts.allSatisfy({ $0 == .string("new") }) { return true }
      if texts.count == names.count / 2, texts.allSatisfy({ $0 == .string("old") }) { return false }
      return nil
    }
  }

  private static func calls() throws -> Int {
    let counter = Counter()
    try Stage().save(
      FileSystem { _ in
        _ = counter.next()
        return .proceed
      })
    return Int(counter.next())
  }

  @Test("a batch whose process is killed at any call is saved completely or not at all, and later saves work")
  func batchWhoseProcessIsKilledAtAny() throws {
    var outcomes: Set<Bool> = []
    for point in stride(from: 1, to: try Self.calls(), by: Self.step) {
      let (stage, counter, point) = (try Stage(), Counter(), Int64(point))
      // The caller may have got the answer before the kill, if the kill followed the commit.
      let isAcknowledged =
        nil != (try? stage.save(FileSystem { _ in counter.next() == point ? .stopBefore : .proceed }))
      guard let isSaved = try stage.outcome(), isSaved || !isAcknowledged else {
        Issue.record("half of it, or less than was promised, after call \(point)")
        continue
      }
      outcomes.insert(isSaved)
      try stage.people.modify([stage.people.note("later", "new")])
    }
    #expect(outcomes == [true, false])
  }

  @Test("if any call fails, or the sync of the journal entry, an error means no change and success means all of it")
  func ifAnyCallFailsOrTheSync() throws {
    var faults: [(text: String, hits: @Sendable (FileSystemCall) -> Bool)] = []
    for point in stride(from: 1, to: try Self.calls(), by: Self.step) {
      let counter = Counter()
      faults.append(("call \(point)", { _ in counter.next() == Int64(point) }))
    }
    // Other failures may occur before the commit or be repaired after it. This one always occurs before it.
    faults.append(
      (
        "the entry's sync",
        { call in
          if case .syncFile(let path) = call { path.hasSuffix("/.journal/log") } else { false }
        }
      ))
    var outcomes: Set<Bool> = []
    for (text, hits) in faults {
      let stage = try Stage()
      let isSaved: Bool
      do {
        try stage.save(FileSystem { hits($0) ? .fail(SystemError.noSpace) : .proceed })
        isSaved = true
      } catch {
        isSaved = false
      }
      #expect(try stage.outcome() == isSaved, "\(text)")
      outcomes.insert(isSaved)
    }
    #expect(outcomes == [true, false])
  }

  @Test("a refused batch leaves no files, and the next batch succeeds")
  func refusedBatchLeavesNoFiles() throws {
    let stage = try Stage()
    let alice = Person(stage.cloud, "alice")
    var saves = Self.names.map { stage.people.note($0, "new") }
    saves[60].parent = .set("nobody", zone: nil)
    let response = try alice.modify(saves, policy: .allKeys)
    #expect(response.saves.allSatisfy { if case .failure = $0 { true } else { false } })
    #expect(try stage.outcome() == false)
    try stage.save(FileSystem())
    #expect(try stage.outcome() == true)
  }

  @Test("records that were staged early and then fail or change are saved correctly")
  func recordsThatWereStagedEarly() throws {
    let stage = try Stage()
    let alice = Person(stage.cloud, "alice")
    var saves = Self.names.map { alice.note($0, "new \($0)") }
    for index in [2, 50, 51, 119] { saves[index].parent = .set("nobody", zone: nil) }
    let response = try alice.modify(saves, policy: .allKeys, atomic: false)
    let failed = response.saves.indices.filter { if case .failure = response.saves[$0] { true } else { false } }
    #expect(failed == [2, 50, 51, 119])
    for (index, name) in Self.names.enumerated() {
      let isOld = index.isMultiple(of: 2)
      let text = (try? alice.fetch(name))?.fields["text"]
      #expect(text == (failed.contains(index) ? isOld ? .string("old") : nil : .string("new \(name)")))
    }
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test("a share within a large batch: its root is saved with the share, not as it was staged early")
  func shareWithinALargeBatch() throws {
    let stage = try Stage()
    let people = stage.people
    var saves = Self.names.map { people.note($0, "new") }
    saves.insert(try people.share("n40", as: "Share-1"), at: 20)
    for index in 60..<80 { saves[index].parent = .set("n40", zone: nil) }
    try people.modify(saves)
    let alice = Person(stage.cloud, "alice")
    #expect(try alice.fetch("n40").share?.string == "Share-1")
    #expect(try alice.fetch("n70").parent?.string == "n40")
    #expect(try alice.changes().changed.count == Self.names.count + 1)
    #expect(try stage.cloud.service.checks.check() == [])
  }

  /// In a process of its own: a process that is short of descriptors stages under temporary names at once.
  @Test("if the file system can't create or name unnamed files, files are staged under temporary names")
  func ifTheFileSystemCannotCreate() async {
    await #expect(processExitsWith: .success) {
      for isMade in [false, true] {
        let stage = try Stage()
        let met = Counter()
        @Sendable func isUnnamed(_ path: String) -> Bool { path.contains("/staged/#") }
        try stage.save(
          FileSystem { call in
            switch call {
            case .createFile(let path) where isUnnamed(path) && !isMade:
              _ = met.next()
              return .skip
            case .rename(let path, _) where isUnnamed(path):
              _ = met.next()
              return .fail(SystemError.accessDenied)
            default: return .proceed
            }
          })
        #expect(met.next() == Int64(Self.names.count / 2 + 1), "\(isMade)")
        #expect(try stage.outcome() == true, "\(isMade)")
      }
    }
  }
}
