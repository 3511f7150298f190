import Foundation

/// Runs a block with a result through a function that takes blocks without a result. A subclass may override that
/// function.
enum BlockResult {
  /// `run` runs the block and returns after it. A function that does not run the block stops the process.
  static func of<Value, Failure>(
    _ block: () throws(Failure) -> Value, _ run: (@escaping () -> Void) -> Void
  ) throws(Failure) -> Value {
    var outcome: Result<Value, Failure>?
    func body() {
      do throws(Failure) { outcome = .success(try block()) } catch { outcome = .failure(error) }
    }
    withoutActuallyEscaping(body) { run($0) }
    guard let outcome else { raiseException("A queue, or an override of performAndWait(_:), has not run its block.") }
    return try outcome.get()
  }

  /// `run` schedules the block to run later.
  static func of<Value, Failure>(
    _ block: @escaping () throws(Failure) -> Value, isolation: isolated (any Actor)?,
    _ run: (@escaping () -> Void) -> Void
  ) async throws(Failure) -> Value {
    try await awaited(isolation: isolation) { (resume: @escaping (Result<Value, Failure>) -> Void) in
      run {
        do throws(Failure) { resume(.success(try block())) } catch { resume(.failure(error)) }
      }
    }
  }

  /// The result that `start` passes to the function that it is given, now or later.
  static func awaited<Value, Failure>(
    isolation: isolated (any Actor)? = #isolation, _ start: (@escaping (Result<Value, Failure>) -> Void) -> Void
  ) async throws(Failure) -> Value {
    let outcome: UncheckedSendable<Result<Value, Failure>> = await withCheckedContinuation { continuation in
      start { continuation.resume(returning: UncheckedSendable($0)) }
    }
    return try outcome.value.get()
  }
}

extension NSPersistentStoreCoordinator {
  /// Runs a block on the coordinator's own queue, waits for it, and returns its result. A block on that queue may call
  /// this too.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    try BlockResult.of(block) { performAndWait($0) }
  }

  /// Runs a block on the coordinator's own queue, and resumes on the caller's actor with the block's result.
  public func perform<T, E>(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping () throws(E) -> T
  ) async throws(E) -> T { try await BlockResult.of(block, isolation: isolation) { perform($0) } }
}
