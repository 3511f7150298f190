import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Kills, power cuts and errors of the disk at each step of a change of snapshots. The next process finds the state
/// before or after the change, whole, and every other snapshot as it was.
@Suite("Snapshots survive a kill, a power cut and an error at each step")
struct SnapshotFaultTests {
  struct Change: Sendable, CustomStringConvertible {
    let description: String
    let run: @Sendable (Cloud) throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (Cloud) throws -> Void) {
      (self.description, self.run) = (description, run)
    }
  }

  static let changes = [
    Change("save") { cloud in
      _ = try cloud.saveSnapshot("new", note: nil, created: 1, replacing: false, LockWaitPolicy())
    },
    Change("save in place of an earlier one") { cloud in
      _ = try cloud.saveSnapshot("other", note: nil, created: 1, replacing: true, LockWaitPolicy())
    },
    Change("restore") { try $0.restoreSnapshot("first", LockWaitPolicy()) },
    Change("delete") { try $0.deleteSnapshot("other", LockWaitPolicy()) },
    Change("import") { cloud in
      var lines: [[UInt8]] = []
      try cloud.exportSnapshot("first") { lines.append(Array($0.dropLast())) }
      var rest = lines[...]
      _ = try cloud.importSnapshot(as: "read", replacing: false, LockWaitPolicy()) { rest.popFirst() }
    },
  ]

  /// The records that people see, and the files of each snapshot.
  struct State: Hashable {
    var records: [String: String] = [:]
    var snapshots: [String: FolderImage] = [:]
  }

  let path: String
  let image: FolderImage

  init() throws {
    let cloud = try TemporaryCloud(accounts: ["alice"])
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    let file = try TemporaryFile("asset")
    var save = alice.note("a", "1")
    save.fields["picture"] = .asset(AssetValue(file: file.path))
    try alice.save(save)
    let store = cloud.service.cloud
    for name in ["first", "other"] {
      _ = try store.saveSnapshot(name, note: nil, created: 0, replacing: false, LockWaitPolicy())
      try alice.save(alice.note("b", name), policy: .allKeys)
    }
    path = MemoryFolder.newPath("snapshots")
    image = try FolderImage(of: cloud.path)
  }

  private static func state(of path: String, boot: String = HostProcess.bootIdentifier) throws -> State {
    let fileSystem = FileSystem(bootIdentifier: boot)
    let store = try CloudService.openCloud(path, in: fileSystem)
    let service = CloudService(cloud: store, settings: TemporaryCloud.settings(ids: "look"))
    let caller = Caller(account: "alice", container: TemporaryCloud.container)
    var state = State()
    let request = ZoneChangesRequest(scope: .private, zone: ZoneIdentifier(name: "Notes"))
    for record in try service.feeds.zoneChanges(request, by: caller).changed {
      state.records[record.id.name.string] = "\(record.fields["text"] as Any) \(record.fields["picture"] != nil)"
    }
    for snapshot in try store.snapshots() {
      // The databases' logs begin anew on another boot, and a new snapshot copies them.
      state.snapshots[snapshot.name] = try FolderImage(of: "\(path)/snapshots/\(FileName.encode(snapshot.name))")
        .mappingFiles { $0.filter { $0.key != "changes.jsonl" } }
    }
    let problems = try service.checks.check()
    if !problems.isEmpty { throw StorageError.damaged(path: path, reason: "\(problems)") }
    return state
  }

  /// Looks at the state that a fault left, and does the change again unless it is done.
  private func look(
    at path: String, _ change: Change, _ before: State, _ after: State, boot: String = HostProcess.bootIdentifier,
    isDone: Bool = false
  ) throws -> String? {
    let found = try Self.state(of: path, boot: boot)
    guard found == after || (found == before && !isDone) else { return "another state: \(found.records)" }
    if found == before, before != after {
      try change.run(CloudService.openCloud(path, in: FileSystem(bootIdentifier: boot)))
      if try Self.state(of: path, boot: boot) != after { return "the second attempt gives another state" }
    }
    return nil
  }

  private func states(_ change: Change) throws -> (before: State, after: State, calls: [FileSystemCall]) {
    try image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    let before = try Self.state(of: path)
    try ScratchFolder.remove(path)
    try image.write(to: path)
    let calls = try CrashHarness().trace { try change.run(CloudService.openCloud(path, in: $0)) }
    return (before, try Self.state(of: path), calls)
  }

  /// Does the change once for each point, with the fault of the point, and looks at the state that is left.
  private func problems(
    _ points: [CrashHarness.Point], _ change: Change, _ before: State, _ after: State
  ) throws -> [String] {
    var problems: [String] = []
    for point in points {
      try image.write(to: path)
      defer { try? ScratchFolder.remove(path) }
      let file = CrashHarness().fileSystem(stoppingAt: point)
      let isDone = (try? change.run(CloudService.openCloud(path, in: file))) != nil
      do {
        if let problem = try look(at: path, change, before, after, isDone: isDone) {
          problems.append("\(point): \(problem)")
        }
      } catch { problems.append("\(point): \(error)") }
    }
    return problems
  }

  /// The harness's image of a disk has no second names of files.
  @Test("the next process finds the state before or after the change", arguments: changes)
  func kills(change: Change) throws {
    let (before, after, calls) = try states(change)
    #expect(try problems(CrashHarness().points(calls, thoroughly: false), change, before, after) == [])
    #expect(calls.count > 10)
    #expect(before != after)
  }

  @Test("after a power cut the state is the one before or after the change", arguments: changes)
  func powerCuts(change: Change) throws {
    let (before, after, calls) = try states(change)
    let cut = PowerCut(before: image, path: path, calls: calls)
    var problems: [String] = []
    for count in 0...calls.count {
      for keep in [Keep.nothing, .everything, .seeded(TestSeed.value &+ UInt64(count))] {
        do {
          try cut.image(at: count, keeping: keep).onCopy { copy in
            let isDone = count == calls.count
            if let problem = try look(at: copy, change, before, after, boot: "another boot", isDone: isDone) {
              problems.append("\(count) \(keep): \(problem)")
            }
          }
        } catch { problems.append("\(count) \(keep), seed \(TestSeed.value): \(error)") }
      }
    }
    #expect(problems == [])
  }

  @Test("a disk that is full, or fails, at any step leaves the state before or after the change", arguments: changes)
  func errors(change: Change) throws {
    let (before, after, calls) = try states(change)
    for code in [SystemError.noSpace, SystemError.inputOutput] {
      #expect(try problems(CrashHarness().failures(calls, code), change, before, after) == [])
    }
  }
}
