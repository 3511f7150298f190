import LocalCloudStorage

/// A push in a device's log.
package struct DeliveredPush: Sendable, Hashable {
  /// Its sequence in the log.
  package var sequence: Int64
  package var container: String
  package var environment: CloudEnvironment
  package var scope: DatabaseScope
  /// The user record name of the subscription's owner.
  package var userRecordName: String
  package var subscriptionID: String
  /// `query`, `zone` or `database`.
  package var subscriptionType: String
  package var zone: ZoneIdentifier
  /// Milliseconds since 1970.
  package var sent: Int64
  package var collapseID: String?
  /// The dictionary that the app gets.
  package var userInfo: JSONObject
  /// The push's line in the log.
  package var object: JSONObject

  /// Nil if `object` is not a valid push.
  package init?(_ object: JSONObject) {
    guard let sequence = object["sequence"]?.integer, let container = object["containerIdentifier"]?.string,
      let environment = object["environment"]?.string.flatMap(CloudEnvironment.init),
      let scope = object["databaseScope"]?.string.flatMap(DatabaseScope.init(name:)),
      let user = object["userRecordName"]?.string, let id = object["subscriptionID"]?.string,
      let type = object["subscriptionType"]?.string,
      let zone = object["zoneID"]?.object.flatMap(ZoneIdentifier.init),
      let sent = object["sent"]?.string.flatMap(Timestamp.milliseconds(text:)),
      let userInfo = object["userInfo"]?.object
    else { return nil }
    self.sequence = sequence
    self.container = container
    self.environment = environment
    self.scope = scope
    userRecordName = user
    subscriptionID = id
    subscriptionType = type
    self.zone = zone
    self.sent = sent
    collapseID = object["collapseID"]?.string
    self.userInfo = userInfo
    self.object = object
  }

  /// The push as a line of the log, without the fields that each device's log adds.
  ///
  /// - Parameter sent: a timestamp's text.
  package static func line(
    of payload: PushPayload, for subscription: Subscription, of userRecordName: String, container: String,
    environment: String, scope: DatabaseScope, zone: ZoneIdentifier, sent: String
  ) -> JSONObject {
    var line: JSONObject = [
      "containerIdentifier": .string(container), "databaseScope": .string(scope.name),
      "environment": .string(environment), "priority": payload.isShown ? 10 : 5, "sent": .string(sent),
      "subscriptionID": .string(subscription.id), "subscriptionType": .string(subscription.typeName),
      "userInfo": .object(payload.object), "userRecordName": .string(userRecordName), "zoneID": .object(zone.object),
    ]
    if payload.badges { line["badge"] = 0 }
    line["collapseID"] = payload.notification.collapseID.map { .string($0) }
    return line
  }

  /// The coalescing key: pushes with equal keys may be coalesced into one; nil for a push that is never coalesced.
  package var coalescingKey: [String]? {
    if let collapseID { return ["collapse", subscriptionID, scope.name, collapseID] }
    if subscriptionType == "query" { return nil }
    return ["zone", subscriptionID, scope.name, zone.name.string, zone.owner ?? ""]
  }
}
