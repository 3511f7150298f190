/// Runs jobs concurrently with the caller's own work, one after another, on a thread that exists while there are jobs.
///
/// After a job fails, the later ones are skipped. Threads: safe to use from any.
package final class SerialWorker: Sendable {
  package typealias Job = @Sendable () throws -> Void

  private struct State {
    var waiting: [Job] = []
    var isRunning = false
    var failure: (any Error)?
  }

  private let state = ThreadCondition(State())

  package init() {}

  package func add(_ job: @escaping Job) {
    let needsThread = state.change { state in
      state.waiting.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if needsThread { startThread { [self] in run() } }
  }

  private func run() {
    while true {
      let jobs: [Job]? = state.change { state in
        state.isRunning = !state.waiting.isEmpty
        guard state.isRunning else { return nil }
        defer { state.waiting = [] }
        return state.failure == nil ? state.waiting : []
      }
      guard let jobs else { return }
      do { for job in jobs { try job() } } catch { state.change { $0.failure = error } }
    }
  }

  /// Runs one job on another thread while the caller runs `own`. When both are done, returns the job's result, or
  /// throws.
  @discardableResult
  package static func run<Answer: Sendable>(
    _ job: @escaping @Sendable () throws -> Answer, beside own: () throws -> Void
  ) throws -> Answer {
    let answer = ThreadCondition<Result<Answer, any Error>?>(nil)
    startThread {
      let result = Result { try job() }
      answer.change { $0 = result }
    }
    let own = Result { try own() }
    guard let result = answer.wait(seconds: .infinity, { $0 }) else { preconditionFailure("waiting has no end") }
    try own.get()
    return try result.get()
  }

  /// Waits until all jobs are done. Throws the error of one that failed, once.
  package func finish() throws {
    let failure: (any Error)?? = state.wait(seconds: .infinity) { state in
      guard !state.isRunning else { return nil }
      defer { state.failure = nil }
      return .some(state.failure)
    }
    if let error = failure ?? nil { throw error }
  }
}
