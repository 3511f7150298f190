import CloudKit
import Foundation
import Testing

/// Apple's raw values and names.
@Suite("Constants")
struct ConstantTests {
  @available(*, deprecated)
  @Test("every error code has Apple's number, under both of its names ([record-error-1])")
  func errorCodes() {
    let codes: [(CKError.Code, CKError.Code)] = [
      (.internalError, CKError.internalError), (.partialFailure, CKError.partialFailure),
      (.networkUnavailable, CKError.networkUnavailable), (.networkFailure, CKError.networkFailure),
      (.badContainer, CKError.badContainer), (.serviceUnavailable, CKError.serviceUnavailable),
      (.requestRateLimited, CKError.requestRateLimited), (.missingEntitlement, CKError.missingEntitlement),
      (.notAuthenticated, CKError.notAuthenticated), (.permissionFailure, CKError.permissionFailure),
      (.unknownItem, CKError.unknownItem), (.invalidArguments, CKError.invalidArguments),
      (.resultsTruncated, CKError.resultsTruncated), (.serverRecordChanged, CKError.serverRecordChanged),
      (.serverRejectedRequest, CKError.serverRejectedRequest), (.assetFileNotFound, CKError.assetFileNotFound),
      (.assetFileModified, CKError.assetFileModified), (.incompatibleVersion, CKError.incompatibleVersion),
      (.constraintViolation, CKError.constraintViolation), (.operationCancelled, CKError.operationCancelled),
      (.changeTokenExpired, CKError.changeTokenExpired), (.batchRequestFailed, CKError.batchRequestFailed),
      (.zoneBusy, CKError.zoneBusy), (.badDatabase, CKError.badDatabase), (.quotaExceeded, CKError.quotaExceeded),
      (.zoneNotFound, CKError.zoneNotFound), (.limitExceeded, CKError.limitExceeded),
      (.userDeletedZone, CKError.userDeletedZone), (.tooManyParticipants, CKError.tooManyParticipants),
      (.alreadyShared, CKError.alreadyShared), (.referenceViolation, CKError.referenceViolation),
      (.managedAccountRestricted, CKError.managedAccountRestricted),
      (.participantMayNeedVerification, CKError.participantMayNeedVerification),
      (.serverResponseLost, CKError.serverResponseLost), (.assetNotAvailable, CKError.assetNotAvailable),
      (.accountTemporarilyUnavailable, CKError.accountTemporarilyUnavailable),
    ]
    #expect(codes.map(\.0.rawValue) == Array(1...36))
    #expect(codes.allSatisfy { $0.0 == $0.1 })
    #expect(CKError.Code(rawValue: 26) == .zoneNotFound)
  }

  @Test("raw values of enumerations are Apple's, and other numbers give nil")
  func rawValues() {
    #expect(
      (0...5).map { CKAccountStatus(rawValue: $0) }
        == [.couldNotDetermine, .available, .restricted, .noAccount, .temporarilyUnavailable, nil])
    #expect((0...4).map { CKDatabase.Scope(rawValue: $0) } == [nil, .public, .private, .shared, nil])
    #expect(
      (0...3).map { CKModifyRecordsOperation.RecordSavePolicy(rawValue: $0) }
        == [.ifServerRecordUnchanged, .changedKeys, .allKeys, nil])
    let sizes: [CKOperationGroup.TransferSize?] = [
      .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes, .tensOfGigabytes,
      .hundredsOfGigabytes, nil,
    ]
    #expect((0...8).map { CKOperationGroup.TransferSize(rawValue: $0) } == sizes)
    #expect(
      (0...2).map { CKRecord.ReferenceAction(rawValue: $0) } == [CKRecord.ReferenceAction.none, .deleteSelf, nil])
    #expect(
      (0...4).map { CKShare.ParticipantAcceptanceStatus(rawValue: $0) }
        == [.unknown, .pending, .accepted, .removed, nil])
    #expect(CKRecordZone.Capabilities(rawValue: 5) == [.fetchChanges, .sharing])
    #expect(CKSharingParticipantAccessOption(rawValue: 3) == .any)
    #expect(CKSharingParticipantPermissionOption(rawValue: 3) == .any)
  }

  @available(*, deprecated)
  @Test("names and keys are Apple's, also under their deprecated names")
  func names() {
    #expect(CKOwnerDefaultName == CKCurrentUserDefaultName)
    #expect(CKCurrentUserDefaultName == "__defaultOwner__")
    #expect(CKRecordZoneDefaultName == "_defaultZone")
    #expect(CKRecordZone.ID.defaultZoneName == CKRecordZoneDefaultName)
    #expect(CKRecordTypeUserRecord == "Users")
    #expect(CKRecordTypeUserRecord == CKRecord.SystemType.userRecord)
    #expect(CKRecordParentKey == CKRecord.SystemFieldKey.parent)
    #expect(CKRecordShareKey == CKRecord.SystemFieldKey.share)
    let keys = [
      CKRecord.SystemFieldKey.recordID, CKRecord.SystemFieldKey.creationDate,
      CKRecord.SystemFieldKey.creatorUserRecordID, CKRecord.SystemFieldKey.modificationDate,
      CKRecord.SystemFieldKey.lastModifiedUserRecordID,
    ]
    #expect(keys == ["___recordID", "___createTime", "___createdBy", "___modTime", "___modifiedBy"])
    let error = CKError(.zoneNotFound, userInfo: [CKErrorUserDidResetEncryptedDataKey: true])
    #expect(error.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true)
    #expect(CKQueryOperation.maximumResults == 0)
  }

  @available(*, deprecated)
  @Test("deprecated initializers and properties have the meaning of the current ones")
  func oldForms() throws {
    let record = CKRecord(recordType: "Note", zoneID: testZoneID)
    #expect(record.recordID.zoneID == testZoneID)
    #expect(UUID(uuidString: record.recordID.recordName) != nil)
    let reference = CKRecord.Reference(record: record, action: .deleteSelf)
    #expect(reference.recordID == record.recordID)
    #expect(reference.action == .deleteSelf)
    let ann = participant("a@x.y")
    ann.type = .publicUser
    #expect(ann.role == .publicUser)
    #expect(ann.type == .publicUser)
    ann.role = .administrator
    #expect(ann.type == .privateUser)
    let roles: [CKShare.ParticipantRole] = [.unknown, .owner, .administrator, .privateUser, .publicUser]
    let types: [CKShare.ParticipantType] = roles.map { participant("b@x.y", role: $0).type }
    #expect(types == [.unknown, .owner, .privateUser, .privateUser, .publicUser])
    let assigned: [CKShare.ParticipantRole] = [CKShare.ParticipantType.unknown, .owner, .privateUser, .publicUser].map {
      let person = participant("b@x.y", role: .administrator)
      person.type = $0
      return person.role
    }
    #expect(assigned == [.unknown, .owner, .privateUser, .publicUser])
    let id: CKShare.Participant.ID = ann.participantID
    #expect(id == ann.participantID)
    #expect(ann.userIdentity.contactIdentifiers == [])
  }

  @available(*, deprecated)
  @Test("deprecated properties of share metadata: rootRecordID is the share's ID if there is no root")
  func oldMetadata() {
    for (root, role) in [(nil, .administrator), (note("root").recordID, .publicUser)]
      as [(CKRecord.ID?, CKShare.ParticipantRole)]
    {
      let share = CKShare(recordZoneID: testZoneID)
      let metadata = CKShareMetadata(
        containerIdentifier: "iCloud.test", share: share, hierarchicalRootRecordID: root, rootRecord: nil,
        participantRole: role, participantStatus: .accepted, participantPermission: .readOnly,
        ownerIdentity: share.owner.userIdentity)
      #expect(metadata.rootRecordID == root ?? share.recordID)
      #expect(metadata.participantType == (role == .publicUser ? .publicUser : .privateUser))
    }
  }

  @Test("a record and its encrypted values can be used through the protocols that both adopt")
  func keyValueSetting() {
    let record = note("a", "1")
    func fill(_ values: any CKRecordKeyValueSetting) {
      values.setObject("x" as NSString, forKey: "k")
      #expect(values.object(forKey: "k") as? String == "x")
      #expect(values.changedKeys().contains("k"))
    }
    fill(record)
    #expect(record.allKeys() == ["k", "title"])
    fill(record.encryptedValues)
    #expect(record.encryptedValues.allKeys() == ["k"])
    #expect(record["k"] == nil)
    var walk: CKRecordKeyValueIterator = record.makeIterator()
    #expect(walk.next()?.0 == "title")
    #expect(walk.next() == nil)
  }

  @Test("objects can be encoded and decoded with an app's own coder")
  func objectsCanBeEncodedAndDecoded() throws {
    let group = CKOperationGroup()
    group.expectedReceiveSize = .tensOfGigabytes
    let descriptor = CKLocationSortDescriptor(key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2))
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    group.encode(with: coder)
    descriptor.encode(with: coder)
    coder.finishEncoding()
    let reader = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
    #expect(CKOperationGroup(coder: reader).operationGroupID == group.operationGroupID)
    #expect(CKLocationSortDescriptor(coder: reader).relativeLocation.coordinate.longitude == 2)
  }
}
