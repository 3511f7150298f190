import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Group commit: each commit is planned after those before it, and one sync makes all of them durable")
struct JoinedCommitTests {
  /// Counts the syncs of the zone's journal, and makes some of them fail.
  private final class Watch: Sendable {
    let syncs = Counter()
    let failures = Mutex(0)

    func verdict(_ call: FileSystemCall) -> InjectedFault {
      guard case .syncFile(let path) = call, path.hasSuffix("/zones/Notes/.journal/log") else { return .proceed }
      _ = syncs.next()
      return failures.withLock { left in
        left -= 1
        return left >= 0 ? .fail(SystemError.inputOutput) : .proceed
      }
    }
  }

  private let watch = Watch()
  let cloud: TemporaryCloud
  let alice: Person

  init() throws {
    cloud = try TemporaryCloud(fileSystem: FileSystem { [watch] in watch.verdict($0) })
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.makeRoom()
  }

  private func store() throws -> ZoneStore { try #require(try FaultRunPeople(cloud.service).store()) }

  @Test("three concurrent saves need one sync, and the record files do not change before it")
  func oneSync() throws {
    try alice.save(alice.note("a", "0"))
    let before = watch.syncs.next()
    let found = Mutex<[String?]>([])
    try store().runQueued([
      { try alice.save(alice.note("a", "1"), policy: .allKeys) }, { try alice.save(alice.note("b", "2")) },
      { try alice.save(alice.note("c", "3")) },
      {
        let texts = try ["a", "b", "c"].map(alice.storedText)
        found.withLock { $0 = texts }
      },
    ])
    #expect(watch.syncs.next() == before + 2)
    #expect(found.withLock { $0 } == ["0", nil, nil])
    #expect(try ["a", "b", "c"].map(alice.storedText) == ["1", "2", "3"])
    #expect(try alice.changes().changed.count == 3)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a save that conflicts with an unsynced save is refused with that version, after that version is durable")
  func saveThatConflictsWithAnUnsyncedSave() throws {
    let first = try alice.save(alice.note("a", "0"))
    let refusal = Mutex<(ServiceError?, String?)>((nil, nil))
    try store().runQueued([
      { try alice.save(alice.note("a", "mine", tag: first.changeTag)) },
      {
        do { try alice.save(alice.note("a", "theirs", tag: first.changeTag)) } catch let error as ServiceError {
          let found = try alice.storedText(of: "a")
          refusal.withLock { $0 = (error, found) }
        }
      },
    ])
    let (error, held) = refusal.withLock { $0 }
    #expect(error?.code == .serverRecordChanged)
    #expect(error?.serverRecord?.fields["text"] == .string("mine"))
    #expect(held == "mine")
  }

  @Test("a reader, a query and a deletion of the zone first write unsynced commits into the files")
  func readerAQueryAndADeletion() throws {
    try alice.save(alice.note("a"))
    let seen = Mutex<[Int]>([])
    try store().runQueued([
      { try alice.save(alice.note("b", "1")) },
      {
        let count = try alice.changes().changed.count
        seen.withLock { $0.append(count) }
      },
    ])
    #expect(seen.withLock { $0 } == [2])
    try store().runQueued([
      { try alice.save(alice.note("c", "1")) },
      {
        let response = try cloud.service.zones.modifyZones(
          ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
        try response.deletes[0].get()
      },
    ])
    #expect(code { try alice.fetch("c") } == .zoneNotFound)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("after a failed sync another waiting commit retries; a save with an unknown result fails with an error")
  func failedSync() throws {
    let errors = Mutex<[ServiceError.Code?]>([])
    func attempt(_ name: ExactName) -> @Sendable () throws -> Void {
      {
        let result = code { try alice.save(alice.note(name)) }
        errors.withLock { $0.append(result) }
      }
    }
    try store().runQueued([attempt("a"), attempt("b"), { watch.failures.withLock { $0 = 3 } }])
    // The thread that syncs both commits meets the failure three times. The other one retries, and both are durable.
    let uncertain = errors.withLock { $0 }
    #expect(uncertain.compactMap { $0 }.count == 1)
    #expect(uncertain.last == .some(nil))
    #expect(try alice.changes().changed.count == 2)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "each kind of fault run for group commits really leaves a commit unsynced when the next one is written",
    arguments: FaultRunKind.joinedCommits)
  func eachKindOfFaultRunForGroup(kind: FaultRunKind) throws {
    let writes = Mutex<[String]>([])
    let path = ScratchFolder.newPath("attacked")
    try FaultRunStage.shared.image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    let fileSystem = FileSystem { call in
      if case .write(let path, let offset, _) = call, path.hasSuffix("/.journal/log"), offset >= 48 {
        writes.withLock { $0.append("\(path) \(offset)") }
      }
      return .proceed
    }
    let settings = TemporaryCloud.settings(ids: "attacked")
    try kind.run(
      FaultRunPeople(try CloudService.open(root: path, settings: settings, fileSystem: fileSystem)))
    let offsets = writes.withLock { $0 }
    #expect(Set(offsets).count < offsets.count)
  }

  @Test("concurrent commits leave the same files as the same commits one after the other")
  func sameAsOneByOne() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let (together, oneByOne) = (try Model(), try Model())
    for round in 0..<60 {
      let steps = (0..<Int.random(in: 1...6, using: &random)).map { _ in ModelStepInCompany.any(using: &random) }
      let results = Mutex<[String]>([])
      try together.store.runQueued(
        steps.map { step in
          {
            let result = together.run(step)
            results.withLock { $0.append(result) }
          }
        })
      // Results arrive in another order, because later commits may be answered first.
      #expect(results.withLock { $0.sorted() } == steps.map(oneByOne.run).sorted(), "seed \(seed), round \(round)")
      let (one, other) = (try together.files(), try oneByOne.files())
      let different = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
      try #require(different.isEmpty, "seed \(seed), round \(round): \(different) after \(steps)")
    }
    #expect(try together.cloud.service.checks.check() == [], "seed \(seed)")
  }
}

/// A random change of one of a few records, by Alice or by Bob, a participant of her share.
private struct ModelStepInCompany: Sendable {
  enum Deed: Sendable, CaseIterable { case save, saveBelow, moveOut, refer, delete, batch, queryField }

  var deed: Deed
  var isBobs: Bool
  var name: ExactName
  var other: ExactName
  var text: String

  static func any(using random: inout SeededGenerator) -> ModelStepInCompany {
    func name() -> ExactName { ExactName("n\(Int.random(in: 0..<8, using: &random))") }
    return ModelStepInCompany(
      deed: Deed.allCases.randomElement(using: &random) ?? .save, isBobs: Int.random(in: 0..<3, using: &random) == 0,
      name: name(), other: Bool.random(using: &random) ? "root" : name(),
      text: String(Int.random(in: 0..<20, using: &random)))
  }
}

/// A shared zone with a fixed clock, so that two instances can have equal files.
private struct Model: Sendable {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let store: ZoneStore

  init() throws {
    cloud = try TemporaryCloud { $0.clock = { 1_800_000_000_000 } }
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.makeRoom()
    try alice.save(alice.note("root"))
    try Person(cloud, "bob").accept(alice.share("root", with: ["bob"]))
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    store = try #require(try FaultRunPeople(cloud.service).store())
  }

  /// Runs the step, and returns its result as one line.
  func run(_ step: ModelStepInCompany) -> String {
    let person = step.isBobs ? bob : alice
    var saves: [RecordSave] = []
    var deletes: [ExactName] = []
    switch step.deed {
    case .save: saves = [person.note(step.name, step.text)]
    case .saveBelow: saves = [person.note(step.name, step.text, parent: .set(step.other, zone: nil))]
    case .moveOut: saves = [person.note(step.name, parent: .clear)]
    case .refer:
      var save = person.note(step.name, step.text)
      save.fields["target"] = .reference(ReferenceValue(record: step.other, action: .deleteSelf))
      saves = [save]
    case .delete: deletes = [step.name]
    case .batch:
      saves = [
        person.note(step.name, step.text),
        person.note(ExactName("\(step.name)-child"), parent: .set(step.name, zone: nil)),
      ]
      if step.other != "root", step.other != step.name { deletes = [step.other] }
    case .queryField:
      let condition = QueryCondition([QueryFilter("text", .beginsWith, .string(step.text))])
      let found = Result {
        try alice.service.queries.queryRecords(
          QueryRecordsRequest(
            scope: .private, zone: alice.zone, query: Query(recordType: "Note", condition: condition)),
          by: alice.caller)
      }
      return "\(step): \(found.map { $0.records.count })"
    }
    do {
      let response = try person.modify(saves, delete: deletes, policy: .allKeys)
      let codes =
        response.saves.map { save in code { try save.get() } } + response.deletes.map { one in code { try one.get() } }
      return "\(step): \(codes)"
    } catch { return "\(step): \(error)" }
  }

  /// The files of the records and logs.
  func files() throws -> [String: [UInt8]] {
    let folder = try cloud.zoneFolder()
    var result: [String: [UInt8]] = [:]
    result["changes"] = try folder.contents("changes.jsonl")
    for name in ["records", "shares"] {
      let directory = try folder.directory(name)
      for entry in try directory.entries() { result[name + "/" + entry.name] = try directory.contents(entry.name) }
    }
    return result
  }
}
