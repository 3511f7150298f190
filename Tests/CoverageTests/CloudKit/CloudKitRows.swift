// swift-format-ignore-file
// Made by Generator from Declarations.tsv; see CoverageTests.
import CloudKit

/// The value is of this type and no other.
private func exact<Value>(_ value: inout Value, _ type: Value.Type) {}

private func sendable<Value: Sendable>(_ type: Value.Type) {}

enum CloudKitRows {

  // CKAcceptSharesOperation
  static func row1() {
    let _: CKOperation.Type = (CKAcceptSharesOperation).self
    sendable((CKAcceptSharesOperation).self)
  }

  // CKAcceptSharesOperation.acceptSharesCompletionBlock
  @available(*, deprecated)
  static func row2() {
    let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, (((any Error)?) -> Void)?> = \CKAcceptSharesOperation.acceptSharesCompletionBlock
  }

  // CKAcceptSharesOperation.acceptSharesResultBlock
  static func row3() {
    let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, ((Result<Void, any Error>) -> Void)?> = \CKAcceptSharesOperation.acceptSharesResultBlock
  }

  // CKAcceptSharesOperation.init()
  static func row4() {
    var value = CKAcceptSharesOperation()
    exact(&value, (CKAcceptSharesOperation).self)
  }

  // CKAcceptSharesOperation.init(shareMetadatas:)
  static func row5(_ p0: [CKShare.Metadata]) {
    var value = CKAcceptSharesOperation(shareMetadatas: p0)
    exact(&value, (CKAcceptSharesOperation).self)
  }

  // CKAcceptSharesOperation.perShareCompletionBlock
  @available(*, deprecated)
  static func row6() {
    let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?> = \CKAcceptSharesOperation.perShareCompletionBlock
  }

  // CKAcceptSharesOperation.perShareResultBlock
  static func row7() {
    let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, ((CKShare.Metadata, Result<CKShare, any Error>) -> Void)?> = \CKAcceptSharesOperation.perShareResultBlock
  }

  // CKAcceptSharesOperation.shareMetadatas
  static func row8() {
    let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, [CKShare.Metadata]?> = \CKAcceptSharesOperation.shareMetadatas
  }

  // CKAccountStatus
  static func row9() {
    let _: any Hashable.Type = (CKAccountStatus).self
    sendable((CKAccountStatus).self)
  }

  // CKAccountStatus.available
  static func row10() {
    var value = CKAccountStatus.available
    exact(&value, (CKAccountStatus).self)
  }

  // CKAccountStatus.couldNotDetermine
  static func row11() {
    var value = CKAccountStatus.couldNotDetermine
    exact(&value, (CKAccountStatus).self)
  }

  // CKAccountStatus.init(rawValue:)
  static func row12(_ p0: Int) {
    var value = CKAccountStatus(rawValue: p0)
    exact(&value, (CKAccountStatus?).self)
  }

  // CKAccountStatus.noAccount
  static func row13() {
    var value = CKAccountStatus.noAccount
    exact(&value, (CKAccountStatus).self)
  }

  // CKAccountStatus.restricted
  static func row14() {
    var value = CKAccountStatus.restricted
    exact(&value, (CKAccountStatus).self)
  }

  // CKAccountStatus.temporarilyUnavailable
  static func row15() {
    var value = CKAccountStatus.temporarilyUnavailable
    exact(&value, (CKAccountStatus).self)
  }

  // CKAllowedSharingOptions
  static func row16() {
    let _: NSObject.Type = (CKAllowedSharingOptions).self
    let _: any NSCopying.Type = (CKAllowedSharingOptions).self
    let _: any NSSecureCoding.Type = (CKAllowedSharingOptions).self
    sendable((CKAllowedSharingOptions).self)
  }

  // CKAllowedSharingOptions.allowedParticipantAccessOptions
  static func row17() {
    let _: ReferenceWritableKeyPath<CKAllowedSharingOptions, CKSharingParticipantAccessOption> = \CKAllowedSharingOptions.allowedParticipantAccessOptions
  }

  // CKAllowedSharingOptions.allowedParticipantPermissionOptions
  static func row18() {
    let _: ReferenceWritableKeyPath<CKAllowedSharingOptions, CKSharingParticipantPermissionOption> = \CKAllowedSharingOptions.allowedParticipantPermissionOptions
  }

  // CKAllowedSharingOptions.init(allowedParticipantPermissionOptions:allowedParticipantAccessOptions:)
  static func row19(_ p0: CKSharingParticipantPermissionOption, _ p1: CKSharingParticipantAccessOption) {
    var value = CKAllowedSharingOptions(allowedParticipantPermissionOptions: p0, allowedParticipantAccessOptions: p1)
    exact(&value, (CKAllowedSharingOptions).self)
  }

  // CKAllowedSharingOptions.standard
  static func row20() {
    var value = CKAllowedSharingOptions.standard
    exact(&value, (CKAllowedSharingOptions).self)
  }

  // CKAsset
  static func row21() {
    let _: NSObject.Type = (CKAsset).self
    sendable((CKAsset).self)
  }

  // CKAsset.fileURL
  static func row22() {
    let _: KeyPath<CKAsset, URL?> = \CKAsset.fileURL
  }

  // CKAsset.init(fileURL:)
  static func row23(_ p0: URL) {
    var value = CKAsset(fileURL: p0)
    exact(&value, (CKAsset).self)
  }

  // CKContainer
  static func row24() {
    let _: NSObject.Type = (CKContainer).self
    sendable((CKContainer).self)
  }

  // CKContainer.allUserIdentitiesFromContacts()
  @available(*, deprecated)
  static func row25(_ owner: CKContainer) async throws {
    var value = try await owner.allUserIdentitiesFromContacts()
    exact(&value, ([CKUserIdentity]).self)
    try await owner.allUserIdentitiesFromContacts()
  }

  // CKContainer.Application
  static func row26() {
    _ = (CKContainer.Application).self
  }

  // CKContainer.Application.PermissionBlock
  @available(*, deprecated)
  static func row27() {
    let _: (CKContainer.ApplicationPermissionBlock).Type = (CKContainer.Application.PermissionBlock).self
  }

  // CKContainer.Application.PermissionStatus
  @available(*, deprecated)
  static func row28() {
    let _: (CKContainer.ApplicationPermissionStatus).Type = (CKContainer.Application.PermissionStatus).self
  }

  // CKContainer.Application.Permissions
  static func row29() {
    let _: (CKContainer.ApplicationPermissions).Type = (CKContainer.Application.Permissions).self
  }

  // CKContainer.ApplicationPermissionBlock
  @available(*, deprecated)
  static func row30() {
    let _: ((CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void).Type = (CKContainer.ApplicationPermissionBlock).self
  }

  // CKContainer.ApplicationPermissionStatus
  @available(*, deprecated)
  static func row31() {
    _ = (CKContainer.ApplicationPermissionStatus).self
  }

  // CKContainer.ApplicationPermissionStatus.couldNotComplete
  @available(*, deprecated)
  static func row32() {
    var value = CKContainer.ApplicationPermissionStatus.couldNotComplete
    exact(&value, (CKContainer.ApplicationPermissionStatus).self)
  }

  // CKContainer.ApplicationPermissionStatus.denied
  @available(*, deprecated)
  static func row33() {
    var value = CKContainer.ApplicationPermissionStatus.denied
    exact(&value, (CKContainer.ApplicationPermissionStatus).self)
  }

  // CKContainer.ApplicationPermissionStatus.granted
  @available(*, deprecated)
  static func row34() {
    var value = CKContainer.ApplicationPermissionStatus.granted
    exact(&value, (CKContainer.ApplicationPermissionStatus).self)
  }

  // CKContainer.ApplicationPermissionStatus.init(rawValue:)
  @available(*, deprecated)
  static func row35(_ p0: Int) {
    var value = CKContainer.ApplicationPermissionStatus(rawValue: p0)
    exact(&value, (CKContainer.ApplicationPermissionStatus?).self)
  }

  // CKContainer.ApplicationPermissionStatus.initialState
  @available(*, deprecated)
  static func row36() {
    var value = CKContainer.ApplicationPermissionStatus.initialState
    exact(&value, (CKContainer.ApplicationPermissionStatus).self)
  }

  // CKContainer.ApplicationPermissions
  static func row37() {
    _ = (CKContainer.ApplicationPermissions).self
  }

  // CKContainer.ApplicationPermissions.init(rawValue:)
  static func row38(_ p0: UInt) {
    var value = CKContainer.ApplicationPermissions(rawValue: p0)
    exact(&value, (CKContainer.ApplicationPermissions).self)
  }

  // CKContainer.ApplicationPermissions.userDiscoverability
  @available(*, deprecated)
  static func row39() {
    var value = CKContainer.ApplicationPermissions.userDiscoverability
    exact(&value, (CKContainer.ApplicationPermissions).self)
  }

  // CKContainer.accept(_:)
  static func row40(_ owner: CKContainer, _ p0: CKShare.Metadata) async throws {
    var value = try await owner.accept(p0)
    exact(&value, (CKShare).self)
    try await owner.accept(p0)
  }

  // CKContainer.accept(_:)
  static func row41(_ owner: CKContainer, _ p0: [CKShare.Metadata]) async throws {
    var value = try await owner.accept(p0)
    exact(&value, ([CKShare.Metadata : Result<CKShare, any Error>]).self)
    try await owner.accept(p0)
  }

  // CKContainer.accept(_:completionHandler:)
  static func row42(_ owner: CKContainer, _ p0: CKShare.Metadata, _ p1: @escaping @Sendable (CKShare?, (any Error)?) -> Void) {
    owner.accept(p0, completionHandler: p1)
  }

  // CKContainer.accept(_:completionHandler:)
  static func row43(_ owner: CKContainer, _ p0: [CKShare.Metadata], _ p1: @escaping @Sendable (Result<[CKShare.Metadata : Result<CKShare, any Error>], any Error>) -> Void) {
    owner.accept(p0, completionHandler: p1)
  }

  // CKContainer.accountStatus()
  static func row44(_ owner: CKContainer) async throws {
    var value = try await owner.accountStatus()
    exact(&value, (CKAccountStatus).self)
    try await owner.accountStatus()
  }

  // CKContainer.accountStatus(completionHandler:)
  static func row45(_ owner: CKContainer, _ p0: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) {
    owner.accountStatus(completionHandler: p0)
  }

  // CKContainer.add(_:)
  static func row46(_ owner: CKContainer, _ p0: CKOperation) {
    owner.add(p0)
  }

  // CKContainer.allLongLivedOperationIDs()
  static func row47(_ owner: CKContainer) async throws {
    var value = try await owner.allLongLivedOperationIDs()
    exact(&value, ([CKOperation.ID]).self)
    try await owner.allLongLivedOperationIDs()
  }

  // CKContainer.applicationPermissionStatus(for:)
  @available(*, deprecated)
  static func row48(_ owner: CKContainer, _ p0: CKContainer.ApplicationPermissions) async throws {
    var value = try await owner.applicationPermissionStatus(for: p0)
    exact(&value, (CKContainer.ApplicationPermissionStatus).self)
    try await owner.applicationPermissionStatus(for: p0)
  }

  // CKContainer.configuredWith(configuration:group:body:)
  static func row49<R>(_ owner: CKContainer, _ p0: CKOperation.Configuration?, _ p1: CKOperationGroup?, _ p2: (CKContainer) throws -> R) throws {
    var value = try owner.configuredWith(configuration: p0, group: p1, body: p2)
    exact(&value, (R).self)
    var short = try owner.configuredWith(body: p2)
    exact(&short, (R).self)
    try owner.configuredWith(configuration: p0, group: p1, body: p2)
  }

  // CKContainer.configuredWith(configuration:group:body:)
  static func row50<R>(_ owner: CKContainer, _ p0: CKOperation.Configuration?, _ p1: CKOperationGroup?, _ p2: (CKContainer) async throws -> R) async throws {
    var value = try await owner.configuredWith(configuration: p0, group: p1, body: p2)
    exact(&value, (R).self)
    var short = try await owner.configuredWith(body: p2)
    exact(&short, (R).self)
    try await owner.configuredWith(configuration: p0, group: p1, body: p2)
  }

  // CKContainer.containerIdentifier
  static func row51() {
    let _: KeyPath<CKContainer, String?> = \CKContainer.containerIdentifier
  }

  // CKContainer.database(with:)
  static func row52(_ owner: CKContainer, _ p0: CKDatabase.Scope) {
    var value = owner.database(with: p0)
    exact(&value, (CKDatabase).self)
    owner.database(with: p0)
  }

  // CKContainer.default()
  static func row53() {
    var value = CKContainer.`default`()
    exact(&value, (CKContainer).self)
    CKContainer.`default`()
  }

  // CKContainer.discoverAllIdentities(completionHandler:)
  @available(*, deprecated)
  static func row54(_ owner: CKContainer, _ p0: @escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void) {
    owner.discoverAllIdentities(completionHandler: p0)
  }

  // CKContainer.discoverUserIdentities(forEmailAddresses:completionHandler:)
  @available(*, deprecated)
  static func row55(_ owner: CKContainer, _ p0: [String], _ p1: @escaping @Sendable (Result<[String : CKUserIdentity], any Error>) -> Void) {
    owner.discoverUserIdentities(forEmailAddresses: p0, completionHandler: p1)
  }

  // CKContainer.discoverUserIdentities(forPhoneNumbers:completionHandler:)
  @available(*, deprecated)
  static func row56(_ owner: CKContainer, _ p0: [String], _ p1: @escaping @Sendable (Result<[String : CKUserIdentity], any Error>) -> Void) {
    owner.discoverUserIdentities(forPhoneNumbers: p0, completionHandler: p1)
  }

  // CKContainer.discoverUserIdentities(forUserRecordIDs:completionHandler:)
  @available(*, deprecated)
  static func row57(_ owner: CKContainer, _ p0: [CKRecord.ID], _ p1: @escaping @Sendable (Result<[CKRecord.ID : CKUserIdentity], any Error>) -> Void) {
    owner.discoverUserIdentities(forUserRecordIDs: p0, completionHandler: p1)
  }

  // CKContainer.discoverUserIdentity(withEmailAddress:completionHandler:)
  @available(*, deprecated)
  static func row58(_ owner: CKContainer, _ p0: String, _ p1: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) {
    owner.discoverUserIdentity(withEmailAddress: p0, completionHandler: p1)
  }

  // CKContainer.discoverUserIdentity(withPhoneNumber:completionHandler:)
  @available(*, deprecated)
  static func row59(_ owner: CKContainer, _ p0: String, _ p1: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) {
    owner.discoverUserIdentity(withPhoneNumber: p0, completionHandler: p1)
  }

  // CKContainer.discoverUserIdentity(withUserRecordID:completionHandler:)
  @available(*, deprecated)
  static func row60(_ owner: CKContainer, _ p0: CKRecord.ID, _ p1: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) {
    owner.discoverUserIdentity(withUserRecordID: p0, completionHandler: p1)
  }

  // CKContainer.fetchAllLongLivedOperationIDs(completionHandler:)
  static func row61(_ owner: CKContainer, _ p0: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void) {
    owner.fetchAllLongLivedOperationIDs(completionHandler: p0)
  }

  // CKContainer.fetchLongLivedOperation(withID:completionHandler:)
  static func row62(_ owner: CKContainer, _ p0: CKOperation.ID, _ p1: @escaping @Sendable (CKOperation?, (any Error)?) -> Void) {
    owner.fetchLongLivedOperation(withID: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareMetadata(with:completionHandler:)
  static func row63(_ owner: CKContainer, _ p0: URL, _ p1: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void) {
    owner.fetchShareMetadata(with: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareMetadatas(for:completionHandler:)
  static func row64(_ owner: CKContainer, _ p0: [URL], _ p1: @escaping @Sendable (Result<[URL : Result<CKShare.Metadata, any Error>], any Error>) -> Void) {
    owner.fetchShareMetadatas(for: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareParticipant(withEmailAddress:completionHandler:)
  static func row65(_ owner: CKContainer, _ p0: String, _ p1: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void) {
    owner.fetchShareParticipant(withEmailAddress: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareParticipant(withPhoneNumber:completionHandler:)
  static func row66(_ owner: CKContainer, _ p0: String, _ p1: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void) {
    owner.fetchShareParticipant(withPhoneNumber: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareParticipant(withUserRecordID:completionHandler:)
  static func row67(_ owner: CKContainer, _ p0: CKRecord.ID, _ p1: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void) {
    owner.fetchShareParticipant(withUserRecordID: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareParticipants(forEmailAddresses:completionHandler:)
  static func row68(_ owner: CKContainer, _ p0: [String], _ p1: @escaping @Sendable (Result<[String : Result<CKShare.Participant, any Error>], any Error>) -> Void) {
    owner.fetchShareParticipants(forEmailAddresses: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareParticipants(forPhoneNumbers:completionHandler:)
  static func row69(_ owner: CKContainer, _ p0: [String], _ p1: @escaping @Sendable (Result<[String : Result<CKShare.Participant, any Error>], any Error>) -> Void) {
    owner.fetchShareParticipants(forPhoneNumbers: p0, completionHandler: p1)
  }

  // CKContainer.fetchShareParticipants(forUserRecordIDs:completionHandler:)
  static func row70(_ owner: CKContainer, _ p0: [CKRecord.ID], _ p1: @escaping @Sendable (Result<[CKRecord.ID : Result<CKShare.Participant, any Error>], any Error>) -> Void) {
    owner.fetchShareParticipants(forUserRecordIDs: p0, completionHandler: p1)
  }

  // CKContainer.fetchUserRecordID(completionHandler:)
  static func row71(_ owner: CKContainer, _ p0: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) {
    owner.fetchUserRecordID(completionHandler: p0)
  }

  // CKContainer.init(identifier:)
  static func row72(_ p0: String) {
    var value = CKContainer(identifier: p0)
    exact(&value, (CKContainer).self)
  }

  // CKContainer.longLivedOperation(for:)
  static func row73(_ owner: CKContainer, _ p0: CKOperation.ID) async throws {
    var value = try await owner.longLivedOperation(for: p0)
    exact(&value, (CKOperation?).self)
    try await owner.longLivedOperation(for: p0)
  }

  // CKContainer.privateCloudDatabase
  static func row74() {
    let _: KeyPath<CKContainer, CKDatabase> = \CKContainer.privateCloudDatabase
  }

  // CKContainer.publicCloudDatabase
  static func row75() {
    let _: KeyPath<CKContainer, CKDatabase> = \CKContainer.publicCloudDatabase
  }

  // CKContainer.requestApplicationPermission(_:)
  @available(*, deprecated)
  static func row76(_ owner: CKContainer, _ p0: CKContainer.ApplicationPermissions) async throws {
    var value = try await owner.requestApplicationPermission(p0)
    exact(&value, (CKContainer.ApplicationPermissionStatus).self)
    try await owner.requestApplicationPermission(p0)
  }

  // CKContainer.requestApplicationPermission(_:completionHandler:)
  @available(*, deprecated)
  static func row77(_ owner: CKContainer, _ p0: CKContainer.ApplicationPermissions, _ p1: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void) {
    owner.requestApplicationPermission(p0, completionHandler: p1)
  }

  // CKContainer.shareMetadata(for:)
  static func row78(_ owner: CKContainer, _ p0: URL) async throws {
    var value = try await owner.shareMetadata(for: p0)
    exact(&value, (CKShare.Metadata).self)
    try await owner.shareMetadata(for: p0)
  }

  // CKContainer.shareMetadatas(for:)
  static func row79(_ owner: CKContainer, _ p0: [URL]) async throws {
    var value = try await owner.shareMetadatas(for: p0)
    exact(&value, ([URL : Result<CKShare.Metadata, any Error>]).self)
  }

  // CKContainer.shareParticipant(forEmailAddress:)
  static func row80(_ owner: CKContainer, _ p0: String) async throws {
    var value = try await owner.shareParticipant(forEmailAddress: p0)
    exact(&value, (CKShare.Participant).self)
    try await owner.shareParticipant(forEmailAddress: p0)
  }

  // CKContainer.shareParticipant(forPhoneNumber:)
  static func row81(_ owner: CKContainer, _ p0: String) async throws {
    var value = try await owner.shareParticipant(forPhoneNumber: p0)
    exact(&value, (CKShare.Participant).self)
    try await owner.shareParticipant(forPhoneNumber: p0)
  }

  // CKContainer.shareParticipant(forUserRecordID:)
  static func row82(_ owner: CKContainer, _ p0: CKRecord.ID) async throws {
    var value = try await owner.shareParticipant(forUserRecordID: p0)
    exact(&value, (CKShare.Participant).self)
    try await owner.shareParticipant(forUserRecordID: p0)
  }

  // CKContainer.shareParticipants(forEmailAddresses:)
  static func row83(_ owner: CKContainer, _ p0: [String]) async throws {
    var value = try await owner.shareParticipants(forEmailAddresses: p0)
    exact(&value, ([String : Result<CKShare.Participant, any Error>]).self)
  }

  // CKContainer.shareParticipants(forPhoneNumbers:)
  static func row84(_ owner: CKContainer, _ p0: [String]) async throws {
    var value = try await owner.shareParticipants(forPhoneNumbers: p0)
    exact(&value, ([String : Result<CKShare.Participant, any Error>]).self)
  }

  // CKContainer.shareParticipants(forUserRecordIDs:)
  static func row85(_ owner: CKContainer, _ p0: [CKRecord.ID]) async throws {
    var value = try await owner.shareParticipants(forUserRecordIDs: p0)
    exact(&value, ([CKRecord.ID : Result<CKShare.Participant, any Error>]).self)
  }

  // CKContainer.sharedCloudDatabase
  static func row86() {
    let _: KeyPath<CKContainer, CKDatabase> = \CKContainer.sharedCloudDatabase
  }

  // CKContainer.status(forApplicationPermission:completionHandler:)
  @available(*, deprecated)
  static func row87(_ owner: CKContainer, _ p0: CKContainer.ApplicationPermissions, _ p1: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void) {
    owner.status(forApplicationPermission: p0, completionHandler: p1)
  }

  // CKContainer.userIdentities(forEmailAddresses:)
  @available(*, deprecated)
  static func row88(_ owner: CKContainer, _ p0: [String]) async throws {
    var value = try await owner.userIdentities(forEmailAddresses: p0)
    exact(&value, ([String : CKUserIdentity]).self)
  }

  // CKContainer.userIdentities(forPhoneNumbers:)
  @available(*, deprecated)
  static func row89(_ owner: CKContainer, _ p0: [String]) async throws {
    var value = try await owner.userIdentities(forPhoneNumbers: p0)
    exact(&value, ([String : CKUserIdentity]).self)
  }

  // CKContainer.userIdentities(forUserRecordIDs:)
  @available(*, deprecated)
  static func row90(_ owner: CKContainer, _ p0: [CKRecord.ID]) async throws {
    var value = try await owner.userIdentities(forUserRecordIDs: p0)
    exact(&value, ([CKRecord.ID : CKUserIdentity]).self)
  }

  // CKContainer.userIdentity(forEmailAddress:)
  @available(*, deprecated)
  static func row91(_ owner: CKContainer, _ p0: String) async throws {
    var value = try await owner.userIdentity(forEmailAddress: p0)
    exact(&value, (CKUserIdentity?).self)
    try await owner.userIdentity(forEmailAddress: p0)
  }

  // CKContainer.userIdentity(forPhoneNumber:)
  @available(*, deprecated)
  static func row92(_ owner: CKContainer, _ p0: String) async throws {
    var value = try await owner.userIdentity(forPhoneNumber: p0)
    exact(&value, (CKUserIdentity?).self)
    try await owner.userIdentity(forPhoneNumber: p0)
  }

  // CKContainer.userIdentity(forUserRecordID:)
  @available(*, deprecated)
  static func row93(_ owner: CKContainer, _ p0: CKRecord.ID) async throws {
    var value = try await owner.userIdentity(forUserRecordID: p0)
    exact(&value, (CKUserIdentity?).self)
    try await owner.userIdentity(forUserRecordID: p0)
  }

  // CKContainer.userRecordID()
  static func row94(_ owner: CKContainer) async throws {
    var value = try await owner.userRecordID()
    exact(&value, (CKRecord.ID).self)
    try await owner.userRecordID()
  }

  // CKCurrentUserDefaultName
  static func row95() {
    var value = CKCurrentUserDefaultName
    exact(&value, (String).self)
  }

  // CKDatabase
  static func row96() {
    let _: NSObject.Type = (CKDatabase).self
    sendable((CKDatabase).self)
  }

  // CKDatabase.DatabaseChange
  static func row97() {
    _ = (CKDatabase.DatabaseChange).self
  }

  // CKDatabase.DatabaseChange.Deletion
  static func row98() {
    let _: any Hashable.Type = (CKDatabase.DatabaseChange.Deletion).self
    sendable((CKDatabase.DatabaseChange.Deletion).self)
  }

  // CKDatabase.DatabaseChange.Deletion.Reason
  static func row99() {
    let _: any Hashable.Type = (CKDatabase.DatabaseChange.Deletion.Reason).self
    sendable((CKDatabase.DatabaseChange.Deletion.Reason).self)
  }

  // CKDatabase.DatabaseChange.Deletion.Reason.deleted
  static func row100() {
    var value = CKDatabase.DatabaseChange.Deletion.Reason.deleted
    exact(&value, (CKDatabase.DatabaseChange.Deletion.Reason).self)
  }

  // CKDatabase.DatabaseChange.Deletion.Reason.encryptedDataReset
  static func row101() {
    var value = CKDatabase.DatabaseChange.Deletion.Reason.encryptedDataReset
    exact(&value, (CKDatabase.DatabaseChange.Deletion.Reason).self)
  }

  // CKDatabase.DatabaseChange.Deletion.Reason.purged
  static func row102() {
    var value = CKDatabase.DatabaseChange.Deletion.Reason.purged
    exact(&value, (CKDatabase.DatabaseChange.Deletion.Reason).self)
  }

  // CKDatabase.DatabaseChange.Deletion.purged
  @available(*, deprecated)
  static func row103() {
    let _: KeyPath<CKDatabase.DatabaseChange.Deletion, Bool> = \CKDatabase.DatabaseChange.Deletion.purged
  }

  // CKDatabase.DatabaseChange.Deletion.reason
  static func row104() {
    let _: KeyPath<CKDatabase.DatabaseChange.Deletion, CKDatabase.DatabaseChange.Deletion.Reason> = \CKDatabase.DatabaseChange.Deletion.reason
  }

  // CKDatabase.DatabaseChange.Deletion.zoneID
  @available(*, deprecated)
  static func row105() {
    let _: KeyPath<CKDatabase.DatabaseChange.Deletion, CKRecordZone.ID> = \CKDatabase.DatabaseChange.Deletion.zoneID
  }

  // CKDatabase.DatabaseChange.Modification
  static func row106() {
    let _: any Hashable.Type = (CKDatabase.DatabaseChange.Modification).self
    sendable((CKDatabase.DatabaseChange.Modification).self)
  }

  // CKDatabase.DatabaseChange.Modification.zoneID
  static func row107() {
    let _: KeyPath<CKDatabase.DatabaseChange.Modification, CKRecordZone.ID> = \CKDatabase.DatabaseChange.Modification.zoneID
  }

  // CKDatabase.perform(_:inZoneWith:)
  @available(*, deprecated)
  static func row108(_ owner: CKDatabase, _ p0: CKQuery, _ p1: CKRecordZone.ID?) async throws {
    var value = try await owner.perform(p0, inZoneWith: p1)
    exact(&value, ([CKRecord]).self)
    try await owner.perform(p0, inZoneWith: p1)
  }

  // CKDatabase.RecordZoneChange
  static func row109() {
    _ = (CKDatabase.RecordZoneChange).self
  }

  // CKDatabase.RecordZoneChange.Deletion
  static func row110() {
    let _: any Hashable.Type = (CKDatabase.RecordZoneChange.Deletion).self
    sendable((CKDatabase.RecordZoneChange.Deletion).self)
  }

  // CKDatabase.RecordZoneChange.Deletion.recordID
  static func row111() {
    let _: KeyPath<CKDatabase.RecordZoneChange.Deletion, CKRecord.ID> = \CKDatabase.RecordZoneChange.Deletion.recordID
  }

  // CKDatabase.RecordZoneChange.Deletion.recordType
  static func row112() {
    let _: KeyPath<CKDatabase.RecordZoneChange.Deletion, CKRecord.RecordType> = \CKDatabase.RecordZoneChange.Deletion.recordType
  }

  // CKDatabase.RecordZoneChange.Modification
  static func row113() {
    let _: any Hashable.Type = (CKDatabase.RecordZoneChange.Modification).self
    sendable((CKDatabase.RecordZoneChange.Modification).self)
  }

  // CKDatabase.RecordZoneChange.Modification.record
  static func row114() {
    let _: KeyPath<CKDatabase.RecordZoneChange.Modification, CKRecord> = \CKDatabase.RecordZoneChange.Modification.record
  }

  // CKDatabase.Scope
  static func row115() {
    let _: any Hashable.Type = (CKDatabase.Scope).self
    sendable((CKDatabase.Scope).self)
  }

  // CKDatabase.Scope.init(rawValue:)
  static func row116(_ p0: Int) {
    var value = CKDatabase.Scope(rawValue: p0)
    exact(&value, (CKDatabase.Scope?).self)
  }

  // CKDatabase.Scope.private
  static func row117() {
    var value = CKDatabase.Scope.private
    exact(&value, (CKDatabase.Scope).self)
  }

  // CKDatabase.Scope.public
  static func row118() {
    var value = CKDatabase.Scope.public
    exact(&value, (CKDatabase.Scope).self)
  }

  // CKDatabase.Scope.shared
  static func row119() {
    var value = CKDatabase.Scope.shared
    exact(&value, (CKDatabase.Scope).self)
  }

  // CKDatabase.add(_:)
  static func row120(_ owner: CKDatabase, _ p0: CKDatabaseOperation) {
    owner.add(p0)
  }

  // CKDatabase.allRecordZones()
  static func row121(_ owner: CKDatabase) async throws {
    var value = try await owner.allRecordZones()
    exact(&value, ([CKRecordZone]).self)
    try await owner.allRecordZones()
  }

  // CKDatabase.allSubscriptions()
  static func row122(_ owner: CKDatabase) async throws {
    var value = try await owner.allSubscriptions()
    exact(&value, ([CKSubscription]).self)
    try await owner.allSubscriptions()
  }

  // CKDatabase.configuredWith(configuration:group:body:)
  static func row123<R>(_ owner: CKDatabase, _ p0: CKOperation.Configuration?, _ p1: CKOperationGroup?, _ p2: (CKDatabase) throws -> R) throws {
    var value = try owner.configuredWith(configuration: p0, group: p1, body: p2)
    exact(&value, (R).self)
    var short = try owner.configuredWith(body: p2)
    exact(&short, (R).self)
    try owner.configuredWith(configuration: p0, group: p1, body: p2)
  }

  // CKDatabase.configuredWith(configuration:group:body:)
  static func row124<R>(_ owner: CKDatabase, _ p0: CKOperation.Configuration?, _ p1: CKOperationGroup?, _ p2: (CKDatabase) async throws -> R) async throws {
    var value = try await owner.configuredWith(configuration: p0, group: p1, body: p2)
    exact(&value, (R).self)
    var short = try await owner.configuredWith(body: p2)
    exact(&short, (R).self)
    try await owner.configuredWith(configuration: p0, group: p1, body: p2)
  }

  // CKDatabase.databaseChanges(since:resultsLimit:)
  static func row125(_ owner: CKDatabase, _ p0: CKServerChangeToken?, _ p1: Int?) async throws {
    var value = try await owner.databaseChanges(since: p0, resultsLimit: p1)
    exact(&value, ((modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool)).self)
    var short = try await owner.databaseChanges(since: p0)
    exact(&short, ((modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool)).self)
  }

  // CKDatabase.databaseScope
  static func row126() {
    let _: KeyPath<CKDatabase, CKDatabase.Scope> = \CKDatabase.databaseScope
  }

  // CKDatabase.delete(withRecordID:completionHandler:)
  static func row127(_ owner: CKDatabase, _ p0: CKRecord.ID, _ p1: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) {
    owner.delete(withRecordID: p0, completionHandler: p1)
  }

  // CKDatabase.delete(withRecordZoneID:completionHandler:)
  static func row128(_ owner: CKDatabase, _ p0: CKRecordZone.ID, _ p1: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void) {
    owner.delete(withRecordZoneID: p0, completionHandler: p1)
  }

  // CKDatabase.delete(withSubscriptionID:completionHandler:)
  static func row129(_ owner: CKDatabase, _ p0: CKSubscription.ID, _ p1: @escaping @Sendable (String?, (any Error)?) -> Void) {
    owner.delete(withSubscriptionID: p0, completionHandler: p1)
  }

  // CKDatabase.deleteRecord(withID:)
  static func row130(_ owner: CKDatabase, _ p0: CKRecord.ID) async throws {
    var value = try await owner.deleteRecord(withID: p0)
    exact(&value, (CKRecord.ID).self)
    try await owner.deleteRecord(withID: p0)
  }

  // CKDatabase.deleteRecordZone(withID:)
  static func row131(_ owner: CKDatabase, _ p0: CKRecordZone.ID) async throws {
    var value = try await owner.deleteRecordZone(withID: p0)
    exact(&value, (CKRecordZone.ID).self)
    try await owner.deleteRecordZone(withID: p0)
  }

  // CKDatabase.deleteSubscription(withID:)
  static func row132(_ owner: CKDatabase, _ p0: CKSubscription.ID) async throws {
    var value = try await owner.deleteSubscription(withID: p0)
    exact(&value, (CKSubscription.ID).self)
    try await owner.deleteSubscription(withID: p0)
  }

  // CKDatabase.fetch(withCursor:desiredKeys:resultsLimit:completionHandler:)
  static func row133(_ owner: CKDatabase, _ p0: CKQueryOperation.Cursor, _ p1: [CKRecord.FieldKey]?, _ p2: Int, _ p3: @escaping @Sendable (Result<(matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?), any Error>) -> Void) {
    owner.fetch(withCursor: p0, desiredKeys: p1, resultsLimit: p2, completionHandler: p3)
    owner.fetch(withCursor: p0, completionHandler: p3)
  }

  // CKDatabase.fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)
  static func row134(_ owner: CKDatabase, _ p0: CKQuery, _ p1: CKRecordZone.ID?, _ p2: [CKRecord.FieldKey]?, _ p3: Int, _ p4: @escaping @Sendable (Result<(matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?), any Error>) -> Void) {
    owner.fetch(withQuery: p0, inZoneWith: p1, desiredKeys: p2, resultsLimit: p3, completionHandler: p4)
    owner.fetch(withQuery: p0, completionHandler: p4)
  }

  // CKDatabase.fetch(withRecordID:completionHandler:)
  static func row135(_ owner: CKDatabase, _ p0: CKRecord.ID, _ p1: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
    owner.fetch(withRecordID: p0, completionHandler: p1)
  }

  // CKDatabase.fetch(withRecordIDs:desiredKeys:completionHandler:)
  static func row136(_ owner: CKDatabase, _ p0: [CKRecord.ID], _ p1: [CKRecord.FieldKey]?, _ p2: @escaping @Sendable (Result<[CKRecord.ID : Result<CKRecord, any Error>], any Error>) -> Void) {
    owner.fetch(withRecordIDs: p0, desiredKeys: p1, completionHandler: p2)
    owner.fetch(withRecordIDs: p0, completionHandler: p2)
  }

  // CKDatabase.fetch(withRecordZoneID:completionHandler:)
  static func row137(_ owner: CKDatabase, _ p0: CKRecordZone.ID, _ p1: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void) {
    owner.fetch(withRecordZoneID: p0, completionHandler: p1)
  }

  // CKDatabase.fetch(withRecordZoneIDs:completionHandler:)
  static func row138(_ owner: CKDatabase, _ p0: [CKRecordZone.ID], _ p1: @escaping @Sendable (Result<[CKRecordZone.ID : Result<CKRecordZone, any Error>], any Error>) -> Void) {
    owner.fetch(withRecordZoneIDs: p0, completionHandler: p1)
  }

  // CKDatabase.fetch(withSubscriptionID:completionHandler:)
  static func row139(_ owner: CKDatabase, _ p0: CKSubscription.ID, _ p1: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void) {
    owner.fetch(withSubscriptionID: p0, completionHandler: p1)
  }

  // CKDatabase.fetch(withSubscriptionIDs:completionHandler:)
  static func row140(_ owner: CKDatabase, _ p0: [CKSubscription.ID], _ p1: @escaping @Sendable (Result<[CKSubscription.ID : Result<CKSubscription, any Error>], any Error>) -> Void) {
    owner.fetch(withSubscriptionIDs: p0, completionHandler: p1)
  }

  // CKDatabase.fetchAllRecordZones(completionHandler:)
  static func row141(_ owner: CKDatabase, _ p0: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void) {
    owner.fetchAllRecordZones(completionHandler: p0)
  }

  // CKDatabase.fetchAllSubscriptions(completionHandler:)
  static func row142(_ owner: CKDatabase, _ p0: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void) {
    owner.fetchAllSubscriptions(completionHandler: p0)
  }

  // CKDatabase.fetchDatabaseChanges(since:resultsLimit:completionHandler:)
  static func row143(_ owner: CKDatabase, _ p0: CKServerChangeToken?, _ p1: Int?, _ p2: @escaping @Sendable (Result<(modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void) {
    owner.fetchDatabaseChanges(since: p0, resultsLimit: p1, completionHandler: p2)
    owner.fetchDatabaseChanges(since: p0, completionHandler: p2)
  }

  // CKDatabase.fetchRecordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:completionHandler:)
  static func row144(_ owner: CKDatabase, _ p0: CKRecordZone.ID, _ p1: CKServerChangeToken?, _ p2: [CKRecord.FieldKey]?, _ p3: Int?, _ p4: @escaping @Sendable (Result<(modificationResultsByID: [CKRecord.ID : Result<CKDatabase.RecordZoneChange.Modification, any Error>], deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void) {
    owner.fetchRecordZoneChanges(inZoneWith: p0, since: p1, desiredKeys: p2, resultsLimit: p3, completionHandler: p4)
    owner.fetchRecordZoneChanges(inZoneWith: p0, since: p1, completionHandler: p4)
  }

  // CKDatabase.modifyRecordZones(saving:deleting:)
  static func row145(_ owner: CKDatabase, _ p0: [CKRecordZone], _ p1: [CKRecordZone.ID]) async throws {
    var value = try await owner.modifyRecordZones(saving: p0, deleting: p1)
    exact(&value, ((saveResults: [CKRecordZone.ID : Result<CKRecordZone, any Error>], deleteResults: [CKRecordZone.ID : Result<Void, any Error>])).self)
    var short = try await owner.modifyRecordZones()
    exact(&short, ((saveResults: [CKRecordZone.ID : Result<CKRecordZone, any Error>], deleteResults: [CKRecordZone.ID : Result<Void, any Error>])).self)
    try await owner.modifyRecordZones(saving: p0, deleting: p1)
  }

  // CKDatabase.modifyRecordZones(saving:deleting:completionHandler:)
  static func row146(_ owner: CKDatabase, _ p0: [CKRecordZone], _ p1: [CKRecordZone.ID], _ p2: @escaping @Sendable (Result<(saveResults: [CKRecordZone.ID : Result<CKRecordZone, any Error>], deleteResults: [CKRecordZone.ID : Result<Void, any Error>]), any Error>) -> Void) {
    owner.modifyRecordZones(saving: p0, deleting: p1, completionHandler: p2)
    owner.modifyRecordZones(completionHandler: p2)
  }

  // CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:)
  static func row147(_ owner: CKDatabase, _ p0: [CKRecord], _ p1: [CKRecord.ID], _ p2: CKModifyRecordsOperation.RecordSavePolicy, _ p3: Bool) async throws {
    var value = try await owner.modifyRecords(saving: p0, deleting: p1, savePolicy: p2, atomically: p3)
    exact(&value, ((saveResults: [CKRecord.ID : Result<CKRecord, any Error>], deleteResults: [CKRecord.ID : Result<Void, any Error>])).self)
    var short = try await owner.modifyRecords()
    exact(&short, ((saveResults: [CKRecord.ID : Result<CKRecord, any Error>], deleteResults: [CKRecord.ID : Result<Void, any Error>])).self)
    try await owner.modifyRecords(saving: p0, deleting: p1, savePolicy: p2, atomically: p3)
  }

  // CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:completionHandler:)
  static func row148(_ owner: CKDatabase, _ p0: [CKRecord], _ p1: [CKRecord.ID], _ p2: CKModifyRecordsOperation.RecordSavePolicy, _ p3: Bool, _ p4: @escaping @Sendable (Result<(saveResults: [CKRecord.ID : Result<CKRecord, any Error>], deleteResults: [CKRecord.ID : Result<Void, any Error>]), any Error>) -> Void) {
    owner.modifyRecords(saving: p0, deleting: p1, savePolicy: p2, atomically: p3, completionHandler: p4)
    owner.modifyRecords(completionHandler: p4)
  }

  // CKDatabase.modifySubscriptions(saving:deleting:)
  static func row149(_ owner: CKDatabase, _ p0: [CKSubscription], _ p1: [CKSubscription.ID]) async throws {
    var value = try await owner.modifySubscriptions(saving: p0, deleting: p1)
    exact(&value, ((saveResults: [CKSubscription.ID : Result<CKSubscription, any Error>], deleteResults: [CKSubscription.ID : Result<Void, any Error>])).self)
    var short = try await owner.modifySubscriptions()
    exact(&short, ((saveResults: [CKSubscription.ID : Result<CKSubscription, any Error>], deleteResults: [CKSubscription.ID : Result<Void, any Error>])).self)
    try await owner.modifySubscriptions(saving: p0, deleting: p1)
  }

  // CKDatabase.modifySubscriptions(saving:deleting:completionHandler:)
  static func row150(_ owner: CKDatabase, _ p0: [CKSubscription], _ p1: [CKSubscription.ID], _ p2: @escaping @Sendable (Result<(saveResults: [CKSubscription.ID : Result<CKSubscription, any Error>], deleteResults: [CKSubscription.ID : Result<Void, any Error>]), any Error>) -> Void) {
    owner.modifySubscriptions(saving: p0, deleting: p1, completionHandler: p2)
    owner.modifySubscriptions(completionHandler: p2)
  }

  // CKDatabase.perform(_:inZoneWith:completionHandler:)
  @available(*, deprecated)
  static func row151(_ owner: CKDatabase, _ p0: CKQuery, _ p1: CKRecordZone.ID?, _ p2: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void) {
    owner.perform(p0, inZoneWith: p1, completionHandler: p2)
  }

  // CKDatabase.record(for:)
  static func row152(_ owner: CKDatabase, _ p0: CKRecord.ID) async throws {
    var value = try await owner.record(for: p0)
    exact(&value, (CKRecord).self)
    try await owner.record(for: p0)
  }

  // CKDatabase.recordZone(for:)
  static func row153(_ owner: CKDatabase, _ p0: CKRecordZone.ID) async throws {
    var value = try await owner.recordZone(for: p0)
    exact(&value, (CKRecordZone).self)
    try await owner.recordZone(for: p0)
  }

  // CKDatabase.recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)
  static func row154(_ owner: CKDatabase, _ p0: CKRecordZone.ID, _ p1: CKServerChangeToken?, _ p2: [CKRecord.FieldKey]?, _ p3: Int?) async throws {
    var value = try await owner.recordZoneChanges(inZoneWith: p0, since: p1, desiredKeys: p2, resultsLimit: p3)
    exact(&value, ((modificationResultsByID: [CKRecord.ID : Result<CKDatabase.RecordZoneChange.Modification, any Error>], deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool)).self)
    var short = try await owner.recordZoneChanges(inZoneWith: p0, since: p1)
    exact(&short, ((modificationResultsByID: [CKRecord.ID : Result<CKDatabase.RecordZoneChange.Modification, any Error>], deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool)).self)
  }

  // CKDatabase.recordZones(for:)
  static func row155(_ owner: CKDatabase, _ p0: [CKRecordZone.ID]) async throws {
    var value = try await owner.recordZones(for: p0)
    exact(&value, ([CKRecordZone.ID : Result<CKRecordZone, any Error>]).self)
  }

  // CKDatabase.records(continuingMatchFrom:desiredKeys:resultsLimit:)
  static func row156(_ owner: CKDatabase, _ p0: CKQueryOperation.Cursor, _ p1: [CKRecord.FieldKey]?, _ p2: Int) async throws {
    var value = try await owner.records(continuingMatchFrom: p0, desiredKeys: p1, resultsLimit: p2)
    exact(&value, ((matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?)).self)
    var short = try await owner.records(continuingMatchFrom: p0)
    exact(&short, ((matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?)).self)
  }

  // CKDatabase.records(for:desiredKeys:)
  static func row157(_ owner: CKDatabase, _ p0: [CKRecord.ID], _ p1: [CKRecord.FieldKey]?) async throws {
    var value = try await owner.records(for: p0, desiredKeys: p1)
    exact(&value, ([CKRecord.ID : Result<CKRecord, any Error>]).self)
    var short = try await owner.records(for: p0)
    exact(&short, ([CKRecord.ID : Result<CKRecord, any Error>]).self)
  }

  // CKDatabase.records(matching:inZoneWith:desiredKeys:resultsLimit:)
  static func row159(_ owner: CKDatabase, _ p0: CKQuery, _ p1: CKRecordZone.ID?, _ p2: [CKRecord.FieldKey]?, _ p3: Int) async throws {
    var value = try await owner.records(matching: p0, inZoneWith: p1, desiredKeys: p2, resultsLimit: p3)
    exact(&value, ((matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?)).self)
    var short = try await owner.records(matching: p0)
    exact(&short, ((matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?)).self)
  }

  // CKDatabase.save(_:)
  static func row160(_ owner: CKDatabase, _ p0: CKRecord) async throws {
    var value = try await owner.save(p0)
    exact(&value, (CKRecord).self)
    try await owner.save(p0)
  }

  // CKDatabase.save(_:)
  static func row161(_ owner: CKDatabase, _ p0: CKRecordZone) async throws {
    var value = try await owner.save(p0)
    exact(&value, (CKRecordZone).self)
    try await owner.save(p0)
  }

  // CKDatabase.save(_:)
  static func row162(_ owner: CKDatabase, _ p0: CKSubscription) async throws {
    var value = try await owner.save(p0)
    exact(&value, (CKSubscription).self)
    try await owner.save(p0)
  }

  // CKDatabase.save(_:completionHandler:)
  static func row163(_ owner: CKDatabase, _ p0: CKRecord, _ p1: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
    owner.save(p0, completionHandler: p1)
  }

  // CKDatabase.save(_:completionHandler:)
  static func row164(_ owner: CKDatabase, _ p0: CKRecordZone, _ p1: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void) {
    owner.save(p0, completionHandler: p1)
  }

  // CKDatabase.save(_:completionHandler:)
  static func row165(_ owner: CKDatabase, _ p0: CKSubscription, _ p1: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void) {
    owner.save(p0, completionHandler: p1)
  }

  // CKDatabase.subscription(for:)
  static func row166(_ owner: CKDatabase, _ p0: CKSubscription.ID) async throws {
    var value = try await owner.subscription(for: p0)
    exact(&value, (CKSubscription).self)
    try await owner.subscription(for: p0)
  }

  // CKDatabase.subscriptions(for:)
  static func row167(_ owner: CKDatabase, _ p0: [CKSubscription.ID]) async throws {
    var value = try await owner.subscriptions(for: p0)
    exact(&value, ([CKSubscription.ID : Result<CKSubscription, any Error>]).self)
  }

  // CKDatabaseNotification
  static func row168() {
    _ = (CKDatabaseNotification).self
  }

  // CKDatabaseNotification.databaseScope
  static func row169() {
    let _: KeyPath<CKDatabaseNotification, CKDatabase.Scope> = \CKDatabaseNotification.databaseScope
  }

  // CKDatabaseOperation
  static func row170() {
    let _: CKOperation.Type = (CKDatabaseOperation).self
    sendable((CKDatabaseOperation).self)
  }

  // CKDatabaseOperation.database
  static func row171() {
    let _: ReferenceWritableKeyPath<CKDatabaseOperation, CKDatabase?> = \CKDatabaseOperation.database
  }

  // CKDatabaseSubscription
  static func row172() {
    _ = (CKDatabaseSubscription).self
  }

  // CKDatabaseSubscription.init()
  @available(*, deprecated)
  static func row173() {
    var value = CKDatabaseSubscription()
    exact(&value, (CKDatabaseSubscription).self)
  }

  // CKDatabaseSubscription.init(coder:)
  static func row174(_ p0: NSCoder) {
    var value = CKDatabaseSubscription(coder: p0)
    exact(&value, (CKDatabaseSubscription).self)
  }

  // CKDatabaseSubscription.init(subscriptionID:)
  static func row175(_ p0: CKSubscription.ID) {
    var value = CKDatabaseSubscription(subscriptionID: p0)
    exact(&value, (CKDatabaseSubscription).self)
  }

  // CKDatabaseSubscription.recordType
  static func row176() {
    let _: ReferenceWritableKeyPath<CKDatabaseSubscription, CKRecord.RecordType?> = \CKDatabaseSubscription.recordType
  }

  // CKDiscoverAllUserIdentitiesOperation
  @available(*, deprecated)
  static func row177() {
    _ = (CKDiscoverAllUserIdentitiesOperation).self
  }

  // CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesCompletionBlock
  @available(*, deprecated)
  static func row178() {
    let _: ReferenceWritableKeyPath<CKDiscoverAllUserIdentitiesOperation, (((any Error)?) -> Void)?> = \CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesCompletionBlock
  }

  // CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesResultBlock
  @available(*, deprecated)
  static func row179() {
    let _: ReferenceWritableKeyPath<CKDiscoverAllUserIdentitiesOperation, ((Result<Void, any Error>) -> Void)?> = \CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesResultBlock
  }

  // CKDiscoverAllUserIdentitiesOperation.init()
  @available(*, deprecated)
  static func row180() {
    var value = CKDiscoverAllUserIdentitiesOperation()
    exact(&value, (CKDiscoverAllUserIdentitiesOperation).self)
  }

  // CKDiscoverAllUserIdentitiesOperation.userIdentityDiscoveredBlock
  @available(*, deprecated)
  static func row181() {
    let _: ReferenceWritableKeyPath<CKDiscoverAllUserIdentitiesOperation, ((CKUserIdentity) -> Void)?> = \CKDiscoverAllUserIdentitiesOperation.userIdentityDiscoveredBlock
  }

  // CKDiscoverUserIdentitiesOperation
  @available(*, deprecated)
  static func row182() {
    _ = (CKDiscoverUserIdentitiesOperation).self
  }

  // CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesCompletionBlock
  @available(*, deprecated)
  static func row183() {
    let _: ReferenceWritableKeyPath<CKDiscoverUserIdentitiesOperation, (((any Error)?) -> Void)?> = \CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesCompletionBlock
  }

  // CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesResultBlock
  @available(*, deprecated)
  static func row184() {
    let _: ReferenceWritableKeyPath<CKDiscoverUserIdentitiesOperation, ((Result<Void, any Error>) -> Void)?> = \CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesResultBlock
  }

  // CKDiscoverUserIdentitiesOperation.init()
  @available(*, deprecated)
  static func row185() {
    var value = CKDiscoverUserIdentitiesOperation()
    exact(&value, (CKDiscoverUserIdentitiesOperation).self)
  }

  // CKDiscoverUserIdentitiesOperation.init(userIdentityLookupInfos:)
  @available(*, deprecated)
  static func row186(_ p0: [CKUserIdentity.LookupInfo]) {
    var value = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: p0)
    exact(&value, (CKDiscoverUserIdentitiesOperation).self)
  }

  // CKDiscoverUserIdentitiesOperation.userIdentityDiscoveredBlock
  @available(*, deprecated)
  static func row187() {
    let _: ReferenceWritableKeyPath<CKDiscoverUserIdentitiesOperation, ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?> = \CKDiscoverUserIdentitiesOperation.userIdentityDiscoveredBlock
  }

  // CKDiscoverUserIdentitiesOperation.userIdentityLookupInfos
  @available(*, deprecated)
  static func row188() {
    let _: ReferenceWritableKeyPath<CKDiscoverUserIdentitiesOperation, [CKUserIdentity.LookupInfo]> = \CKDiscoverUserIdentitiesOperation.userIdentityLookupInfos
  }

  // CKError
  static func row189() {
    let _: any Error.Type = (CKError).self
    let _: any Hashable.Type = (CKError).self
    sendable((CKError).self)
    let _: any CustomNSError.Type = (CKError).self
  }

  // CKError.Code
  static func row190() {
    let _: any Hashable.Type = (CKError.Code).self
    sendable((CKError.Code).self)
  }

  // CKError.Code.accountTemporarilyUnavailable
  static func row191() {
    var value = CKError.Code.accountTemporarilyUnavailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.alreadyShared
  static func row192() {
    var value = CKError.Code.alreadyShared
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.assetFileModified
  static func row193() {
    var value = CKError.Code.assetFileModified
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.assetFileNotFound
  static func row194() {
    var value = CKError.Code.assetFileNotFound
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.assetNotAvailable
  static func row195() {
    var value = CKError.Code.assetNotAvailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.badContainer
  static func row196() {
    var value = CKError.Code.badContainer
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.badDatabase
  static func row197() {
    var value = CKError.Code.badDatabase
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.batchRequestFailed
  static func row198() {
    var value = CKError.Code.batchRequestFailed
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.changeTokenExpired
  static func row199() {
    var value = CKError.Code.changeTokenExpired
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.constraintViolation
  static func row200() {
    var value = CKError.Code.constraintViolation
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.incompatibleVersion
  static func row201() {
    var value = CKError.Code.incompatibleVersion
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.init(rawValue:)
  static func row202(_ p0: Int) {
    var value = CKError.Code(rawValue: p0)
    exact(&value, (CKError.Code?).self)
  }

  // CKError.Code.internalError
  static func row203() {
    var value = CKError.Code.internalError
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.invalidArguments
  static func row204() {
    var value = CKError.Code.invalidArguments
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.limitExceeded
  static func row205() {
    var value = CKError.Code.limitExceeded
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.managedAccountRestricted
  static func row206() {
    var value = CKError.Code.managedAccountRestricted
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.missingEntitlement
  static func row207() {
    var value = CKError.Code.missingEntitlement
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.networkFailure
  static func row208() {
    var value = CKError.Code.networkFailure
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.networkUnavailable
  static func row209() {
    var value = CKError.Code.networkUnavailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.notAuthenticated
  static func row210() {
    var value = CKError.Code.notAuthenticated
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.operationCancelled
  static func row211() {
    var value = CKError.Code.operationCancelled
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.partialFailure
  static func row212() {
    var value = CKError.Code.partialFailure
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.participantMayNeedVerification
  static func row213() {
    var value = CKError.Code.participantMayNeedVerification
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.permissionFailure
  static func row214() {
    var value = CKError.Code.permissionFailure
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.quotaExceeded
  static func row215() {
    var value = CKError.Code.quotaExceeded
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.referenceViolation
  static func row216() {
    var value = CKError.Code.referenceViolation
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.requestRateLimited
  static func row217() {
    var value = CKError.Code.requestRateLimited
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.resultsTruncated
  @available(*, deprecated)
  static func row218() {
    var value = CKError.Code.resultsTruncated
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.serverRecordChanged
  static func row219() {
    var value = CKError.Code.serverRecordChanged
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.serverRejectedRequest
  static func row220() {
    var value = CKError.Code.serverRejectedRequest
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.serverResponseLost
  static func row221() {
    var value = CKError.Code.serverResponseLost
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.serviceUnavailable
  static func row222() {
    var value = CKError.Code.serviceUnavailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.tooManyParticipants
  static func row223() {
    var value = CKError.Code.tooManyParticipants
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.unknownItem
  static func row224() {
    var value = CKError.Code.unknownItem
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.userDeletedZone
  static func row225() {
    var value = CKError.Code.userDeletedZone
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.zoneBusy
  static func row226() {
    var value = CKError.Code.zoneBusy
    exact(&value, (CKError.Code).self)
  }

  // CKError.Code.zoneNotFound
  static func row227() {
    var value = CKError.Code.zoneNotFound
    exact(&value, (CKError.Code).self)
  }

  // CKError.accountTemporarilyUnavailable
  static func row228() {
    var value = CKError.accountTemporarilyUnavailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.alreadyShared
  static func row229() {
    var value = CKError.alreadyShared
    exact(&value, (CKError.Code).self)
  }

  // CKError.ancestorRecord
  static func row230() {
    let _: KeyPath<CKError, CKRecord?> = \CKError.ancestorRecord
  }

  // CKError.assetFileModified
  static func row231() {
    var value = CKError.assetFileModified
    exact(&value, (CKError.Code).self)
  }

  // CKError.assetFileNotFound
  static func row232() {
    var value = CKError.assetFileNotFound
    exact(&value, (CKError.Code).self)
  }

  // CKError.assetNotAvailable
  static func row233() {
    var value = CKError.assetNotAvailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.badContainer
  static func row234() {
    var value = CKError.badContainer
    exact(&value, (CKError.Code).self)
  }

  // CKError.badDatabase
  static func row235() {
    var value = CKError.badDatabase
    exact(&value, (CKError.Code).self)
  }

  // CKError.batchRequestFailed
  static func row236() {
    var value = CKError.batchRequestFailed
    exact(&value, (CKError.Code).self)
  }

  // CKError.changeTokenExpired
  static func row237() {
    var value = CKError.changeTokenExpired
    exact(&value, (CKError.Code).self)
  }

  // CKError.clientRecord
  static func row238() {
    let _: KeyPath<CKError, CKRecord?> = \CKError.clientRecord
  }

  // CKError.constraintViolation
  static func row239() {
    var value = CKError.constraintViolation
    exact(&value, (CKError.Code).self)
  }

  // CKError.errorDomain
  static func row240() {
    var value = CKError.errorDomain
    exact(&value, (String).self)
  }

  // CKError.incompatibleVersion
  static func row241() {
    var value = CKError.incompatibleVersion
    exact(&value, (CKError.Code).self)
  }

  // CKError.internalError
  static func row242() {
    var value = CKError.internalError
    exact(&value, (CKError.Code).self)
  }

  // CKError.invalidArguments
  static func row243() {
    var value = CKError.invalidArguments
    exact(&value, (CKError.Code).self)
  }

  // CKError.limitExceeded
  static func row244() {
    var value = CKError.limitExceeded
    exact(&value, (CKError.Code).self)
  }

  // CKError.managedAccountRestricted
  static func row245() {
    var value = CKError.managedAccountRestricted
    exact(&value, (CKError.Code).self)
  }

  // CKError.missingEntitlement
  static func row246() {
    var value = CKError.missingEntitlement
    exact(&value, (CKError.Code).self)
  }

  // CKError.networkFailure
  static func row247() {
    var value = CKError.networkFailure
    exact(&value, (CKError.Code).self)
  }

  // CKError.networkUnavailable
  static func row248() {
    var value = CKError.networkUnavailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.notAuthenticated
  static func row249() {
    var value = CKError.notAuthenticated
    exact(&value, (CKError.Code).self)
  }

  // CKError.operationCancelled
  static func row250() {
    var value = CKError.operationCancelled
    exact(&value, (CKError.Code).self)
  }

  // CKError.partialErrorsByItemID
  static func row251() {
    let _: KeyPath<CKError, [AnyHashable : any Error]?> = \CKError.partialErrorsByItemID
  }

  // CKError.partialFailure
  static func row252() {
    var value = CKError.partialFailure
    exact(&value, (CKError.Code).self)
  }

  // CKError.participantMayNeedVerification
  static func row253() {
    var value = CKError.participantMayNeedVerification
    exact(&value, (CKError.Code).self)
  }

  // CKError.permissionFailure
  static func row254() {
    var value = CKError.permissionFailure
    exact(&value, (CKError.Code).self)
  }

  // CKError.quotaExceeded
  static func row255() {
    var value = CKError.quotaExceeded
    exact(&value, (CKError.Code).self)
  }

  // CKError.referenceViolation
  static func row256() {
    var value = CKError.referenceViolation
    exact(&value, (CKError.Code).self)
  }

  // CKError.requestRateLimited
  static func row257() {
    var value = CKError.requestRateLimited
    exact(&value, (CKError.Code).self)
  }

  // CKError.resultsTruncated
  @available(*, deprecated)
  static func row258() {
    var value = CKError.resultsTruncated
    exact(&value, (CKError.Code).self)
  }

  // CKError.retryAfterSeconds
  static func row259() {
    let _: KeyPath<CKError, Double?> = \CKError.retryAfterSeconds
  }

  // CKError.serverRecord
  static func row260() {
    let _: KeyPath<CKError, CKRecord?> = \CKError.serverRecord
  }

  // CKError.serverRecordChanged
  static func row261() {
    var value = CKError.serverRecordChanged
    exact(&value, (CKError.Code).self)
  }

  // CKError.serverRejectedRequest
  static func row262() {
    var value = CKError.serverRejectedRequest
    exact(&value, (CKError.Code).self)
  }

  // CKError.serverResponseLost
  static func row263() {
    var value = CKError.serverResponseLost
    exact(&value, (CKError.Code).self)
  }

  // CKError.serviceUnavailable
  static func row264() {
    var value = CKError.serviceUnavailable
    exact(&value, (CKError.Code).self)
  }

  // CKError.tooManyParticipants
  static func row265() {
    var value = CKError.tooManyParticipants
    exact(&value, (CKError.Code).self)
  }

  // CKError.unknownItem
  static func row266() {
    var value = CKError.unknownItem
    exact(&value, (CKError.Code).self)
  }

  // CKError.userDeletedZone
  static func row267() {
    var value = CKError.userDeletedZone
    exact(&value, (CKError.Code).self)
  }

  // CKError.zoneBusy
  static func row268() {
    var value = CKError.zoneBusy
    exact(&value, (CKError.Code).self)
  }

  // CKError.zoneNotFound
  static func row269() {
    var value = CKError.zoneNotFound
    exact(&value, (CKError.Code).self)
  }

  // CKErrorDomain
  static func row270() {
    var value = CKErrorDomain
    exact(&value, (String).self)
  }

  // CKErrorRetryAfterKey
  static func row271() {
    var value = CKErrorRetryAfterKey
    exact(&value, (String).self)
  }

  // CKErrorUserDidResetEncryptedDataKey
  static func row272() {
    var value = CKErrorUserDidResetEncryptedDataKey
    exact(&value, (String).self)
  }

  // CKFetchDatabaseChangesOperation
  static func row273() {
    let _: CKDatabaseOperation.Type = (CKFetchDatabaseChangesOperation).self
    sendable((CKFetchDatabaseChangesOperation).self)
  }

  // CKFetchDatabaseChangesOperation.changeTokenUpdatedBlock
  static func row274() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKServerChangeToken) -> Void)?> = \CKFetchDatabaseChangesOperation.changeTokenUpdatedBlock
  }

  // CKFetchDatabaseChangesOperation.fetchAllChanges
  static func row275() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, Bool> = \CKFetchDatabaseChangesOperation.fetchAllChanges
  }

  // CKFetchDatabaseChangesOperation.fetchDatabaseChangesCompletionBlock
  @available(*, deprecated)
  static func row276() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?> = \CKFetchDatabaseChangesOperation.fetchDatabaseChangesCompletionBlock
  }

  // CKFetchDatabaseChangesOperation.fetchDatabaseChangesResultBlock
  static func row277() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?> = \CKFetchDatabaseChangesOperation.fetchDatabaseChangesResultBlock
  }

  // CKFetchDatabaseChangesOperation.init()
  static func row278() {
    var value = CKFetchDatabaseChangesOperation()
    exact(&value, (CKFetchDatabaseChangesOperation).self)
  }

  // CKFetchDatabaseChangesOperation.init(previousServerChangeToken:)
  static func row279(_ p0: CKServerChangeToken?) {
    var value = CKFetchDatabaseChangesOperation(previousServerChangeToken: p0)
    exact(&value, (CKFetchDatabaseChangesOperation).self)
  }

  // CKFetchDatabaseChangesOperation.previousServerChangeToken
  static func row280() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, CKServerChangeToken?> = \CKFetchDatabaseChangesOperation.previousServerChangeToken
  }

  // CKFetchDatabaseChangesOperation.recordZoneWithIDChangedBlock
  static func row281() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> = \CKFetchDatabaseChangesOperation.recordZoneWithIDChangedBlock
  }

  // CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedBlock
  static func row282() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> = \CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedBlock
  }

  // CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
  static func row283() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> = \CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
  }

  // CKFetchDatabaseChangesOperation.recordZoneWithIDWasPurgedBlock
  static func row284() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> = \CKFetchDatabaseChangesOperation.recordZoneWithIDWasPurgedBlock
  }

  // CKFetchDatabaseChangesOperation.resultsLimit
  static func row285() {
    let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, Int> = \CKFetchDatabaseChangesOperation.resultsLimit
  }

  // CKFetchRecordChangesOperation
  @available(*, deprecated)
  static func row286() {
    let _: CKDatabaseOperation.Type = (CKFetchRecordChangesOperation).self
    sendable((CKFetchRecordChangesOperation).self)
  }

  // CKFetchRecordChangesOperation.desiredKeys
  @available(*, deprecated)
  static func row287() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, [CKRecord.FieldKey]?> = \CKFetchRecordChangesOperation.desiredKeys
  }

  // CKFetchRecordChangesOperation.fetchRecordChangesCompletionBlock
  @available(*, deprecated)
  static func row288() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?> = \CKFetchRecordChangesOperation.fetchRecordChangesCompletionBlock
  }

  // CKFetchRecordChangesOperation.init()
  @available(*, deprecated)
  static func row289() {
    var value = CKFetchRecordChangesOperation()
    exact(&value, (CKFetchRecordChangesOperation).self)
  }

  // CKFetchRecordChangesOperation.init(recordZoneID:previousServerChangeToken:)
  @available(*, deprecated)
  static func row290(_ p0: CKRecordZone.ID, _ p1: CKServerChangeToken?) {
    var value = CKFetchRecordChangesOperation(recordZoneID: p0, previousServerChangeToken: p1)
    exact(&value, (CKFetchRecordChangesOperation).self)
  }

  // CKFetchRecordChangesOperation.moreComing
  @available(*, deprecated)
  static func row291() {
    let _: KeyPath<CKFetchRecordChangesOperation, Bool> = \CKFetchRecordChangesOperation.moreComing
  }

  // CKFetchRecordChangesOperation.previousServerChangeToken
  @available(*, deprecated)
  static func row292() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, CKServerChangeToken?> = \CKFetchRecordChangesOperation.previousServerChangeToken
  }

  // CKFetchRecordChangesOperation.recordChangedBlock
  @available(*, deprecated)
  static func row293() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, ((CKRecord) -> Void)?> = \CKFetchRecordChangesOperation.recordChangedBlock
  }

  // CKFetchRecordChangesOperation.recordWithIDWasDeletedBlock
  @available(*, deprecated)
  static func row294() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, ((CKRecord.ID) -> Void)?> = \CKFetchRecordChangesOperation.recordWithIDWasDeletedBlock
  }

  // CKFetchRecordChangesOperation.recordZoneID
  @available(*, deprecated)
  static func row295() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, CKRecordZone.ID?> = \CKFetchRecordChangesOperation.recordZoneID
  }

  // CKFetchRecordChangesOperation.resultsLimit
  @available(*, deprecated)
  static func row296() {
    let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, Int> = \CKFetchRecordChangesOperation.resultsLimit
  }

  // CKFetchRecordZoneChangesOperation
  static func row297() {
    let _: CKDatabaseOperation.Type = (CKFetchRecordZoneChangesOperation).self
    sendable((CKFetchRecordZoneChangesOperation).self)
  }

  // CKFetchRecordZoneChangesOperation.ZoneConfiguration
  static func row298() {
    let _: NSObject.Type = (CKFetchRecordZoneChangesOperation.ZoneConfiguration).self
    let _: any NSCopying.Type = (CKFetchRecordZoneChangesOperation.ZoneConfiguration).self
    let _: any NSSecureCoding.Type = (CKFetchRecordZoneChangesOperation.ZoneConfiguration).self
    sendable((CKFetchRecordZoneChangesOperation.ZoneConfiguration).self)
  }

  // CKFetchRecordZoneChangesOperation.ZoneConfiguration.desiredKeys
  static func row299() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneConfiguration, [CKRecord.FieldKey]?> = \CKFetchRecordZoneChangesOperation.ZoneConfiguration.desiredKeys
  }

  // CKFetchRecordZoneChangesOperation.ZoneConfiguration.init(previousServerChangeToken:resultsLimit:desiredKeys:)
  static func row300(_ p0: CKServerChangeToken?, _ p1: Int?, _ p2: [CKRecord.FieldKey]?) {
    var value = CKFetchRecordZoneChangesOperation.ZoneConfiguration(previousServerChangeToken: p0, resultsLimit: p1, desiredKeys: p2)
    exact(&value, (CKFetchRecordZoneChangesOperation.ZoneConfiguration).self)
    var short = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
    exact(&short, (CKFetchRecordZoneChangesOperation.ZoneConfiguration).self)
  }

  // CKFetchRecordZoneChangesOperation.ZoneConfiguration.previousServerChangeToken
  static func row301() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneConfiguration, CKServerChangeToken?> = \CKFetchRecordZoneChangesOperation.ZoneConfiguration.previousServerChangeToken
  }

  // CKFetchRecordZoneChangesOperation.ZoneConfiguration.resultsLimit
  static func row302() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneConfiguration, Int> = \CKFetchRecordZoneChangesOperation.ZoneConfiguration.resultsLimit
  }

  // CKFetchRecordZoneChangesOperation.ZoneOptions
  @available(*, deprecated)
  static func row303() {
    let _: NSObject.Type = (CKFetchRecordZoneChangesOperation.ZoneOptions).self
    let _: any NSCopying.Type = (CKFetchRecordZoneChangesOperation.ZoneOptions).self
    let _: any NSSecureCoding.Type = (CKFetchRecordZoneChangesOperation.ZoneOptions).self
    sendable((CKFetchRecordZoneChangesOperation.ZoneOptions).self)
  }

  // CKFetchRecordZoneChangesOperation.configurationsByRecordZoneID
  static func row304() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, [CKRecordZone.ID : CKFetchRecordZoneChangesOperation.ZoneConfiguration]?> = \CKFetchRecordZoneChangesOperation.configurationsByRecordZoneID
  }

  // CKFetchRecordZoneChangesOperation.fetchAllChanges
  static func row305() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, Bool> = \CKFetchRecordZoneChangesOperation.fetchAllChanges
  }

  // CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesCompletionBlock
  @available(*, deprecated)
  static func row306() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, (((any Error)?) -> Void)?> = \CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesCompletionBlock
  }

  // CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesResultBlock
  static func row307() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((Result<Void, any Error>) -> Void)?> = \CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesResultBlock
  }

  // CKFetchRecordZoneChangesOperation.init()
  static func row308() {
    var value = CKFetchRecordZoneChangesOperation()
    exact(&value, (CKFetchRecordZoneChangesOperation).self)
  }

  // CKFetchRecordZoneChangesOperation.init(recordZoneIDs:configurationsByRecordZoneID:)
  static func row309(_ p0: [CKRecordZone.ID]?, _ p1: [CKRecordZone.ID : CKFetchRecordZoneChangesOperation.ZoneConfiguration]?) {
    var value = CKFetchRecordZoneChangesOperation(recordZoneIDs: p0, configurationsByRecordZoneID: p1)
    exact(&value, (CKFetchRecordZoneChangesOperation).self)
    var short = CKFetchRecordZoneChangesOperation()
    exact(&short, (CKFetchRecordZoneChangesOperation).self)
  }

  // CKFetchRecordZoneChangesOperation.optionsByRecordZoneID
  @available(*, deprecated)
  static func row311() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, [CKRecordZone.ID : CKFetchRecordZoneChangesOperation.ZoneOptions]?> = \CKFetchRecordZoneChangesOperation.optionsByRecordZoneID
  }

  // CKFetchRecordZoneChangesOperation.recordChangedBlock
  @available(*, deprecated)
  static func row312() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecord) -> Void)?> = \CKFetchRecordZoneChangesOperation.recordChangedBlock
  }

  // CKFetchRecordZoneChangesOperation.recordWasChangedBlock
  static func row313() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?> = \CKFetchRecordZoneChangesOperation.recordWasChangedBlock
  }

  // CKFetchRecordZoneChangesOperation.recordWithIDWasDeletedBlock
  static func row314() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecord.ID, CKRecord.RecordType) -> Void)?> = \CKFetchRecordZoneChangesOperation.recordWithIDWasDeletedBlock
  }

  // CKFetchRecordZoneChangesOperation.recordZoneChangeTokensUpdatedBlock
  static func row315() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?> = \CKFetchRecordZoneChangesOperation.recordZoneChangeTokensUpdatedBlock
  }

  // CKFetchRecordZoneChangesOperation.recordZoneFetchCompletionBlock
  @available(*, deprecated)
  static func row316() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?> = \CKFetchRecordZoneChangesOperation.recordZoneFetchCompletionBlock
  }

  // CKFetchRecordZoneChangesOperation.recordZoneFetchResultBlock
  static func row317() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecordZone.ID, Result<(serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error>) -> Void)?> = \CKFetchRecordZoneChangesOperation.recordZoneFetchResultBlock
  }

  // CKFetchRecordZoneChangesOperation.recordZoneIDs
  static func row318() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, [CKRecordZone.ID]?> = \CKFetchRecordZoneChangesOperation.recordZoneIDs
  }

  // CKFetchRecordZonesOperation
  static func row319() {
    let _: CKDatabaseOperation.Type = (CKFetchRecordZonesOperation).self
    sendable((CKFetchRecordZonesOperation).self)
  }

  // CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
  static func row320() {
    var value = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
    exact(&value, (CKFetchRecordZonesOperation).self)
    CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
  }

  // CKFetchRecordZonesOperation.fetchRecordZonesCompletionBlock
  @available(*, deprecated)
  static func row321() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZonesOperation, (([CKRecordZone.ID : CKRecordZone]?, (any Error)?) -> Void)?> = \CKFetchRecordZonesOperation.fetchRecordZonesCompletionBlock
  }

  // CKFetchRecordZonesOperation.fetchRecordZonesResultBlock
  static func row322() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZonesOperation, ((Result<Void, any Error>) -> Void)?> = \CKFetchRecordZonesOperation.fetchRecordZonesResultBlock
  }

  // CKFetchRecordZonesOperation.init()
  static func row323() {
    var value = CKFetchRecordZonesOperation()
    exact(&value, (CKFetchRecordZonesOperation).self)
  }

  // CKFetchRecordZonesOperation.init(recordZoneIDs:)
  static func row324(_ p0: [CKRecordZone.ID]) {
    var value = CKFetchRecordZonesOperation(recordZoneIDs: p0)
    exact(&value, (CKFetchRecordZonesOperation).self)
  }

  // CKFetchRecordZonesOperation.perRecordZoneResultBlock
  static func row325() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZonesOperation, ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?> = \CKFetchRecordZonesOperation.perRecordZoneResultBlock
  }

  // CKFetchRecordZonesOperation.recordZoneIDs
  static func row326() {
    let _: ReferenceWritableKeyPath<CKFetchRecordZonesOperation, [CKRecordZone.ID]?> = \CKFetchRecordZonesOperation.recordZoneIDs
  }

  // CKFetchRecordsOperation
  static func row327() {
    let _: CKDatabaseOperation.Type = (CKFetchRecordsOperation).self
    sendable((CKFetchRecordsOperation).self)
  }

  // CKFetchRecordsOperation.desiredKeys
  static func row328() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, [CKRecord.FieldKey]?> = \CKFetchRecordsOperation.desiredKeys
  }

  // CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
  static func row329() {
    var value = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
    exact(&value, (CKFetchRecordsOperation).self)
    CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
  }

  // CKFetchRecordsOperation.fetchRecordsCompletionBlock
  @available(*, deprecated)
  static func row330() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, (([CKRecord.ID : CKRecord]?, (any Error)?) -> Void)?> = \CKFetchRecordsOperation.fetchRecordsCompletionBlock
  }

  // CKFetchRecordsOperation.fetchRecordsResultBlock
  static func row331() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, ((Result<Void, any Error>) -> Void)?> = \CKFetchRecordsOperation.fetchRecordsResultBlock
  }

  // CKFetchRecordsOperation.init()
  static func row332() {
    var value = CKFetchRecordsOperation()
    exact(&value, (CKFetchRecordsOperation).self)
  }

  // CKFetchRecordsOperation.init(recordIDs:)
  static func row333(_ p0: [CKRecord.ID]) {
    var value = CKFetchRecordsOperation(recordIDs: p0)
    exact(&value, (CKFetchRecordsOperation).self)
  }

  // CKFetchRecordsOperation.perRecordCompletionBlock
  @available(*, deprecated)
  static func row334() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?> = \CKFetchRecordsOperation.perRecordCompletionBlock
  }

  // CKFetchRecordsOperation.perRecordProgressBlock
  static func row335() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, ((CKRecord.ID, Double) -> Void)?> = \CKFetchRecordsOperation.perRecordProgressBlock
  }

  // CKFetchRecordsOperation.perRecordResultBlock
  static func row336() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?> = \CKFetchRecordsOperation.perRecordResultBlock
  }

  // CKFetchRecordsOperation.recordIDs
  static func row337() {
    let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, [CKRecord.ID]?> = \CKFetchRecordsOperation.recordIDs
  }

  // CKFetchShareMetadataOperation
  static func row338() {
    let _: CKOperation.Type = (CKFetchShareMetadataOperation).self
    sendable((CKFetchShareMetadataOperation).self)
  }

  // CKFetchShareMetadataOperation.fetchShareMetadataCompletionBlock
  @available(*, deprecated)
  static func row339() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, (((any Error)?) -> Void)?> = \CKFetchShareMetadataOperation.fetchShareMetadataCompletionBlock
  }

  // CKFetchShareMetadataOperation.fetchShareMetadataResultBlock
  static func row340() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, ((Result<Void, any Error>) -> Void)?> = \CKFetchShareMetadataOperation.fetchShareMetadataResultBlock
  }

  // CKFetchShareMetadataOperation.init()
  static func row341() {
    var value = CKFetchShareMetadataOperation()
    exact(&value, (CKFetchShareMetadataOperation).self)
  }

  // CKFetchShareMetadataOperation.init(shareURLs:)
  static func row342(_ p0: [URL]) {
    var value = CKFetchShareMetadataOperation(shareURLs: p0)
    exact(&value, (CKFetchShareMetadataOperation).self)
  }

  // CKFetchShareMetadataOperation.perShareMetadataBlock
  @available(*, deprecated)
  static func row343() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, ((URL, CKShare.Metadata?, (any Error)?) -> Void)?> = \CKFetchShareMetadataOperation.perShareMetadataBlock
  }

  // CKFetchShareMetadataOperation.perShareMetadataResultBlock
  static func row344() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, ((URL, Result<CKShare.Metadata, any Error>) -> Void)?> = \CKFetchShareMetadataOperation.perShareMetadataResultBlock
  }

  // CKFetchShareMetadataOperation.rootRecordDesiredKeys
  static func row345() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, [CKRecord.FieldKey]?> = \CKFetchShareMetadataOperation.rootRecordDesiredKeys
  }

  // CKFetchShareMetadataOperation.shareURLs
  static func row346() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, [URL]?> = \CKFetchShareMetadataOperation.shareURLs
  }

  // CKFetchShareMetadataOperation.shouldFetchRootRecord
  static func row347() {
    let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, Bool> = \CKFetchShareMetadataOperation.shouldFetchRootRecord
  }

  // CKFetchShareParticipantsOperation
  static func row348() {
    let _: CKOperation.Type = (CKFetchShareParticipantsOperation).self
    sendable((CKFetchShareParticipantsOperation).self)
  }

  // CKFetchShareParticipantsOperation.fetchShareParticipantsCompletionBlock
  @available(*, deprecated)
  static func row349() {
    let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, (((any Error)?) -> Void)?> = \CKFetchShareParticipantsOperation.fetchShareParticipantsCompletionBlock
  }

  // CKFetchShareParticipantsOperation.fetchShareParticipantsResultBlock
  static func row350() {
    let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, ((Result<Void, any Error>) -> Void)?> = \CKFetchShareParticipantsOperation.fetchShareParticipantsResultBlock
  }

  // CKFetchShareParticipantsOperation.init()
  static func row351() {
    var value = CKFetchShareParticipantsOperation()
    exact(&value, (CKFetchShareParticipantsOperation).self)
  }

  // CKFetchShareParticipantsOperation.init(userIdentityLookupInfos:)
  static func row352(_ p0: [CKUserIdentity.LookupInfo]) {
    var value = CKFetchShareParticipantsOperation(userIdentityLookupInfos: p0)
    exact(&value, (CKFetchShareParticipantsOperation).self)
  }

  // CKFetchShareParticipantsOperation.perShareParticipantResultBlock
  static func row353() {
    let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, ((CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?> = \CKFetchShareParticipantsOperation.perShareParticipantResultBlock
  }

  // CKFetchShareParticipantsOperation.shareParticipantFetchedBlock
  @available(*, deprecated)
  static func row354() {
    let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, ((CKShare.Participant) -> Void)?> = \CKFetchShareParticipantsOperation.shareParticipantFetchedBlock
  }

  // CKFetchShareParticipantsOperation.userIdentityLookupInfos
  static func row355() {
    let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, [CKUserIdentity.LookupInfo]?> = \CKFetchShareParticipantsOperation.userIdentityLookupInfos
  }

  // CKFetchSubscriptionsOperation
  static func row356() {
    _ = (CKFetchSubscriptionsOperation).self
  }

  // CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
  static func row357() {
    var value = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
    exact(&value, (CKFetchSubscriptionsOperation).self)
    CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
  }

  // CKFetchSubscriptionsOperation.fetchSubscriptionCompletionBlock
  @available(*, deprecated)
  static func row358() {
    let _: ReferenceWritableKeyPath<CKFetchSubscriptionsOperation, (([CKSubscription.ID : CKSubscription]?, (any Error)?) -> Void)?> = \CKFetchSubscriptionsOperation.fetchSubscriptionCompletionBlock
  }

  // CKFetchSubscriptionsOperation.fetchSubscriptionsResultBlock
  static func row359() {
    let _: ReferenceWritableKeyPath<CKFetchSubscriptionsOperation, ((Result<Void, any Error>) -> Void)?> = \CKFetchSubscriptionsOperation.fetchSubscriptionsResultBlock
  }

  // CKFetchSubscriptionsOperation.init()
  static func row360() {
    var value = CKFetchSubscriptionsOperation()
    exact(&value, (CKFetchSubscriptionsOperation).self)
  }

  // CKFetchSubscriptionsOperation.init(subscriptionIDs:)
  static func row361(_ p0: [CKSubscription.ID]) {
    var value = CKFetchSubscriptionsOperation(subscriptionIDs: p0)
    exact(&value, (CKFetchSubscriptionsOperation).self)
  }

  // CKFetchSubscriptionsOperation.perSubscriptionResultBlock
  static func row362() {
    let _: ReferenceWritableKeyPath<CKFetchSubscriptionsOperation, ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?> = \CKFetchSubscriptionsOperation.perSubscriptionResultBlock
  }

  // CKFetchSubscriptionsOperation.subscriptionIDs
  static func row363() {
    let _: ReferenceWritableKeyPath<CKFetchSubscriptionsOperation, [CKSubscription.ID]?> = \CKFetchSubscriptionsOperation.subscriptionIDs
  }

  // CKFetchWebAuthTokenOperation
  static func row364() {
    _ = (CKFetchWebAuthTokenOperation).self
  }

  // CKFetchWebAuthTokenOperation.apiToken
  @available(*, deprecated)
  static func row365() {
    let _: ReferenceWritableKeyPath<CKFetchWebAuthTokenOperation, String?> = \CKFetchWebAuthTokenOperation.apiToken
  }

  // CKFetchWebAuthTokenOperation.fetchWebAuthTokenCompletionBlock
  @available(*, deprecated)
  static func row366() {
    let _: ReferenceWritableKeyPath<CKFetchWebAuthTokenOperation, ((String?, (any Error)?) -> Void)?> = \CKFetchWebAuthTokenOperation.fetchWebAuthTokenCompletionBlock
  }

  // CKFetchWebAuthTokenOperation.fetchWebAuthTokenResultBlock
  static func row367() {
    let _: ReferenceWritableKeyPath<CKFetchWebAuthTokenOperation, ((Result<String, any Error>) -> Void)?> = \CKFetchWebAuthTokenOperation.fetchWebAuthTokenResultBlock
  }

  // CKFetchWebAuthTokenOperation.init()
  static func row368() {
    var value = CKFetchWebAuthTokenOperation()
    exact(&value, (CKFetchWebAuthTokenOperation).self)
  }

  // CKFetchWebAuthTokenOperation.init(apiToken:)
  static func row369(_ p0: String) {
    var value = CKFetchWebAuthTokenOperation(apiToken: p0)
    exact(&value, (CKFetchWebAuthTokenOperation).self)
  }

  // CKLocationSortDescriptor
  static func row370() {
    let _: NSSortDescriptor.Type = (CKLocationSortDescriptor).self
    let _: any NSCopying.Type = (CKLocationSortDescriptor).self
    let _: any NSSecureCoding.Type = (CKLocationSortDescriptor).self
  }

  // CKLocationSortDescriptor.init(coder:)
  static func row371(_ p0: NSCoder) {
    var value = CKLocationSortDescriptor(coder: p0)
    exact(&value, (CKLocationSortDescriptor).self)
  }

  // CKLocationSortDescriptor.init(key:relativeLocation:)
  static func row372(_ p0: String, _ p1: CLLocation) {
    var value = CKLocationSortDescriptor(key: p0, relativeLocation: p1)
    exact(&value, (CKLocationSortDescriptor).self)
  }

  // CKLocationSortDescriptor.relativeLocation
  static func row373() {
    let _: KeyPath<CKLocationSortDescriptor, CLLocation> = \CKLocationSortDescriptor.relativeLocation
  }

  // CKModifyRecordZonesOperation
  static func row374() {
    let _: CKDatabaseOperation.Type = (CKModifyRecordZonesOperation).self
    sendable((CKModifyRecordZonesOperation).self)
  }

  // CKModifyRecordZonesOperation.init()
  static func row375() {
    var value = CKModifyRecordZonesOperation()
    exact(&value, (CKModifyRecordZonesOperation).self)
  }

  // CKModifyRecordZonesOperation.init(recordZonesToSave:recordZoneIDsToDelete:)
  static func row376(_ p0: [CKRecordZone]?, _ p1: [CKRecordZone.ID]?) {
    var value = CKModifyRecordZonesOperation(recordZonesToSave: p0, recordZoneIDsToDelete: p1)
    exact(&value, (CKModifyRecordZonesOperation).self)
    var short = CKModifyRecordZonesOperation()
    exact(&short, (CKModifyRecordZonesOperation).self)
  }

  // CKModifyRecordZonesOperation.modifyRecordZonesCompletionBlock
  @available(*, deprecated)
  static func row377() {
    let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?> = \CKModifyRecordZonesOperation.modifyRecordZonesCompletionBlock
  }

  // CKModifyRecordZonesOperation.modifyRecordZonesResultBlock
  static func row378() {
    let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, ((Result<Void, any Error>) -> Void)?> = \CKModifyRecordZonesOperation.modifyRecordZonesResultBlock
  }

  // CKModifyRecordZonesOperation.perRecordZoneDeleteBlock
  static func row379() {
    let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?> = \CKModifyRecordZonesOperation.perRecordZoneDeleteBlock
  }

  // CKModifyRecordZonesOperation.perRecordZoneSaveBlock
  static func row380() {
    let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?> = \CKModifyRecordZonesOperation.perRecordZoneSaveBlock
  }

  // CKModifyRecordZonesOperation.recordZoneIDsToDelete
  static func row381() {
    let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, [CKRecordZone.ID]?> = \CKModifyRecordZonesOperation.recordZoneIDsToDelete
  }

  // CKModifyRecordZonesOperation.recordZonesToSave
  static func row382() {
    let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, [CKRecordZone]?> = \CKModifyRecordZonesOperation.recordZonesToSave
  }

  // CKModifyRecordsOperation
  static func row383() {
    let _: CKDatabaseOperation.Type = (CKModifyRecordsOperation).self
    sendable((CKModifyRecordsOperation).self)
  }

  // CKModifyRecordsOperation.RecordSavePolicy
  static func row384() {
    let _: any Hashable.Type = (CKModifyRecordsOperation.RecordSavePolicy).self
    sendable((CKModifyRecordsOperation.RecordSavePolicy).self)
  }

  // CKModifyRecordsOperation.RecordSavePolicy.allKeys
  static func row385() {
    var value = CKModifyRecordsOperation.RecordSavePolicy.allKeys
    exact(&value, (CKModifyRecordsOperation.RecordSavePolicy).self)
  }

  // CKModifyRecordsOperation.RecordSavePolicy.changedKeys
  static func row386() {
    var value = CKModifyRecordsOperation.RecordSavePolicy.changedKeys
    exact(&value, (CKModifyRecordsOperation.RecordSavePolicy).self)
  }

  // CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged
  static func row387() {
    var value = CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged
    exact(&value, (CKModifyRecordsOperation.RecordSavePolicy).self)
  }

  // CKModifyRecordsOperation.RecordSavePolicy.init(rawValue:)
  static func row388(_ p0: Int) {
    var value = CKModifyRecordsOperation.RecordSavePolicy(rawValue: p0)
    exact(&value, (CKModifyRecordsOperation.RecordSavePolicy?).self)
  }

  // CKModifyRecordsOperation.clientChangeTokenData
  static func row389() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, Data?> = \CKModifyRecordsOperation.clientChangeTokenData
  }

  // CKModifyRecordsOperation.init()
  static func row390() {
    var value = CKModifyRecordsOperation()
    exact(&value, (CKModifyRecordsOperation).self)
  }

  // CKModifyRecordsOperation.init(recordsToSave:recordIDsToDelete:)
  static func row391(_ p0: [CKRecord]?, _ p1: [CKRecord.ID]?) {
    var value = CKModifyRecordsOperation(recordsToSave: p0, recordIDsToDelete: p1)
    exact(&value, (CKModifyRecordsOperation).self)
    var short = CKModifyRecordsOperation()
    exact(&short, (CKModifyRecordsOperation).self)
  }

  // CKModifyRecordsOperation.isAtomic
  static func row392() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, Bool> = \CKModifyRecordsOperation.isAtomic
  }

  // CKModifyRecordsOperation.modifyRecordsCompletionBlock
  @available(*, deprecated)
  static func row393() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?> = \CKModifyRecordsOperation.modifyRecordsCompletionBlock
  }

  // CKModifyRecordsOperation.modifyRecordsResultBlock
  static func row394() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((Result<Void, any Error>) -> Void)?> = \CKModifyRecordsOperation.modifyRecordsResultBlock
  }

  // CKModifyRecordsOperation.perRecordCompletionBlock
  @available(*, deprecated)
  static func row395() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((CKRecord, (any Error)?) -> Void)?> = \CKModifyRecordsOperation.perRecordCompletionBlock
  }

  // CKModifyRecordsOperation.perRecordDeleteBlock
  static func row396() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((CKRecord.ID, Result<Void, any Error>) -> Void)?> = \CKModifyRecordsOperation.perRecordDeleteBlock
  }

  // CKModifyRecordsOperation.perRecordProgressBlock
  static func row397() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((CKRecord, Double) -> Void)?> = \CKModifyRecordsOperation.perRecordProgressBlock
  }

  // CKModifyRecordsOperation.perRecordSaveBlock
  static func row398() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?> = \CKModifyRecordsOperation.perRecordSaveBlock
  }

  // CKModifyRecordsOperation.recordIDsToDelete
  static func row399() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, [CKRecord.ID]?> = \CKModifyRecordsOperation.recordIDsToDelete
  }

  // CKModifyRecordsOperation.recordsToSave
  static func row400() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, [CKRecord]?> = \CKModifyRecordsOperation.recordsToSave
  }

  // CKModifyRecordsOperation.savePolicy
  static func row401() {
    let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, CKModifyRecordsOperation.RecordSavePolicy> = \CKModifyRecordsOperation.savePolicy
  }

  // CKModifySubscriptionsOperation
  static func row402() {
    _ = (CKModifySubscriptionsOperation).self
  }

  // CKModifySubscriptionsOperation.init()
  static func row403() {
    var value = CKModifySubscriptionsOperation()
    exact(&value, (CKModifySubscriptionsOperation).self)
  }

  // CKModifySubscriptionsOperation.init(subscriptionsToSave:subscriptionIDsToDelete:)
  static func row404(_ p0: [CKSubscription]?, _ p1: [CKSubscription.ID]?) {
    var value = CKModifySubscriptionsOperation(subscriptionsToSave: p0, subscriptionIDsToDelete: p1)
    exact(&value, (CKModifySubscriptionsOperation).self)
    var short = CKModifySubscriptionsOperation()
    exact(&short, (CKModifySubscriptionsOperation).self)
  }

  // CKModifySubscriptionsOperation.modifySubscriptionsCompletionBlock
  @available(*, deprecated)
  static func row405() {
    let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?> = \CKModifySubscriptionsOperation.modifySubscriptionsCompletionBlock
  }

  // CKModifySubscriptionsOperation.modifySubscriptionsResultBlock
  static func row406() {
    let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, ((Result<Void, any Error>) -> Void)?> = \CKModifySubscriptionsOperation.modifySubscriptionsResultBlock
  }

  // CKModifySubscriptionsOperation.perSubscriptionDeleteBlock
  static func row407() {
    let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, ((CKSubscription.ID, Result<Void, any Error>) -> Void)?> = \CKModifySubscriptionsOperation.perSubscriptionDeleteBlock
  }

  // CKModifySubscriptionsOperation.perSubscriptionSaveBlock
  static func row408() {
    let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?> = \CKModifySubscriptionsOperation.perSubscriptionSaveBlock
  }

  // CKModifySubscriptionsOperation.subscriptionIDsToDelete
  static func row409() {
    let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, [CKSubscription.ID]?> = \CKModifySubscriptionsOperation.subscriptionIDsToDelete
  }

  // CKModifySubscriptionsOperation.subscriptionsToSave
  static func row410() {
    let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, [CKSubscription]?> = \CKModifySubscriptionsOperation.subscriptionsToSave
  }

  // CKNotification
  static func row411() {
    _ = (CKNotification).self
  }

  // CKNotification.ID
  static func row412() {
    _ = (CKNotification.ID).self
  }

  // CKNotification.NotificationType
  static func row413() {
    _ = (CKNotification.NotificationType).self
  }

  // CKNotification.NotificationType.database
  static func row414() {
    var value = CKNotification.NotificationType.database
    exact(&value, (CKNotification.NotificationType).self)
  }

  // CKNotification.NotificationType.init(rawValue:)
  static func row415(_ p0: Int) {
    var value = CKNotification.NotificationType(rawValue: p0)
    exact(&value, (CKNotification.NotificationType?).self)
  }

  // CKNotification.NotificationType.query
  static func row416() {
    var value = CKNotification.NotificationType.query
    exact(&value, (CKNotification.NotificationType).self)
  }

  // CKNotification.NotificationType.readNotification
  static func row417() {
    var value = CKNotification.NotificationType.readNotification
    exact(&value, (CKNotification.NotificationType).self)
  }

  // CKNotification.NotificationType.recordZone
  static func row418() {
    var value = CKNotification.NotificationType.recordZone
    exact(&value, (CKNotification.NotificationType).self)
  }

  // CKNotification.alertActionLocalizationKey
  @available(*, deprecated)
  static func row419() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.alertActionLocalizationKey
  }

  // CKNotification.alertBody
  @available(*, deprecated)
  static func row420() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.alertBody
  }

  // CKNotification.alertLaunchImage
  @available(*, deprecated)
  static func row421() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.alertLaunchImage
  }

  // CKNotification.alertLocalizationArgs
  @available(*, deprecated)
  static func row422() {
    let _: KeyPath<CKNotification, [String]?> = \CKNotification.alertLocalizationArgs
  }

  // CKNotification.alertLocalizationKey
  @available(*, deprecated)
  static func row423() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.alertLocalizationKey
  }

  // CKNotification.badge
  @available(*, deprecated)
  static func row424() {
    let _: KeyPath<CKNotification, NSNumber?> = \CKNotification.badge
  }

  // CKNotification.category
  @available(*, deprecated)
  static func row425() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.category
  }

  // CKNotification.containerIdentifier
  static func row426() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.containerIdentifier
  }

  // CKNotification.init(fromRemoteNotificationDictionary:)
  static func row427(_ p0: [AnyHashable : Any]) {
    var value = CKNotification(fromRemoteNotificationDictionary: p0)
    exact(&value, (CKNotification?).self)
  }

  // CKNotification.isPruned
  static func row428() {
    let _: KeyPath<CKNotification, Bool> = \CKNotification.isPruned
  }

  // CKNotification.notificationID
  static func row429() {
    let _: KeyPath<CKNotification, CKNotification.ID?> = \CKNotification.notificationID
  }

  // CKNotification.notificationType
  static func row430() {
    let _: KeyPath<CKNotification, CKNotification.NotificationType> = \CKNotification.notificationType
  }

  // CKNotification.soundName
  @available(*, deprecated)
  static func row431() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.soundName
  }

  // CKNotification.subscriptionID
  static func row432() {
    let _: KeyPath<CKNotification, CKSubscription.ID?> = \CKNotification.subscriptionID
  }

  // CKNotification.subscriptionOwnerUserRecordID
  static func row433() {
    let _: KeyPath<CKNotification, CKRecord.ID?> = \CKNotification.subscriptionOwnerUserRecordID
  }

  // CKNotification.subtitle
  @available(*, deprecated)
  static func row434() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.subtitle
  }

  // CKNotification.subtitleLocalizationArgs
  @available(*, deprecated)
  static func row435() {
    let _: KeyPath<CKNotification, [String]?> = \CKNotification.subtitleLocalizationArgs
  }

  // CKNotification.subtitleLocalizationKey
  @available(*, deprecated)
  static func row436() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.subtitleLocalizationKey
  }

  // CKNotification.title
  @available(*, deprecated)
  static func row437() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.title
  }

  // CKNotification.titleLocalizationArgs
  @available(*, deprecated)
  static func row438() {
    let _: KeyPath<CKNotification, [String]?> = \CKNotification.titleLocalizationArgs
  }

  // CKNotification.titleLocalizationKey
  @available(*, deprecated)
  static func row439() {
    let _: KeyPath<CKNotification, String?> = \CKNotification.titleLocalizationKey
  }

  // CKOperation
  static func row440() {
    let _: Operation.Type = (CKOperation).self
    sendable((CKOperation).self)
  }

  // CKOperation.Configuration
  static func row441() {
    let _: NSObject.Type = (CKOperation.Configuration).self
    let _: any NSCopying.Type = (CKOperation.Configuration).self
    sendable((CKOperation.Configuration).self)
  }

  // CKOperation.Configuration.allowsCellularAccess
  static func row442() {
    let _: ReferenceWritableKeyPath<CKOperation.Configuration, Bool> = \CKOperation.Configuration.allowsCellularAccess
  }

  // CKOperation.Configuration.container
  static func row443() {
    let _: ReferenceWritableKeyPath<CKOperation.Configuration, CKContainer?> = \CKOperation.Configuration.container
  }

  // CKOperation.Configuration.isLongLived
  static func row444() {
    let _: ReferenceWritableKeyPath<CKOperation.Configuration, Bool> = \CKOperation.Configuration.isLongLived
  }

  // CKOperation.Configuration.qualityOfService
  static func row445() {
    let _: ReferenceWritableKeyPath<CKOperation.Configuration, QualityOfService> = \CKOperation.Configuration.qualityOfService
  }

  // CKOperation.Configuration.timeoutIntervalForRequest
  static func row446() {
    let _: ReferenceWritableKeyPath<CKOperation.Configuration, TimeInterval> = \CKOperation.Configuration.timeoutIntervalForRequest
  }

  // CKOperation.Configuration.timeoutIntervalForResource
  static func row447() {
    let _: ReferenceWritableKeyPath<CKOperation.Configuration, TimeInterval> = \CKOperation.Configuration.timeoutIntervalForResource
  }

  // CKOperation.ID
  static func row448() {
    let _: (String).Type = (CKOperation.ID).self
  }

  // CKOperation.allowsCellularAccess
  @available(*, deprecated)
  static func row449() {
    let _: ReferenceWritableKeyPath<CKOperation, Bool> = \CKOperation.allowsCellularAccess
  }

  // CKOperation.configuration
  static func row450() {
    let _: ReferenceWritableKeyPath<CKOperation, CKOperation.Configuration?> = \CKOperation.configuration
  }

  // CKOperation.container
  @available(*, deprecated)
  static func row451() {
    let _: ReferenceWritableKeyPath<CKOperation, CKContainer?> = \CKOperation.container
  }

  // CKOperation.group
  static func row452() {
    let _: ReferenceWritableKeyPath<CKOperation, CKOperationGroup?> = \CKOperation.group
  }

  // CKOperation.init()
  static func row453() {
    var value = CKOperation()
    exact(&value, (CKOperation).self)
  }

  // CKOperation.isLongLived
  @available(*, deprecated)
  static func row454() {
    let _: ReferenceWritableKeyPath<CKOperation, Bool> = \CKOperation.isLongLived
  }

  // CKOperation.longLivedOperationWasPersistedBlock
  static func row455() {
    let _: ReferenceWritableKeyPath<CKOperation, (() -> Void)?> = \CKOperation.longLivedOperationWasPersistedBlock
  }

  // CKOperation.operationID
  static func row456() {
    let _: KeyPath<CKOperation, CKOperation.ID> = \CKOperation.operationID
  }

  // CKOperation.timeoutIntervalForRequest
  @available(*, deprecated)
  static func row457() {
    let _: ReferenceWritableKeyPath<CKOperation, TimeInterval> = \CKOperation.timeoutIntervalForRequest
  }

  // CKOperation.timeoutIntervalForResource
  @available(*, deprecated)
  static func row458() {
    let _: ReferenceWritableKeyPath<CKOperation, TimeInterval> = \CKOperation.timeoutIntervalForResource
  }

  // CKOperationGroup
  static func row459() {
    let _: NSObject.Type = (CKOperationGroup).self
    let _: any NSSecureCoding.Type = (CKOperationGroup).self
    sendable((CKOperationGroup).self)
  }

  // CKOperationGroup.TransferSize
  static func row460() {
    let _: any Hashable.Type = (CKOperationGroup.TransferSize).self
    sendable((CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.gigabytes
  static func row461() {
    var value = CKOperationGroup.TransferSize.gigabytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.hundredsOfGigabytes
  static func row462() {
    var value = CKOperationGroup.TransferSize.hundredsOfGigabytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.hundredsOfMegabytes
  static func row463() {
    var value = CKOperationGroup.TransferSize.hundredsOfMegabytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.init(rawValue:)
  static func row464(_ p0: Int) {
    var value = CKOperationGroup.TransferSize(rawValue: p0)
    exact(&value, (CKOperationGroup.TransferSize?).self)
  }

  // CKOperationGroup.TransferSize.kilobytes
  static func row465() {
    var value = CKOperationGroup.TransferSize.kilobytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.megabytes
  static func row466() {
    var value = CKOperationGroup.TransferSize.megabytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.tensOfGigabytes
  static func row467() {
    var value = CKOperationGroup.TransferSize.tensOfGigabytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.tensOfMegabytes
  static func row468() {
    var value = CKOperationGroup.TransferSize.tensOfMegabytes
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.TransferSize.unknown
  static func row469() {
    var value = CKOperationGroup.TransferSize.unknown
    exact(&value, (CKOperationGroup.TransferSize).self)
  }

  // CKOperationGroup.defaultConfiguration
  static func row470() {
    let _: ReferenceWritableKeyPath<CKOperationGroup, CKOperation.Configuration?> = \CKOperationGroup.defaultConfiguration
  }

  // CKOperationGroup.expectedReceiveSize
  static func row471() {
    let _: ReferenceWritableKeyPath<CKOperationGroup, CKOperationGroup.TransferSize> = \CKOperationGroup.expectedReceiveSize
  }

  // CKOperationGroup.expectedSendSize
  static func row472() {
    let _: ReferenceWritableKeyPath<CKOperationGroup, CKOperationGroup.TransferSize> = \CKOperationGroup.expectedSendSize
  }

  // CKOperationGroup.init()
  static func row473() {
    var value = CKOperationGroup()
    exact(&value, (CKOperationGroup).self)
  }

  // CKOperationGroup.init(coder:)
  static func row474(_ p0: NSCoder) {
    var value = CKOperationGroup(coder: p0)
    exact(&value, (CKOperationGroup).self)
  }

  // CKOperationGroup.name
  static func row475() {
    let _: ReferenceWritableKeyPath<CKOperationGroup, String?> = \CKOperationGroup.name
  }

  // CKOperationGroup.operationGroupID
  static func row476() {
    let _: KeyPath<CKOperationGroup, String> = \CKOperationGroup.operationGroupID
  }

  // CKOperationGroup.quantity
  static func row477() {
    let _: ReferenceWritableKeyPath<CKOperationGroup, Int> = \CKOperationGroup.quantity
  }

  // CKOwnerDefaultName
  @available(*, deprecated)
  static func row478() {
    var value = CKOwnerDefaultName
    exact(&value, (String).self)
  }

  // CKPartialErrorsByItemIDKey
  static func row479() {
    var value = CKPartialErrorsByItemIDKey
    exact(&value, (String).self)
  }

  // CKQuery
  static func row480() {
    let _: NSObject.Type = (CKQuery).self
    let _: any NSCopying.Type = (CKQuery).self
    let _: any NSSecureCoding.Type = (CKQuery).self
    sendable((CKQuery).self)
  }

  // CKQuery.init(coder:)
  static func row481(_ p0: NSCoder) {
    var value = CKQuery(coder: p0)
    exact(&value, (CKQuery).self)
  }

  // CKQuery.init(recordType:predicate:)
  static func row482(_ p0: CKRecord.RecordType, _ p1: NSPredicate) {
    var value = CKQuery(recordType: p0, predicate: p1)
    exact(&value, (CKQuery).self)
  }

  // CKQuery.predicate
  static func row483() {
    let _: KeyPath<CKQuery, NSPredicate> = \CKQuery.predicate
  }

  // CKQuery.recordType
  static func row484() {
    let _: KeyPath<CKQuery, CKRecord.RecordType> = \CKQuery.recordType
  }

  // CKQuery.sortDescriptors
  static func row485() {
    let _: ReferenceWritableKeyPath<CKQuery, [NSSortDescriptor]?> = \CKQuery.sortDescriptors
  }

  // CKQueryNotification
  static func row486() {
    _ = (CKQueryNotification).self
  }

  // CKQueryNotification.Reason
  static func row487() {
    _ = (CKQueryNotification.Reason).self
  }

  // CKQueryNotification.Reason.init(rawValue:)
  static func row488(_ p0: Int) {
    var value = CKQueryNotification.Reason(rawValue: p0)
    exact(&value, (CKQueryNotification.Reason?).self)
  }

  // CKQueryNotification.Reason.recordCreated
  static func row489() {
    var value = CKQueryNotification.Reason.recordCreated
    exact(&value, (CKQueryNotification.Reason).self)
  }

  // CKQueryNotification.Reason.recordDeleted
  static func row490() {
    var value = CKQueryNotification.Reason.recordDeleted
    exact(&value, (CKQueryNotification.Reason).self)
  }

  // CKQueryNotification.Reason.recordUpdated
  static func row491() {
    var value = CKQueryNotification.Reason.recordUpdated
    exact(&value, (CKQueryNotification.Reason).self)
  }

  // CKQueryNotification.databaseScope
  static func row492() {
    let _: KeyPath<CKQueryNotification, CKDatabase.Scope> = \CKQueryNotification.databaseScope
  }

  // CKQueryNotification.queryNotificationReason
  static func row493() {
    let _: KeyPath<CKQueryNotification, CKQueryNotification.Reason> = \CKQueryNotification.queryNotificationReason
  }

  // CKQueryNotification.recordFields
  static func row494() {
    let _: KeyPath<CKQueryNotification, [String : Any]?> = \CKQueryNotification.recordFields
  }

  // CKQueryNotification.recordID
  static func row495() {
    let _: KeyPath<CKQueryNotification, CKRecord.ID?> = \CKQueryNotification.recordID
  }

  // CKQueryOperation
  static func row496() {
    let _: CKDatabaseOperation.Type = (CKQueryOperation).self
    sendable((CKQueryOperation).self)
  }

  // CKQueryOperation.Cursor
  static func row497() {
    let _: NSObject.Type = (CKQueryOperation.Cursor).self
    let _: any NSCopying.Type = (CKQueryOperation.Cursor).self
    let _: any NSSecureCoding.Type = (CKQueryOperation.Cursor).self
    sendable((CKQueryOperation.Cursor).self)
  }

  // CKQueryOperation.cursor
  static func row498() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, CKQueryOperation.Cursor?> = \CKQueryOperation.cursor
  }

  // CKQueryOperation.desiredKeys
  static func row499() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, [CKRecord.FieldKey]?> = \CKQueryOperation.desiredKeys
  }

  // CKQueryOperation.init()
  static func row500() {
    var value = CKQueryOperation()
    exact(&value, (CKQueryOperation).self)
  }

  // CKQueryOperation.init(cursor:)
  static func row501(_ p0: CKQueryOperation.Cursor) {
    var value = CKQueryOperation(cursor: p0)
    exact(&value, (CKQueryOperation).self)
  }

  // CKQueryOperation.init(query:)
  static func row502(_ p0: CKQuery) {
    var value = CKQueryOperation(query: p0)
    exact(&value, (CKQueryOperation).self)
  }

  // CKQueryOperation.maximumResults
  static func row503() {
    var value = CKQueryOperation.maximumResults
    exact(&value, (Int).self)
  }

  // CKQueryOperation.query
  static func row504() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, CKQuery?> = \CKQueryOperation.query
  }

  // CKQueryOperation.queryCompletionBlock
  @available(*, deprecated)
  static func row505() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?> = \CKQueryOperation.queryCompletionBlock
  }

  // CKQueryOperation.queryResultBlock
  static func row506() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, ((Result<CKQueryOperation.Cursor?, any Error>) -> Void)?> = \CKQueryOperation.queryResultBlock
  }

  // CKQueryOperation.recordFetchedBlock
  @available(*, deprecated)
  static func row507() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, ((CKRecord) -> Void)?> = \CKQueryOperation.recordFetchedBlock
  }

  // CKQueryOperation.recordMatchedBlock
  static func row508() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?> = \CKQueryOperation.recordMatchedBlock
  }

  // CKQueryOperation.resultsLimit
  static func row509() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, Int> = \CKQueryOperation.resultsLimit
  }

  // CKQueryOperation.zoneID
  static func row510() {
    let _: ReferenceWritableKeyPath<CKQueryOperation, CKRecordZone.ID?> = \CKQueryOperation.zoneID
  }

  // CKQuerySubscription
  static func row511() {
    _ = (CKQuerySubscription).self
  }

  // CKQuerySubscription.Options
  static func row512() {
    _ = (CKQuerySubscription.Options).self
  }

  // CKQuerySubscription.Options.firesOnRecordCreation
  static func row513() {
    var value = CKQuerySubscription.Options.firesOnRecordCreation
    exact(&value, (CKQuerySubscription.Options).self)
  }

  // CKQuerySubscription.Options.firesOnRecordDeletion
  static func row514() {
    var value = CKQuerySubscription.Options.firesOnRecordDeletion
    exact(&value, (CKQuerySubscription.Options).self)
  }

  // CKQuerySubscription.Options.firesOnRecordUpdate
  static func row515() {
    var value = CKQuerySubscription.Options.firesOnRecordUpdate
    exact(&value, (CKQuerySubscription.Options).self)
  }

  // CKQuerySubscription.Options.firesOnce
  static func row516() {
    var value = CKQuerySubscription.Options.firesOnce
    exact(&value, (CKQuerySubscription.Options).self)
  }

  // CKQuerySubscription.Options.init(rawValue:)
  static func row517(_ p0: UInt) {
    var value = CKQuerySubscription.Options(rawValue: p0)
    exact(&value, (CKQuerySubscription.Options).self)
  }

  // CKQuerySubscription.init(coder:)
  static func row518(_ p0: NSCoder) {
    var value = CKQuerySubscription(coder: p0)
    exact(&value, (CKQuerySubscription).self)
  }

  // CKQuerySubscription.init(recordType:predicate:options:)
  @available(*, deprecated)
  static func row519(_ p0: CKRecord.RecordType, _ p1: NSPredicate, _ p2: CKQuerySubscription.Options) {
    var value = CKQuerySubscription(recordType: p0, predicate: p1, options: p2)
    exact(&value, (CKQuerySubscription).self)
    var short = CKQuerySubscription(recordType: p0, predicate: p1)
    exact(&short, (CKQuerySubscription).self)
  }

  // CKQuerySubscription.init(recordType:predicate:subscriptionID:options:)
  static func row520(_ p0: CKRecord.RecordType, _ p1: NSPredicate, _ p2: CKSubscription.ID, _ p3: CKQuerySubscription.Options) {
    var value = CKQuerySubscription(recordType: p0, predicate: p1, subscriptionID: p2, options: p3)
    exact(&value, (CKQuerySubscription).self)
    var short = CKQuerySubscription(recordType: p0, predicate: p1, subscriptionID: p2)
    exact(&short, (CKQuerySubscription).self)
  }

  // CKQuerySubscription.predicate
  static func row521() {
    let _: KeyPath<CKQuerySubscription, NSPredicate> = \CKQuerySubscription.predicate
  }

  // CKQuerySubscription.querySubscriptionOptions
  static func row522() {
    let _: KeyPath<CKQuerySubscription, CKQuerySubscription.Options> = \CKQuerySubscription.querySubscriptionOptions
  }

  // CKQuerySubscription.recordType
  static func row523() {
    let _: KeyPath<CKQuerySubscription, CKRecord.RecordType?> = \CKQuerySubscription.recordType
  }

  // CKQuerySubscription.zoneID
  static func row524() {
    let _: ReferenceWritableKeyPath<CKQuerySubscription, CKRecordZone.ID?> = \CKQuerySubscription.zoneID
  }

  // CKRecord
  static func row525() {
    let _: NSObject.Type = (CKRecord).self
    let _: any NSCopying.Type = (CKRecord).self
    let _: any NSSecureCoding.Type = (CKRecord).self
    sendable((CKRecord).self)
  }

  // CKRecord.dictionaryWithValues(forKeys:)
  static func row526(_ owner: CKRecord, _ p0: [String]) {
    var value = owner.dictionaryWithValues(forKeys: p0)
    exact(&value, ([String : Any]).self)
    owner.dictionaryWithValues(forKeys: p0)
  }

  // CKRecord.FieldKey
  static func row527() {
    let _: (String).Type = (CKRecord.FieldKey).self
  }

  // CKRecord.ID
  static func row528() {
    let _: NSObject.Type = (CKRecord.ID).self
    let _: any NSCopying.Type = (CKRecord.ID).self
    let _: any NSSecureCoding.Type = (CKRecord.ID).self
    sendable((CKRecord.ID).self)
  }

  // CKRecord.ID.init(recordName:)
  static func row529(_ p0: String) {
    var value = CKRecord.ID(recordName: p0)
    exact(&value, (CKRecord.ID).self)
  }

  // CKRecord.ID.init(recordName:zoneID:)
  static func row530(_ p0: String, _ p1: CKRecordZone.ID) {
    var value = CKRecord.ID(recordName: p0, zoneID: p1)
    exact(&value, (CKRecord.ID).self)
    var short = CKRecord.ID()
    exact(&short, (CKRecord.ID).self)
  }

  // CKRecord.ID.recordName
  static func row531() {
    let _: KeyPath<CKRecord.ID, String> = \CKRecord.ID.recordName
  }

  // CKRecord.ID.zoneID
  static func row532() {
    let _: KeyPath<CKRecord.ID, CKRecordZone.ID> = \CKRecord.ID.zoneID
  }

  // CKRecord.RecordType
  static func row533() {
    let _: (String).Type = (CKRecord.RecordType).self
  }

  // CKRecord.Reference
  static func row534() {
    let _: NSObject.Type = (CKRecord.Reference).self
    let _: any NSCopying.Type = (CKRecord.Reference).self
    let _: any NSSecureCoding.Type = (CKRecord.Reference).self
    sendable((CKRecord.Reference).self)
  }

  // CKRecord.Reference.Action
  static func row535() {
    let _: (CKRecord.ReferenceAction).Type = (CKRecord.Reference.Action).self
  }

  // CKRecord.Reference.action
  static func row536() {
    let _: KeyPath<CKRecord.Reference, CKRecord.ReferenceAction> = \CKRecord.Reference.action
  }

  // CKRecord.Reference.init(record:action:)
  static func row537(_ p0: CKRecord, _ p1: CKRecord.ReferenceAction) {
    var value = CKRecord.Reference(record: p0, action: p1)
    exact(&value, (CKRecord.Reference).self)
  }

  // CKRecord.Reference.init(recordID:action:)
  static func row538(_ p0: CKRecord.ID, _ p1: CKRecord.ReferenceAction) {
    var value = CKRecord.Reference(recordID: p0, action: p1)
    exact(&value, (CKRecord.Reference).self)
  }

  // CKRecord.Reference.recordID
  static func row539() {
    let _: KeyPath<CKRecord.Reference, CKRecord.ID> = \CKRecord.Reference.recordID
  }

  // CKRecord.ReferenceAction
  static func row540() {
    let _: any Hashable.Type = (CKRecord.ReferenceAction).self
    sendable((CKRecord.ReferenceAction).self)
  }

  // CKRecord.ReferenceAction.deleteSelf
  static func row541() {
    var value = CKRecord.ReferenceAction.deleteSelf
    exact(&value, (CKRecord.ReferenceAction).self)
  }

  // CKRecord.ReferenceAction.init(rawValue:)
  static func row542(_ p0: UInt) {
    var value = CKRecord.ReferenceAction(rawValue: p0)
    exact(&value, (CKRecord.ReferenceAction?).self)
  }

  // CKRecord.ReferenceAction.none
  static func row543() {
    var value = CKRecord.ReferenceAction.none
    exact(&value, (CKRecord.ReferenceAction).self)
  }

  // CKRecord.setValuesForKeys(_:)
  static func row544(_ owner: CKRecord, _ p0: [String : Any]) {
    owner.setValuesForKeys(p0)
  }

  // CKRecord.SystemFieldKey
  static func row545() {
    _ = (CKRecord.SystemFieldKey).self
  }

  // CKRecord.SystemFieldKey.creationDate
  static func row546() {
    var value = CKRecord.SystemFieldKey.creationDate
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemFieldKey.creatorUserRecordID
  static func row547() {
    var value = CKRecord.SystemFieldKey.creatorUserRecordID
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemFieldKey.lastModifiedUserRecordID
  static func row548() {
    var value = CKRecord.SystemFieldKey.lastModifiedUserRecordID
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemFieldKey.modificationDate
  static func row549() {
    var value = CKRecord.SystemFieldKey.modificationDate
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemFieldKey.parent
  static func row550() {
    var value = CKRecord.SystemFieldKey.parent
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemFieldKey.recordID
  static func row551() {
    var value = CKRecord.SystemFieldKey.recordID
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemFieldKey.share
  static func row552() {
    var value = CKRecord.SystemFieldKey.share
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKRecord.SystemType
  static func row553() {
    _ = (CKRecord.SystemType).self
  }

  // CKRecord.SystemType.share
  static func row554() {
    var value = CKRecord.SystemType.share
    exact(&value, (CKRecord.RecordType).self)
  }

  // CKRecord.SystemType.userRecord
  static func row555() {
    var value = CKRecord.SystemType.userRecord
    exact(&value, (CKRecord.RecordType).self)
  }

  // CKRecord.allKeys()
  static func row556(_ owner: CKRecord) {
    var value = owner.allKeys()
    exact(&value, ([CKRecord.FieldKey]).self)
    owner.allKeys()
  }

  // CKRecord.allTokens()
  static func row557(_ owner: CKRecord) {
    var value = owner.allTokens()
    exact(&value, ([String]).self)
    owner.allTokens()
  }

  // CKRecord.changedKeys()
  static func row558(_ owner: CKRecord) {
    var value = owner.changedKeys()
    exact(&value, ([CKRecord.FieldKey]).self)
    owner.changedKeys()
  }

  // CKRecord.creationDate
  static func row559() {
    let _: KeyPath<CKRecord, Date?> = \CKRecord.creationDate
  }

  // CKRecord.creatorUserRecordID
  static func row560() {
    let _: KeyPath<CKRecord, CKRecord.ID?> = \CKRecord.creatorUserRecordID
  }

  // CKRecord.encodeSystemFields(with:)
  static func row561(_ owner: CKRecord, _ p0: NSCoder) {
    owner.encodeSystemFields(with: p0)
  }

  // CKRecord.encryptedValues
  static func row562() {
    let _: KeyPath<CKRecord, any CKRecordKeyValueSetting & Sendable> = \CKRecord.encryptedValues
  }

  // CKRecord.init(recordType:recordID:)
  static func row563(_ p0: CKRecord.RecordType, _ p1: CKRecord.ID) {
    var value = CKRecord(recordType: p0, recordID: p1)
    exact(&value, (CKRecord).self)
    var short = CKRecord(recordType: p0)
    exact(&short, (CKRecord).self)
  }

  // CKRecord.init(recordType:zoneID:)
  @available(*, deprecated)
  static func row564(_ p0: CKRecord.RecordType, _ p1: CKRecordZone.ID) {
    var value = CKRecord(recordType: p0, zoneID: p1)
    exact(&value, (CKRecord).self)
  }

  // CKRecord.lastModifiedUserRecordID
  static func row565() {
    let _: KeyPath<CKRecord, CKRecord.ID?> = \CKRecord.lastModifiedUserRecordID
  }

  // CKRecord.modificationDate
  static func row566() {
    let _: KeyPath<CKRecord, Date?> = \CKRecord.modificationDate
  }

  // CKRecord.object(forKey:)
  static func row567(_ owner: CKRecord, _ p0: CKRecord.FieldKey) {
    var value = owner.object(forKey: p0)
    exact(&value, ((any __CKRecordObjCValue)?).self)
    owner.object(forKey: p0)
  }

  // CKRecord.parent
  static func row568() {
    let _: ReferenceWritableKeyPath<CKRecord, CKRecord.Reference?> = \CKRecord.parent
  }

  // CKRecord.recordChangeTag
  static func row569() {
    let _: KeyPath<CKRecord, String?> = \CKRecord.recordChangeTag
  }

  // CKRecord.recordID
  static func row570() {
    let _: KeyPath<CKRecord, CKRecord.ID> = \CKRecord.recordID
  }

  // CKRecord.recordType
  static func row571() {
    let _: KeyPath<CKRecord, CKRecord.RecordType> = \CKRecord.recordType
  }

  // CKRecord.setObject(_:forKey:)
  static func row572(_ owner: CKRecord, _ p0: (any __CKRecordObjCValue)?, _ p1: CKRecord.FieldKey) {
    owner.setObject(p0, forKey: p1)
  }

  // CKRecord.setParent(_:)
  static func row573(_ owner: CKRecord, _ p0: CKRecord?) {
    owner.setParent(p0)
  }

  // CKRecord.setParent(_:)
  static func row574(_ owner: CKRecord, _ p0: CKRecord.ID?) {
    owner.setParent(p0)
  }

  // CKRecord.share
  static func row575() {
    let _: KeyPath<CKRecord, CKRecord.Reference?> = \CKRecord.share
  }

  // CKRecord.subscript(_:)
  static func row576(_ owner: CKRecord, _ key: CKRecord.FieldKey) {
    let value: (any __CKRecordObjCValue)? = owner[key]
    owner[key] = value
  }

  // CKRecordChangedErrorAncestorRecordKey
  static func row577() {
    var value = CKRecordChangedErrorAncestorRecordKey
    exact(&value, (String).self)
  }

  // CKRecordChangedErrorClientRecordKey
  static func row578() {
    var value = CKRecordChangedErrorClientRecordKey
    exact(&value, (String).self)
  }

  // CKRecordChangedErrorServerRecordKey
  static func row579() {
    var value = CKRecordChangedErrorServerRecordKey
    exact(&value, (String).self)
  }

  // CKRecordKeyValueIterator
  static func row580() {
    let _: any IteratorProtocol.Type = (CKRecordKeyValueIterator).self
  }

  // CKRecordKeyValueSetting
  static func row581(_ value: any CKRecordKeyValueSetting) {
    _ = value
  }

  // CKRecordKeyValueSetting.allKeys()
  static func row582(_ owner: any CKRecordKeyValueSetting) {
    var value = owner.allKeys()
    exact(&value, ([String]).self)
    owner.allKeys()
  }

  // CKRecordKeyValueSetting.changedKeys()
  static func row583(_ owner: any CKRecordKeyValueSetting) {
    var value = owner.changedKeys()
    exact(&value, ([String]).self)
    owner.changedKeys()
  }

  // CKRecordKeyValueSetting.object(forKey:)
  static func row584(_ owner: any CKRecordKeyValueSetting, _ p0: String) {
    var value = owner.object(forKey: p0)
    exact(&value, ((any __CKRecordObjCValue)?).self)
    owner.object(forKey: p0)
  }

  // CKRecordKeyValueSetting.setObject(_:forKey:)
  static func row585(_ owner: any CKRecordKeyValueSetting, _ p0: (any __CKRecordObjCValue)?, _ p1: String) {
    owner.setObject(p0, forKey: p1)
  }

  // CKRecordKeyValueSetting.subscript(_:)
  static func row586(_ owner: any CKRecordKeyValueSetting, _ key: String) {
    let value: (any __CKRecordObjCValue)? = owner[key]
    owner[key] = value
  }

  // CKRecordKeyValueSetting.subscript(_:)
  static func row587<T>(_ owner: any CKRecordKeyValueSetting, _ key: CKRecord.FieldKey, _ type: T.Type) where T : CKRecordValueProtocol  {
    let value: T? = owner[key]
    owner[key] = value
  }

  // CKRecordKeyValueSetting.subscript(_:)
  static func row588(_ owner: any CKRecordKeyValueSetting, _ key: CKRecord.FieldKey) {
    let value: (any CKRecordValueProtocol)? = owner[key]
    owner[key] = value
  }

  // CKRecordNameZoneWideShare
  static func row589() {
    var value = CKRecordNameZoneWideShare
    exact(&value, (String).self)
  }

  // CKRecordParentKey
  static func row590() {
    var value = CKRecordParentKey
    exact(&value, (String).self)
  }

  // CKRecordShareKey
  static func row591() {
    var value = CKRecordShareKey
    exact(&value, (String).self)
  }

  // CKRecordTypeShare
  static func row592() {
    var value = CKRecordTypeShare
    exact(&value, (String).self)
  }

  // CKRecordTypeUserRecord
  static func row593() {
    var value = CKRecordTypeUserRecord
    exact(&value, (String).self)
  }

  // CKRecordValue
  static func row594() {
    let _: (any __CKRecordObjCValue).Type = (any CKRecordValue).self
  }

  // CKRecordValueProtocol
  static func row595(_ value: any CKRecordValueProtocol) {
    _ = value
  }

  // CKRecordZone
  static func row596() {
    let _: NSObject.Type = (CKRecordZone).self
    let _: any NSCopying.Type = (CKRecordZone).self
    let _: any NSSecureCoding.Type = (CKRecordZone).self
    sendable((CKRecordZone).self)
  }

  // CKRecordZone.Capabilities
  static func row597() {
    let _: any OptionSet.Type = (CKRecordZone.Capabilities).self
    sendable((CKRecordZone.Capabilities).self)
  }

  // CKRecordZone.Capabilities.atomic
  static func row598() {
    var value = CKRecordZone.Capabilities.atomic
    exact(&value, (CKRecordZone.Capabilities).self)
  }

  // CKRecordZone.Capabilities.fetchChanges
  static func row599() {
    var value = CKRecordZone.Capabilities.fetchChanges
    exact(&value, (CKRecordZone.Capabilities).self)
  }

  // CKRecordZone.Capabilities.init(rawValue:)
  static func row600(_ p0: UInt) {
    var value = CKRecordZone.Capabilities(rawValue: p0)
    exact(&value, (CKRecordZone.Capabilities).self)
  }

  // CKRecordZone.Capabilities.sharing
  static func row601() {
    var value = CKRecordZone.Capabilities.sharing
    exact(&value, (CKRecordZone.Capabilities).self)
  }

  // CKRecordZone.Capabilities.zoneWideSharing
  static func row602() {
    var value = CKRecordZone.Capabilities.zoneWideSharing
    exact(&value, (CKRecordZone.Capabilities).self)
  }

  // CKRecordZone.ID
  static func row603() {
    let _: NSObject.Type = (CKRecordZone.ID).self
    let _: any NSCopying.Type = (CKRecordZone.ID).self
    let _: any NSSecureCoding.Type = (CKRecordZone.ID).self
    sendable((CKRecordZone.ID).self)
  }

  // CKRecordZone.ID.default
  static func row604() {
    var value = CKRecordZone.ID.default
    exact(&value, (CKRecordZoneID).self)
  }

  // CKRecordZone.ID.defaultZoneName
  static func row605() {
    var value = CKRecordZone.ID.defaultZoneName
    exact(&value, (String).self)
  }

  // CKRecordZone.ID.init(zoneName:ownerName:)
  static func row606(_ p0: String, _ p1: String) {
    var value = CKRecordZone.ID(zoneName: p0, ownerName: p1)
    exact(&value, (CKRecordZone.ID).self)
    var short = CKRecordZone.ID()
    exact(&short, (CKRecordZone.ID).self)
  }

  // CKRecordZone.ID.ownerName
  static func row607() {
    let _: KeyPath<CKRecordZone.ID, String> = \CKRecordZone.ID.ownerName
  }

  // CKRecordZone.ID.zoneName
  static func row608() {
    let _: KeyPath<CKRecordZone.ID, String> = \CKRecordZone.ID.zoneName
  }

  // CKRecordZone.capabilities
  static func row609() {
    let _: KeyPath<CKRecordZone, CKRecordZone.Capabilities> = \CKRecordZone.capabilities
  }

  // CKRecordZone.default()
  static func row610() {
    var value = CKRecordZone.`default`()
    exact(&value, (CKRecordZone).self)
    CKRecordZone.`default`()
  }

  // CKRecordZone.init(zoneID:)
  static func row611(_ p0: CKRecordZone.ID) {
    var value = CKRecordZone(zoneID: p0)
    exact(&value, (CKRecordZone).self)
  }

  // CKRecordZone.init(zoneName:)
  static func row612(_ p0: String) {
    var value = CKRecordZone(zoneName: p0)
    exact(&value, (CKRecordZone).self)
  }

  // CKRecordZone.share
  static func row613() {
    let _: KeyPath<CKRecordZone, CKRecord.Reference?> = \CKRecordZone.share
  }

  // CKRecordZone.zoneID
  static func row614() {
    let _: KeyPath<CKRecordZone, CKRecordZone.ID> = \CKRecordZone.zoneID
  }

  // CKRecordZoneDefaultName
  static func row615() {
    var value = CKRecordZoneDefaultName
    exact(&value, (String).self)
  }

  // CKRecordZoneNotification
  static func row616() {
    _ = (CKRecordZoneNotification).self
  }

  // CKRecordZoneNotification.databaseScope
  static func row617() {
    let _: KeyPath<CKRecordZoneNotification, CKDatabase.Scope> = \CKRecordZoneNotification.databaseScope
  }

  // CKRecordZoneNotification.recordZoneID
  static func row618() {
    let _: KeyPath<CKRecordZoneNotification, CKRecordZone.ID?> = \CKRecordZoneNotification.recordZoneID
  }

  // CKRecordZoneSubscription
  static func row619() {
    _ = (CKRecordZoneSubscription).self
  }

  // CKRecordZoneSubscription.init(coder:)
  static func row620(_ p0: NSCoder) {
    var value = CKRecordZoneSubscription(coder: p0)
    exact(&value, (CKRecordZoneSubscription).self)
  }

  // CKRecordZoneSubscription.init(zoneID:)
  @available(*, deprecated)
  static func row621(_ p0: CKRecordZone.ID) {
    var value = CKRecordZoneSubscription(zoneID: p0)
    exact(&value, (CKRecordZoneSubscription).self)
  }

  // CKRecordZoneSubscription.init(zoneID:subscriptionID:)
  static func row622(_ p0: CKRecordZone.ID, _ p1: CKSubscription.ID) {
    var value = CKRecordZoneSubscription(zoneID: p0, subscriptionID: p1)
    exact(&value, (CKRecordZoneSubscription).self)
  }

  // CKRecordZoneSubscription.recordType
  static func row623() {
    let _: ReferenceWritableKeyPath<CKRecordZoneSubscription, CKRecord.RecordType?> = \CKRecordZoneSubscription.recordType
  }

  // CKRecordZoneSubscription.zoneID
  static func row624() {
    let _: KeyPath<CKRecordZoneSubscription, CKRecordZone.ID> = \CKRecordZoneSubscription.zoneID
  }

  // CKServerChangeToken
  static func row625() {
    let _: NSObject.Type = (CKServerChangeToken).self
    let _: any NSCopying.Type = (CKServerChangeToken).self
    let _: any NSSecureCoding.Type = (CKServerChangeToken).self
    sendable((CKServerChangeToken).self)
  }

  // CKShare
  static func row626() {
    let _: CKRecord.Type = (CKShare).self
    let _: any NSCopying.Type = (CKShare).self
    let _: any NSSecureCoding.Type = (CKShare).self
    sendable((CKShare).self)
  }

  // CKShare.Metadata
  static func row627() {
    let _: NSObject.Type = (CKShare.Metadata).self
    let _: any NSCopying.Type = (CKShare.Metadata).self
    let _: any NSSecureCoding.Type = (CKShare.Metadata).self
    sendable((CKShare.Metadata).self)
  }

  // CKShare.Metadata.containerIdentifier
  static func row628() {
    let _: KeyPath<CKShare.Metadata, String> = \CKShare.Metadata.containerIdentifier
  }

  // CKShare.Metadata.hierarchicalRootRecordID
  static func row629() {
    let _: KeyPath<CKShare.Metadata, CKRecord.ID?> = \CKShare.Metadata.hierarchicalRootRecordID
  }

  // CKShare.Metadata.ownerIdentity
  static func row630() {
    let _: KeyPath<CKShare.Metadata, CKUserIdentity> = \CKShare.Metadata.ownerIdentity
  }

  // CKShare.Metadata.participantPermission
  static func row631() {
    let _: KeyPath<CKShare.Metadata, CKShare.ParticipantPermission> = \CKShare.Metadata.participantPermission
  }

  // CKShare.Metadata.participantRole
  static func row632() {
    let _: KeyPath<CKShare.Metadata, CKShare.ParticipantRole> = \CKShare.Metadata.participantRole
  }

  // CKShare.Metadata.participantStatus
  static func row633() {
    let _: KeyPath<CKShare.Metadata, CKShare.ParticipantAcceptanceStatus> = \CKShare.Metadata.participantStatus
  }

  // CKShare.Metadata.participantType
  @available(*, deprecated)
  static func row634() {
    let _: KeyPath<CKShare.Metadata, CKShare.ParticipantType> = \CKShare.Metadata.participantType
  }

  // CKShare.Metadata.rootRecord
  static func row635() {
    let _: KeyPath<CKShare.Metadata, CKRecord?> = \CKShare.Metadata.rootRecord
  }

  // CKShare.Metadata.rootRecordID
  @available(*, deprecated)
  static func row636() {
    let _: KeyPath<CKShare.Metadata, CKRecord.ID> = \CKShare.Metadata.rootRecordID
  }

  // CKShare.Metadata.share
  static func row637() {
    let _: KeyPath<CKShare.Metadata, CKShare> = \CKShare.Metadata.share
  }

  // CKShare.Participant
  static func row638() {
    let _: NSObject.Type = (CKShare.Participant).self
    let _: any NSCopying.Type = (CKShare.Participant).self
    let _: any NSSecureCoding.Type = (CKShare.Participant).self
    sendable((CKShare.Participant).self)
  }

  // CKShare.Participant.AcceptanceStatus
  static func row639() {
    let _: (CKShare.ParticipantAcceptanceStatus).Type = (CKShare.Participant.AcceptanceStatus).self
  }

  // CKShare.Participant.ID
  static func row640() {
    let _: (String).Type = (CKShare.Participant.ID).self
  }

  // CKShare.Participant.ParticipantType
  @available(*, deprecated)
  static func row641() {
    let _: (CKShare.ParticipantType).Type = (CKShare.Participant.ParticipantType).self
  }

  // CKShare.Participant.Permission
  static func row642() {
    let _: (CKShare.ParticipantPermission).Type = (CKShare.Participant.Permission).self
  }

  // CKShare.Participant.Role
  static func row643() {
    let _: (CKShare.ParticipantRole).Type = (CKShare.Participant.Role).self
  }

  // CKShare.Participant.acceptanceStatus
  static func row644() {
    let _: KeyPath<CKShare.Participant, CKShare.ParticipantAcceptanceStatus> = \CKShare.Participant.acceptanceStatus
  }

  // CKShare.Participant.participantID
  static func row645() {
    let _: KeyPath<CKShare.Participant, CKShare.Participant.ID> = \CKShare.Participant.participantID
  }

  // CKShare.Participant.permission
  static func row646() {
    let _: ReferenceWritableKeyPath<CKShare.Participant, CKShare.ParticipantPermission> = \CKShare.Participant.permission
  }

  // CKShare.Participant.role
  static func row647() {
    let _: ReferenceWritableKeyPath<CKShare.Participant, CKShare.ParticipantRole> = \CKShare.Participant.role
  }

  // CKShare.Participant.type
  @available(*, deprecated)
  static func row648() {
    let _: ReferenceWritableKeyPath<CKShare.Participant, CKShare.ParticipantType> = \CKShare.Participant.type
  }

  // CKShare.Participant.userIdentity
  static func row649() {
    let _: KeyPath<CKShare.Participant, CKUserIdentity> = \CKShare.Participant.userIdentity
  }

  // CKShare.ParticipantAcceptanceStatus
  static func row650() {
    let _: any Hashable.Type = (CKShare.ParticipantAcceptanceStatus).self
    sendable((CKShare.ParticipantAcceptanceStatus).self)
  }

  // CKShare.ParticipantAcceptanceStatus.accepted
  static func row651() {
    var value = CKShare.ParticipantAcceptanceStatus.accepted
    exact(&value, (CKShare.ParticipantAcceptanceStatus).self)
  }

  // CKShare.ParticipantAcceptanceStatus.init(rawValue:)
  static func row652(_ p0: Int) {
    var value = CKShare.ParticipantAcceptanceStatus(rawValue: p0)
    exact(&value, (CKShare.ParticipantAcceptanceStatus?).self)
  }

  // CKShare.ParticipantAcceptanceStatus.pending
  static func row653() {
    var value = CKShare.ParticipantAcceptanceStatus.pending
    exact(&value, (CKShare.ParticipantAcceptanceStatus).self)
  }

  // CKShare.ParticipantAcceptanceStatus.removed
  static func row654() {
    var value = CKShare.ParticipantAcceptanceStatus.removed
    exact(&value, (CKShare.ParticipantAcceptanceStatus).self)
  }

  // CKShare.ParticipantAcceptanceStatus.unknown
  static func row655() {
    var value = CKShare.ParticipantAcceptanceStatus.unknown
    exact(&value, (CKShare.ParticipantAcceptanceStatus).self)
  }

  // CKShare.ParticipantPermission
  static func row656() {
    let _: any Hashable.Type = (CKShare.ParticipantPermission).self
    sendable((CKShare.ParticipantPermission).self)
  }

  // CKShare.ParticipantRole
  static func row657() {
    let _: any Hashable.Type = (CKShare.ParticipantRole).self
    sendable((CKShare.ParticipantRole).self)
  }

  // CKShare.ParticipantType
  @available(*, deprecated)
  static func row658() {
    let _: any Hashable.Type = (CKShare.ParticipantType).self
    sendable((CKShare.ParticipantType).self)
  }

  // CKShare.SystemFieldKey
  static func row659() {
    _ = (CKShare.SystemFieldKey).self
  }

  // CKShare.SystemFieldKey.shareType
  static func row660() {
    var value = CKShare.SystemFieldKey.shareType
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKShare.SystemFieldKey.thumbnailImageData
  static func row661() {
    var value = CKShare.SystemFieldKey.thumbnailImageData
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKShare.SystemFieldKey.title
  static func row662() {
    var value = CKShare.SystemFieldKey.title
    exact(&value, (CKRecord.FieldKey).self)
  }

  // CKShare.addParticipant(_:)
  static func row663(_ owner: CKShare, _ p0: CKShare.Participant) {
    owner.addParticipant(p0)
  }

  // CKShare.currentUserParticipant
  static func row664() {
    let _: KeyPath<CKShare, CKShare.Participant?> = \CKShare.currentUserParticipant
  }

  // CKShare.init(coder:)
  static func row665(_ p0: NSCoder) {
    var value = CKShare(coder: p0)
    exact(&value, (CKShare).self)
  }

  // CKShare.init(recordZoneID:)
  static func row666(_ p0: CKRecordZone.ID) {
    var value = CKShare(recordZoneID: p0)
    exact(&value, (CKShare).self)
  }

  // CKShare.init(rootRecord:)
  static func row667(_ p0: CKRecord) {
    var value = CKShare(rootRecord: p0)
    exact(&value, (CKShare).self)
  }

  // CKShare.init(rootRecord:shareID:)
  static func row668(_ p0: CKRecord, _ p1: CKRecord.ID) {
    var value = CKShare(rootRecord: p0, shareID: p1)
    exact(&value, (CKShare).self)
  }

  // CKShare.owner
  static func row669() {
    let _: KeyPath<CKShare, CKShare.Participant> = \CKShare.owner
  }

  // CKShare.participants
  static func row670() {
    let _: KeyPath<CKShare, [CKShare.Participant]> = \CKShare.participants
  }

  // CKShare.publicPermission
  static func row671() {
    let _: ReferenceWritableKeyPath<CKShare, CKShare.ParticipantPermission> = \CKShare.publicPermission
  }

  // CKShare.removeParticipant(_:)
  static func row672(_ owner: CKShare, _ p0: CKShare.Participant) {
    owner.removeParticipant(p0)
  }

  // CKShare.url
  static func row673() {
    let _: KeyPath<CKShare, URL?> = \CKShare.url
  }

  // CKShareThumbnailImageDataKey
  static func row674() {
    var value = CKShareThumbnailImageDataKey
    exact(&value, (String).self)
  }

  // CKShareTitleKey
  static func row675() {
    var value = CKShareTitleKey
    exact(&value, (String).self)
  }

  // CKShareTypeKey
  static func row676() {
    var value = CKShareTypeKey
    exact(&value, (String).self)
  }

  // CKSharingParticipantAccessOption
  static func row677() {
    let _: any OptionSet.Type = (CKSharingParticipantAccessOption).self
    sendable((CKSharingParticipantAccessOption).self)
  }

  // CKSharingParticipantAccessOption.any
  static func row678() {
    var value = CKSharingParticipantAccessOption.any
    exact(&value, (CKSharingParticipantAccessOption).self)
  }

  // CKSharingParticipantAccessOption.anyoneWithLink
  static func row679() {
    var value = CKSharingParticipantAccessOption.anyoneWithLink
    exact(&value, (CKSharingParticipantAccessOption).self)
  }

  // CKSharingParticipantAccessOption.init(rawValue:)
  static func row680(_ p0: UInt) {
    var value = CKSharingParticipantAccessOption(rawValue: p0)
    exact(&value, (CKSharingParticipantAccessOption).self)
  }

  // CKSharingParticipantAccessOption.specifiedRecipientsOnly
  static func row681() {
    var value = CKSharingParticipantAccessOption.specifiedRecipientsOnly
    exact(&value, (CKSharingParticipantAccessOption).self)
  }

  // CKSharingParticipantPermissionOption
  static func row682() {
    let _: any OptionSet.Type = (CKSharingParticipantPermissionOption).self
    sendable((CKSharingParticipantPermissionOption).self)
  }

  // CKSharingParticipantPermissionOption.any
  static func row683() {
    var value = CKSharingParticipantPermissionOption.any
    exact(&value, (CKSharingParticipantPermissionOption).self)
  }

  // CKSharingParticipantPermissionOption.init(rawValue:)
  static func row684(_ p0: UInt) {
    var value = CKSharingParticipantPermissionOption(rawValue: p0)
    exact(&value, (CKSharingParticipantPermissionOption).self)
  }

  // CKSharingParticipantPermissionOption.readOnly
  static func row685() {
    var value = CKSharingParticipantPermissionOption.readOnly
    exact(&value, (CKSharingParticipantPermissionOption).self)
  }

  // CKSharingParticipantPermissionOption.readWrite
  static func row686() {
    var value = CKSharingParticipantPermissionOption.readWrite
    exact(&value, (CKSharingParticipantPermissionOption).self)
  }

  // CKSubscription
  static func row687() {
    _ = (CKSubscription).self
  }

  // CKSubscription.ID
  static func row688() {
    let _: (String).Type = (CKSubscription.ID).self
  }

  // CKSubscription.NotificationInfo
  static func row689() {
    _ = (CKSubscription.NotificationInfo).self
  }

  // CKSubscription.NotificationInfo.alertActionLocalizationKey
  static func row690() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.alertActionLocalizationKey
  }

  // CKSubscription.NotificationInfo.alertBody
  static func row691() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.alertBody
  }

  // CKSubscription.NotificationInfo.alertLaunchImage
  static func row692() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.alertLaunchImage
  }

  // CKSubscription.NotificationInfo.alertLocalizationArgs
  static func row693() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \CKSubscription.NotificationInfo.alertLocalizationArgs
  }

  // CKSubscription.NotificationInfo.alertLocalizationKey
  static func row694() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.alertLocalizationKey
  }

  // CKSubscription.NotificationInfo.category
  static func row695() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.category
  }

  // CKSubscription.NotificationInfo.collapseIDKey
  static func row696() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.collapseIDKey
  }

  // CKSubscription.NotificationInfo.desiredKeys
  static func row697() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \CKSubscription.NotificationInfo.desiredKeys
  }

  // CKSubscription.NotificationInfo.init(alertBody:alertLocalizationKey:alertLocalizationArgs:title:titleLocalizationKey:titleLocalizationArgs:subtitle:subtitleLocalizationKey:subtitleLocalizationArgs:alertActionLocalizationKey:alertLaunchImage:soundName:desiredKeys:shouldBadge:shouldSendContentAvailable:shouldSendMutableContent:category:collapseIDKey:)
  static func row698(_ p0: String?, _ p1: String?, _ p2: [CKRecord.FieldKey], _ p3: String?, _ p4: String?, _ p5: [CKRecord.FieldKey], _ p6: String?, _ p7: String?, _ p8: [CKRecord.FieldKey], _ p9: String?, _ p10: String?, _ p11: String?, _ p12: [CKRecord.FieldKey], _ p13: Bool, _ p14: Bool, _ p15: Bool, _ p16: String?, _ p17: String?) {
    var value = CKSubscription.NotificationInfo(alertBody: p0, alertLocalizationKey: p1, alertLocalizationArgs: p2, title: p3, titleLocalizationKey: p4, titleLocalizationArgs: p5, subtitle: p6, subtitleLocalizationKey: p7, subtitleLocalizationArgs: p8, alertActionLocalizationKey: p9, alertLaunchImage: p10, soundName: p11, desiredKeys: p12, shouldBadge: p13, shouldSendContentAvailable: p14, shouldSendMutableContent: p15, category: p16, collapseIDKey: p17)
    exact(&value, (CKSubscription.NotificationInfo).self)
    var short = CKSubscription.NotificationInfo()
    exact(&short, (CKSubscription.NotificationInfo).self)
  }

  // CKSubscription.NotificationInfo.shouldBadge
  static func row699() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, Bool> = \CKSubscription.NotificationInfo.shouldBadge
  }

  // CKSubscription.NotificationInfo.shouldSendContentAvailable
  static func row700() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, Bool> = \CKSubscription.NotificationInfo.shouldSendContentAvailable
  }

  // CKSubscription.NotificationInfo.shouldSendMutableContent
  static func row701() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, Bool> = \CKSubscription.NotificationInfo.shouldSendMutableContent
  }

  // CKSubscription.NotificationInfo.soundName
  static func row702() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.soundName
  }

  // CKSubscription.NotificationInfo.subtitle
  static func row703() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.subtitle
  }

  // CKSubscription.NotificationInfo.subtitleLocalizationArgs
  static func row704() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \CKSubscription.NotificationInfo.subtitleLocalizationArgs
  }

  // CKSubscription.NotificationInfo.subtitleLocalizationKey
  static func row705() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.subtitleLocalizationKey
  }

  // CKSubscription.NotificationInfo.title
  static func row706() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.title
  }

  // CKSubscription.NotificationInfo.titleLocalizationArgs
  static func row707() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \CKSubscription.NotificationInfo.titleLocalizationArgs
  }

  // CKSubscription.NotificationInfo.titleLocalizationKey
  static func row708() {
    let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> = \CKSubscription.NotificationInfo.titleLocalizationKey
  }

  // CKSubscription.SubscriptionType
  static func row709() {
    _ = (CKSubscription.SubscriptionType).self
  }

  // CKSubscription.SubscriptionType.database
  static func row710() {
    var value = CKSubscription.SubscriptionType.database
    exact(&value, (CKSubscription.SubscriptionType).self)
  }

  // CKSubscription.SubscriptionType.init(rawValue:)
  static func row711(_ p0: Int) {
    var value = CKSubscription.SubscriptionType(rawValue: p0)
    exact(&value, (CKSubscription.SubscriptionType?).self)
  }

  // CKSubscription.SubscriptionType.query
  static func row712() {
    var value = CKSubscription.SubscriptionType.query
    exact(&value, (CKSubscription.SubscriptionType).self)
  }

  // CKSubscription.SubscriptionType.recordZone
  static func row713() {
    var value = CKSubscription.SubscriptionType.recordZone
    exact(&value, (CKSubscription.SubscriptionType).self)
  }

  // CKSubscription.notificationInfo
  static func row714() {
    let _: ReferenceWritableKeyPath<CKSubscription, CKSubscription.NotificationInfo?> = \CKSubscription.notificationInfo
  }

  // CKSubscription.subscriptionID
  static func row715() {
    let _: KeyPath<CKSubscription, CKSubscription.ID> = \CKSubscription.subscriptionID
  }

  // CKSubscription.subscriptionType
  static func row716() {
    let _: KeyPath<CKSubscription, CKSubscription.SubscriptionType> = \CKSubscription.subscriptionType
  }

  // CKSystemSharingUIObserver
  static func row717() {
    let _: NSObject.Type = (CKSystemSharingUIObserver).self
    sendable((CKSystemSharingUIObserver).self)
  }

  // CKSystemSharingUIObserver.init(container:)
  static func row718(_ p0: CKContainer) {
    var value = CKSystemSharingUIObserver(container: p0)
    exact(&value, (CKSystemSharingUIObserver).self)
  }

  // CKSystemSharingUIObserver.systemSharingUIDidSaveShareBlock
  static func row719() {
    #if swift(>=6)
    let _: ReferenceWritableKeyPath<CKSystemSharingUIObserver, (@Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void)?> = \CKSystemSharingUIObserver.systemSharingUIDidSaveShareBlock
    #endif
  }

  // CKSystemSharingUIObserver.systemSharingUIDidStopSharingBlock
  static func row720() {
    #if swift(>=6)
    let _: ReferenceWritableKeyPath<CKSystemSharingUIObserver, (@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)?> = \CKSystemSharingUIObserver.systemSharingUIDidStopSharingBlock
    #endif
  }

  // CKUserIdentity
  static func row721() {
    let _: NSObject.Type = (CKUserIdentity).self
    let _: any NSCopying.Type = (CKUserIdentity).self
    let _: any NSSecureCoding.Type = (CKUserIdentity).self
    sendable((CKUserIdentity).self)
  }

  // CKUserIdentity.LookupInfo
  static func row722() {
    let _: NSObject.Type = (CKUserIdentity.LookupInfo).self
    let _: any NSCopying.Type = (CKUserIdentity.LookupInfo).self
    let _: any NSSecureCoding.Type = (CKUserIdentity.LookupInfo).self
    sendable((CKUserIdentity.LookupInfo).self)
  }

  // CKUserIdentity.LookupInfo.emailAddress
  static func row723() {
    let _: KeyPath<CKUserIdentity.LookupInfo, String?> = \CKUserIdentity.LookupInfo.emailAddress
  }

  // CKUserIdentity.LookupInfo.init(emailAddress:)
  static func row724(_ p0: String) {
    var value = CKUserIdentity.LookupInfo(emailAddress: p0)
    exact(&value, (CKUserIdentity.LookupInfo).self)
  }

  // CKUserIdentity.LookupInfo.init(phoneNumber:)
  static func row725(_ p0: String) {
    var value = CKUserIdentity.LookupInfo(phoneNumber: p0)
    exact(&value, (CKUserIdentity.LookupInfo).self)
  }

  // CKUserIdentity.LookupInfo.init(userRecordID:)
  static func row726(_ p0: CKRecord.ID) {
    var value = CKUserIdentity.LookupInfo(userRecordID: p0)
    exact(&value, (CKUserIdentity.LookupInfo).self)
  }

  // CKUserIdentity.LookupInfo.lookupInfos(with:)
  static func row727(_ p0: [CKRecord.ID]) {
    var value = CKUserIdentity.LookupInfo.lookupInfos(with: p0)
    exact(&value, ([CKUserIdentity.LookupInfo]).self)
    CKUserIdentity.LookupInfo.lookupInfos(with: p0)
  }

  // CKUserIdentity.LookupInfo.lookupInfos(withEmails:)
  static func row728(_ p0: [String]) {
    var value = CKUserIdentity.LookupInfo.lookupInfos(withEmails: p0)
    exact(&value, ([CKUserIdentity.LookupInfo]).self)
    CKUserIdentity.LookupInfo.lookupInfos(withEmails: p0)
  }

  // CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers:)
  static func row729(_ p0: [String]) {
    var value = CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: p0)
    exact(&value, ([CKUserIdentity.LookupInfo]).self)
    CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: p0)
  }

  // CKUserIdentity.LookupInfo.phoneNumber
  static func row730() {
    let _: KeyPath<CKUserIdentity.LookupInfo, String?> = \CKUserIdentity.LookupInfo.phoneNumber
  }

  // CKUserIdentity.LookupInfo.userRecordID
  static func row731() {
    let _: KeyPath<CKUserIdentity.LookupInfo, CKRecord.ID?> = \CKUserIdentity.LookupInfo.userRecordID
  }

  // CKUserIdentity.contactIdentifiers
  @available(*, deprecated)
  static func row732() {
    let _: KeyPath<CKUserIdentity, [String]> = \CKUserIdentity.contactIdentifiers
  }

  // CKUserIdentity.hasiCloudAccount
  static func row733() {
    let _: KeyPath<CKUserIdentity, Bool> = \CKUserIdentity.hasiCloudAccount
  }

  // CKUserIdentity.lookupInfo
  static func row734() {
    let _: KeyPath<CKUserIdentity, CKUserIdentity.LookupInfo?> = \CKUserIdentity.lookupInfo
  }

  // CKUserIdentity.nameComponents
  static func row735() {
    let _: KeyPath<CKUserIdentity, PersonNameComponents?> = \CKUserIdentity.nameComponents
  }

  // CKUserIdentity.userRecordID
  @available(*, deprecated)
  static func row736() {
    let _: KeyPath<CKUserIdentity, CKRecord.ID?> = \CKUserIdentity.userRecordID
  }

  // NSPredicate.init(format:_:)
  static func row737(_ p0: String, _ p1: any CVarArg...) {
    var value = NSPredicate(format: p0, p1)
    exact(&value, (NSPredicate).self)
  }

  // NSPredicate.init(format:argumentArray:)
  static func row738(_ p0: String, _ p1: [Any]?) {
    var value = NSPredicate(format: p0, argumentArray: p1)
    exact(&value, (NSPredicate).self)
  }

  // NSSortDescriptor.init(key:ascending:)
  static func row739(_ p0: String?, _ p1: Bool) {
    var value = NSSortDescriptor(key: p0, ascending: p1)
    exact(&value, (NSSortDescriptor).self)
  }
}
