import CloudModel
import CloudService
import DeviceStore
import Emulator
import Foundation
import Synchronization

/// A request to CloudKit as an operation: set its blocks and inputs, then add it to a database, a container or a queue.
///
/// All its blocks run one after another on a queue of their own, never on the caller's stack: first those for single
/// items, then the result block, then `completionBlock`. A cancelled operation reports `operationCancelled`; what was
/// written before stays written.
///
/// Inputs and blocks are set before the operation is started; setting one while it runs stops the process, and so does
/// starting it a second time by adding it again.
///
/// - Assumption: a cancelled operation ends at once, though a request that it waits for may still take effect.
// Sendable: progress is behind a mutex. Inputs and blocks are set before the operation is started, as Apple demands,
// and only read afterwards; starting hands them over through the locks of queue and thread.
open class CKOperation: Foundation.Operation, @unchecked Sendable {
  /// The type of ``operationID``.
  public typealias ID = String

  /// Settings of an operation; the class is `CKOperationConfiguration`.
  public typealias Configuration = CKOperationConfiguration

  /// Identifies the operation: 16 upper-case hexadecimal digits.
  public private(set) var operationID: CKOperation.ID

  /// The group that the operation belongs to. Its default configuration fills what ``configuration`` leaves open.
  open var group: CKOperationGroup? { willSet { checkNotRunning() } }

  /// Called when a long-lived operation is kept: from then on it can be found by its ID and finished in another process,
  /// should this one end.
  ///
  /// - Difference: no daemon works on while no process does; the next one that fetches and starts the operation finishes
  ///   it, or is told what came of it. Blocks of items are called when the request is over.
  /// - Assumption: not called again for an operation that was fetched.
  @preconcurrency open var longLivedOperationWasPersistedBlock: (@Sendable () -> Void)? {
    willSet { checkNotRunning() }
  }

  private var ownConfiguration = CKOperationConfiguration()

  private enum Phase { case waiting, executing, finished }

  private struct Progress {
    var phase = Phase.waiting
    var isConcluded = false
    var isReporting = false
    /// Why it ended before its time.
    var cut: CKError?
    var isEnqueued = false
    var added: ActingIdentity?
    var container: String?
    var isLongLived = false
    /// Of a long-lived operation: fetched, not made.
    var isResumed = false
    var held: (operation: HeldOperation, request: Request)?
    /// Events are gathered here in place of being told.
    var gathered: Gathered<OperationEvent>?
  }

  private struct ItemErrors: @unchecked Sendable {
    // Sendable: the keys are IDs, URLs and strings, which are.
    var byID: [AnyHashable: any Error] = [:]
  }

  private let progress = Mutex(Progress())
  private let itemErrors = Mutex(ItemErrors())
  private let callbacks = DispatchQueue(label: "CKOperation")
  private let created = ActingIdentity.current

  /// Makes an operation that does nothing; use one of the subclasses.
  public override init() {
    operationID = Self.newID()
    super.init()
  }

  static func newID() -> String {
    let text = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// Settings; setting it stores a copy, nil brings back the defaults.
  ///
  /// Each setting counts that is set here; else the one that is set in the ``group``'s default configuration; else the
  /// default.
  open var configuration: CKOperation.Configuration! {
    get { ownConfiguration }
    set {
      checkNotRunning()
      ownConfiguration = newValue?.copy() as? CKOperationConfiguration ?? CKOperationConfiguration()
    }
  }

  /// The settings in force: explicit ones of the operation, else explicit ones of the group, else the defaults.
  final var effectiveConfiguration: CKOperationConfiguration.Values {
    ownConfiguration.values.over(group?.defaultConfiguration?.values)
  }

  // MARK: What subclasses do

  /// The requests, on a thread that may block. Hands over the items' callbacks with ``deliver(_:)``; throws what makes
  /// the operation fail as a whole.
  func work(_ request: Request) throws {}

  /// Calls the result blocks; on the queue of the blocks, after those of the items.
  func report(_ outcome: Result<Void, any Error>) {}

  /// Whose requests these are.
  var identity: ContainerIdentity {
    effectiveConfiguration.container?.identity ?? .standard(progress.withLock { $0.added } ?? created)
  }

  /// The database of the requests, where they concern one.
  var scope: CKDatabase.Scope { .private }

  /// Whether the settings may say that the operation outlives its process.
  var mayBeLongLived: Bool { true }

  /// Calls the block that the event is for; on the queue of the blocks. Nothing is to be remembered but from here, as
  /// events may come from another process.
  func call(_ event: OperationEvent) {}

  /// What failed, in the words of a partial failure: "modify some records".
  var purpose: String { "process some items" }

  // MARK: For subclasses

  /// Hands a callback over. It is dropped if the operation is cancelled before its turn.
  final func deliver(_ callback: @escaping @Sendable () -> Void) {
    callbacks.async { [self] in
      if progress.withLock({ $0.cut != nil }) { return }
      inScope(callback)
    }
  }

  /// Hands an event over, which ``call(_:)`` will get.
  final func deliver(_ event: OperationEvent) {
    if let gathered = progress.withLock({ $0.gathered }) { return gathered.append(event) }
    deliver { [self] in call(event) }
  }

  /// Runs a block in the scope of the call, so that what the block asks for is asked for by the same account.
  private func inScope(_ block: () -> Void) {
    guard let acting = progress.withLock({ $0.added }) ?? created else { return block() }
    ActingIdentity.$current.withValue(acting, operation: block)
  }

  /// Errors that are built in there are this operation's.
  private func named<Value>(_ body: () throws -> Value) rethrows -> Value {
    try CKError.$operationID.withValue(operationID, operation: body)
  }

  private var cancellation: CKError { named { CKError.cancelled(container: containerName) } }

  /// Notes an item's failure for the deprecated completion block.
  final func note<Value>(_ result: Result<Value, any Error>, of item: some Hashable & Sendable) {
    guard case .failure(let error) = result else { return }
    itemErrors.withLock { $0.byID[item] = error }
  }

  /// The error of a deprecated completion block: the whole operation's, or else the items' together.
  final func completionError(_ outcome: Result<Void, any Error>) -> (any Error)? {
    if case .failure(let error) = outcome { return error }
    let errors = itemErrors.withLock { $0 }.byID
    return errors.isEmpty ? nil : named { CKError.partialFailure(errors, purpose, container: containerName) }
  }

  /// To be called before a property is set that is to be set before the operation is started, as Apple demands.
  final func checkNotRunning(_ property: String = #function) {
    if isExecuting { raise("\(property) can't be set while the operation runs: \(self)") }
  }

  final func checkCancelled() throws {
    if isCancelled { throw cancellation }
  }

  final var containerName: String? { progress.withLock { $0.container } }

  // MARK: For long-lived operations

  /// Whether it was fetched by its ID.
  final var isResumed: Bool { progress.withLock { $0.isResumed } }

  final var held: HeldOperation? { progress.withLock { $0.held?.operation } }

  /// Makes this the operation of that ID, which a process began before.
  final func resume(as id: CKOperation.ID) {
    operationID = id
    progress.withLock { $0.isResumed = true }
  }

  /// Keeps others from it until it is forgotten, or this process dies.
  final func hold(_ operation: HeldOperation, of request: Request) {
    progress.withLock { $0.held = (operation, request) }
  }

  /// The events of `body`, none of which is told yet.
  final func gathering(_ body: () throws -> Void) -> OperationOutcome {
    let gathered = Gathered<OperationEvent>()
    progress.withLock { $0.gathered = gathered }
    defer { progress.withLock { $0.gathered = nil } }
    let result: Result<Void, any Error>
    do { result = .success(try body()) } catch {
      result = .failure(CKError.wrapping(error, container: containerName))
    }
    return OperationOutcome(events: gathered.values, result: result)
  }

  /// The operation was heard, or cancelled: nobody is to find it any more.
  private func forget() {
    if let held = takeHeld() { Self.forget(held) }
  }

  private typealias Held = (operation: HeldOperation, request: Request)

  private func takeHeld() -> Held? {
    progress.withLock { progress in
      defer { progress.held = nil }
      return progress.held
    }
  }

  private static func forget(_ held: Held) {
    try? held.request.service.devices.forgetOperation(held.operation.id, by: held.request.caller)
    held.operation.release()
  }

  /// One that was fetched and is cancelled without having been started.
  private func forgetUnstarted() {
    let acting = identity.acting(now: ActingIdentity.current, last: created)
    Workers.run { [self] in
      guard let request = try? Request(acting, scope: scope) else { return }
      try? request.service.devices.forgetOperation(operationID, by: request.caller)
    }
  }

  /// To be called when the operation is added to a container or a database: this is the call that decides who asks.
  final func noteCall() {
    let acting = ActingIdentity.current
    let isFirst = progress.withLock { progress in
      defer { progress.isEnqueued = true }
      if progress.added == nil { progress.added = acting }
      return !progress.isEnqueued
    }
    if !isFirst { raise("The operation was added before: \(self)") }
  }

  // MARK: Life of an operation

  /// Always true: an operation does its work elsewhere.
  open override var isAsynchronous: Bool { true }

  /// Whether the operation was started and has not reported its result yet.
  open override var isExecuting: Bool { progress.withLock { $0.phase == .executing } }

  /// Whether the result was reported.
  open override var isFinished: Bool { progress.withLock { $0.phase == .finished } }

  /// Begins the work on another thread and returns. A second call does nothing.
  open override func start() {
    willChangeValue(forKey: "isExecuting")
    let isFirst = progress.withLock { progress in
      guard progress.phase == .waiting else { return false }
      progress.phase = .executing
      progress.isLongLived = mayBeLongLived && effectiveConfiguration.isLongLived == true
      return true
    }
    didChangeValue(forKey: "isExecuting")
    guard isFirst else { return }
    if isCancelled {
      conclude(.failure(cancellation))
    } else {
      startTimer()
      Workers.run { [self] in named(run) }
    }
  }

  /// Ends the operation: its result block gets `operationCancelled`, callbacks of items that wait are dropped. Of a
  /// long-lived operation nothing is kept any more.
  open override func cancel() {
    super.cancel()
    let phase = cut(cancellation)
    if phase == .waiting, isResumed { forgetUnstarted() }
  }

  /// Ends the operation before its time, unless its result is being told.
  @discardableResult
  private func cut(_ error: CKError) -> Phase? {
    let phase: Phase? = progress.withLock { progress in
      guard !progress.isReporting else { return nil }
      if progress.cut == nil { progress.cut = error }
      return progress.phase
    }
    if phase == .executing { conclude(.failure(error)) }
    return phase
  }

  /// The time for all of it, where one is set.
  private func startTimer() {
    guard let seconds = effectiveConfiguration.timeoutIntervalForResource, seconds > 0 else { return }
    callbacks.asyncAfter(deadline: .now() + min(seconds, 604_800)) { [weak self] in
      guard let self, isExecuting else { return }
      let error = ServiceError(
        .networkFailure, "The operation took longer than its timeoutIntervalForResource, \(seconds) s")
      cut(named { CKError.make(error, container: containerName) })
    }
  }

  private func run() {
    do {
      let identity = identity
      let (added, isLongLived) = progress.withLock { progress in
        progress.container = identity.container
        return (progress.added, progress.isLongLived)
      }
      AccountWatch.begin(identity.captured)
      let request = try Request(
        identity.acting(now: added, last: created), scope: scope, context: context(isLongLived: isLongLived),
        patience: effectiveConfiguration.timeoutIntervalForRequest)
      if isLongLived { try workLongLived(request) } else { try work(request) }
      conclude(.success(()))
    } catch {
      conclude(.failure(CKError.wrapping(error, container: containerName)))
    }
    // It may have been cut short before there was anything to forget.
    if isFinished, progress.withLock({ $0.cut != nil }) { forget() }
  }

  private func context(isLongLived: Bool) -> OperationContext {
    var context = OperationContext(id: operationID, kind: kindName, group: group?.context)
    if isLongLived { context.life = isResumed ? .resumed : .long }
    return context
  }

  /// The class's name in the log of requests; nil for functions.
  var kindName: String? { "\(type(of: self))" }

  private func conclude(_ outcome: Result<Void, any Error>) {
    let isFirst = progress.withLock { progress in
      defer { progress.isConcluded = true }
      return !progress.isConcluded
    }
    guard isFirst else { return }
    callbacks.async { [self] in
      let cut = progress.withLock { progress in
        progress.isReporting = true
        return progress.cut
      }
      inScope { report(cut.map { .failure($0) } ?? outcome) }
      finish()
    }
  }

  private func finish() {
    let isCut = progress.withLock { $0.cut != nil }
    if let held = takeHeld() {
      // It is kept until its completion block returned, as Apple says.
      if let block = completionBlock, !isCut {
        completionBlock = {
          block()
          Self.forget(held)
        }
      } else {
        Self.forget(held)
      }
    }
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    progress.withLock { $0.phase = .finished }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
    // Its request may have been kept only now.
    if isCut { forget() }
  }
}
