import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Builds the pushes of a commit: one for each subscription that it fires, or one for each record that fires it.
///
/// A push goes to all devices where the subscription's account is signed in, except, by default, the one that made the
/// change.
final class PushWriter {
  private let service: CloudService
  private let caller: Caller
  private let address: ZoneAddress
  /// The device that makes the change; nil: no device is left out.
  private let sender: String?
  private var devices: [String: [String]] = [:]
  private lazy var chance = service.settings.identifiers(16)
  /// The time of all pushes of the commit, from the first one on.
  private var sent: String?
  private var count: UInt32 = 0

  init(_ service: CloudService, _ caller: Caller, sender: String?, _ address: ZoneAddress) {
    self.service = service
    self.caller = caller
    self.sender = sender
    self.address = address
  }

  /// The push for a subscription; nil if there is no device to deliver it to.
  func push(
    for stored: StoredSubscription, of account: Account, in database: DatabasePath, _ scope: DatabaseScope,
    change: RecordChange? = nil
  ) throws -> PlannedPush? {
    let devices = try devices(of: account)
    if devices.isEmpty { return nil }
    let subscription = stored.subscription
    let sent = try sent ?? Timestamp.text(milliseconds: service.settings.clock())
    self.sent = sent
    let payload = PushPayload(
      subscription, of: account.userRecordName, container: database.container.string, scope: scope,
      zone: address.identifier, change: change, notificationID: newNotificationID())
    let line = DeliveredPush.line(
      of: payload, for: subscription, of: account.userRecordName, container: database.container.string,
      environment: database.environment, scope: scope, zone: address.identifier, sent: sent)
    var push = PlannedPush(devices: devices, line: line)
    if case .query(let query) = subscription.kind, query.fires.contains(.once) {
      push.once = reference(to: stored, in: database)
    }
    try addFaults(to: &push, of: account, in: database, scope, change)
    return push
  }

  /// Asks the fault rules about the delivery to each device ([fault-7]).
  private func addFaults(
    to push: inout PlannedPush, of account: Account, in database: DatabasePath, _ scope: DatabaseScope,
    _ change: RecordChange?
  ) throws {
    guard let rules = service.settings.interceptor.faults else { return }
    for device in push.devices {
      push.faults[device] = try rules.meet(
        FaultyPush(
          account: account.name, device: device, container: database.container.string,
          environment: caller.environment, database: scope, zone: address.path.zone, recordName: change?.name,
          recordType: change?.record.type))
    }
  }

  /// The properties of a line that a device's log must know: an app's badge counts the pushes that asked for it.
  static let schema = PushSchema(content: "userInfo", count: "badge", countedBy: "containerIdentifier") { badge, line in
    var userInfo = line["userInfo"]?.object ?? [:]
    var aps = userInfo["aps"]?.object ?? [:]
    aps["badge"] = .integer(badge)
    userInfo["aps"] = .object(aps)
    line["userInfo"] = .object(userInfo)
  }

  func reference(to stored: StoredSubscription, in database: DatabasePath) -> SubscriptionReference {
    SubscriptionReference(file: SubscriptionFolder.filePath(database, stored.fileName), token: stored.token)
  }

  private func devices(of account: Account) throws -> [String] {
    if let known = devices[account.name] { return known }
    var names = try service.pushes.devices(of: account)
    if let sender, !service.settings.pushes.reachesSender { names.removeAll { $0.hasSameBytes(as: sender) } }
    devices[account.name] = names
    return names
  }

  /// A UUID. The random bytes are drawn once per commit, as a draw may cost a write, and numbered for each push.
  private func newNotificationID() -> String {
    var bytes = chance
    count += 1
    for index in 0..<4 { bytes[12 + index] ^= UInt8(truncatingIfNeeded: count >> (8 * (3 - UInt32(index)))) }
    return randomUUID(of: bytes)
  }
}
