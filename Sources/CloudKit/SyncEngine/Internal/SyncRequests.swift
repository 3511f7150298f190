import Foundation
import LocalCloudEmulator
import LocalCloudPlatform
import Synchronization

/// The engine was released, or its cloud is being removed. The work ends without another callback.
struct SyncStopped: Error {}

/// The passes of one engine that wait or run, and whether the engine may still use its cloud.
///
/// Threads: safe to use from any. ``waitForWrites(seconds:)`` blocks its thread.
final class SyncRequests: FolderUser {
  private struct State {
    var isStopped = false
    var passes: [SyncPass] = []
    /// The requests that have not been answered.
    var running = 0
  }

  private let state = ThreadCondition(State())

  var isStopped: Bool { state.change { $0.isStopped } }

  /// Records a pass before it waits in the queue.
  func add(_ pass: SyncPass) {
    let isStopped = state.change { state in
      state.passes.append(pass)
      return state.isStopped
    }
    if isStopped { pass.cancel(.byApp) }
  }

  func remove(_ pass: SyncPass) {
    state.change { state in state.passes.removeAll { $0 === pass } }
  }

  /// Cancels the request under way and the passes that wait, except account checks: no account change may be lost.
  func cancel() { cancel(.byApp) { !$0.isAccountCheck } }

  /// Cancels the passes of other accounts. A pass that has not looked up its account yet continues.
  func cancelPasses(except user: CKRecord.ID?) {
    cancel(.byAccount) { pass in
      guard case .known(let own) = pass.account else { return false }
      return own != user
    }
  }

  private func cancel(_ cancellation: SyncPass.Cancellation, where isMeant: (SyncPass) -> Bool) {
    for pass in state.change({ $0.passes }) where isMeant(pass) { pass.cancel(cancellation) }
  }

  func stop() {
    state.change { $0.isStopped = true }
    cancel(.byApp) { _ in true }
    FolderUsers.remove(self)
  }

  func waitForWrites(seconds: Double) { _ = state.wait(seconds: seconds) { $0.running == 0 ? true : nil } }

  /// Notes that a request begins. Throws if the engine has stopped.
  fileprivate func begin() throws {
    let isStopped = state.change { state in
      if !state.isStopped { state.running += 1 }
      return state.isStopped
    }
    if isStopped { throw SyncStopped() }
  }

  fileprivate func end() throws {
    let isStopped = state.change { state in
      state.running -= 1
      return state.isStopped
    }
    if isStopped { throw SyncStopped() }
  }
}

/// One fetch, send or account check, from its entry into the queue to its end.
///
/// Cancelling a pass cancels its request, not the task that calls the delegate: a delegate may have work of its own to
/// finish.
///
/// Threads: safe to use from any.
final class SyncPass: Sendable {
  enum Account: Sendable {
    case unknown
    /// Nil: no account is signed in.
    case known(CKRecord.ID?)
  }

  enum Cancellation: Sendable {
    /// The app cancelled all operations, or the engine stopped.
    case byApp
    /// The app cancelled the task of its call.
    case byCaller
    /// Another account signed in.
    case byAccount
  }

  private struct State {
    /// The first one.
    var cancellation: Cancellation?
    var hasRead = false
    var account = Account.unknown
    var cancel: (@Sendable () -> Void)?
  }

  let isAccountCheck: Bool
  private let requests: SyncRequests
  private let state = Mutex(State())

  init(_ requests: SyncRequests, isAccountCheck: Bool = false) {
    (self.requests, self.isAccountCheck) = (requests, isAccountCheck)
  }

  /// The account that the pass acts for.
  var account: Account {
    get { state.withLock { $0.account } }
    set { state.withLock { $0.account = newValue } }
  }

  /// Whether the pass has begun to read changes, or has ended: later changes may not be part of it.
  var hasRead: Bool {
    get { state.withLock { $0.hasRead } }
    set { state.withLock { $0.hasRead = newValue } }
  }

  /// The reason of the pass's first cancellation; nil without one.
  var cancellation: Cancellation? { state.withLock { $0.cancellation } }

  func cancel(_ cancellation: Cancellation) {
    let cancel = state.withLock { state in
      state.cancellation = state.cancellation ?? cancellation
      return state.cancel
    }
    cancel?()
  }

  /// The identity of requests. With a known account, they are made for no other one.
  private var acting: ActingIdentity? {
    guard case .known(let user?) = account else { return ActingIdentity.current }
    var acting = ActingIdentity.current ?? ActingIdentity()
    acting.requiredUser = user.recordName
    return acting
  }

  /// Makes one request of the pass.
  ///
  /// - Throws: the error of the request; `operationCancelled` if ``cancel(_:)`` ends it, or if another account than the
  ///   known one is signed in; `CancellationError` if the pass is cancelled already; ``SyncStopped``.
  func request<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    if cancellation != nil { throw CancellationError() }
    try requests.begin()
    // A task of its own can be cancelled without the one that calls the delegate.
    let acting = acting
    let task = Task { try await ActingIdentity.$current.withValue(acting) { try await body() } }
    let isCancelled = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.cancellation != nil
    }
    if isCancelled { task.cancel() }
    let result = await task.result
    state.withLock { state in
      state.cancel = nil
      // The request was refused, because another account is signed in.
      if case .failure(let error) = result, (error as? CKError)?.code == .operationCancelled,
        case .known(_?) = state.account
      {
        state.cancellation = state.cancellation ?? .byAccount
      }
    }
    try requests.end()
    return try result.get()
  }
}
