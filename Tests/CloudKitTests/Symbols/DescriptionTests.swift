import CloudKit
import Foundation
import Testing

@Suite("Descriptions and copies of every class")
struct DescriptionTests {
  private let zoneID = CKRecordZone.ID(zoneName: "Home", ownerName: "_abc")
  private var recordID: CKRecord.ID { CKRecord.ID(recordName: "r", zoneID: zoneID) }

  private func metadata(_ share: CKShare, root: CKRecord.ID?) -> CKShare.Metadata {
    CKShareMetadata(
      containerIdentifier: "iCloud.x", share: share, hierarchicalRootRecordID: root, rootRecord: nil,
      participantRole: .privateUser, participantStatus: .pending, participantPermission: .readOnly,
      ownerIdentity: share.owner.userIdentity)
  }

  @Test("a description contains the values that identify the object, each once")
  func descriptionContainsTheValuesThatIdentify() throws {
    #expect(zoneID.description == "<CKRecordZoneID: Home:_abc>")
    #expect(recordID.description == "<CKRecordID: recordName=r, zoneID=Home:_abc>")
    let reference = CKRecord.Reference(recordID: recordID, action: .deleteSelf)
    #expect(reference.description == "<CKReference: recordID=r:(Home:_abc), action=1>")
    let zone = CKRecordZone(
      zoneID: zoneID, capabilities: [.atomic, .sharing], share: nil, encryptionScope: .perRecord)
    #expect(zone.description == "<CKRecordZone: zoneID=Home:_abc, capabilities=6>")
    let record = savedRecord()
    let address = UInt(bitPattern: Unmanaged.passUnretained(record).toOpaque())
    let fields = "recordType=Note, recordID=n1:(Home:_abc), recordChangeTag=1a, values={"
    #expect(record.description.hasPrefix("<CKRecord: 0x\(String(address, radix: 16)); \(fields)"))
    #expect(CKServerChangeToken(data: Data([1, 2, 3])).description == "<CKServerChangeToken: data=AQID>")
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    #expect(query.description == "<CKQuery: recordType=Note>")
    #expect(CKAsset(fileURL: URL(fileURLWithPath: "/a")).description == "<CKAsset: fileURL=file:///a>")
    #expect(CKAsset(fileURL: nil, stored: nil).description == "<CKAsset: fileURL=nil>")
  }

  private func withoutAddress(_ record: CKRecord) -> String {
    record.description.replacing(#/0x[0-9a-f]+; /#, with: "")
  }

  @Test("a record's description has its plain values as a property list, and no encrypted values")
  func recordsDescriptionHasItsPlainValues() {
    let record = CKRecord(recordType: "Note", recordID: recordID)
    record["title"] = "two words"
    record["kind"] = "word"
    record["quote"] = "a \"b\"\n\\"
    record["count"] = 7
    record["data"] = Data([1, 2, 255])
    record["long"] = Data(count: 100)
    record["tags"] = ["red", "light blue"]
    record["other"] = CKRecord.Reference(recordID: recordID, action: .none)
    record.encryptedValues["secret"] = "hidden"
    let zeros = String(repeating: "0", count: 48)
    let lines = [
      "    count = 7;", "    data = {length = 3, bytes = 0x0102ff};", "    kind = word;",
      "    long = {length = 100, bytes = 0x\(zeros) ...};",
      #"    other = "<CKReference: recordID=r:(Home:_abc), action=0>";"#, #"    quote = "a \"b\"\n\\";"#,
      "    tags = (\n        red,\n        \"light blue\"\n    );", #"    title = "two words";"#,
    ]
    #expect(
      withoutAddress(record)
        == "<CKRecord: recordType=Note, recordID=r:(Home:_abc), values={\n\(lines.joined(separator: "\n"))\n}>")
  }

  @Test("descriptions of people and shares contain no names and addresses")
  func descriptionsOfPeopleAndSharesContain() throws {
    let root = savedRecord()
    let share = CKShare(rootRecord: root, shareID: CKRecord.ID(recordName: "s", zoneID: zoneID))
    #expect(
      withoutAddress(share) == "<CKShare: recordType=cloudkit.share, recordID=s:(Home:_abc), values={\n}>")
    #expect(
      metadata(share, root: root.recordID).description
        == "<CKShareMetadata: containerIdentifier=iCloud.x, share=s:(Home:_abc), rootRecordID=n1:(Home:_abc), "
        + "participantStatus=pending>")
    #expect(metadata(share, root: nil).description.contains(", rootRecordID=nil, "))
    var name = PersonNameComponents()
    name.givenName = "Ann"
    let identity = CKUserIdentity(
      userRecordID: recordID, lookupInfo: CKUserIdentity.LookupInfo(emailAddress: "a@b.c"), nameComponents: name,
      hasiCloudAccount: true)
    #expect(identity.description == "<CKUserIdentity: userRecordID=r:(Home:_abc), hasiCloudAccount=true>")
    #expect(
      CKUserIdentity(hasiCloudAccount: false).description
        == "<CKUserIdentity: userRecordID=nil, hasiCloudAccount=false>")
    let person = CKShareParticipant(
      state: ParticipantState(
        participantID: "p", userIdentity: identity, role: .publicUser, permission: .readWrite,
        acceptanceStatus: .accepted))
    #expect(
      person.description
        == "<CKShareParticipant: participantID=p, role=publicUser, permission=readWrite, acceptanceStatus=accepted>")
  }

  @Test("descriptions of subscriptions and pushes contain the class and the ID")
  func descriptionsOfSubscriptionsAndPushesContain() throws {
    #expect(
      CKDatabaseSubscription(subscriptionID: "d").description
        == "<CKDatabaseSubscription: subscriptionID=d, subscriptionType=database>")
    #expect(
      CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "z").description
        == "<CKRecordZoneSubscription: subscriptionID=z, subscriptionType=recordZone>")
    let push = try #require(
      CKNotification(fromRemoteNotificationDictionary: ["ck": ["nid": "n", "met": ["sid": "d"]] as [String: Any]]))
    #expect(push.description == "<CKDatabaseNotification: subscriptionID=d>")
    #expect(push.notificationID?.description == "<CKNotificationID: n>")
    let bare = try #require(CKNotification(fromRemoteNotificationDictionary: ["ck": ["nid": "n"]]))
    #expect(bare.description == "<CKNotification: subscriptionID=nil>")
    #expect(bare.notificationType == .readNotification)
  }

  @Test("descriptions of containers and databases contain the container's identifier")
  func descriptionsOfContainersAndDatabasesContain() throws {
    let cloud = try TestCloud()
    let container = try cloud.container(of: "alice")
    #expect(container.description == "<CKContainer: containerIdentifier=iCloud.test>")
    let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
    #expect(
      scopes.map { container.database(with: $0).description } == [
        "<CKDatabase: container=iCloud.test, databaseScope=public>",
        "<CKDatabase: container=iCloud.test, databaseScope=private>",
        "<CKDatabase: container=iCloud.test, databaseScope=shared>",
      ])
    #expect(container.database(with: .public) === container.publicCloudDatabase)
    #expect(container.database(with: .private) === container.privateCloudDatabase)
    #expect(container.database(with: .shared) === container.sharedCloudDatabase)
  }

  @Test("the copy of an immutable object is the object itself")
  func copyOfAnImmutableObject() throws {
    let identity = CKUserIdentity(userRecordID: recordID, hasiCloudAccount: true)
    let share = CKShare(recordZoneID: zoneID)
    let push = CKNotification(fromRemoteNotificationDictionary: ["ck": ["nid": "n"]])
    let objects: [NSObject] = [
      zoneID, recordID, CKRecord.Reference(recordID: recordID, action: .none), CKServerChangeToken(data: Data([1])),
      CKQueryCursor(data: Data([2])), identity, CKUserIdentity.LookupInfo(phoneNumber: "1"),
      CKShareAccessRequester(userIdentity: identity), CKShareBlockedIdentity(userIdentity: identity),
      metadata(share, root: nil), try #require(push?.notificationID),
      CKLocationSortDescriptor(key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2)),
    ]
    for object in objects { #expect(object.copy() as? NSObject === object, "\(type(of: object))") }
  }

  @Test("copies of mutable objects are equal and independent")
  func copiesOfMutableObjectsAreEqual() throws {
    let token = CKServerChangeToken(data: Data([1]))
    let settings = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
      previousServerChangeToken: token, resultsLimit: 5, desiredKeys: ["a"])
    let copy = try #require(settings.copy() as? CKFetchRecordZoneChangesOperation.ZoneConfiguration)
    settings.previousServerChangeToken = nil
    (settings.resultsLimit, settings.desiredKeys) = (6, nil)
    #expect(copy.previousServerChangeToken == token)
    #expect(copy.resultsLimit == 5)
    #expect(copy.desiredKeys == ["a"])
    let empty = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
    #expect(empty.previousServerChangeToken == nil)
    #expect(empty.resultsLimit == 0)
    #expect(empty.desiredKeys == nil)
    #expect(
      CKFetchRecordZoneChangesOperation.ZoneConfiguration(previousServerChangeToken: nil).resultsLimit == 0)

    let ann = participant("ann@x.y")
    share(with: []).addParticipant(ann)
    let other = try #require(ann.copy() as? CKShare.Participant)
    #expect(other !== ann)
    #expect(other.participantID == ann.participantID)
    #expect(other == ann)
    ann.permission = .readWrite
    #expect(other.permission == .readOnly)
    // The copied participant is on no share, so it can be added to another one.
    let second = CKShare(rootRecord: savedRecord(name: "other"))
    second.addParticipant(other)
    #expect(second.participants.count == 2)

    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.sortDescriptors = [NSSortDescriptor(key: "a", ascending: true)]
    let twin = try #require(query.copy() as? CKQuery)
    query.sortDescriptors = nil
    #expect(twin.recordType == "Note")
    #expect(twin.sortDescriptors?.map(\.key) == ["a"])
  }

  @Test("sharing options keep their values in copies and archives")
  func sharingOptions() throws {
    let options = CKAllowedSharingOptions(
      allowedParticipantPermissionOptions: .readOnly, allowedParticipantAccessOptions: .anyoneWithLink)
    #expect(!options.allowsParticipantsToInviteOthers)
    #expect(!options.allowsAccessRequests)
    let first = try #require(options.copy() as? CKAllowedSharingOptions)
    options.allowedParticipantPermissionOptions = .readWrite
    options.allowedParticipantAccessOptions = .specifiedRecipientsOnly
    options.allowsParticipantsToInviteOthers = true
    #expect(options.allowsParticipantsToInviteOthers)
    #expect(!options.allowsAccessRequests)
    options.allowsAccessRequests = true
    let copy = try #require(options.copy() as? CKAllowedSharingOptions)
    for same in [options, copy, try #require(try archived(options))] {
      #expect(same.allowedParticipantPermissionOptions == .readWrite)
      #expect(same.allowedParticipantAccessOptions == .specifiedRecipientsOnly)
      #expect(same.allowsParticipantsToInviteOthers)
      #expect(same.allowsAccessRequests)
    }
    #expect(first.allowedParticipantPermissionOptions == .readOnly)
    #expect(first.allowedParticipantAccessOptions == .anyoneWithLink)
    #expect(!first.allowsParticipantsToInviteOthers)
    #expect(!first.allowsAccessRequests)
    let standard = CKAllowedSharingOptions.standard
    #expect(standard.allowedParticipantPermissionOptions == [.readOnly, .readWrite])
    #expect(standard.allowedParticipantAccessOptions == [.anyoneWithLink, .specifiedRecipientsOnly])
  }
}
