import CloudKit
import Foundation
import Testing

@Suite("Sharing rules, 1: constants and raw values") struct ConstantRowsTests {
  @Test("1 CKRecord.SystemType.share: is cloudkit.share for both kinds of shares")
  func recordType() {
    #expect(CKRecord.SystemType.share == "cloudkit.share")
    #expect(CKRecordTypeShare == "cloudkit.share")
    #expect(CKShare(rootRecord: note("a")).recordType == "cloudkit.share")
    #expect(CKShare(recordZoneID: testZoneID).recordType == "cloudkit.share")
  }

  @Test("1 CKRecordNameZoneWideShare: cloudkit.zoneshare")
  func zoneWideName() {
    #expect(CKRecordNameZoneWideShare == "cloudkit.zoneshare")
    #expect(CKShare(recordZoneID: testZoneID).recordID.recordName == CKRecordNameZoneWideShare)
  }

  @Test("1 CKShare.SystemFieldKey.title: cloudkit.title")
  func ckShareSystemFieldKeyTitleCloudkitTitle() {
    #expect(CKShare.SystemFieldKey.title == "cloudkit.title")
    #expect(CKShareTitleKey == "cloudkit.title")
    #expect(CKShareThumbnailImageDataKey == CKShare.SystemFieldKey.thumbnailImageData)
    #expect(CKShareTypeKey == CKShare.SystemFieldKey.shareType)
  }

  @Test(
    "1 Default record name: is Share- with a UUID in the root's zone; any other name can be given ([share-create-9])")
  func recordName() throws {
    let first = CKShare(rootRecord: note("a"))
    let second = CKShare(rootRecord: note("a"))
    #expect(first.recordID.recordName.hasPrefix("Share-"))
    #expect(first.recordID.zoneID == testZoneID)
    #expect(UUID(uuidString: String(first.recordID.recordName.dropFirst("Share-".count))) != nil)
    #expect(first.recordID != second.recordID)
    let named = CKRecord.ID(recordName: "mine", zoneID: testZoneID)
    #expect(CKShare(rootRecord: note("a"), shareID: named).recordID == named)
  }

  @Test("1 ParticipantRole: 0 to 4")
  func participantRole0To4() {
    let roles: [CKShare.ParticipantRole] = [.unknown, .owner, .administrator, .privateUser, .publicUser]
    #expect(roles.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @available(*, deprecated)
  @Test("1 ParticipantType: 0, 1, 3, 4")
  func participantType0134() {
    let types: [CKShare.ParticipantType] = [.unknown, .owner, .privateUser, .publicUser]
    #expect(types.map(\.rawValue) == [0, 1, 3, 4])
  }

  @Test("1 ParticipantPermission: 0 to 3")
  func participantPermission0To3() {
    let permissions: [CKShare.ParticipantPermission] = [.unknown, .none, .readOnly, .readWrite]
    #expect(permissions.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("1 ParticipantAcceptanceStatus: 0 to 3")
  func participantAcceptanceStatus0To3() {
    let statuses: [CKShare.ParticipantAcceptanceStatus] = [.unknown, .pending, .accepted, .removed]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("1 CKRecordZone.Capabilities: 1, 2, 4, 8")
  func ckRecordZoneCapabilities1248() {
    let all: [CKRecordZone.Capabilities] = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
    #expect(all.map(\.rawValue) == [1, 2, 4, 8])
  }

  @Test("1 CKRecordZone.EncryptionScope: 0 and 1")
  func encryptionScope() {
    let scopes: [CKRecordZone.EncryptionScope] = [.perRecord, .perZone]
    #expect(scopes.map(\.rawValue) == [0, 1])
    #expect(CKRecordZone(zoneName: "Home").encryptionScope == .perRecord)
  }

  @Test("1 Error codes: those that sharing uses")
  func errorCodes() {
    let codes: [CKError.Code] = [
      .permissionFailure, .unknownItem, .invalidArguments, .serverRecordChanged, .serverRejectedRequest, .badDatabase,
      .zoneNotFound, .tooManyParticipants, .alreadyShared, .referenceViolation, .participantMayNeedVerification,
      .participantAlreadyInvited,
    ]
    #expect(codes.map(\.rawValue) == [10, 11, 12, 14, 15, 24, 26, 29, 30, 31, 33, 37])
  }
}
