import CloudService
import CloudStore
import FaultInjection
import Platform

/// One kind of commit, done once undisturbed, and then with a fault at each of its calls.
package struct FaultRun: Sendable {
  package let kind: FaultRunKind
  package let scale: FaultRunScale
  /// Where the folder was that the calls name.
  package let path: String
  /// Before the commit, which follows right on an acknowledged one.
  package let image: FolderImage
  /// After it.
  package let left: FolderImage
  /// Both commits; the attacked one begins after `first` calls.
  package let cut: PowerCut
  package let first: Int
  /// What the attacked one calls.
  package let calls: [FileSystemCall]
  let before: FaultRunStory
  let after: FaultRunStory
  let tokens: FaultRunNews.Tokens
  let newsBefore: FaultRunNews
  let newsAfter: FaultRunNews
  let mutant: FileSystem.Observer?
  let suspicion: FaultRunSuspicion?
  let memory = FaultRunMemory()

  package init(_ kind: FaultRunKind, _ scale: FaultRunScale) throws {
    try self.init(kind, scale, mutant: nil, suspicion: nil)
  }

  /// `mutant`, for the tests of this harness, plants a fault in the attacked program by its verdicts.
  init(
    _ kind: FaultRunKind, _ scale: FaultRunScale, mutant: FileSystem.Observer?, suspicion: FaultRunSuspicion?
  ) throws {
    self.kind = kind
    var scale = scale
    // Else all kinds take the same places, which with some seeds come to little.
    scale.seed = kind.name.utf8.reduce(scale.seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    self.scale = scale
    self.mutant = mutant
    self.suspicion = suspicion
    let path = MemoryFolder.newPath("faults")
    self.path = path
    let start = try FaultRunStage.shared.image
    let healthy = try Recording(kind, start, path, nil)
    let people = FaultRunPeople(try Self.open(path, kind))
    after = try FaultRunStory(people)
    image = healthy.image
    let copy = MemoryFolder.newPath("before")
    try image.write(to: copy)
    defer {
      for path in [path, copy] { try? ScratchFolder.remove(path) }
    }
    let others = FaultRunPeople(try Self.open(copy, kind))
    before = try FaultRunStory(others)
    tokens = try FaultRunNews(others).tokens
    newsBefore = try FaultRunNews(others, since: tokens)
    newsAfter = try FaultRunNews(people, since: tokens)
    guard (before != after) == kind.isVisible else {
      throw FaultRunError(text: "\(kind) changes \(kind.isVisible ? "nothing" : "something") that people see")
    }
    var recorded = healthy
    if mutant != nil {
      try ScratchFolder.remove(path)
      recorded = try Recording(kind, start, path, mutant)
    }
    left = recorded.left
    first = recorded.first
    calls = Array(recorded.calls.dropFirst(recorded.first))
    cut = PowerCut(before: start, path: path, calls: recorded.calls)
  }

  /// An acknowledged commit, and the attacked one.
  private struct Recording {
    var image: FolderImage
    var left: FolderImage
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
      left = try FolderImage(of: path)
      calls = recorder.calls
    }
  }

  // MARK: Running

  static func open(
    _ path: String, _ kind: FaultRunKind, _ fileSystem: FileSystem = FileSystem(), ids: String = "attacked"
  ) throws -> CloudService {
    var settings = TemporaryCloud.settings(ids: ids)
    settings.limits = kind.limits
    // The time stands still: trees that differ in nothing else are the same.
    settings.clock = { 1_900_000_000_000 }
    settings.lockTimeout = 5
    return try CloudService.open(root: path, settings: settings, fileSystem: fileSystem)
  }

  /// The attacked commit, by a process of its own.
  package func run(at path: String, in fileSystem: FileSystem) throws {
    try kind.run(FaultRunPeople(try Self.open(path, kind, fileSystem)))
  }

  /// Runs `body` on a copy of a folder, which is gone afterwards.
  package func onCopy<Result>(of image: FolderImage, _ body: (String) throws -> Result) throws -> Result {
    let path = MemoryFolder.newPath("case")
    try image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    return try body(path)
  }

  /// Gives `verdict` at one call, or from it on; the mutant's own elsewhere.
  ///
  /// - Parameter counter: counts the calls. Two runs may differ in what they keep in memory, so that one is over before
  ///   its fault: who uses the file system afterwards moves the counter past it.
  func fileSystem(
    _ verdict: InjectedFault, at place: Int, sticky: Bool = false, scope: FileSystem.Scope = .changes,
    boot: String = HostProcess.bootIdentifier, counter: Counter = Counter()
  ) -> FileSystem {
    let mutant = mutant
    return FileSystem(bootIdentifier: boot, observing: scope) { call in
      let number = counter.next() - 1
      if sticky ? number >= place : number == place { return verdict }
      return mutant?(call) ?? .proceed
    }
  }

  /// What a call is, with paths from the cloud's root on.
  func text(_ call: FileSystemCall, at path: String? = nil) -> String {
    CrashHarness.summary(call).replacing((path ?? self.path) + "/", with: "")
  }

  /// What a power cut took; all of it would fill pages.
  static func few(_ losses: [String]) -> String {
    "lost: \(losses.prefix(6).joined(separator: ", "))" + (losses.count > 6 ? " and \(losses.count - 6) more" : "")
  }
}
