import CloudKit
import Foundation
import Testing

/// Each archive is valid except for one part.
@Suite("Damaged archives of all classes except records")
struct ArchiveDamageTests {
  private static let zone = #"{"zoneName":"z","ownerName":"o"}"#
  private static let record = #"{"recordName":"n","zoneID":\#(zone)}"#
  private static let badZone = #"{"zoneName":"","ownerName":"o"}"#
  private static let badRecord = #"{"recordName":"","zoneID":\#(zone)}"#
  private static let identity = #"{"hasiCloudAccount":true}"#
  private static let badIdentity = #"{"hasiCloudAccount":true,"userRecordID":\#(badRecord)}"#

  private static func person(
    role: Int = 1, permission: Int = 3, status: Int = 2, identity: String = Self.identity
  ) -> String {
    #"{"participantID":"p","userIdentity":\#(identity),"role":\#(role),"permission":\#(permission),"#
      + #""acceptanceStatus":\#(status),"isCurrentUser":true}"#
  }

  private static func share(
    _ people: [String] = [Self.person()], permission: Int = 1, root: String = Self.record,
    type: String = "cloudkit.share"
  ) -> String {
    #"{"recordType":"\#(type)","recordID":\#(record),"shareState":{"publicPermission":\#(permission),"#
      + #""participants":[\#(people.joined(separator: ","))],"rootRecordID":\#(root)}}"#
  }

  private func reader(_ texts: [String: String]) throws -> NSKeyedUnarchiver {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    for (key, text) in texts {
      let bytes = Array(text.utf8)
      archiver.encodeBytes(bytes, length: bytes.count, forKey: key)
    }
    archiver.finishEncoding()
    let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    reader.decodingFailurePolicy = .setErrorAndReturn
    return reader
  }

  /// Reads the object that an archive with this text contains under that key.
  private func read<Object>(_ key: String, _ text: String, _ make: (NSCoder) -> Object) throws -> Object {
    make(try reader([key: text]))
  }

  @Test("archives of references and zones without a valid ID, action or scope give nil")
  func archivesOfReferencesAndZones() throws {
    func reference(_ record: String, _ action: Int) throws -> CKRecord.Reference? {
      try read("CKReference", #"{"recordID":\#(record),"action":\#(action)}"#) { CKRecord.Reference(coder: $0) }
    }
    #expect(try reference(Self.record, 1)?.action == .deleteSelf)
    #expect(try reference(Self.record, 2) == nil)
    #expect(try reference(Self.badRecord, 1) == nil)
    func zone(_ zone: String, scope: Int, share: String = "null") throws -> CKRecordZone? {
      let text = #"{"zoneID":\#(zone),"capabilities":3,"encryptionScope":\#(scope),"share":\#(share)}"#
      return try read("CKRecordZone", text) { CKRecordZone(coder: $0) }
    }
    let good = try #require(try zone(Self.zone, scope: 1))
    #expect(good.encryptionScope == .perZone)
    #expect(good.capabilities == [.fetchChanges, .atomic])
    #expect(good.share == nil)
    #expect(try zone(Self.zone, scope: 2) == nil)
    #expect(try zone(Self.badZone, scope: 0) == nil)
    let shared = try zone(Self.zone, scope: 0, share: #"{"recordID":\#(Self.record),"action":0}"#)
    #expect(shared?.share?.recordID.recordName == "n")
  }

  @Test("archives of identities without a valid record ID and exactly one lookup value give nil")
  func archivesOfIdentitiesWithoutAValidRecord() throws {
    func info(_ text: String) throws -> CKUserIdentity.LookupInfo? {
      try read("CKUserIdentityLookupInfo", text) { CKUserIdentity.LookupInfo(coder: $0) }
    }
    #expect(try info(#"{"emailAddress":"a"}"#)?.emailAddress == "a")
    #expect(try info(#"{"phoneNumber":"1"}"#)?.phoneNumber == "1")
    #expect(try info(#"{"userRecordID":\#(Self.record)}"#)?.userRecordID?.recordName == "n")
    for text in [
      "{}", #"{"emailAddress":"a","phoneNumber":"1"}"#, #"{"userRecordID":\#(Self.badRecord)}"#,
      #"{"phoneNumber":"1","userRecordID":\#(Self.record)}"#,
    ] {
      #expect(try info(text) == nil, "\(text)")
      let holder = #"{"hasiCloudAccount":true,"lookupInfo":\#(text)}"#
      #expect(try read("CKUserIdentity", holder) { CKUserIdentity(coder: $0) } == nil, "\(text)")
    }
    for text in [#"{"phoneNumber":"1"}"#, #"{"userRecordID":\#(Self.record)}"#] {
      let holder = #"{"hasiCloudAccount":false,"lookupInfo":\#(text)}"#
      let identity = try read("CKUserIdentity", holder) { CKUserIdentity(coder: $0) }
      #expect(try identity?.lookupInfo == info(text) && identity?.hasiCloudAccount == false, "\(text)")
    }
    #expect(try read("CKUserIdentity", Self.identity) { CKUserIdentity(coder: $0) }?.hasiCloudAccount == true)
    #expect(try read("CKUserIdentity", Self.badIdentity) { CKUserIdentity(coder: $0) } == nil)
    #expect(try read("CKShareAccessRequester", Self.identity) { CKShareAccessRequester(coder: $0) } != nil)
    #expect(try read("CKShareAccessRequester", Self.badIdentity) { CKShareAccessRequester(coder: $0) } == nil)
    #expect(try read("CKShareBlockedIdentity", Self.identity) { CKShareBlockedIdentity(coder: $0) } != nil)
    #expect(try read("CKShareBlockedIdentity", Self.badIdentity) { CKShareBlockedIdentity(coder: $0) } == nil)
  }

  @Test("archives of participants need valid numbers for role, permission and status; newer properties may be missing")
  func archivesOfParticipantsNeedValidNumbers() throws {
    func participant(_ text: String) throws -> CKShare.Participant? {
      try read("CKShareParticipant", text) { CKShare.Participant(coder: $0) }
    }
    let good = try #require(try participant(Self.person()))
    #expect(good.role == .owner)
    #expect(good.permission == .readWrite)
    #expect(good.acceptanceStatus == .accepted)
    #expect(!good.isApprovedRequester)
    #expect(good.dateAddedToShare == nil)
    #expect(good.state.oneTimeURL == nil)
    #expect(try participant(Self.person(role: 5)) == nil)
    #expect(try participant(Self.person(permission: 4)) == nil)
    #expect(try participant(Self.person(status: 4)) == nil)
    #expect(try participant(Self.person(identity: Self.badIdentity)) == nil)
  }

  @Test("a damaged archive of a share gives a new share with an error, because the initializer can't fail")
  func damagedArchiveOfAShareGives() throws {
    let good = try reader(["CKRecord": Self.share()])
    let share = CKShare(coder: good)
    #expect(share.recordID.recordName == "n")
    #expect(share.rootRecordID?.recordName == "n")
    #expect(good.error == nil)
    #expect(share.participants.map(\.participantID) == ["p"])
    #expect(share.participants.first?.role == .owner)
    #expect(!share.allowsAccessRequests)
    #expect(share.requesters.isEmpty)
    #expect(share.blockedIdentities.isEmpty)
    let texts = [
      Self.share([]), Self.share([Self.person(role: 3)]), Self.share([Self.person(), Self.person()]),
      Self.share([Self.person(), Self.person(role: 9)]), Self.share(permission: 4), Self.share(root: Self.badRecord),
      #"{"recordType":"Note","recordID":\#(Self.record)}"#,
    ]
    for text in texts {
      let damaged = try reader(["CKRecord": text])
      let share = CKShare(coder: damaged)
      #expect(share.recordID.recordName != "n", "\(text)")
      #expect(share.recordID.zoneID == .default, "\(text)")
      #expect(share.recordType == "cloudkit.share", "\(text)")
      #expect(share.owner.role == .owner, "\(text)")
      #expect(damaged.error != nil, "\(text)")
    }
    for text in texts.dropLast() {
      #expect(try read("CKRecord", text) { CKRecord(coder: $0) } == nil, "\(text)")
    }
  }

  @Test("archives of share metadata need a valid share, an owner and valid numbers")
  func metadata() throws {
    func metadata(
      _ share: String = Self.share(), role: Int = 3, status: Int = 1, permission: Int = 2,
      owner: String = Self.identity
    ) throws -> CKShare.Metadata? {
      let text =
        #"{"containerIdentifier":"c","share":\#(share),"participantRole":\#(role),"participantStatus":\#(status),"#
        + #""participantPermission":\#(permission),"ownerIdentity":\#(owner)}"#
      return try read("CKShareMetadata", text) { CKShare.Metadata(coder: $0) }
    }
    let good = try #require(try metadata())
    #expect(good.participantRole == .privateUser)
    #expect(good.participantStatus == .pending)
    #expect(good.participantPermission == .readOnly)
    #expect(good.hierarchicalRootRecordID == nil)
    #expect(good.rootRecord == nil)
    #expect(try metadata(role: 5) == nil)
    #expect(try metadata(status: 4) == nil)
    #expect(try metadata(permission: 4) == nil)
    #expect(try metadata(owner: Self.badIdentity) == nil)
    #expect(try metadata(Self.share([])) == nil)
    #expect(try metadata(#"{"recordType":"Note","recordID":\#(Self.record)}"#) == nil)
  }

  @Test("archives of assets accept file URLs only")
  func archivesOfAssetsAcceptFileURLsOnly() throws {
    func asset(_ text: String) throws -> CKAsset? { try read("CKAsset", text) { CKAsset(coder: $0) } }
    #expect(try asset(#"{"fileURL":"file:///a"}"#)?.fileURL?.path == "/a")
    let stored = try asset(#"{"stored":{"fileChecksum":"ab","size":3}}"#)
    #expect(stored?.fileURL == nil)
    #expect(stored?.stored == StoredAsset(fileChecksum: "ab", size: 3))
    #expect(try asset(#"{"fileURL":"https://example.org/a"}"#) == nil)
    let holder = #"{"recordType":"Note","recordID":\#(Self.record),"values":{"a":{"asset":@@}}}"#
    for (text, isWhole) in [(#"{"fileURL":"file:///a"}"#, true), (#"{"fileURL":"https://example.org/a"}"#, false)] {
      let record = try read("CKRecord", holder.replacing("@@", with: text)) { CKRecord(coder: $0) }
      let asset = record?["a"] as? CKAsset
      #expect((asset != nil) == isWhole, "\(text)")
      #expect((record != nil) == isWhole, "\(text)")
    }
  }

  @Test("archives of tokens, cursors and settings without their content give nil")
  func archivesOfTokensCursorsAndSettings() throws {
    #expect(
      try read("CKServerChangeToken", #"{"data":"AQI="}"#) { CKServerChangeToken(coder: $0) }?.data == Data([1, 2]))
    #expect(try read("CKQueryCursor", #"{"data":"AQI="}"#) { CKQueryCursor(coder: $0) }?.data == Data([1, 2]))
    for text in ["{}", "[]", #"{"data":1}"#] {
      #expect(try read("CKServerChangeToken", text) { CKServerChangeToken(coder: $0) } == nil, "\(text)")
      #expect(try read("CKQueryCursor", text) { CKQueryCursor(coder: $0) } == nil, "\(text)")
      #expect(try read("CKNotificationID", text) { CKNotification.ID(coder: $0) } == nil, "\(text)")
      #expect(try read("CKNotificationInfo", text) { CKSubscription.NotificationInfo(coder: $0) } == nil, "\(text)")
      #expect(try read("CKAllowedSharingOptions", text) { CKAllowedSharingOptions(coder: $0) } == nil, "\(text)")
      let settings = try read("CKFetchRecordZoneChangesConfiguration", text) {
        CKFetchRecordZoneChangesOperation.ZoneConfiguration(coder: $0)
      }
      #expect(settings == nil, "\(text)")
    }
    #expect(
      try read("CKNotificationInfo", #"{"info":"["}"#) { CKSubscription.NotificationInfo(coder: $0) } == nil)
    let old = try #require(
      try read("CKAllowedSharingOptions", #"{"permission":1,"access":2}"#) { CKAllowedSharingOptions(coder: $0) })
    #expect(!old.allowsParticipantsToInviteOthers)
    #expect(!old.allowsAccessRequests)
    #expect(old.allowedParticipantPermissionOptions == .readOnly)
    #expect(old.allowedParticipantAccessOptions == .specifiedRecipientsOnly)
  }

  @Test("a damaged archive of an operation group gives a new group with an error, and invalid sizes are unknown")
  func damagedArchiveOfAnOperationGroupGives() throws {
    let text = #"{"operationGroupID":"G","name":"n","quantity":4,"sendSize":3,"receiveSize":8}"#
    let good = try reader(["CKOperationGroup": text])
    let group = CKOperationGroup(coder: good)
    #expect(group.operationGroupID == "G")
    #expect(group.name == "n")
    #expect(group.quantity == 4)
    #expect(good.error == nil)
    #expect(group.expectedSendSize == .tensOfMegabytes)
    #expect(group.expectedReceiveSize == .unknown)
    let damaged = try reader(["CKOperationGroup": "{}"])
    let new = CKOperationGroup(coder: damaged)
    #expect(new.operationGroupID.count == 16)
    #expect(new.name == nil)
    #expect(new.quantity == 0)
    #expect(damaged.error != nil)
    #expect(new.expectedSendSize == .unknown)
    #expect(new.expectedReceiveSize == .unknown)
  }

  @Test("a damaged archive of a query gives an error and a query without results, or without sort order")
  func damagedArchiveOfAQueryGives() throws {
    func query(_ text: String) throws -> (query: CKQuery, isError: Bool) {
      let reader = try reader(["CKQuery": text])
      let query = CKQuery(coder: reader)
      return (query, reader.error != nil)
    }
    let location = #"{"location":[1,2,0,0,-1,-1,-1,-1,-1,0]}"#
    let order = #"[{"key":"a","ascending":false},{"key":"b","ascending":true,"place":\#(location)}]"#
    let head = #"{"recordType":"Note","predicateFormat":"a == 1""#
    let good = try query(#"\#(head),"sortDescriptors":\#(order)}"#)
    #expect(!good.isError)
    #expect(good.query.recordType == "Note")
    #expect(good.query.sortDescriptors?.map(\.key) == ["a", "b"])
    let last = good.query.sortDescriptors?.last as? CKLocationSortDescriptor
    #expect(last?.relativeLocation.coordinate.longitude == 2)
    #expect(try query(head + "}").query.sortDescriptors == nil)
    #expect(try !query(head + "}").isError)
    for bad in [#"{"key":"b","ascending":true,"place":{"double":1}}"#, #"{"ascending":true,"place":\#(location)}"#] {
      #expect(try query(#"\#(head),"sortDescriptors":[\#(bad)]}"#).isError, "\(bad)")
    }
    for text in [#"{"recordType":"Note","predicateFormat":"a =="}"#, #"{"recordType":"Note"}"#, "{}"] {
      let damaged = try query(text)
      #expect(damaged.isError, "\(text)")
      #expect(!damaged.query.predicate.evaluate(with: nil), "\(text)")
    }
    #expect(try query("{}").query.recordType == "")
  }

  @Test("a damaged archive of a location sort descriptor gives one without key, at zero degrees, and an error")
  func sortDescriptors() throws {
    let damaged = try reader(["CKLocationSortDescriptor": #"{"ascending":true}"#])
    let descriptor = CKLocationSortDescriptor(coder: damaged)
    #expect(descriptor.key == nil)
    #expect(descriptor.ascending)
    #expect(damaged.error != nil)
    #expect(descriptor.relativeLocation.coordinate.latitude == 0)
    #expect(descriptor.relativeLocation.coordinate.longitude == 0)
  }

  @Test("a damaged archive of a subscription gives one with an empty ID, for each damaged part")
  func damagedArchiveOfASubscriptionGives() throws {
    func common(_ type: Int) -> String { #"{"subscriptionID":"s","subscriptionType":\#(type)}"# }
    func query(_ type: Int = 1, predicate: String = "a == 1", options: Int = 2) throws -> (CKQuerySubscription, Bool) {
      let text = #"{"recordType":"Note","predicateFormat":"\#(predicate)","options":\#(options)}"#
      let reader = try reader(["CKSubscription": common(type), "CKQuerySubscription": text])
      return (CKQuerySubscription(coder: reader), reader.error != nil)
    }
    let (good, isError) = try query()
    #expect(good.subscriptionID == "s")
    #expect(good.recordType == "Note")
    #expect(good.zoneID == nil)
    #expect(!isError)
    #expect(good.querySubscriptionOptions == .firesOnRecordUpdate)
    #expect(good.subscriptionType == .query)
    for (damaged, isError) in [
      try query(2), try query(predicate: "a =="), try query(options: 8), try query(options: 0),
    ] {
      #expect(damaged.subscriptionID == "")
      #expect(isError)
    }
    let never = try query(options: 8).0
    #expect(
      never.querySubscriptionOptions == [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion])
    #expect(try !query(predicate: "a ==").0.predicate.evaluate(with: nil))
    for (zone, isWhole) in [(Self.zone, true), (Self.badZone, false)] {
      let reader = try reader([
        "CKSubscription": common(2), "CKRecordZoneSubscription": #"{"zoneID":\#(zone),"recordType":"Note"}"#,
      ])
      let subscription = CKRecordZoneSubscription(coder: reader)
      #expect(subscription.subscriptionID == (isWhole ? "s" : ""))
      #expect((reader.error == nil) == isWhole)
      #expect(subscription.zoneID.zoneName == (isWhole ? "z" : "_defaultZone"))
      #expect(subscription.recordType == "Note")
    }
    for (text, isWhole) in [(#"{"recordType":"Note"}"#, true), ("{}", true), ("[]", false)] {
      let reader = try reader(["CKSubscription": common(3), "CKDatabaseSubscription": text])
      let subscription = CKDatabaseSubscription(coder: reader)
      #expect(subscription.subscriptionID == (isWhole ? "s" : ""), "\(text)")
      #expect((reader.error == nil) == isWhole, "\(text)")
    }
  }
}
