import Foundation

/// Runs a block with a result by a function for blocks without a result. A subclass may override that function.
enum BlockResult {
  /// `run` waits for the block that it is given. A function that does not run it stops the process.
  static func of<Value, Failure>(
    _ block: () throws(Failure) -> Value, _ run: (() -> Void) -> Void
  ) throws(Failure) -> Value {
    var outcome: Result<Value, Failure>?
    func body() {
      do throws(Failure) { outcome = .success(try block()) } catch { outcome = .failure(error) }
    }
    withoutActuallyEscaping(body) { run($0) }
    guard let outcome else { raiseException("An override of performAndWait(_:) has not run its block.") }
    return try outcome.get()
  }

  /// `run` runs the block that it is given later.
  static func of<Value, Failure>(
    _ block: @escaping () throws(Failure) -> Value, isolation: isolated (any Actor)?,
    _ run: (@escaping () -> Void) -> Void
  ) async throws(Failure) -> Value {
    let work = UncheckedSendable(block)
    let outcome: UncheckedSendable<Result<Value, Failure>> = await withCheckedContinuation { continuation in
      run {
        do throws(Failure) {
          continuation.resume(returning: UncheckedSendable(.success(try work.value())))
        } catch {
          continuation.resume(returning: UncheckedSendable(.failure(error)))
        }
      }
    }
    return try outcome.value.get()
  }
}

extension NSPersistentStoreCoordinator {
  /// Runs a block on the coordinator's own queue, waits for it, and returns its result. A block on the queue may call
  /// it, too.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    try BlockResult.of(block) { performAndWait($0) }
  }

  /// Runs a block on the coordinator's own queue, and returns to the caller's actor.
  public func perform<T, E>(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping () throws(E) -> T
  ) async throws(E) -> T { try await BlockResult.of(block, isolation: isolation) { perform($0) } }
}
