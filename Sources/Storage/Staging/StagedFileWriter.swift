import LocalCloudPlatform

/// Makes the files of a large commit on two threads: without a name if they are new, otherwise staged under the
/// effect's number.
///
/// Threads: safe to use from any. Call ``end()`` before the folder's lock is released.
final class StagedFileWriter: Sendable {
  struct Job: Sendable {
    /// The number of the effect that moves the file to its path.
    var index: Int
    var bytes: [UInt8]
    var isNew: Bool
  }

  enum Made: Sendable {
    case unnamed(UnnamedFile)
    case staged
  }

  private struct State {
    var waiting: ArraySlice<Job>
    var made: [Int: Made] = [:]
    /// The files that were taken. Closing a file costs time, too, so another thread closes them later.
    var taken: [Made] = []
    /// The number of threads that are still working.
    var working = 0
    var failure: (any Error)?
  }

  /// The number of files per hand-over to another thread. A hand-over costs as much as making a file.
  private static let chunk = 16

  private let folder: Directory
  private let lines = [SerialWorker(), SerialWorker()]
  private let state: ThreadCondition<State>

  /// Starts to make the files. Each job has another effect number.
  init(_ jobs: [Job], in folder: Directory) {
    self.folder = folder
    state = ThreadCondition(State(waiting: jobs[...], working: lines.count))
    for line in lines { line.add { [self] in work() } }
  }

  private func work() {
    while true {
      let jobs = state.change { state in
        let jobs = state.waiting.prefix(Self.chunk)
        state.waiting = state.waiting.dropFirst(Self.chunk)
        if jobs.isEmpty { state.working -= 1 }
        return jobs
      }
      if jobs.isEmpty { return }
      var made: [(Int, Made)] = []
      var failure: (any Error)?
      do {
        for job in jobs { made.append((job.index, try make(job))) }
      } catch {
        failure = error
      }
      state.change { [failure] state in
        for (index, file) in made { state.made[index] = file }
        guard let failure else { return }
        state.failure = state.failure ?? failure
        state.waiting = []
      }
    }
  }

  private func make(_ job: Job) throws -> Made {
    if job.isNew, let file = try folder.unnamedFile(job.bytes) { return .unnamed(file) }
    try folder.writeStaged(String(job.index), job.bytes)
    return .staged
  }

  /// Waits until a file is made and returns it; nil if it can't be made. The caller moves it to its path before it
  /// takes the next one.
  func take(_ index: Int) -> Made? {
    var taken: [Made] = []
    let made: Made?? = state.wait(seconds: .infinity) { state in
      guard let file = state.made.removeValue(forKey: index) else { return state.working == 0 ? .some(nil) : nil }
      if state.taken.count == Self.chunk { swap(&taken, &state.taken) }
      state.taken.append(file)
      return .some(file)
    }
    if !taken.isEmpty { lines[0].add { [taken] in withExtendedLifetime(taken) {} } }
    return made ?? nil
  }

  /// Waits until all files are made. Throws the first failure.
  func finish() throws {
    for line in lines { try line.finish() }
    try requireSuccess()
  }

  /// Throws the first failure so far.
  func requireSuccess() throws { try state.change { if let failure = $0.failure { throw failure } } }

  /// Stops making files, and removes the staged ones that were not taken.
  func end() {
    state.change { $0.waiting = [] }
    for line in lines { try? line.finish() }
    let rest = state.change { state in
      defer { state.made = [:] }
      return state.made
    }
    for (index, file) in rest { if case .staged = file { _ = try? folder.remove(String(index)) } }
  }
}
