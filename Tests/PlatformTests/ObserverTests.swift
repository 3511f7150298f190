import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@Suite("Observing and failing file system calls")
struct ObserverTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let directory = try folder.open()
    try directory.writeStaged("file", Array("contents".utf8))
    try directory.makeDirectory("child")
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  /// Performs a call of each kind.
  private static let work: @Sendable (Directory) throws -> Void = { directory in
    let file = try directory.file("file", .readWrite)
    _ = try file.tryLock(.exclusive)
    try file.waitForLock(.shared)
    file.unlock()
    _ = try file.readAll()
    try file.write([1, 2], at: 1)
    try file.truncate(to: 4)
    try file.sync()
    try file.syncFileSystem()
    _ = try directory.entries()
    _ = try directory.exists("file")
    _ = try directory.createFile("new")
    try directory.rename("new", to: directory.directory("child"), as: "renamed")
    try directory.makeDirectory("made")
    try directory.removeDirectory("made")
    try directory.remove("file")
    try directory.sync()
  }

  private func trace(allCalls: Bool) throws -> [FileSystemCall] {
    try CrashHarness().trace(allCalls: allCalls) { try Self.work(folder.open($0)) }
  }

  @Test("an observer gets all calls in their order")
  func observerGetsAllCallsInTheirOrder() throws {
    #expect(
      try trace(allCalls: true) == [
        .openDirectory(folder.path), .openFile(path("file")), .tryLock(path("file")), .waitForLock(path("file")),
        .status(path("file")), .read(path("file"), offset: 0, count: 8),
        .write(path("file"), offset: 1, bytes: [1, 2]),
        .truncate(path("file"), size: 4), .syncFile(path("file")), .syncFileSystem(path("file")), .list(folder.path),
        .status(path("file")), .openFile(path("new")), .createFile(path("new")), .openDirectory(path("child")),
        .rename(from: path("new"), to: path("child/renamed")), .makeDirectory(path("made")),
        .removeDirectory(path("made")), .remove(path("file")), .syncDirectory(folder.path),
      ])
  }

  @Test("an observer of changes gets only calls that change the tree, and only these are counted")
  func observerOfChangesGetsOnlyCalls() throws {
    let other = try ObserverTests()
    let all = try trace(allCalls: true)
    let changes = try other.trace(allCalls: false)
    #expect(changes.map(\.changesTree) == [Bool](repeating: true, count: 10))
    #expect(all.count == 20)
    #expect(all.filter(\.changesTree).count == 10)
    let fileSystem = FileSystem(observing: .allCalls) { _ in .proceed }
    let third = try ObserverTests()
    try Self.work(third.folder.open(fileSystem))
    #expect(fileSystem.changes.load(ordering: .relaxed) == 10)
    #expect(fileSystem.fileSyncs.load(ordering: .relaxed) == 3)
  }

  @Test(
    "each call fails with the error that the harness injects",
    arguments: [
      SystemError.noSpace, SystemError.inputOutput, SystemError.accessDenied, SystemError.tooManyFiles,
      SystemError.interrupted,
    ])
  func eachCallFailsWithTheError(code: Int32) throws {
    let harness = CrashHarness()
    let calls = try trace(allCalls: true)
    let points = harness.failures(calls, code, allCalls: true)
    #expect(points.count == calls.count)
    for point in points {
      let other = try ObserverTests()
      let failure = #expect(throws: SystemError.self, "\(point)") {
        try Self.work(other.folder.open(harness.fileSystem(stoppingAt: point)))
      }
      #expect(failure?.code == code, "\(point)")
    }
  }

  @Test("after a stop at any call all later calls fail")
  func afterAStopAtAnyCall() throws {
    let calls = try trace(allCalls: true)
    for point in CrashHarness().faults(calls, .stopBefore, allCalls: true, where: { _ in true }) {
      let other = try ObserverTests()
      let fileSystem = CrashHarness().fileSystem(stoppingAt: point)
      let failure = #expect(throws: SystemError.self) { try Self.work(other.folder.open(fileSystem)) }
      #expect(failure?.isStopped == true, "\(point)")
      #expect(throws: SystemError.self) { try Directory.open(path: other.folder.path, in: fileSystem) }
    }
  }

  @Test("after a stop, files and folders that were opened before fail too, also when they are only read")
  func looksAfterStop() throws {
    let fileSystem = FileSystem { if case .remove = $0 { .stopBefore } else { .proceed } }
    let directory = try folder.open(fileSystem)
    let file = try directory.file("file", .readWrite)
    #expect(throws: SystemError.self) { try directory.remove("file") }
    #expect(throws: SystemError.self) { try file.readAll() }
    #expect(throws: SystemError.self) { try file.size() }
    #expect(throws: SystemError.self) { try file.identity() }
    #expect(throws: SystemError.self) { try file.tryLock(.exclusive) }
    #expect(throws: SystemError.self) { try file.waitForLock(.exclusive) }
    #expect(throws: SystemError.self) { try directory.identity() }
    #expect(throws: SystemError.self) { try directory.entries() }
    #expect(throws: SystemError.self) { try directory.exists("file") }
    #expect(throws: SystemError.self) { try directory.directory("child") }
    #expect(throws: SystemError.self) { try directory.file("file") }
  }

  @Test("stopping points count only changing calls, also in a trace of all calls")
  func stoppingPointsCountOnlyChangingCalls() throws {
    let harness = CrashHarness()
    let all = try trace(allCalls: true)
    let points = harness.points(all)
    #expect(points.map(\.call) == harness.points(all.filter(\.changesTree)).map(\.call))
    #expect(points.count == 10 * 2 + 3)
    #expect(harness.failures(all, SystemError.noSpace).map(\.call) == Array(0..<10))
    let write = try #require(points.first { $0.verdict == .stopWithin(1) })
    let other = try ObserverTests()
    #expect(throws: SystemError.self) {
      try Self.work(other.folder.open(harness.fileSystem(stoppingAt: write)))
    }
    #expect(try other.folder.open().contents("file") == Array("c\u{1}ntents".utf8))
  }
}
