import Foundation
import LocalCloudStorage
import LocalCloudStore
import Testing

// These tests create push dictionaries directly.
@testable import CloudKit

@Suite("Content of a push dictionary")
struct PushContentTests {
  private func push(_ kind: String, _ what: [String: Any], _ more: [String: Any] = [:]) -> CKNotification? {
    var members = more
    members[kind] = what
    return CKNotification(fromRemoteNotificationDictionary: ["ck": members])
  }

  private func query(_ what: [String: Any]) -> CKQueryNotification? { push("qry", what) as? CKQueryNotification }

  @Test("databases and reasons have numbers, and unknown numbers mean the private database and an update")
  func databasesAndReasonsHaveNumbersAndUnknown() {
    let scopes: [(Any, CKDatabase.Scope)] = [
      (1, .private), (2, .public), (3, .shared), (0, .private), (4, .private), ("2", .private),
    ]
    for (number, scope) in scopes {
      #expect(query(["dbs": number])?.databaseScope == scope, "\(number)")
      #expect((push("fet", ["dbs": number]) as? CKRecordZoneNotification)?.databaseScope == scope, "\(number)")
      #expect((push("met", ["dbs": number]) as? CKDatabaseNotification)?.databaseScope == scope, "\(number)")
    }
    let reasons: [(Any, CKQueryNotification.Reason)] = [
      (1, .recordCreated), (2, .recordUpdated), (3, .recordDeleted), (0, .recordUpdated), (4, .recordUpdated),
    ]
    for (number, reason) in reasons { #expect(query(["fo": number])?.queryNotificationReason == reason) }
    #expect(query([:])?.databaseScope == .private)
    #expect(query([:])?.queryNotificationReason == .recordUpdated)
  }

  @Test("a record ID needs a zone, and valid names for record and zone")
  func recordIDNeedsAZoneAndValid() {
    let whole = query(["rid": "r", "zid": "Z", "sid": "s"])
    #expect(whole?.recordID == CKRecord.ID(recordName: "r", zoneID: CKRecordZone.ID(zoneName: "Z")))
    #expect(whole?.subscriptionID == "s")
    #expect(whole?.recordFields == nil)
    #expect(query(["rid": "r"])?.recordID == nil)
    #expect(query(["zid": "Z"])?.recordID == nil)
    #expect(query(["rid": "", "zid": "Z"])?.recordID == nil)
    #expect(query(["rid": "r", "zid": ""])?.recordID == nil)
    #expect(query(["rid": "r", "zid": "Z", "zoid": ""])?.recordID == nil)
    #expect(query(["rid": "r", "zid": "Z", "zoid": "_you"])?.recordID?.zoneID.ownerName == "_you")
    let user = push("met", [:], ["ckuserid": "_me"])
    #expect(user?.subscriptionOwnerUserRecordID == CKRecord.ID(recordName: "_me"))
    #expect(push("met", [:], ["ckuserid": ""])?.subscriptionOwnerUserRecordID == nil)
  }

  @Test("isPruned is true unless a push contains its container and its kind")
  func isPrunedIsTrueUnlessAPushContains() {
    #expect(push("met", [:], ["cid": "c"])?.isPruned == false)
    #expect(push("met", [:])?.isPruned == true)
    #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": ["cid": "c"]])?.isPruned == true)
  }

  @Test("keys that are not strings are ignored")
  func otherKeys() {
    let members: [AnyHashable: Any] = [AnyHashable("nid"): "n", AnyHashable(1): "x", AnyHashable("cid"): "c"]
    let push = CKNotification(fromRemoteNotificationDictionary: [AnyHashable("ck"): members, AnyHashable(2): "y"])
    #expect(push?.containerIdentifier == "c")
    #expect(push?.notificationID?.description == "<CKNotificationID: n>")
  }

  @Test("record fields are read as plain values or with their types, and invalid values are left out")
  func recordFieldsAreReadAsPlainValues() throws {
    let fields: [String: Any] = [
      "text": "a", "count": 3, "half": 0.5,
      "date": ["type": "TIMESTAMP", "value": 1500] as [String: Any],
      "place": ["type": "LOCATION", "value": ["latitude": 1.5, "longitude": 2] as [String: Any]] as [String: Any],
      "link": ["type": "REFERENCE", "value": ["recordName": "x", "action": "NONE"]] as [String: Any],
      "real": ["type": "DOUBLE", "value": 2] as [String: Any],
      "fraction": ["type": "DOUBLE", "value": 2.5] as [String: Any],
      "bad": ["type": "TIMESTAMP", "value": "x y"] as [String: Any], "none": ["type": "STRING"],
      "object": NSObject(),
    ]
    let push = try #require(query(["rid": "r", "zid": "Home", "af": fields]))
    let read = try #require(push.recordFields)
    #expect(Set(read.keys) == ["text", "count", "half", "date", "place", "link", "real", "fraction"])
    #expect(read["text"] as? String == "a")
    #expect(read["count"] as? Int == 3)
    #expect(read["half"] as? Double == 0.5)
    #expect(read["date"] as? Date == Date(timeIntervalSince1970: 1.5))
    let location = try #require(read["place"] as? CLLocation)
    #expect(location.coordinate.latitude == 1.5)
    #expect(location.coordinate.longitude == 2)
    #expect((read["link"] as? CKRecord.Reference)?.recordID == CKRecord.ID(recordName: "x", zoneID: testZoneID))
    #expect(read["real"] as? Double == 2)
    #expect(read["fraction"] as? Double == 2.5)
  }

  @Test("service values are converted to Foundation's classes and values")
  func serviceValuesAreConvertedToFoundations() throws {
    let text = #"{"none":null,"yes":true,"count":3,"half":0.5,"text":"a","list":[1,"b"],"object":{"key":2}}"#
    let value = try #require(try JSONValue(parsing: text).foundation as? [String: Any])
    #expect(Set(value.keys) == ["none", "yes", "count", "half", "text", "list", "object"])
    #expect(value["none"] is NSNull)
    #expect(value["yes"] as? Bool == true)
    #expect(value["count"] as? Int == 3)
    #expect(value["half"] as? Double == 0.5)
    #expect(value["text"] as? String == "a")
    let list = try #require(value["list"] as? [Any])
    #expect(list.count == 2 && list[0] as? Int == 1 && list[1] as? String == "b")
    #expect((value["object"] as? [String: Any])?["key"] as? Int == 2)
    #expect(JSONValue.decimal("12345678901234567890").foundation as? String == "12345678901234567890")
  }
}
