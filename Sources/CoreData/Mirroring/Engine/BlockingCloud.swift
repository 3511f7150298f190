import Foundation
import LocalCloudEmulator
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// The mirroring was stopped: nothing more is written, and nobody is told of an error.
struct MirroringStopped: Error {}

/// Calls of CloudKit for a thread that may wait for their answers, as the identity that the container was made with.
///
/// Threads: one calls, any may stop it.
final class BlockingCloud: Sendable {
  let container: CKContainer
  private let acting: ActingIdentity?
  private struct State {
    var isStopped = false
    /// Whether the account may be another one than that of the setup.
    var isOfOtherAccount = false
    var cancel: (@Sendable (any Error) -> Void)?
    /// Has the call under way look at ``isStopped``.
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The identity is kept by each call: a scope in which the mirroring's caller happens to be says nothing.
  init(_ identifier: String, acting: ActingIdentity?) {
    self.acting = acting
    container = ActingIdentity.$current.withValue(acting) { CKContainer(identifier: identifier) }
  }

  private func session() throws -> Session {
    var acting = acting ?? ActingIdentity()
    acting.container = container.containerIdentifier
    return try Session(acting)
  }

  /// The user record name of the account that may write at this moment; nil without one. From any thread.
  func user() -> String? {
    guard let session = try? session() else { return nil }
    return try? session.service.accounts.userRecordName(by: session.caller)
  }

  /// Whether the caller acts on a device, on which no account is signed in. A caller for which neither an account nor a
  /// device is set acts on none, and was not signed out.
  var isSignedOut: Bool {
    guard let session = try? session() else { return false }
    return session.caller.device != nil && session.caller.account == nil
  }

  /// Where the container's data is: the cloud, the container and the environment.
  func place() throws -> JSONObject {
    do {
      let session = try session()
      return [
        "cloud": session.service.cloud.properties["created"] ?? .null, "container": .string(session.caller.container),
        "environment": .string(session.caller.environment.rawValue),
      ]
    } catch {
      throw CKError.wrapping(error, container: container.containerIdentifier)
    }
  }

  /// For how many seconds the answer of the call under way is waited for after ``stop()``.
  private static let patience = 10.0

  /// Ends the call under way and all later ones with ``MirroringStopped``. The call under way ends with its answer, so that
  /// nothing is written to the cloud after it; or, if another process keeps the cloud locked, after ten seconds.
  func stop() {
    let wake = state.withLock { state in
      state.isStopped = true
      return state.wake
    }
    wake?()
  }

  /// Ends the call under way and all later ones with `notAuthenticated`, until ``beginSetup()``: what belongs to one
  /// account must not reach another one's database.
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
    let answer = Condition<Result<Answer, any Error>?>(nil)
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
      _ = answer.wait(seconds: Self.patience) { $0 }
      throw MirroringStopped()
    }
    guard let result = answer.change({ $0 }) else { throw MirroringStopped() }
    return try result.get()
  }

  /// Like ``wait(_:)`` for functions that give a value or an error.
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
