import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Large commits read, stage and put their files in place on a second thread.
@Suite("Large batches: all or nothing, whatever happens on either thread")
struct LargeBatchTests {
  private static let names = (0..<120).map { ExactName("n\($0)") }
  /// Steps over the batch's calls; whichever two threads make at that time.
  private static let step = 9

  private struct Stage {
    let cloud: TemporaryCloud
    let people: FaultRunPeople

    /// Every other record is there.
    init() throws {
      cloud = try TemporaryCloud()
      people = FaultRunPeople(cloud.service)
      try people.makeZone()
      let old = names.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      try people.modify(old.map { people.note($0, "old") })
    }

    /// Saves all of them through a file system of its own.
    func save(_ fileSystem: FileSystem) throws {
      let other = FaultRunPeople(
        try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
      try other.modify(names.map { other.note($0, "new") })
    }

    /// Whether the batch is there; nil if it is half there, or the cloud is not whole.
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

  @Test("stopped at any call: the next one finds all of it or nothing, and can go on")
  func stopped() throws {
    var outcomes: Set<Bool> = []
    for point in stride(from: 1, to: try Self.calls(), by: Self.step) {
      let (stage, counter, point) = (try Stage(), Counter(), Int64(point))
      // Who is stopped after the commit may have been told of it.
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

  @Test("failing at any call, or the sync of the entry: an error and nothing of it, or no error and all of it")
  func failing() throws {
    var faults: [(text: String, hits: @Sendable (FileSystemCall) -> Bool)] = []
    for point in stride(from: 1, to: try Self.calls(), by: Self.step) {
      let counter = Counter()
      faults.append(("call \(point)", { _ in counter.next() == Int64(point) }))
    }
    // Whether a file that fails is noticed before the commit or made anew after it, two threads decide; this is before.
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

  @Test("a batch that is refused leaves nothing behind, and the next one is as good as any")
  func refused() throws {
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

  @Test("what was foreseen and comes otherwise is saved as it came: failures in the midst")
  func otherwise() throws {
    let stage = try Stage()
    let alice = Person(stage.cloud, "alice")
    var saves = Self.names.map { alice.note($0, "new \($0)") }
    for place in [2, 50, 51, 119] { saves[place].parent = .set("nobody", zone: nil) }
    let response = try alice.modify(saves, policy: .allKeys, atomic: false)
    let failed = response.saves.indices.filter { if case .failure = response.saves[$0] { true } else { false } }
    #expect(failed == [2, 50, 51, 119])
    for (place, name) in Self.names.enumerated() {
      let isOld = place.isMultiple(of: 2)
      let text = (try? alice.fetch(name))?.fields["text"]
      #expect(text == (failed.contains(place) ? isOld ? .string("old") : nil : .string("new \(name)")))
    }
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test("a share amidst a large batch: its root is saved with it, not as it was foreseen")
  func sharing() throws {
    let stage = try Stage()
    let people = stage.people
    var saves = Self.names.map { people.note($0, "new") }
    saves.insert(try people.share("n40", as: "Share-1"), at: 20)
    for place in 60..<80 { saves[place].parent = .set("n40", zone: nil) }
    try people.modify(saves)
    let alice = Person(stage.cloud, "alice")
    #expect(try alice.fetch("n40").share?.string == "Share-1")
    #expect(try alice.fetch("n70").parent?.string == "n40")
    #expect(try alice.changes().changed.count == Self.names.count + 1)
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test("where a file can't be without a name, or be given one, it is staged under another", arguments: [false, true])
  func named(isMade: Bool) throws {
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
    #expect(met.next() == Int64(Self.names.count / 2 + 1))
    #expect(try stage.outcome() == true)
  }
}
