import Platform

/// Files of a large commit that are being made on two threads: without a name where they are new, else staged under
/// the effect's number.
///
/// Threads: use it from any thread. Ends by ``end()`` before the folder's lock is let go.
final class StagedFileWriter: Sendable {
  struct Job: Sendable {
    /// The number of the effect that will put it in place.
    var place: Int
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
    /// Kept for a while: closing a file costs as well, and is done beside.
    var taken: [Made] = []
    /// How many threads are at it.
    var working = 0
    var failure: (any Error)?
  }

  /// A hand-over costs as much as a file.
  private static let chunk = 16

  private let folder: Directory
  private let lines = [SerialWorker(), SerialWorker()]
  private let state: Condition<State>

  /// Each place comes once.
  init(_ jobs: [Job], in folder: Directory) {
    self.folder = folder
    state = Condition(State(waiting: jobs[...], working: lines.count))
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
        for job in jobs { made.append((job.place, try make(job))) }
      } catch {
        failure = error
      }
      state.change { [failure] state in
        for (place, file) in made { state.made[place] = file }
        guard let failure else { return }
        state.failure = state.failure ?? failure
        state.waiting = []
      }
    }
  }

  private func make(_ job: Job) throws -> Made {
    if job.isNew, let file = try folder.unnamedFile(job.bytes) { return .unnamed(file) }
    try folder.writeStaged(String(job.place), job.bytes)
    return .staged
  }

  /// Hands out a file once it is made; nil if it can't be. It is the caller's to put in place, before it takes the next.
  func take(_ place: Int) -> Made? {
    var taken: [Made] = []
    let made: Made?? = state.wait(seconds: .infinity) { state in
      guard let file = state.made.removeValue(forKey: place) else { return state.working == 0 ? .some(nil) : nil }
      if state.taken.count == Self.chunk { swap(&taken, &state.taken) }
      state.taken.append(file)
      return .some(file)
    }
    if !taken.isEmpty { lines[0].add { [taken] in withExtendedLifetime(taken) {} } }
    return made ?? nil
  }

  /// Returns once all of them are made.
  func finish() throws {
    for line in lines { try line.finish() }
    try requireSuccess()
  }

  /// Of what was tried so far.
  func requireSuccess() throws { try state.change { if let failure = $0.failure { throw failure } } }

  /// Nothing is made any more, and what nobody took is removed.
  func end() {
    state.change { $0.waiting = [] }
    for line in lines { try? line.finish() }
    let rest = state.change { state in
      defer { state.made = [:] }
      return state.made
    }
    for (place, file) in rest { if case .staged = file { _ = try? folder.remove(String(place)) } }
  }
}
