import Foundation

/// The content of a push's dictionary ([push-payload-1]).
// Sendable: its content never changes.
struct PushContent: @unchecked Sendable {
  /// The value of `aps.alert`, a string or a dictionary.
  struct Alert {
    fileprivate var plain: String?
    fileprivate var parts: PushDictionary?

    var body: String? { plain ?? parts?.string("body") }

    func text(_ key: String) -> String? { parts?.string(key) }

    func localized(_ prefix: String) -> (key: String, arguments: [String]?)? {
      parts?.string(prefix + "loc-key").map { ($0, parts?.strings(prefix + "loc-args")) }
    }
  }

  /// Nil if the description of the change was pruned.
  var type: CKNotification.NotificationType?
  var notificationID: CKNotificationID?
  var container: String?
  var owner: CKRecordID?
  var isPruned: Bool

  var scope: CKDatabase.Scope
  var zoneID: CKRecordZoneID?
  var subscriptionID: String?
  var recordID: CKRecordID?
  var reason: CKQueryNotification.Reason
  var fields: [String: ClientValue]?

  var alert: Alert
  var badge: Int?
  var sound: String?
  var category: String?

  private static let kinds: [(String, CKNotification.NotificationType)] = [
    ("qry", .query), ("fet", .recordZone), ("met", .database),
  ]

  /// Nil for a push that is not from CloudKit.
  init?(_ dictionary: [AnyHashable: Any]) {
    guard let whole = PushDictionary(dictionary), let ck = whole.dictionary("ck") else { return nil }
    let kind = Self.kinds.first { ck.dictionary($0.0) != nil }
    let what = kind.flatMap { ck.dictionary($0.0) }
    let user = ck.string("ckuserid")
    type = kind?.1
    notificationID = ck.string("nid").map(CKNotificationID.init)
    container = ck.string("cid")
    owner = user.flatMap { CKRecordID(validating: $0, zoneID: .default) }
    isPruned = type == nil || container == nil
    scope = [1: .private, 2: .public, 3: .shared][what?.integer("dbs") ?? 0] ?? .private
    zoneID = what.flatMap { Self.zoneID($0, user) }
    subscriptionID = what?.string("sid")
    let zone = zoneID
    recordID = what?.string("rid").flatMap { name in zone.flatMap { CKRecordID(validating: name, zoneID: $0) } }
    reason = what?.integer("fo").flatMap(CKQueryNotification.Reason.init(rawValue:)) ?? .recordUpdated
    fields = what?.dictionary("af")?.fields(zone)

    let aps = whole.dictionary("aps")
    alert = Alert(plain: aps?.string("alert"), parts: aps?.dictionary("alert"))
    badge = aps?.integer("badge")
    sound = aps?.string("sound")
    category = aps?.string("category")
  }

  /// Zones of the current user and of the public database get the owner name `CKCurrentUserDefaultName`.
  private static func zoneID(_ what: PushDictionary, _ user: String?) -> CKRecordZoneID? {
    guard let name = what.string("zid") else { return nil }
    let owner = what.string("zoid")
    let isOwn = owner == nil || owner == user || owner == publicOwner
    return CKRecordZoneID(validating: name, ownerName: isOwn ? CKCurrentUserDefaultName : owner ?? "")
  }

  private static let publicOwner = "_defaultOwner"
}
