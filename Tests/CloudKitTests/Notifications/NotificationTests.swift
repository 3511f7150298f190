import CloudKit
import Foundation
import Testing

@Suite("Notifications from the dictionary of a push") struct NotificationTests {
  private func whole(_ key: String, _ what: [String: Any], aps: [String: Any] = [:]) -> [AnyHashable: Any] {
    [
      "aps": aps,
      "ck": [
        "ce": 2, "cid": "iCloud.test", "ckuserid": "_me", "nid": "01234567-89ab-4cde-8f01-23456789abcd",
        "aux": [String: Any](), key: what,
      ] as [String: Any],
    ]
  }

  @Test("the initializer is a factory that returns an object of the concrete subclass ([push-payload-6])")
  func initializerIsAFactoryThatReturns() throws {
    let query = try #require(
      CKNotification(
        fromRemoteNotificationDictionary: whole(
          "qry", ["dbs": 1, "fo": 3, "rid": "r", "sid": "s", "zid": "Home", "zoid": "_me"])))
    #expect(query.notificationType == .query)
    #expect(query.containerIdentifier == "iCloud.test")
    #expect(!query.isPruned)
    #expect(query.subscriptionOwnerUserRecordID?.recordName == "_me")
    let asQuery = try #require(query as? CKQueryNotification)
    #expect(asQuery.queryNotificationReason == .recordDeleted)
    #expect(asQuery.databaseScope == .private)
    #expect(asQuery.recordID == CKRecord.ID(recordName: "r", zoneID: testZoneID))
    #expect(asQuery.recordFields == nil)

    let zone = try #require(
      CKNotification(
        fromRemoteNotificationDictionary: whole(
          "fet", ["dbs": NSNumber(value: 1), "sid": "s", "zid": "Home", "zoid": "_me"])) as? CKRecordZoneNotification)
    #expect(zone.recordZoneID == testZoneID)
    #expect(zone.notificationType == .recordZone)
    #expect(zone.databaseScope == .private)

    let database = try #require(
      CKNotification(
        fromRemoteNotificationDictionary: whole("met", ["dbs": 3, "sid": "s", "zid": "Home", "zoid": "_you"]))
        as? CKDatabaseNotification)
    #expect(database.databaseScope == .shared)
    #expect(database.notificationType == .database)
    // A call on a subclass with another kind of push, or with another dictionary, returns nil.
    let userInfo = whole("fet", ["sid": "s"])
    #expect(CKQueryNotification(fromRemoteNotificationDictionary: userInfo) == nil)
    #expect(CKRecordZoneNotification(fromRemoteNotificationDictionary: userInfo) != nil)
    for other in [[:], ["aps": ["alert": "a"]], ["ck": 1], ["ck": "a"]] as [[AnyHashable: Any]] {
      #expect(CKNotification(fromRemoteNotificationDictionary: other) == nil)
    }
  }

  @Test("the owner of one's own zones and of the public database's zone is the current user") func ownerOfOnesOwnZones()
    throws
  {
    func zone(_ dbs: Int, _ owner: String) -> CKRecordZone.ID? {
      let push = CKNotification(
        fromRemoteNotificationDictionary: whole("qry", ["dbs": dbs, "zid": "Z", "zoid": owner, "rid": "r"]))
      return (push as? CKQueryNotification)?.recordID?.zoneID
    }
    #expect(zone(1, "_me")?.ownerName == CKCurrentUserDefaultName)
    #expect(zone(2, "_defaultOwner")?.ownerName == CKCurrentUserDefaultName)
    #expect(zone(3, "_you")?.ownerName == "_you")
  }

  @available(*, deprecated) private func shown(_ push: CKNotification) -> [String?] {
    [
      push.alertBody, push.alertLocalizationKey, push.alertLocalizationArgs?.joined(), push.title,
      push.titleLocalizationKey, push.titleLocalizationArgs?.joined(), push.subtitle, push.subtitleLocalizationKey,
      push.subtitleLocalizationArgs?.joined(), push.alertActionLocalizationKey, push.alertLaunchImage,
      push.badge?.stringValue, push.soundName, push.category, push.subscriptionID,
    ]
  }

  @available(*, deprecated) @Test("Deprecated mirrors of aps") func deprecatedMirrorsOfAps() throws {
    let alert: [String: Any] = [
      "body": "B", "loc-key": "K", "loc-args": ["a", "b"], "title": "T", "title-loc-key": "TK",
      "title-loc-args": ["c"], "subtitle": "S", "subtitle-loc-key": "SK", "subtitle-loc-args": ["d"],
      "action-loc-key": "A", "launch-image": "I",
    ]
    let aps: [String: Any] = ["alert": alert, "badge": 7, "sound": "ping", "category": "C"]
    let push = try #require(
      CKNotification(fromRemoteNotificationDictionary: whole("met", ["sid": "s"], aps: aps)))
    #expect(
      shown(push) == ["B", "K", "ab", "T", "TK", "c", "S", "SK", "d", "A", "I", "7", "ping", "C", "s"])
    let plain = try #require(
      CKNotification(fromRemoteNotificationDictionary: whole("met", ["sid": "s"], aps: ["alert": "only"])))
    #expect(plain.alertBody == "only")
    #expect(plain.title == nil)
    #expect(plain.badge == nil)
  }

  @Test("isPruned is true for a push without its container or without its kind of change ([push-payload-5])")
  func isPrunedIsTrueForAPush() throws {
    let bare = try #require(
      CKNotification(fromRemoteNotificationDictionary: ["ck": ["ce": 2, "cid": "iCloud.test", "nid": "n"]]))
    #expect(bare.isPruned)
    #expect(type(of: bare) == CKNotification.self)
    #expect(bare.notificationID != nil)
    let noContainer: [AnyHashable: Any] = ["ck": ["ce": 2, "met": ["sid": "s"]] as [String: Any]]
    #expect(CKNotification(fromRemoteNotificationDictionary: noContainer)?.isPruned == true)
  }

  @Test("notification IDs with equal texts are equal, and can be archived") func notificationIDsWithEqualTextsAreEqual()
    throws
  {
    func id(_ text: String) -> CKNotification.ID? {
      CKNotification(fromRemoteNotificationDictionary: ["ck": ["nid": text]])?.notificationID
    }
    let first = try #require(id("a"))
    #expect(first == id("a"))
    #expect(first != id("b"))
    #expect(first.hash == id("a")?.hash)
    #expect(try archived(first) == first)
    #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": [String: Any]()])?.notificationID == nil)
  }

  @Test("dictionaries with values of wrong types do not stop the process ([push-payload-6])")
  func dictionariesWithValuesOfWrongTypes() {
    let values: [Any] = [1, -1, 1e300, "x", "", NSNull(), [1], ["a": 1], String(repeating: "y", count: 300), true]
    let keys = ["dbs", "fo", "rid", "sid", "zid", "zoid", "af"]
    for key in keys {
      for value in values {
        for kind in ["qry", "fet", "met"] {
          var what: [String: Any] = ["dbs": 1, "fo": 1, "rid": "r", "sid": "s", "zid": "Home", "zoid": "_me"]
          what[key] = value
          let push = CKNotification(fromRemoteNotificationDictionary: whole(kind, what, aps: ["alert": value]))
          #expect(push != nil)
          _ = (push as? CKQueryNotification)?.recordFields
        }
      }
    }
  }
}
