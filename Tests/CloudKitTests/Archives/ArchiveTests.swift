import CloudKit
import TestSupport
import Testing

@Suite("Archives of all classes except records")
struct ArchiveTests {
  let zoneID = CKRecordZone.ID(zoneName: "Home", ownerName: "_abc")

  @Test func identifiers() throws {
    let recordID = CKRecord.ID(recordName: "ünï/code", zoneID: zoneID)
    #expect(try archived(zoneID) == zoneID)
    #expect(try archived(recordID) == recordID)
    let reference = CKRecord.Reference(recordID: recordID, action: .deleteSelf)
    #expect(try archived(reference) == reference)
    let token = CKServerChangeToken(data: Data([1, 2, 3]))
    #expect(try archived(token) == token)
    #expect(try archived(CKQueryCursor(data: Data([4])))?.data == Data([4]))
  }

  @Test func severalInOneArchive() throws {
    let first = CKRecord.ID(recordName: "a", zoneID: zoneID)
    let second = CKRecord.ID(recordName: "b", zoneID: zoneID)
    let list = NSArray(array: [first, second])
    let data = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, CKRecordID.self], from: data)
    #expect(copy as? [CKRecord.ID] == [first, second])
  }

  @Test func zone() throws {
    let share = CKRecord.Reference(
      recordID: CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: zoneID), action: .none)
    let zone = CKRecordZone(
      zoneID: zoneID, capabilities: [.fetchChanges, .atomic], share: share, encryptionScope: .perZone)
    let copy = try #require(try archived(zone))
    #expect(copy.zoneID == zoneID)
    #expect(copy.capabilities == [.fetchChanges, .atomic])
    #expect(copy.share == share)
    #expect(copy.encryptionScope == .perZone)
  }

  @Test func location() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 1.25, longitude: -2.5), altitude: 3, horizontalAccuracy: 4,
      verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
      timestamp: Date(timeIntervalSinceReferenceDate: 10.5))
    let copy = try #require(try archived(location))
    #expect(copy.coordinate.latitude == 1.25)
    #expect(copy.coordinate.longitude == -2.5)
    #expect(copy.altitude == 3)
    #expect(copy.horizontalAccuracy == 4)
    #expect(copy.verticalAccuracy == 5)
    #expect(copy.course == 6)
    #expect(copy.courseAccuracy == 7)
    #expect(copy.speed == 8)
    #expect(copy.speedAccuracy == 9)
    #expect(copy.timestamp == location.timestamp)
  }

  @Test func identities() throws {
    var name = PersonNameComponents()
    name.givenName = "Ann"
    name.familyName = "Lee"
    let identity = CKUserIdentity(
      userRecordID: CKRecord.ID(recordName: "_u"), lookupInfo: CKUserIdentity.LookupInfo(emailAddress: "a@b.c"),
      nameComponents: name, hasiCloudAccount: true)
    let copy = try #require(try archived(identity))
    #expect(copy == identity)
    #expect(copy.nameComponents?.givenName == "Ann")
    #expect(copy.hasiCloudAccount)
    let infos = [
      CKUserIdentity.LookupInfo(emailAddress: "a@b.c"), CKUserIdentity.LookupInfo(phoneNumber: "123"),
      CKUserIdentity.LookupInfo(userRecordID: CKRecord.ID(recordName: "_u")),
    ]
    for info in infos { #expect(try archived(info) == info) }
    let participant = CKShareParticipant(
      state: ParticipantState(
        participantID: "p", userIdentity: identity, role: .publicUser, permission: .readWrite,
        acceptanceStatus: .accepted, isCurrentUser: true))
    let read = try #require(try archived(participant))
    #expect(read.participantID == "p")
    #expect(read.userIdentity == identity)
    #expect(read.role == .publicUser)
    #expect(read.permission == .readWrite)
    #expect(read.acceptanceStatus == .accepted)
    #expect(read.state.isCurrentUser)
  }

  @Test func shareAndMetadata() throws {
    let root = savedRecord()
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "Title"
    share.addParticipant(participant("a@b.c"))
    let copy = try #require(try archived(share))
    #expect(copy.recordID == share.recordID)
    #expect(copy.rootRecordID == root.recordID)
    #expect(copy[CKShare.SystemFieldKey.title] as? String == "Title")
    #expect(copy.participants == share.participants)
    #expect(copy.changedKeys() == ["cloudkit.title"])
    #expect(copy.publicPermission == CKShare.ParticipantPermission.none)
    let metadata = CKShareMetadata(
      containerIdentifier: "iCloud.x", share: share, hierarchicalRootRecordID: root.recordID, rootRecord: root,
      participantRole: .privateUser, participantStatus: .pending, participantPermission: .readOnly,
      ownerIdentity: share.owner.userIdentity)
    let read = try #require(try archived(metadata))
    #expect(read.containerIdentifier == "iCloud.x")
    #expect(read.share.recordID == share.recordID)
    #expect(read.hierarchicalRootRecordID == root.recordID)
    #expect(read.rootRecord?.recordChangeTag == "1a")
    #expect(read.participantRole == .privateUser)
    #expect(read.participantStatus == .pending)
    #expect(read.participantPermission == .readOnly)
    #expect(read.ownerIdentity == share.owner.userIdentity)
  }

  @Test func options() throws {
    let options = CKAllowedSharingOptions(
      allowedParticipantPermissionOptions: .readOnly, allowedParticipantAccessOptions: .any)
    let copy = try #require(try archived(options))
    #expect(copy.allowedParticipantPermissionOptions == .readOnly)
    #expect(copy.allowedParticipantAccessOptions == .any)
  }

  @Test func query() throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: false),
      CKLocationSortDescriptor(key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2)),
    ]
    let copy = try #require(try archived(query))
    #expect(copy.recordType == "Note")
    #expect(copy.predicate.evaluate(with: nil))
    #expect(copy.sortDescriptors?.map(\.key) == ["title", "place"])
    #expect(copy.sortDescriptors?.map(\.ascending) == [false, true])
    let sort = copy.sortDescriptors?.last as? CKLocationSortDescriptor
    #expect(sort?.relativeLocation.coordinate.longitude == 2)
    let descriptor = CKLocationSortDescriptor(key: "k", relativeLocation: CLLocation(latitude: 3, longitude: 4))
    let read = try #require(try archived(descriptor))
    #expect(read.key == "k")
    #expect(read.relativeLocation.coordinate.latitude == 3)
  }

  @Test func blockPredicatesAreRefused() throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate { _, _ in true })
    let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
    #expect(throws: (any Error).self) { try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data) }
  }

  @Test("an archived asset keeps the file's URL, and not the bytes")
  func archivedAssetKeepsTheFilesURL() throws {
    let asset = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/ünï code"))
    let copy = try #require(try archived(asset))
    #expect(copy.fileURL == asset.fileURL)
    #expect(copy.stored == nil)
    let stored = CKAsset(fileURL: nil, stored: StoredAsset(fileChecksum: "ab", size: 3))
    #expect(try archived(stored)?.stored == stored.stored && archived(stored)?.fileURL == nil)
  }

  /// Other tests compare the archived properties of each class.
  @Test("an object of each class that conforms to NSSecureCoding is read back from an archive")
  func everyClass() throws {
    let recordID = CKRecord.ID(recordName: "r", zoneID: zoneID)
    let token = CKServerChangeToken(data: Data([1, 2]))
    let identity = CKUserIdentity(
      userRecordID: recordID, lookupInfo: CKUserIdentity.LookupInfo(emailAddress: "a@b.c"), hasiCloudAccount: true)
    let location = CLLocation(latitude: 1, longitude: 2)
    let record = savedRecord()
    (record["text"], record["date"], record["place"]) = ("a", Date(timeIntervalSince1970: 1.000_25), location)
    record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
    let share = CKShare(rootRecord: record)
    let info = CKSubscription.NotificationInfo(alertBody: "b", desiredKeys: ["text"], shouldBadge: true)
    let subscription = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(format: "text == 'a'"), subscriptionID: "q",
      options: [.firesOnRecordUpdate])
    subscription.notificationInfo = info
    let push = CKNotification(fromRemoteNotificationDictionary: ["ck": ["nid": "n"]])
    let metadata = CKShareMetadata(
      containerIdentifier: "iCloud.x", share: share, hierarchicalRootRecordID: record.recordID, rootRecord: record,
      participantRole: .privateUser, participantStatus: .pending, participantPermission: .readOnly,
      ownerIdentity: share.owner.userIdentity)
    let group = CKOperationGroup()
    (group.name, group.quantity) = ("g", 3)
    let objects: [any NSObject & NSSecureCoding] = [
      CKAllowedSharingOptions(allowedParticipantPermissionOptions: .readOnly, allowedParticipantAccessOptions: .any),
      CKAsset(fileURL: URL(fileURLWithPath: "/a")),
      CKFetchRecordZoneChangesConfiguration(
        previousServerChangeToken: token, resultsLimit: 5, desiredKeys: ["text"]),
      CKLocationSortDescriptor(key: "place", relativeLocation: location), try #require(push?.notificationID), info,
      group,
      CKQuery(recordType: "Note", predicate: NSPredicate(format: "text == 'a'")), CKQueryCursor(data: Data([3])),
      record, recordID, CKRecord.Reference(recordID: recordID, action: .deleteSelf), CKRecordZone(zoneID: zoneID),
      zoneID, token, share, CKShareAccessRequester(userIdentity: identity),
      CKShareBlockedIdentity(userIdentity: identity), metadata, share.owner, subscription,
      CKDatabaseSubscription(subscriptionID: "d"), CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "z"),
      identity, CKUserIdentity.LookupInfo(phoneNumber: "1"), location,
    ]
    for object in objects {
      let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
      let copy = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: object)], from: data)
      let back = try #require(copy as? NSObject, "\(type(of: object))")
      #expect(type(of: back) == type(of: object), "\(type(of: object))")
      #expect(!data.isEmpty, "\(type(of: object))")
    }
    // Fails for a class without an object above, also for future classes.
    let archived = Set(objects.map { "\(type(of: $0))" })
    let abstract: Set = ["CKSubscription"]
    #expect(try conformingClasses().subtracting(archived) == abstract)
  }

  /// The classes in the sources that are compiled on Linux.
  private func conformingClasses() throws -> Set<String> {
    let root = URL(fileURLWithPath: Repository.path).appendingPathComponent("Sources")
    var classes: Set<String> = []
    for target in ["CloudKit", "Location"] {
      let folder = root.appendingPathComponent(target)
      for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path))
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        classes.formUnion(text.matches(of: #/class (\w+): [^{]*NSSecureCoding/#).map { String($0.output.1) })
      }
    }
    return classes
  }
}
