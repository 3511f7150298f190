import CloudKit
import Testing

@Suite("Archives of everything but records")
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
    #expect(copy.zoneID == zoneID && copy.capabilities == [.fetchChanges, .atomic])
    #expect(copy.share == share && copy.encryptionScope == .perZone)
  }

  @Test func location() throws {
    let place = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 1.25, longitude: -2.5), altitude: 3, horizontalAccuracy: 4,
      verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
      timestamp: Date(timeIntervalSinceReferenceDate: 10.5))
    let copy = try #require(try archived(place))
    #expect(copy.coordinate.latitude == 1.25 && copy.coordinate.longitude == -2.5 && copy.altitude == 3)
    #expect(copy.horizontalAccuracy == 4 && copy.verticalAccuracy == 5 && copy.course == 6)
    #expect(copy.courseAccuracy == 7 && copy.speed == 8 && copy.speedAccuracy == 9)
    #expect(copy.timestamp == place.timestamp)
  }

  @Test func identities() throws {
    var name = PersonNameComponents()
    name.givenName = "Ann"
    name.familyName = "Lee"
    let identity = CKUserIdentity(
      userRecordID: CKRecord.ID(recordName: "_u"), lookupInfo: CKUserIdentity.LookupInfo(emailAddress: "a@b.c"),
      nameComponents: name, hasiCloudAccount: true)
    let copy = try #require(try archived(identity))
    #expect(copy == identity && copy.nameComponents?.givenName == "Ann" && copy.hasiCloudAccount)
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
    #expect(read.participantID == "p" && read.userIdentity == identity && read.role == .publicUser)
    #expect(read.permission == .readWrite && read.acceptanceStatus == .accepted && read.state.isCurrentUser)
  }

  @Test func shareAndMetadata() throws {
    let root = savedRecord()
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "Title"
    share.addParticipant(participant("a@b.c"))
    let copy = try #require(try archived(share))
    #expect(copy.recordID == share.recordID && copy.rootRecordID == root.recordID)
    #expect(copy[CKShare.SystemFieldKey.title] as? String == "Title")
    #expect(copy.participants == share.participants && copy.changedKeys() == ["cloudkit.title"])
    #expect(copy.publicPermission == CKShare.ParticipantPermission.none)
    let metadata = CKShareMetadata(
      containerIdentifier: "iCloud.x", share: share, hierarchicalRootRecordID: root.recordID, rootRecord: root,
      participantRole: .privateUser, participantStatus: .pending, participantPermission: .readOnly,
      ownerIdentity: share.owner.userIdentity)
    let read = try #require(try archived(metadata))
    #expect(read.containerIdentifier == "iCloud.x" && read.share.recordID == share.recordID)
    #expect(read.hierarchicalRootRecordID == root.recordID && read.rootRecord?.recordChangeTag == "1a")
    #expect(read.participantRole == .privateUser && read.participantStatus == .pending)
    #expect(read.participantPermission == .readOnly && read.ownerIdentity == share.owner.userIdentity)
  }

  @Test func options() throws {
    let options = CKAllowedSharingOptions(
      allowedParticipantPermissionOptions: .readOnly, allowedParticipantAccessOptions: .any)
    let copy = try #require(try archived(options))
    #expect(copy.allowedParticipantPermissionOptions == .readOnly && copy.allowedParticipantAccessOptions == .any)
  }

  @Test func query() throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: false),
      CKLocationSortDescriptor(key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2)),
    ]
    let copy = try #require(try archived(query))
    #expect(copy.recordType == "Note" && copy.predicate.evaluate(with: nil))
    #expect(copy.sortDescriptors?.map(\.key) == ["title", "place"])
    #expect(copy.sortDescriptors?.map(\.ascending) == [false, true])
    let place = copy.sortDescriptors?.last as? CKLocationSortDescriptor
    #expect(place?.relativeLocation.coordinate.longitude == 2)
    let descriptor = CKLocationSortDescriptor(key: "k", relativeLocation: CLLocation(latitude: 3, longitude: 4))
    let read = try #require(try archived(descriptor))
    #expect(read.key == "k" && read.relativeLocation.coordinate.latitude == 3)
  }

  @Test func blockPredicatesAreRefused() throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate { _, _ in true })
    let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
    #expect(throws: (any Error).self) { try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data) }
  }
}
