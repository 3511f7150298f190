import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The observer of a cloud's store for devices and subscriptions: once an entry is committed, it delivers the entry's
/// pushes and ends subscriptions. In a journal's entry these are the members `pushes` and `withdrawals`.
package struct DeviceObserver: CloudObserver {
  private let schema: PushSchema

  package init(pushes schema: PushSchema) { self.schema = schema }

  static let pushes = "pushes"
  static let withdrawals = "withdrawals"

  private static func pushes(of members: JSONObject) -> [PlannedPush]? { members.items(of: pushes, PlannedPush.init) }

  private static func withdrawals(of members: JSONObject) -> [SubscriptionReference]? {
    members.items(of: withdrawals, SubscriptionReference.init)
  }

  // MARK: Commits

  package func understands(_ members: JSONObject) -> Bool {
    Self.pushes(of: members) != nil && Self.withdrawals(of: members) != nil
  }

  /// Whether the entry withdraws no subscription.
  package func isJoinable(_ members: JSONObject) -> Bool { members[Self.withdrawals] == nil }

  /// Delivers the entry's pushes to the devices' logs, and withdraws subscriptions.
  ///
  /// A device with a damaged log, or a log that can't be made, misses its pushes; `check` reports it. That must not
  /// block the zone.
  package func didCommit(
    _ members: JSONObject, in context: CommitContext, isReplay: Bool, _ waitPolicy: LockWaitPolicy
  ) throws {
    let (pushes, withdrawals) = (Self.pushes(of: members) ?? [], Self.withdrawals(of: members) ?? [])
    if pushes.isEmpty, withdrawals.isEmpty { return }
    var lines: [String: [JSONObject]] = [:]
    var claims: [(folder: SubscriptionFolder, mark: PushMark)] = []
    for push in pushes {
      if let once = push.once, let mark = push.mark {
        guard let folder = try folder(of: once, in: context),
          try sparing({ try folder.claim(once, for: mark, waitPolicy) }) == true
        else { continue }
        claims.append((folder, mark))
      }
      for device in push.devices { lines[device, default: []].append(push.line(for: device)) }
    }
    for (device, lines) in lines.sorted(by: { $0.key < $1.key }) {
      try sparing {
        let devices = try context.root.directory(Inbox.devices)
        let log = PushLog(file: FileName.encode(device), in: devices, schema, limits: context.limits)
        try HeldPushes(log).deliver(lines, isReplay: isReplay, waitPolicy)
        // The claim may be removed only after this, because it marks pushes that are still to be delivered.
        if !claims.isEmpty { try log.sync() }
      }
    }
    for (folder, mark) in claims { try folder.end(claimFor: mark) }
    for withdrawal in withdrawals {
      try sparing { try folder(of: withdrawal, in: context)?.withdraw(withdrawal, waitPolicy) }
    }
  }

  private func folder(of reference: SubscriptionReference, in context: CommitContext) throws -> SubscriptionFolder? {
    try context.container.directory(at: reference.file.components.dropLast()).map { SubscriptionFolder($0) }
  }

  @discardableResult
  private func sparing<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch StorageError.damaged {
      return nil
    } catch let error as SystemError where error.isForeign || error.isMissing {
      return nil
    }
  }

  // MARK: Tree

  /// Recovers the devices' logs, before the journals restore the lost pushes. An entry of another kind that replaces a
  /// log must not block the rest.
  package func recoverAfterBoot(in root: Directory, _ limits: StorageLimits) throws {
    guard let devices = try root.directoryIfPresent(Inbox.devices) else { return }
    for device in try devices.entries() where device.kind == .directory {
      try passingOver { try PushLog(file: device.name, in: devices, schema, limits: limits).recover() }
      try passingOver { try SharingLog(file: device.name, in: devices, limits: limits).recover() }
    }
  }

  private func passingOver(_ body: () throws -> Void) throws {
    do { try body() } catch let error as SystemError where error.isForeign {}
  }

  /// The folders of a device.
  private static let folders: Set<String> = [
    Inbox.folder, LongLivedOperationStore.folder, PushLog.folder, SharingLog.folder,
  ]

  package func kind(at path: [String]) -> Directory.Kind? {
    guard let name = path.last, path[0] == Inbox.devices else { return nil }
    switch path.count {
    case 1: return .directory
    case 2: return name.hasPrefix(".") ? .file : .directory
    case 3: return Self.folders.contains(name) ? .directory : .file
    default: return path.count == 4 && Self.folders.contains(path[2]) ? .file : nil
    }
  }

  package func kind(inDatabase path: [String]) -> Directory.Kind? {
    guard let name = path.last, path[0] == SubscriptionFolder.folder else { return nil }
    if path.count == 1 { return .directory }
    return path.count == 2 && (!name.hasPrefix(".") || name == Cloud.lockName) ? .file : nil
  }
}
