import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Long-lived operations of the caller's device.
extension DeviceService {
  /// Stores the request of an operation, so that another process can finish it or get its answers. The caller holds the
  /// operation's lock from the start.
  ///
  /// `isSecret`: whether `content` holds encrypted values. It is then encrypted for the account, so there must be one.
  package func storeOperation(
    _ id: String, _ content: JSONObject, isSecret: Bool, by caller: Caller
  ) throws(ServiceError) -> HeldOperation {
    try perform(.keepOperation, by: caller) {
      try removeExpired(caller)
      return try withContent(content, isSecret: isSecret, in: OperationFile(id: id), caller) { content in
        let operation = StoredOperation(content, by: caller, at: try settings.clock())
        return try operationStore(of: caller).store(operation.object, as: id, waitPolicy(caller)) {
          try requireSignedIn(caller, for: content)
        }
      }
    }
  }

  /// Returns the IDs of the caller's operations in this container and environment with answers that no program has
  /// taken yet. Leaves out damaged ones.
  ///
  /// - Assumption: answers that no program took are deleted 24 hours after the operation finished; Apple says that they
  ///   may be.
  package func operationIDs(by caller: Caller) throws(ServiceError) -> [String] {
    try perform(.findOperations, by: caller) {
      try removeExpired(caller)
      return try operationStore(of: caller).ids().filter { (try? stored($0, caller)) ?? nil != nil }
    }
  }

  /// Returns the content of an operation of the caller; nil if none has this ID now.
  package func storedOperation(_ id: String, by caller: Caller) throws(ServiceError) -> JSONObject? {
    try perform(.findOperations, by: caller) {
      try removeExpired(caller)
      return try stored(id, caller).map { try open($0.content, of: OperationFile(id: id), caller) }
    }
  }

  /// Waits until no other process holds the operation's lock, and acquires the lock; nil if it was removed by then.
  /// Returns the content of its answers if it is finished.
  package func holdOperation(
    _ id: String, by caller: Caller
  ) throws(ServiceError) -> (operation: HeldOperation, answers: JSONObject?)? {
    try perform(.findOperations, by: caller) {
      guard let held = try operationStore(of: caller).hold(id, waitPolicy(caller)) else { return nil }
      let file = OperationFile(id: id, isAnswers: true)
      return (held, try answers(id, caller).map { try open($0.content, of: file, caller) })
    }
  }

  /// Stores the answers of an operation. The caller holds the operation's lock. `isSecret`: as in
  /// ``storeOperation(_:_:isSecret:by:)``.
  package func finishOperation(
    _ operation: HeldOperation, _ content: JSONObject, isSecret: Bool, by caller: Caller
  ) throws(ServiceError) {
    try perform(.keepOperation, by: caller) {
      let file = OperationFile(id: operation.id, isAnswers: true)
      try withContent(content, isSecret: isSecret, in: file, caller) { content in
        let answers = StoredAnswers(content, at: try settings.clock())
        try operationStore(of: caller).finish(operation, answers.object, waitPolicy(caller)) {
          try requireSignedIn(caller, for: content)
        }
      }
    }
  }

  /// Removes an operation after a program took its answers or does not want them.
  package func removeOperation(_ id: String, by caller: Caller) throws(ServiceError) {
    try perform(.keepOperation, by: caller) { try operationStore(of: caller).remove(id, waitPolicy(caller)) }
  }

  private func operationStore(of caller: Caller) -> LongLivedOperationStore {
    LongLivedOperationStore(of: caller.device ?? caller.account.map(Account.defaultDevice) ?? "nobody", in: cloud)
  }

  private func stored(_ id: String, _ caller: Caller) throws -> StoredOperation? {
    guard let object = try operationStore(of: caller).request(id) else { return nil }
    guard let operation = StoredOperation(object) else { throw Self.damaged(id) }
    return operation.isOf(caller) ? operation : nil
  }

  private func answers(_ id: String, _ caller: Caller) throws -> StoredAnswers? {
    guard let object = try operationStore(of: caller).answers(id) else { return nil }
    guard let answers = StoredAnswers(object) else { throw Self.damaged(id) }
    return answers
  }

  // MARK: Contents

  /// Runs `body` with the content in its stored form, and again if the account's key pair changes during the call.
  private func withContent<Result>(
    _ content: JSONObject, isSecret: Bool, in file: OperationFile, _ caller: Caller,
    _ body: (StoredContent) throws -> Result
  ) throws -> Result {
    guard isSecret else { return try body(.plain(content)) }
    return try withKeys(caller) { keyProvider in
      try body(.sealed(try service.keys.seal(content, in: file, by: caller, keyProvider)))
    }
  }

  private func open(_ content: StoredContent, of file: OperationFile, _ caller: Caller) throws -> JSONObject {
    switch content {
    case .plain(let content): return content
    case .sealed(let sealed):
      let content: JSONObject?
      do {
        content = try withKeys(caller) { try service.keys.open(sealed, of: file, by: caller, $0) }
      } catch let lost as ZoneKeys.Lost {
        throw ServiceError(
          .internalError, "The long-lived operation \(file.id) can't be read: \(lost.reason).", cause: .damage,
          hint: ServiceError.keyHint, path: cloud.root.path(of: operationStore(of: caller).path(of: file.id)))
      }
      guard let content else { throw Self.damaged(file.id) }
      return content
    }
  }

  private func withKeys<Result>(_ caller: Caller, _ body: (PrivateKeyProvider) throws -> Result) throws -> Result {
    guard let name = caller.account else { throw AccountService.signedOut(caller) }
    let account = try service.accounts.requireAccount(name)
    return try service.keys.withKeys(of: account, caller) { keyProvider in
      guard let keyProvider else { throw AccountService.signedOut(caller) }
      return try body(keyProvider)
    }
  }

  /// Throws if the caller's account was removed, or signed out on the device, since the request began: its data may
  /// then no longer be stored on the device. Throws ``KeyPairsNeeded`` if its keys were reset. Call it with the lock of
  /// the devices held.
  private func requireSignedIn(_ caller: Caller, for content: StoredContent) throws {
    guard let name = caller.account else { return }
    let account = try service.accounts.requireAccount(name)
    let device = caller.device(of: account)
    // A device that is not registered belongs to no other account.
    if let present = try DeviceRegister(cloud).device(device), present.account != name {
      throw ServiceError(
        .notAuthenticated, "The account \(name) was signed out on the device \(device) meanwhile.", internalCode: 1002,
        hint: "`localcloud device sign-in \(device) \(name)` signs it in again.")
    }
    if let sealed = content.sealed, account.keys[caller.container]?.generation != sealed.key.generation {
      throw KeyPairsNeeded(accounts: [name])
    }
  }

  package static func damaged(_ id: String) -> ServiceError {
    ServiceError(
      .internalError, "The long-lived operation \(id) is damaged.", cause: .damage,
      hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
  }

  /// Removes expired answers, in all containers.
  private func removeExpired(_ caller: Caller) throws {
    let folder = operationStore(of: caller)
    let ids = try folder.ids()
    if ids.isEmpty { return }
    let now = try settings.clock()
    for id in ids {
      guard let finished = (try? answers(id, caller))??.finished, now - finished > StoredAnswers.milliseconds else {
        continue
      }
      try folder.remove(id, waitPolicy(caller))
    }
  }

  // MARK: Completed changes

  /// The changes that a long-lived operation made in a zone before its process ended; includes changes of records that
  /// changed again later. O(the zone's log).
  func changes(of operation: String, in view: ZoneView) throws -> [ExactName: ChangeLine.Kind] {
    var changes: [ExactName: ChangeLine.Kind] = [:]
    try view.forEachChange(after: 0) { line in
      if line.operation == operation { changes[line.record] = line.kind }
      return true
    }
    return changes
  }
}
