import LocalCloudStorage

/// The dictionary form of subscriptions ([subscription-json-1]).
extension Subscription {
  /// The Web Services dictionary, with `recordType`, the filter of zone and database subscriptions, as an addition.
  package var object: JSONObject {
    var object: JSONObject = ["subscriptionID": .string(id), "subscriptionType": .string(typeName)]
    switch kind {
    case .query(let query):
      object["query"] = .object(Query(recordType: query.recordType, condition: query.condition).object)
      object["firesOn"] = .array(
        FireOptions.words.filter { query.fires.contains($0.option) }.map { .string($0.word) })
      object["firesOnce"] = .bool(query.fires.contains(.once))
      object["zoneWide"] = .bool(query.zone == nil)
      if let zone = query.zone { object["zoneID"] = .object(zone.object) }
    case .zone(let zone):
      object["zoneID"] = .object(zone.object)
    case .database:
      break
    }
    if let recordType { object["recordType"] = .string(recordType) }
    if let notification { object["notificationInfo"] = .object(notification.object) }
    return object
  }

  /// Nil if `object` is not a valid subscription.
  package init?(_ object: JSONObject) {
    guard let id = object["subscriptionID"]?.string, !id.isEmpty else { return nil }
    let zone = object["zoneID"]?.object.flatMap(ZoneIdentifier.init)
    let kind: Kind
    switch object["subscriptionType"]?.string {
    case "query":
      guard let query = object["query"]?.object.flatMap(Query.init), query.sorts.isEmpty,
        let words = object["firesOn"]?.array,
        object["zoneWide"]?.bool == (zone == nil)
      else { return nil }
      var fires: FireOptions = object["firesOnce"]?.bool == true ? .once : []
      for word in words {
        guard let known = FireOptions.words.first(where: { $0.word == word.string }) else { return nil }
        fires.insert(known.option)
      }
      guard !fires.isDisjoint(with: .changes) else { return nil }
      kind = .query(
        SubscriptionQuery(recordType: query.recordType, zone: zone, fires: fires, condition: query.condition))
    case "zone":
      guard let zone else { return nil }
      kind = .zone(zone)
    case "database":
      kind = .database
    default:
      return nil
    }
    self.init(id: id, kind: kind, recordType: object["recordType"]?.string)
    if let value = object["notificationInfo"] {
      guard let info = value.object.flatMap(NotificationInfo.init) else { return nil }
      notification = info
    }
  }
}

extension NotificationInfo {
  private static var texts: [(String, WritableKeyPath<NotificationInfo, String?>)] {
    [
      ("alertActionLocalizationKey", \.actionKey), ("alertBody", \.alert.plain), ("alertLaunchImage", \.launchImage),
      ("alertLocalizationKey", \.alert.key), ("category", \.category), ("collapseIDKey", \.collapseID),
      ("soundName", \.sound), ("subtitle", \.subtitle.plain), ("subtitleLocalizationKey", \.subtitle.key),
      ("title", \.title.plain), ("titleLocalizationKey", \.title.key),
    ]
  }

  private static var lists: [(String, WritableKeyPath<NotificationInfo, [String]?>)] {
    [
      ("additionalFields", \.desiredKeys), ("alertLocalizationArgs", \.alert.arguments),
      ("subtitleLocalizationArgs", \.subtitle.arguments), ("titleLocalizationArgs", \.title.arguments),
    ]
  }

  private static var flags: [(String, WritableKeyPath<NotificationInfo, Bool>)] {
    [
      ("shouldBadge", \.badges), ("shouldSendContentAvailable", \.sendsContentAvailable),
      ("shouldSendMutableContent", \.sendsMutableContent),
    ]
  }

  package var object: JSONObject {
    var object: JSONObject = [:]
    for (key, keyPath) in Self.texts { object[key] = self[keyPath: keyPath].map { .string($0) } }
    for (key, keyPath) in Self.lists {
      object[key] = self[keyPath: keyPath].map { list in .array(list.map { .string($0) }) }
    }
    for (key, keyPath) in Self.flags where self[keyPath: keyPath] { object[key] = true }
    return object
  }

  package init?(_ object: JSONObject) {
    self.init()
    for (key, keyPath) in Self.texts {
      guard let value = object[key] else { continue }
      guard let text = value.string else { return nil }
      self[keyPath: keyPath] = text
    }
    for (key, keyPath) in Self.lists {
      guard let value = object[key] else { continue }
      guard let list = value.array, list.allSatisfy({ $0.string != nil }) else { return nil }
      self[keyPath: keyPath] = list.compactMap(\.string)
    }
    for (key, keyPath) in Self.flags { self[keyPath: keyPath] = object[key]?.bool == true }
  }
}
