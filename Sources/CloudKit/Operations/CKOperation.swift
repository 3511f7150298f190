import CloudService
import Foundation
import LocalCloud
import Synchronization

/// A request to CloudKit as an operation: set its blocks and inputs, then add it to a database, a container or a queue.
///
/// All its blocks run one after another on a queue of their own, never on the caller's stack: first those for single
/// items, then the result block, then `completionBlock`. A cancelled operation reports `operationCancelled`; what was
/// written before stays written.
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
  public let operationID: CKOperation.ID

  /// The group that the operation belongs to. Its default configuration fills what ``configuration`` leaves open.
  open var group: CKOperationGroup?

  /// Would be called when a long-lived operation has become independent of the process.
  ///
  /// - Difference: long-lived operations fail with a "not yet" error, so it is never called.
  @preconcurrency open var longLivedOperationWasPersistedBlock: (@Sendable () -> Void)?

  private var ownConfiguration = CKOperationConfiguration()

  private enum Phase { case waiting, executing, finished }

  private struct Progress {
    var phase = Phase.waiting
    var isConcluded = false
    var isReporting = false
    var isCut = false
    var added: Acting?
    var container: String?
  }

  private struct ItemErrors: @unchecked Sendable {
    // Sendable: the keys are IDs, URLs and strings, which are.
    var byID: [AnyHashable: any Error] = [:]
  }

  private let progress = Mutex(Progress())
  private let itemErrors = Mutex(ItemErrors())
  private let callbacks: DispatchQueue
  private let created = Acting.current

  /// Makes an operation that does nothing; use one of the subclasses.
  public override init() {
    operationID = Self.newID()
    callbacks = DispatchQueue(label: "CKOperation.\(operationID)")
    super.init()
  }

  static func newID() -> String {
    let text = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// Settings; setting it stores a copy, nil brings back the defaults.
  open var configuration: CKOperation.Configuration! {
    get { ownConfiguration }
    set { ownConfiguration = newValue?.copy() as? CKOperationConfiguration ?? CKOperationConfiguration() }
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
  var origin: Origin {
    effectiveConfiguration.container?.origin ?? .standard(progress.withLock { $0.added } ?? created)
  }

  /// The database of the requests, where they concern one.
  var scope: CKDatabase.Scope { .private }

  /// What failed, in the words of a partial failure: "modify some records".
  var purpose: String { "process some items" }

  // MARK: For subclasses

  /// Hands a callback over. It is dropped if the operation is cancelled before its turn.
  final func deliver(_ callback: @escaping @Sendable () -> Void) {
    callbacks.async { [self] in
      if progress.withLock({ $0.isCut }) { return }
      inScope(callback)
    }
  }

  /// Runs a block in the scope of the call, so that what the block asks for is asked for by the same account.
  private func inScope(_ block: () -> Void) {
    guard let acting = progress.withLock({ $0.added }) ?? created else { return block() }
    Acting.$current.withValue(acting, operation: block)
  }

  /// Notes an item's failure for the deprecated completion block.
  final func note<Value>(_ result: Result<Value, any Error>, of item: some Hashable & Sendable) {
    guard case .failure(let error) = result else { return }
    itemErrors.withLock { $0.byID[item] = error }
  }

  /// The error of a deprecated completion block: the whole operation's, or else the items' together.
  final func completionError(_ outcome: Result<Void, any Error>) -> (any Error)? {
    if case .failure(let error) = outcome { return error }
    let errors = itemErrors.withLock { $0 }.byID
    return errors.isEmpty ? nil : CKError.partialFailure(errors, purpose, container: containerName)
  }

  final func checkCancelled() throws {
    if isCancelled { throw CKError.cancelled(container: containerName) }
  }

  final var containerName: String? { progress.withLock { $0.container } }

  /// To be called when the operation is added to a container or a database: this is the call that decides who asks.
  final func noteCall() {
    let acting = Acting.current
    progress.withLock { if $0.added == nil { $0.added = acting } }
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
      return true
    }
    didChangeValue(forKey: "isExecuting")
    guard isFirst else { return }
    if isCancelled {
      conclude(.failure(CKError.cancelled(container: nil)))
    } else {
      Workers.run { [self] in run() }
    }
  }

  /// Ends the operation: its result block gets `operationCancelled`, callbacks of items that wait are dropped.
  open override func cancel() {
    super.cancel()
    let isExecuting = progress.withLock { progress in
      guard !progress.isReporting else { return false }
      progress.isCut = true
      return progress.phase == .executing
    }
    if isExecuting { conclude(.failure(CKError.cancelled(container: containerName))) }
  }

  private func run() {
    do {
      let origin = origin
      let added = progress.withLock { progress in
        progress.container = origin.container
        return progress.added
      }
      if effectiveConfiguration.isLongLived == true {
        throw CKError.notYet("long-lived operations", container: origin.container)
      }
      try work(Request(origin.acting(now: added, last: created), scope: scope))
      conclude(.success(()))
    } catch {
      conclude(.failure(CKError.wrapping(error, container: containerName)))
    }
  }

  private func conclude(_ outcome: Result<Void, any Error>) {
    let isFirst = progress.withLock { progress in
      defer { progress.isConcluded = true }
      return !progress.isConcluded
    }
    guard isFirst else { return }
    callbacks.async { [self] in
      let isCut = progress.withLock { progress in
        progress.isReporting = true
        return progress.isCut
      }
      inScope { report(isCut ? .failure(CKError.cancelled(container: containerName)) : outcome) }
      finish()
    }
  }

  private func finish() {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    progress.withLock { $0.phase = .finished }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
