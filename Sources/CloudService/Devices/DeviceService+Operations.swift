import CloudModel
import CloudStore
import DeviceStore
import Storage

/// Long-lived operations of the caller's device.
extension DeviceService {
  /// Keeps the request of an operation, so that another process can finish it or get its answers. The caller holds the
  /// operation from the start.
  package func keepOperation(
    _ id: String, _ content: JSONObject, by caller: Caller
  ) throws(ServiceError) -> HeldOperation {
    try perform(.keepOperation, by: caller) {
      try removeExpired(caller)
      let operation = KeptOperation(content, by: caller, at: settings.clock())
      return try keptOperations(of: caller).keep(operation.object, as: id, waitPolicy(caller))
    }
  }

  /// Returns the IDs of the caller's operations in this container and environment whose answers were not taken yet.
  /// Leaves out damaged ones.
  ///
  /// - Assumption: answers that nobody took are forgotten 24 hours after the operation finished; Apple says that they
  ///   may be.
  package func operationIDs(by caller: Caller) throws(ServiceError) -> [String] {
    try perform(.findOperations, by: caller) {
      try removeExpired(caller)
      return try keptOperations(of: caller).ids().filter { (try? kept($0, caller)) ?? nil != nil }
    }
  }

  /// Returns an operation of the caller; nil if there is none with this ID any more.
  package func keptOperation(_ id: String, by caller: Caller) throws(ServiceError) -> KeptOperation? {
    try perform(.findOperations, by: caller) {
      try removeExpired(caller)
      return try kept(id, caller)
    }
  }

  /// Waits until no other process holds the operation, and holds it; nil if it is gone by then. Returns its answers if
  /// it is finished.
  package func holdOperation(
    _ id: String, by caller: Caller
  ) throws(ServiceError) -> (operation: HeldOperation, answers: KeptAnswers?)? {
    try perform(.findOperations, by: caller) {
      let folder = keptOperations(of: caller)
      guard let held = try folder.hold(id, waitPolicy(caller)) else { return nil }
      return (held, try answers(id, caller))
    }
  }

  /// Keeps the answers of an operation that the caller holds.
  package func finishOperation(
    _ operation: HeldOperation, _ content: JSONObject, by caller: Caller
  ) throws(ServiceError) {
    try perform(.keepOperation, by: caller) {
      let answers = KeptAnswers(content, at: settings.clock())
      try keptOperations(of: caller).finish(operation, answers.object, waitPolicy(caller))
    }
  }

  /// Removes an operation whose answers were taken or are not wanted.
  package func forgetOperation(_ id: String, by caller: Caller) throws(ServiceError) {
    try perform(.keepOperation, by: caller) { try keptOperations(of: caller).remove(id, waitPolicy(caller)) }
  }

  private func keptOperations(of caller: Caller) -> LongLivedOperationStore {
    LongLivedOperationStore(of: caller.device ?? caller.account.map(Account.defaultDevice) ?? "nobody", in: cloud)
  }

  private func kept(_ id: String, _ caller: Caller) throws -> KeptOperation? {
    guard let object = try keptOperations(of: caller).request(id) else { return nil }
    guard let operation = KeptOperation(object) else { throw Self.damaged(id) }
    return operation.isOf(caller) ? operation : nil
  }

  private func answers(_ id: String, _ caller: Caller) throws -> KeptAnswers? {
    guard let object = try keptOperations(of: caller).answers(id) else { return nil }
    guard let answers = KeptAnswers(object) else { throw Self.damaged(id) }
    return answers
  }

  package static func damaged(_ id: String) -> ServiceError {
    ServiceError(
      .internalError, "The long-lived operation \(id) is damaged.", cause: .damage,
      hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
  }

  /// Removes expired answers, in all containers.
  private func removeExpired(_ caller: Caller) throws {
    let folder = keptOperations(of: caller)
    let ids = try folder.ids()
    if ids.isEmpty { return }
    let now = settings.clock()
    for id in ids {
      guard let finished = (try? answers(id, caller))??.finished, now - finished > KeptAnswers.milliseconds else {
        continue
      }
      try folder.remove(id, waitPolicy(caller))
    }
  }

  // MARK: What was done already

  /// The changes that a long-lived operation made in a zone before its process ended; a later change of the same record
  /// does not hide one. O(the zone's log).
  func changes(of operation: String, in view: ZoneView) throws -> [ExactName: ChangeLine.Kind] {
    var changes: [ExactName: ChangeLine.Kind] = [:]
    try view.forEachChange(after: 0) { line in
      if line.operation == operation { changes[line.record] = line.kind }
      return true
    }
    return changes
  }
}
