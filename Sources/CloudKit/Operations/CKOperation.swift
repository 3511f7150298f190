import Foundation
import LocalCloudDeviceStore
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import Synchronization

/// A request to CloudKit as an operation. Set its blocks and inputs, then add it to a database, a container or a queue.
///
/// The blocks run one after another on the operation's own serial queue, never on the caller's stack: first those for
/// single items, then the result block, then `completionBlock`. A cancelled operation reports `operationCancelled`. Its
/// earlier writes are not undone.
///
/// Set inputs and blocks before the operation starts. Setting one while the operation runs stops the process, and so
/// does adding the operation a second time.
///
/// - Assumption: a cancelled operation ends at once, though a request that it waits for may still take effect.
// Sendable: progress is behind the mutex of a condition. Inputs and blocks are set before the operation starts, as
// Apple demands, and only read afterwards. The locks of the queue and of the worker threads order these accesses.
open class CKOperation: Foundation.Operation, @unchecked Sendable {
  /// The type of ``operationID``.
  public typealias ID = String

  /// Settings of an operation; the class is `CKOperationConfiguration`.
  public typealias Configuration = CKOperationConfiguration

  /// Identifies the operation: 16 upper-case hexadecimal digits.
  public internal(set) var operationID: CKOperation.ID

  /// The group of the operation. Its default configuration supplies the settings that ``configuration`` leaves unset.
  open var group: CKOperationGroup? { willSet { checkNotRunning() } }

  /// Called when a long-lived operation is persisted. From then on another process can fetch it by its ID and finish it
  /// if this process ends.
  ///
  /// - Difference: no daemon continues the operation while no process runs it. The next process that fetches and starts
  ///   the operation finishes it, or receives its result. Blocks of items are called when the request is over.
  /// - Assumption: not called again for an operation that was fetched.
  open var longLivedOperationWasPersistedBlock: (() -> Void)? {
    willSet { checkNotRunning() }
  }

  private var ownConfiguration = CKOperationConfiguration()

  enum Phase { case waiting, executing, finished }

  struct Progress {
    var phase = Phase.waiting
    var isConcluded = false
    var isReporting = false
    /// The error that ended the operation early.
    var cut: CKError?
    var isEnqueued = false
    var added: ActingIdentity?
    var container: String?
    var isLongLived = false
    /// Whether this is a long-lived operation that was fetched by its ID.
    var isResumed = false
    var held: Held?
    /// Collects events that are not delivered yet.
    var collector: ResultCollector<OperationEvent>?
  }

  private struct ItemErrors: @unchecked Sendable {
    // Sendable: the keys are IDs, URLs and strings: all are Sendable.
    var byID: [AnyHashable: any Error] = [:]
  }

  final let progress = ThreadCondition(Progress())
  private let itemErrors = Mutex(ItemErrors())
  private let callbacks = DispatchQueue(label: "CKOperation")
  final let created = ActingIdentity.current

  /// Makes an operation that does nothing. Use one of the subclasses.
  public override init() {
    operationID = Self.newID()
    super.init()
  }

  static func newID() -> String {
    let text = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// The settings. Setting the property stores a copy; nil restores the defaults.
  ///
  /// A setting that is not set here has the value of the ``group``'s default configuration, or otherwise the default
  /// value.
  open var configuration: CKOperation.Configuration! {
    get { ownConfiguration }
    set {
      checkNotRunning()
      ownConfiguration = newValue?.copy() as? CKOperationConfiguration ?? CKOperationConfiguration()
    }
  }

  /// The priority of the work: the ``configuration``'s own.
  open override var qualityOfService: QualityOfService {
    get { ownConfiguration.qualityOfService }
    set { ownConfiguration.qualityOfService = newValue }
  }

  /// The effective settings: those set on the operation, then those set on the group; nil for the default.
  final var effectiveConfiguration: CKOperationConfiguration.Values {
    ownConfiguration.values.over(group?.defaultConfiguration?.values)
  }

  // MARK: For subclasses

  /// Makes the requests, on a thread that may block. Delivers the callbacks of items with ``deliver(_:)``. Throws an
  /// error that makes the operation fail as a whole.
  func work(_ request: Request) throws {}

  /// Calls the result blocks. Runs on the queue of the blocks, after the blocks of items.
  func report(_ outcome: Result<Void, any Error>) {}

  /// The identity for the operation's requests.
  var identity: ContainerIdentity {
    effectiveConfiguration.container?.identity ?? .standard(progress.change { $0.added } ?? created)
  }

  /// The database of the requests, for operations on a database.
  var scope: CKDatabase.Scope { .private }

  /// Whether the operation may be long-lived if its settings say so.
  var mayBeLongLived: Bool { true }

  /// Calls the block for the event. Runs on the queue of the blocks. Subclasses may record results only here, because
  /// events may come from another process.
  func call(_ event: OperationEvent) {}

  /// The purpose of the operation in the text of a partial failure, for example "modify some records".
  var purpose: String { "process some items" }

  // MARK: For subclasses

  /// Enqueues a callback on the queue of the blocks. If the operation is cancelled before the callback runs, it is
  /// dropped.
  final func deliver(_ callback: @escaping @Sendable () -> Void) {
    callbacks.async { [self] in
      if progress.change({ $0.cut != nil }) { return }
      inScope(callback)
    }
  }

  /// Enqueues an event for ``call(_:)``, or collects it while events are being collected.
  final func deliver(_ event: OperationEvent) {
    if let collector = progress.change({ $0.collector }) { return collector.append(event) }
    deliver { [self] in call(event) }
  }

  /// Runs a block in the scope of the call that added the operation, so that requests made by the block use the same
  /// account.
  private func inScope(_ block: () -> Void) {
    guard let acting = progress.change({ $0.added }) ?? created else { return block() }
    ActingIdentity.$current.withValue(acting, operation: block)
  }

  /// Runs a body, and gives its errors this operation's ID.
  private func named<Value>(_ body: () throws -> Value) rethrows -> Value {
    try CKError.$operationID.withValue(operationID, operation: body)
  }

  private var cancellation: CKError { named { CKError.cancelled(container: containerName) } }

  /// Records an item's failure for the deprecated completion block.
  final func recordResult<Value>(_ result: Result<Value, any Error>, of item: some Hashable & Sendable) {
    guard case .failure(let error) = result else { return }
    itemErrors.withLock { $0.byID[item] = error }
  }

  /// The error for a deprecated completion block: that of the whole operation, or otherwise the failures of items
  /// together.
  final func completionError(_ outcome: Result<Void, any Error>) -> (any Error)? {
    if case .failure(let error) = outcome { return error }
    let errors = itemErrors.withLock { $0 }.byID
    return errors.isEmpty ? nil : named { CKError.partialFailure(errors, purpose, container: containerName) }
  }

  /// Stops the process if the operation runs. Call it before setting a property that has to be set before the start.
  final func checkNotRunning(_ property: String = #function) {
    if isExecuting { raise("\(property) can't be set while the operation runs: \(self)") }
  }

  final func checkCancelled() throws {
    if isCancelled { throw cancellation }
  }

  final var containerName: String? { progress.change { $0.container } }

  /// Records the scope of the call that adds the operation. The scope determines the account. Stops the process on a
  /// second call.
  final func recordCall() {
    let acting = ActingIdentity.current
    let isFirst = progress.change { progress in
      defer { progress.isEnqueued = true }
      if progress.added == nil { progress.added = acting }
      return !progress.isEnqueued
    }
    if !isFirst { raise("The operation was added before: \(self)") }
  }

  // MARK: Life of an operation

  /// Always true: an operation works on other threads.
  open override var isAsynchronous: Bool { true }

  /// Whether the operation was started and has not reported its result yet.
  open override var isExecuting: Bool { progress.change { $0.phase == .executing } }

  /// Whether the result was reported.
  open override var isFinished: Bool { progress.change { $0.phase == .finished } }

  /// Begins the work on another thread and returns. A second call does nothing.
  open override func start() {
    willChangeValue(forKey: "isExecuting")
    let isFirst = progress.change { progress in
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

  /// Ends the operation. Its result block gets `operationCancelled`, and pending callbacks of items are dropped. A
  /// long-lived operation is no longer persisted.
  open override func cancel() {
    super.cancel()
    let phase = cut(cancellation)
    if phase == .waiting, isResumed { forgetUnstarted() }
  }

  /// Ends the operation early with an error, unless its result is being reported already.
  @discardableResult
  private func cut(_ error: CKError) -> Phase? {
    let phase: Phase? = progress.change { progress in
      guard !progress.isReporting else { return nil }
      if progress.cut == nil { progress.cut = error }
      return progress.phase
    }
    if phase == .executing { conclude(.failure(error)) }
    return phase
  }

  /// Starts the timer for the whole operation, if its timeout is set.
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
      let (added, isLongLived) = progress.change { progress in
        progress.container = identity.container
        return (progress.added, progress.isLongLived)
      }
      AccountWatch.begin(identity.captured)
      let request = try Request(
        identity.acting(now: added, last: created), scope: scope, context: context(isLongLived: isLongLived),
        waitPolicy: effectiveConfiguration.timeoutIntervalForRequest, whileOffline: whileOffline)
      if isLongLived { try workLongLived(request) } else { try work(request) }
      conclude(.success(()))
    } catch {
      conclude(.failure(CKError.wrapping(error, container: containerName)))
    }
    // A cancelled operation may have finished before it was persisted, so it is removed here.
    if isFinished, progress.change({ $0.cut != nil }) { forget() }
  }

  /// Waits for the network between two attempts, instead of failing without a network ([network-8]). False if the
  /// operation has ended since.
  private var whileOffline: (@Sendable () -> Bool)? {
    switch effectiveConfiguration.qualityOfService {
    case .utility, .background: break
    default: return nil
    }
    return { [self] in
      Workers.asLongWait { progress.wait(seconds: 0.25) { $0.cut } } == nil
    }
  }

  private func context(isLongLived: Bool) -> OperationContext {
    var context = OperationContext(id: operationID, kind: kindName, group: group?.context)
    if isLongLived { context.life = isResumed ? .resumed : .long }
    return context
  }

  /// The class's name in the log of requests; nil for convenience functions.
  var kindName: String? { "\(type(of: self))" }

  private func conclude(_ outcome: Result<Void, any Error>) {
    let isFirst = progress.change { progress in
      defer { progress.isConcluded = true }
      return !progress.isConcluded
    }
    guard isFirst else { return }
    callbacks.async { [self] in
      let cut = progress.change { progress in
        progress.isReporting = true
        return progress.cut
      }
      inScope { report(cut.map { .failure($0) } ?? outcome) }
      finish()
    }
  }

  private func finish() {
    let isCut = progress.change { $0.cut != nil }
    if let held = takeHeld() {
      // The operation stays persisted until its completion block has returned, as Apple documents it.
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
    progress.change { $0.phase = .finished }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
    // A request may have persisted the operation in the meantime.
    if isCut { forget() }
  }
}
