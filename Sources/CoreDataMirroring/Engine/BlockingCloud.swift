import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// The mirroring was stopped. It writes nothing more, and this error is not reported to the program.
struct MirroringStopped: Error {}

/// Calls CloudKit and blocks the calling thread until the answer arrives. All calls act as the identity given to
/// `init`.
///
/// Threads: one thread makes the calls; any thread may stop them.
final class BlockingCloud: Sendable {
  let container: CKContainer
  private let acting: ActingIdentity?
  private struct State {
    var isStopped = false
    /// Whether the account may differ from the account of the last setup.
    var isOfOtherAccount = false
    var cancel: (@Sendable (any Error) -> Void)?
    /// Wakes the waiting call, so that it reads ``isStopped``.
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Stores the identity for all calls. The task-local identity of later callers has no effect.
  init(_ identifier: String, acting: ActingIdentity?) {
    self.acting = acting
    container = ActingIdentity.$current.withValue(acting) { CKContainer(identifier: identifier) }
  }

  private func session() throws -> Session {
    var acting = acting ?? ActingIdentity()
    acting.container = container.containerIdentifier
    return try Session(acting)
  }

  /// The user record name of the account that can write now; nil without one. Can be called from any thread.
  func user() -> String? {
    guard let session = try? session() else { return nil }
    return try? session.service.accounts.userRecordName(by: session.caller)
  }

  /// Whether the identity acts on a device without a signed-in account. False for an identity with neither an account
  /// nor a device: it acts on no device, so no account was signed out.
  var isSignedOut: Bool {
    guard let session = try? session() else { return false }
    return session.caller.device != nil && session.caller.account == nil
  }

  /// The cloud, container and environment of the container's data. The result has no user.
  func account() throws -> MirroredAccount {
    do {
      let session = try session()
      return MirroredAccount(
        cloud: session.service.cloud.properties["created"] ?? .null, container: session.caller.container,
        environment: session.caller.environment.rawValue)
    } catch {
      throw CKError.wrapping(error, container: container.containerIdentifier)
    }
  }

  /// The time of the cloud's clock in milliseconds since 1970.
  func time() throws -> Int64 {
    do { return try session().service.settings.clock() } catch {
      throw CKError.wrapping(error, container: container.containerIdentifier)
    }
  }

  /// How many seconds ``stop()`` allows for the answer of the call under way.
  private static let stopTimeout = 10.0

  /// Ends the call under way and all later ones with ``MirroringStopped``. The call under way first waits for its
  /// answer, so that nothing is written to the cloud afterwards, but at most ten seconds in case another process holds
  /// the cloud's lock.
  func stop() {
    let wake = state.withLock { state in
      state.isStopped = true
      return state.wake
    }
    wake?()
  }

  /// Ends the call under way and all later ones with `notAuthenticated`, until ``beginSetup()``. Data of one account
  /// must not reach the database of another account.
  func accountChanged() {
    let cancel = state.withLock { state in
      state.isOfOtherAccount = true
      return state.cancel
    }
    cancel?(CKError(.notAuthenticated))
  }

  func beginSetup() { state.withLock { $0.isOfOtherAccount = false } }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Starts a request and waits for its answer.
  func wait<Answer: Sendable>(
    _ start: (@escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void
  ) throws -> Answer {
    let answer = ThreadCondition<Result<Answer, any Error>?>(nil)
    let failure: (any Error)? = state.withLock { state in
      state.cancel = { error in answer.change { $0 = $0 ?? .failure(error) } }
      state.wake = { answer.change { _ in } }
      if state.isStopped { return MirroringStopped() }
      return state.isOfOtherAccount ? CKError(.notAuthenticated) : nil
    }
    defer { state.withLock { ($0.cancel, $0.wake) = (nil, nil) } }
    if let failure { throw failure }
    ActingIdentity.$current.withValue(acting) {
      start { result in answer.change { $0 = $0 ?? result } }
    }
    while answer.wait(seconds: .infinity, { $0 != nil || isStopped ? true : nil }) == nil {}
    if isStopped {
      _ = answer.wait(seconds: Self.stopTimeout) { $0 }
      throw MirroringStopped()
    }
    guard let result = answer.change({ $0 }) else { throw MirroringStopped() }
    return try result.get()
  }

  /// Like ``wait(_:)``, for functions that call back with a value or an error.
  func value<Answer: Sendable>(
    _ start: (@escaping @Sendable (Answer?, (any Error)?) -> Void) -> Void
  ) throws -> Answer {
    try wait { done in
      start { value, error in
        if let value { done(.success(value)) } else { done(.failure(error ?? CKError(.internalError))) }
      }
    }
  }
}
