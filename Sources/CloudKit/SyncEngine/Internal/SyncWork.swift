import Foundation
import LocalCloudEmulator
import LocalCloudPlatform
import Synchronization

/// The work of one engine: passes, one after another, and the calls of the delegate.
///
/// A pass is a fetch, a send or an account check. It first looks up the account. The engine is held weakly, so that it
/// may be released during a pass; the work then ends at its next step.
actor SyncWork {
  /// Set while a callback of the delegate runs, also for the tasks that it creates.
  @TaskLocal static var isInCallback = false

  /// Holds the engine weakly, for any thread.
  private final class EngineReference: Sendable {
    private struct Weak {
      weak var engine: CKSyncEngine?
    }

    private let reference = Mutex(Weak())

    var engine: CKSyncEngine? {
      get { reference.withLock { $0.engine } }
      set { reference.withLock { $0.engine = newValue } }
    }
  }

  /// The account and device of the database, with its container.
  nonisolated let acting: ActingIdentity
  /// The scope in which requests and callbacks run; nil: that of the environment.
  let scope: ActingIdentity?
  nonisolated let schedule: SyncSchedule
  nonisolated let requests = SyncRequests()
  let database: CKDatabase
  let container: CKContainer
  let state: CKSyncEngine.State
  let isAutomatic: Bool
  /// The subscription that the app chose.
  let chosenSubscription: CKSubscription.ID?
  let listener: CloudChangeListener

  /// Whether a subscription was found or saved since the engine's start, the last account change and the last expiry
  /// of the database's token.
  var hasSubscription = false
  /// The zones that did not exist for a request. If the app makes one of them again, it knows that the zone is new.
  var missingZoneIDs: Set<CKRecordZone.ID> = []
  /// The automatic work that failed because no account could be used.
  private var worksWithoutAccount: Set<SyncSchedule.Work> = []

  private let delegate: any CKSyncEngineDelegate
  private let reference = EngineReference()
  private var last: Task<Void, any Error>?
  private var lastFetch: Fetch?

  /// The last fetch in the queue.
  private struct Fetch {
    var task: Task<Void, any Error>
    var options: CKSyncEngine.FetchChangesOptions
    var pass: SyncPass
  }

  init(_ configuration: CKSyncEngine.Configuration, _ state: CKSyncEngine.State) {
    database = configuration.database
    (isAutomatic, chosenSubscription) = (configuration.automaticallySync, configuration.subscriptionID)
    delegate = configuration.delegate
    self.state = state
    let identity = configuration.database.identity
    acting = identity.acting(now: nil, last: ActingIdentity.current)
    scope = identity.captured ?? ActingIdentity.current
    container = CKContainer(identity: identity)
    let delay = (try? Settings(acting).syncDelay.value) ?? 0.1
    let schedule = SyncSchedule(delay: delay)
    self.schedule = schedule
    let isAutomatic = configuration.automaticallySync
    let databaseScope = configuration.database.databaseScope
    listener = CloudChangeListener(
      acting, container: identity.container,
      pushed: { [weak schedule, weak state] push in
        if let zoneID = push.flatMap({ SyncWork.changedZone($0, in: databaseScope) }) {
          state?.change { $0.markPushed(zoneID) }
        }
        // The cloud is reachable again.
        schedule?.resume()
        schedule?.request(.fetch)
      },
      accountChanged: { [weak schedule] in schedule?.request(.account) },
      cameOnline: { [weak schedule] in if isAutomatic { schedule?.resume() } })
  }

  // MARK: Start and stop

  nonisolated func start(for engine: CKSyncEngine) {
    reference.engine = engine
    if let root = try? Settings(acting).root.value { FolderUsers.add(requests, in: [root]) }
    SyncSchedules.add(self)
    state.changed = { [weak self] byApp in self?.stateChanged(byApp: byApp) }
    schedule.request(.account)
    if isAutomatic {
      schedule.request(.fetch)
      schedule.request(.send)
    }
    schedule.start { [weak self] works in await self?.perform(works) }
  }

  /// Ends the work without waiting for it.
  nonisolated func stop() {
    schedule.stop()
    requests.stop()
    SyncSchedules.remove(self)
    // To stop blocks until the readers know.
    startThread { [listener] in listener.stop() }
  }

  private nonisolated func stateChanged(byApp: Bool) {
    guard byApp else { return }
    schedule.request(.state)
    if isAutomatic { schedule.request(.send) }
  }

  // MARK: The queue

  /// Adds a pass behind those that wait. It runs in a task of its own, with none of the caller's task-local values.
  ///
  /// A pass that failed because another account signed in is scheduled again: if its own account is back, no account
  /// change follows.
  private func enqueue(
    _ work: SyncSchedule.Work, _ body: @escaping @Sendable (SyncPass) async throws -> Void
  ) -> (task: Task<Void, any Error>, pass: SyncPass) {
    let pass = SyncPass(requests, isAccountCheck: work == .account)
    requests.add(pass)
    let task = Task<Void, any Error>.detached { [last, scope, requests, schedule, isAutomatic] in
      _ = await last?.result
      defer {
        pass.hasRead = true
        requests.remove(pass)
      }
      do {
        try await ActingIdentity.$current.withValue(scope) { try await body(pass) }
      } catch {
        if isAutomatic, pass.cancellation == .byAccount { schedule.request(work) }
        throw error
      }
    }
    last = task
    return (task, pass)
  }

  func fetchNow(_ options: CKSyncEngine.FetchChangesOptions) async throws {
    if let lastFetch, !lastFetch.pass.hasRead, lastFetch.pass.cancellation == nil, lastFetch.options.includes(options) {
      do {
        return try await joined(lastFetch.task)
      } catch {
        // The caller of that fetch cancelled it, and this one did not.
        guard lastFetch.pass.cancellation == .byCaller, !Task.isCancelled else { throw error }
        return try await fetchNow(options)
      }
    }
    let (task, pass) = enqueueFetch(.manual, options)
    try await finished(task, cancelling: pass)
  }

  func sendNow(_ options: CKSyncEngine.SendChangesOptions) async throws {
    let (task, pass) = enqueue(.send) { [self] pass in try await send(pass, .manual, options) }
    try await finished(task, cancelling: pass)
  }

  private func enqueueFetch(
    _ reason: CKSyncEngine.SyncReason, _ options: CKSyncEngine.FetchChangesOptions
  ) -> (task: Task<Void, any Error>, pass: SyncPass) {
    let (task, pass) = enqueue(.fetch) { [self] pass in try await fetch(pass, reason, options) }
    lastFetch = Fetch(task: task, options: options, pass: pass)
    return (task, pass)
  }

  func enqueueAccountCheck() -> Task<Void, any Error> {
    enqueue(.account) { [self] pass in try await checkAccount(pass) }.task
  }

  /// Waits for a pass. The caller's cancellation cancels `pass`; it ends after the callback under way.
  private func finished(_ task: Task<Void, any Error>, cancelling pass: SyncPass?) async throws {
    do {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        pass?.cancel(.byCaller)
      }
    } catch {
      if error is SyncStopped || error is CancellationError {
        throw CKError.cancelled(container: container.containerIdentifier)
      }
      throw error
    }
  }

  /// Waits for the pass of another call. The caller's cancellation ends the wait, not the pass.
  private func joined(_ task: Task<Void, any Error>) async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    Task.detached {
      _ = await task.result
      end.finish()
    }
    // Also ends when this task is cancelled.
    for await _ in ends {}
    if Task.isCancelled { throw CKError.cancelled(container: container.containerIdentifier) }
    try await finished(task, cancelling: nil)
  }

  // MARK: Scheduled work

  /// Does one pass for each work.
  ///
  /// - Parameter sendsInPause: whether the send follows although the cloud asked for a pause in the fetch before it.
  func perform(_ works: Set<SyncSchedule.Work>, sendsInPause: Bool = false) async {
    if requests.isStopped { return }
    if works.contains(.account) { await lookAtAccount() }
    if works.contains(.fetch) { _ = await enqueueFetch(.scheduled, .init()).task.result }
    if works.contains(.send), !sendsInPause, schedule.isPauseRequested {
      schedule.request(.send)
    } else if works.contains(.send) {
      _ = await enqueue(.send) { [self] pass in
        if state.read({ $0.hasPendingWork }) { try await send(pass, .scheduled, .init()) }
      }.task.result
    }
    if works.contains(.state) { _ = await enqueue(.state) { [self] _ in try await deliverState() }.task.result }
  }

  /// Notices a change of the account during a pass, and cancels the pass. With an account that can be used, the work
  /// that failed without one is scheduled again.
  private func lookAtAccount() async {
    let container = container
    let account = await ActingIdentity.$current.withValue(scope) { try? await Self.account(of: container) }
    if case .known(let user)? = account { requests.cancelPasses(except: user) }
    guard case .success = await enqueueAccountCheck().result else { return }
    for work in worksWithoutAccount { schedule.request(work) }
    worksWithoutAccount = []
  }

  /// Does the work that is scheduled, for ``SyncSchedules/runUntilIdle(acting:)``. Returns false if there was none.
  func runScheduled(isFirstRound: Bool) async -> Bool {
    await schedule.finishRunning()
    _ = await last?.result
    var works = schedule.takeAll(endingPause: isFirstRound)
    if isFirstRound {
      works.insert(.account)
      // Work that the app cancelled or left out is not scheduled. In later rounds it could make an endless loop.
      if isAutomatic, state.read({ $0.hasPendingWork }) { works.insert(.send) }
      if isAutomatic, !state.zoneIDsWithUnfetchedServerChanges.isEmpty { works.insert(.fetch) }
    }
    if isAutomatic, !schedule.isPaused, !works.contains(.fetch), await hasServerChanges() { works.insert(.fetch) }
    await perform(works, sendsInPause: true)
    return !works.isEmpty
  }

  // MARK: The delegate

  /// Stops the process in a callback of the delegate, and in tasks that were created there.
  static func checkNotInCallback() {
    guard isInCallback else { return }
    FatalStop.stop(
      "BUG IN CLIENT OF CLOUDKIT: Cannot await a call into CKSyncEngine from within a delegate callback if that "
        + "function will end up calling back into the delegate. Otherwise, CKSyncEngine cannot guarantee that it calls "
        + "your delegate callbacks serially. Try performing this in a detached Task.")
  }

  /// Calls the delegate.
  ///
  /// - Throws: ``SyncStopped`` if the engine was released.
  func call<Answer: Sendable>(
    _ body: @Sendable (any CKSyncEngineDelegate, CKSyncEngine) async -> Answer
  ) async throws -> Answer {
    guard !requests.isStopped, let engine = reference.engine else { throw SyncStopped() }
    return await Self.$isInCallback.withValue(true) { await body(delegate, engine) }
  }

  /// Reports an event, and then the state if it is new.
  func report(_ event: CKSyncEngine.Event) async throws {
    try await call { delegate, engine in await delegate.handleEvent(event, syncEngine: engine) }
    try await deliverState()
  }

  func deliverState() async throws {
    guard let serialization = state.takeDirtyState() else { return }
    let update = CKSyncEngine.Event.StateUpdate(stateSerialization: serialization)
    try await call { delegate, engine in await delegate.handleEvent(.stateUpdate(update), syncEngine: engine) }
  }

  // MARK: The end of a pass

  /// Schedules the next attempt of a pass that failed before its first event. Returns the error.
  func retried(_ work: SyncSchedule.Work, _ error: any Error) -> any Error {
    if let failure = CKError.ofSync(error, container: container.containerIdentifier) { retry(work, after: [failure]) }
    return error
  }

  /// Schedules the next attempt, or ends the pause of the schedule.
  func end(_ work: SyncSchedule.Work, _ failures: SyncFailures) {
    if failures.errors.contains(where: \.isRetriedBySyncEngine) {
      retry(work, after: failures.errors)
    } else {
      schedule.succeeded()
    }
  }

  /// - Assumption: work that the app cancels is not scheduled again; it waits for the next trigger. Without an account
  ///   that can be used, the work continues when there is one.
  private func retry(_ work: SyncSchedule.Work, after errors: [CKError]) {
    guard isAutomatic else { return }
    var mayPass: [CKError] = []
    for error in errors {
      switch error.code {
      case .operationCancelled: break
      case .notAuthenticated, .accountTemporarilyUnavailable:
        worksWithoutAccount.insert(work)
        // The account may be available again by now, without a change that is noticed.
        schedule.request(.account)
      default: if error.isRetriedBySyncEngine { mayPass.append(error) }
      }
    }
    guard !mayPass.isEmpty else { return }
    schedule.retry(work, after: mayPass.compactMap(\.retryAfterSeconds).max())
  }
}

extension SyncState {
  fileprivate var hasPendingWork: Bool {
    !recordChanges.isEmpty || !databaseChanges.isEmpty || hasPendingUntrackedChanges
  }
}

extension CKDatabase {
  /// The same database, with a group for its operations.
  func grouped(_ group: CKOperationGroup) -> CKDatabase { configuredWith(group: group) { $0 } }
}
