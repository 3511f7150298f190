import LocalCloudStorage

/// The dictionary of a push for an app ([push-payload-1]): `aps` for the system, `ck` for CloudKit.
package struct PushPayload {
  package private(set) var aps: JSONObject
  package private(set) var ck: JSONObject
  package let notification: NotificationInfo

  /// The limit of Apple's push service, in bytes; a longer payload is pruned.
  package static let mostBytes = 4096

  /// - Assumption: a subscription without notification info sends silent pushes.
  package init(
    _ subscription: Subscription, of userRecordName: String, container: String, scope: DatabaseScope,
    zone: ZoneIdentifier, change: RecordChange?, notificationID: String
  ) {
    var silent = NotificationInfo()
    silent.sendsContentAvailable = true
    notification = subscription.notification ?? silent
    aps = Self.aps(notification, change)
    ck = [
      "aux": [:], "ce": 2, "cid": .string(container), "ckuserid": .string(userRecordName),
      "nid": .string(notificationID),
    ]
    var what: JSONObject = [
      "dbs": .integer(scope.pushNumber), "sid": .string(subscription.id), "zid": .string(zone.name.string),
      "zoid": .string(scope == .public ? Self.publicOwner : zone.owner ?? userRecordName),
    ]
    if let change {
      what["fo"] = .integer(change.reason.rawValue)
      what["rid"] = .string(change.name.string)
      what["af"] = Self.fields(notification.desiredKeys ?? [], change).map { .object($0) }
    }
    ck[Self.key(subscription)] = .object(what)
    prune()
  }

  package var object: JSONObject { ["aps": .object(aps), "ck": .object(ck)] }

  /// Whether each device sets its own badge count in the payload.
  package var badges: Bool { aps["badge"] != nil }

  /// Whether the push shows an alert, plays a sound or sets a badge.
  package var isShown: Bool { aps["alert"] != nil || aps["sound"] != nil || badges }

  private static let publicOwner = "_defaultOwner"

  private static func key(_ subscription: Subscription) -> String {
    switch subscription.kind {
    case .query: "qry"
    case .zone: "fet"
    case .database: "met"
    }
  }

  // MARK: For CloudKit

  /// - Assumption: the requested fields are in `af`: texts and numbers as plain values, others as typed dictionaries;
  ///   those of deleted records are left out.
  private static func fields(_ keys: [String], _ change: RecordChange) -> JSONObject? {
    guard change.reason != .deleted else { return nil }
    var result: JSONObject = [:]
    for key in keys {
      guard let value = change.value(key) else { continue }
      switch value {
      case .string(let text): result[key] = .string(text)
      case .int64(let number): result[key] = .integer(number)
      case .double(let number): result[key] = .double(number)
      case .timestamp, .location, .reference: result[key] = .object(value.field)
      case .asset, .bytes, .list: break
      }
    }
    return keys.isEmpty ? nil : result
  }

  // MARK: For the system

  private static func aps(_ info: NotificationInfo, _ change: RecordChange?) -> JSONObject {
    var aps: JSONObject = [:]
    aps["alert"] = alert(info, change)
    // Each device replaces this by its own count.
    if info.badges { aps["badge"] = 0 }
    aps["category"] = info.category.map { .string($0) }
    if info.sendsContentAvailable { aps["content-available"] = 1 }
    if info.sendsMutableContent { aps["mutable-content"] = 1 }
    aps["sound"] = info.sound.map { .string($0) }
    return aps
  }

  private static func alert(_ info: NotificationInfo, _ change: RecordChange?) -> JSONValue? {
    var alert: JSONObject = [:]
    for (text, plain, prefix) in [
      (info.alert, "body", ""), (info.title, "title", "title-"), (info.subtitle, "subtitle", "subtitle-"),
    ] {
      if let key = text.key {
        alert[prefix + "loc-key"] = .string(key)
        let arguments = (text.arguments ?? []).map { JSONValue.string(Self.text(of: $0, change)) }
        if !arguments.isEmpty { alert[prefix + "loc-args"] = .array(arguments) }
      } else if let text = text.plain {
        alert[plain] = .string(text)
      }
    }
    alert["action-loc-key"] = info.actionKey.map { .string($0) }
    alert["launch-image"] = info.launchImage.map { .string($0) }
    if alert.isEmpty { return nil }
    if alert.count == 1, let body = alert["body"] { return body }
    return .object(alert)
  }

  /// The text of a field's value in an alert.
  ///
  /// - Assumption: a field that is missing, or no text, number or date, becomes an empty text; texts are cut to 100
  ///   characters, dates written as in ISO 8601.
  private static func text(of key: String, _ change: RecordChange?) -> String {
    switch change?.value(key) {
    case .string(let text)?: String(text.prefix(100))
    case .int64(let number)?: String(number)
    case .double(let number)?: "\(number)"
    case .timestamp(let moment)?: moment.text
    default: ""
    }
  }

  // MARK: Pruning

  private var size: Int {
    // This reserves room for the digits of a badge.
    JSONValue.object(object).compact().count + (badges ? 8 : 0)
  }

  /// Removes parts until the payload is small enough, in the order of Apple's header.
  private mutating func prune() {
    let steps: [(inout PushPayload) -> Void] = [
      { $0.ck["cid"] = nil },
      { $0.removeFields() },
      { for key in ["qry", "fet", "met"] { $0.ck[key] = nil } },
      { $0.aps["sound"] = nil },
      { $0.removeAlert("launch-image") },
      { $0.removeAlert("action-loc-key") },
      { $0.removeAlert("body", "title", "subtitle") },
      { $0.removeAlert("loc-args", "title-loc-args", "subtitle-loc-args") },
      { $0.removeAlert("loc-key", "title-loc-key", "subtitle-loc-key") },
      { $0.aps["badge"] = nil },
      { $0.ck["nid"] = nil },
      { $0.aps["category"] = nil },
    ]
    for step in steps where size > Self.mostBytes { step(&self) }
  }

  private mutating func removeFields() {
    guard var query = ck["qry"]?.object else { return }
    query["af"] = nil
    ck["qry"] = .object(query)
  }

  private mutating func removeAlert(_ keys: String...) {
    guard var alert = aps["alert"]?.object else {
      // An alert that is only a text is the body.
      if keys.contains("body") { aps["alert"] = nil }
      return
    }
    for key in keys { alert[key] = nil }
    aps["alert"] = alert.isEmpty ? nil : .object(alert)
  }
}

extension DatabaseScope {
  /// The number of the database in pushes.
  ///
  /// - Assumption: the shared database is 3.
  fileprivate var pushNumber: Int64 {
    switch self {
    case .private: 1
    case .public: 2
    case .shared: 3
    }
  }
}
