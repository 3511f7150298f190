import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore

/// Runs one kind of commit undisturbed, and then with a fault at each of its calls.
package struct FaultRun: Sendable {
  package let kind: FaultRunKind
  package let scale: FaultRunScale
  /// The path of the folder in the calls.
  package let path: String
  /// The folder before the attacked commit, right after an acknowledged one.
  package let image: FolderImage
  /// The folder after the attacked commit.
  package let imageAfter: FolderImage
  /// The calls of both commits. The attacked one begins after `first` calls.
  package let cut: PowerCut
  package let first: Int
  /// The calls of the attacked commit.
  package let calls: [FileSystemCall]
  let before: FaultRunScenario
  let after: FaultRunScenario
  let tokens: FaultRunEvents.Tokens
  let eventsBefore: FaultRunEvents
  let eventsAfter: FaultRunEvents
  let mutant: FileSystem.Observer?
  let suspicion: FaultRunSuspicion?
  let memory = FaultRunMemory()

  package init(_ kind: FaultRunKind, _ scale: FaultRunScale) throws {
    try self.init(kind, scale, mutant: nil, suspicion: nil)
  }

  /// Creates a run. `mutant` is for tests of this harness: it plants a fault in the attacked program by its verdicts.
  init(
    _ kind: FaultRunKind, _ scale: FaultRunScale, mutant: FileSystem.Observer?, suspicion: FaultRunSuspicion?
  ) throws {
    self.kind = kind
    var scale = scale
    // Each kind gets its own seed. Otherwise all kinds sample the same calls, and some seeds cover little.
    scale.seed = kind.name.utf8.reduce(scale.seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    self.scale = scale
    self.mutant = mutant
    self.suspicion = suspicion
    let path = MemoryFolder.newPath("faults")
    self.path = path
    let start = try FaultRunStage.shared.image
    let healthy = try Recording(kind, start, path, nil)
    let people = FaultRunPeople(try Self.open(path, kind))
    after = try FaultRunScenario(people)
    image = healthy.image
    let copy = MemoryFolder.newPath("before")
    try image.write(to: copy)
    defer {
      for path in [path, copy] { try? ScratchFolder.remove(path) }
    }
    let others = FaultRunPeople(try Self.open(copy, kind))
    before = try FaultRunScenario(others)
    tokens = try FaultRunEvents(others).tokens
    eventsBefore = try FaultRunEvents(others, since: tokens)
    eventsAfter = try FaultRunEvents(people, since: tokens)
    guard (before != after) == kind.isVisible else {
      throw FaultRunError(text: "\(kind) changes \(kind.isVisible ? "nothing" : "something") that people see")
    }
    var recorded = healthy
    if mutant != nil {
      try ScratchFolder.remove(path)
      recorded = try Recording(kind, start, path, mutant)
    }
    imageAfter = recorded.imageAfter
    first = recorded.first
    calls = Array(recorded.calls.dropFirst(recorded.first))
    cut = PowerCut(before: start, path: path, calls: recorded.calls)
  }

  /// Records the calls of an acknowledged commit and of the attacked one.
  private struct Recording {
    var image: FolderImage
    var imageAfter: FolderImage
    var first: Int
    var calls: [FileSystemCall]

    init(_ kind: FaultRunKind, _ start: FolderImage, _ path: String, _ mutant: FileSystem.Observer?) throws {
      try start.write(to: path)
      let recorder = CallRecorder(mutant)
      let fileSystem = recorder.fileSystem()
      let earlier = FaultRunPeople(try FaultRun.open(path, FaultRunKind("") { _ in }, fileSystem, ids: "earlier"))
      try earlier.modify([earlier.note("earlier", "1")])
      image = try FolderImage(of: path)
      first = recorder.calls.count
      try kind.run(FaultRunPeople(try FaultRun.open(path, kind, fileSystem)))
      imageAfter = try FolderImage(of: path)
      calls = recorder.calls
    }
  }

  // MARK: Running

  static func open(
    _ path: String, _ kind: FaultRunKind, _ fileSystem: FileSystem = FileSystem(), ids: String = "attacked"
  ) throws -> CloudService {
    var settings = TemporaryCloud.settings(ids: ids)
    settings.limits = kind.limits
    // The clock does not advance, so that trees do not differ only by time.
    settings.clock = { 1_900_000_000_000 }
    settings.lockTimeout = 5
    return try CloudService.open(root: path, settings: settings, fileSystem: fileSystem)
  }

  /// Runs the attacked commit as a new process would.
  package func run(at path: String, in fileSystem: FileSystem) throws {
    try kind.run(FaultRunPeople(try Self.open(path, kind, fileSystem)))
  }

  /// A file system that gives `verdict` at one call, or from it on, and the mutant's verdict at other calls.
  ///
  /// - Parameter counter: counts the calls. Runs may have different caches, so a run can end before its fault; a caller
  ///   that goes on using the file system then moves the counter past the fault.
  func fileSystem(
    _ verdict: InjectedFault, at index: Int, sticky: Bool = false, scope: FileSystem.Scope = .changes,
    boot: String = HostProcess.bootIdentifier, counter: Counter = Counter()
  ) -> FileSystem {
    let mutant = mutant
    return FileSystem(bootIdentifier: boot, observing: scope) { call in
      let number = counter.next() - 1
      if sticky ? number >= index : number == index { return verdict }
      return mutant?(call) ?? .proceed
    }
  }

  /// Describes a call, with paths relative to the cloud's root.
  func text(_ call: FileSystemCall, at path: String? = nil) -> String {
    CrashHarness.summary(call).replacing((path ?? self.path) + "/", with: "")
  }

  /// Describes the first losses of a power cut.
  static func few(_ losses: [String]) -> String {
    "lost: \(losses.prefix(6).joined(separator: ", "))" + (losses.count > 6 ? " and \(losses.count - 6) more" : "")
  }
}
