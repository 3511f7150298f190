import CloudKit

/// Contacts in iCloud: the user's own in a zone of the private database, those of others in the shared database.
///
/// The code does not depend on the cloud being a folder: the same file compiles against Apple's CloudKit.
struct ContactStore {
  static let recordType = "Contact"

  let container = CKContainer(identifier: "iCloud.com.example.Contacts")
  let recordZone = CKRecordZone(zoneName: "Contacts")

  var privateDatabase: CKDatabase { container.privateCloudDatabase }
  var sharedDatabase: CKDatabase { container.sharedCloudDatabase }

  /// Saving a zone that exists leaves it as it is.
  func prepare() async throws {
    _ = try await privateDatabase.modifyRecordZones(saving: [recordZone], deleting: [])
  }

  // MARK: Contacts

  func add(name: String, phoneNumber: String) async throws -> CKRecord {
    try await add(name: name, phoneNumber: phoneNumber, to: recordZone.zoneID, of: privateDatabase)
  }

  func add(
    name: String, phoneNumber: String, to zoneID: CKRecordZone.ID, of database: CKDatabase
  ) async throws -> CKRecord {
    let record = CKRecord(recordType: Self.recordType, recordID: CKRecord.ID(zoneID: zoneID))
    record["name"] = name
    record["phoneNumber"] = phoneNumber
    return try await database.save(record)
  }

  /// The contacts of all own zones, including groups. The default zone is skipped: it has no change feed.
  func privateContacts() async throws -> [CKRecord] {
    var records: [CKRecord] = []
    for zone in try await privateDatabase.allRecordZones() where zone.zoneID != CKRecordZone.ID.default {
      records += try await contacts(in: zone.zoneID, of: privateDatabase)
    }
    return records
  }

  /// Every zone of the shared database belongs to another user that shares it with the current user.
  func sharedContacts() async throws -> [CKRecord] {
    var records: [CKRecord] = []
    for zone in try await sharedDatabase.allRecordZones() {
      records += try await contacts(in: zone.zoneID, of: sharedDatabase)
    }
    return records
  }

  func contacts(in zoneID: CKRecordZone.ID, of database: CKDatabase) async throws -> [CKRecord] {
    try await allRecords(in: zoneID, of: database)
      .filter { $0.recordType == Self.recordType }
      .sorted { ($0["name"] as? String ?? "") < ($1["name"] as? String ?? "") }
  }

  private func allRecords(in zoneID: CKRecordZone.ID, of database: CKDatabase) async throws -> [CKRecord] {
    var records: [CKRecord] = []
    var token: CKServerChangeToken?
    var moreComing = true
    while moreComing {
      let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
      records += try changes.modificationResultsByID.values.map { try $0.get().record }
      moreComing = changes.moreComing
      token = changes.changeToken
    }
    return records
  }

  /// The contact with that name, own or shared by others, and its database.
  func contact(named name: String) async throws -> (record: CKRecord, database: CKDatabase) {
    if let record = try await privateContacts().first(where: { $0["name"] == name }) {
      return (record, privateDatabase)
    }
    if let record = try await sharedContacts().first(where: { $0["name"] == name }) { return (record, sharedDatabase) }
    throw CKError(.unknownItem)
  }

  /// Saves a changed number. If another device changed the record since, takes the server's record and sets the number
  /// in it.
  func setPhoneNumber(_ phoneNumber: String, of name: String) async throws -> CKRecord {
    let (record, database) = try await contact(named: name)
    record["phoneNumber"] = phoneNumber
    do {
      return try await database.save(record)
    } catch let error as CKError where error.code == .serverRecordChanged {
      guard let server = error.serverRecord else { throw error }
      server["phoneNumber"] = phoneNumber
      return try await database.save(server)
    }
  }

  func delete(_ name: String) async throws {
    let (record, database) = try await contact(named: name)
    _ = try await database.deleteRecord(withID: record.recordID)
  }

  // MARK: Sharing

  /// The contact's share, made if there is none. Share and root are saved in one operation, as CloudKit demands.
  func share(_ name: String) async throws -> CKShare {
    let (record, database) = try await contact(named: name)
    if let share = try await existingShare(of: record, in: database) { return share }
    let share = CKShare(rootRecord: record)
    share[CKShare.SystemFieldKey.title] = name
    let results = try await privateDatabase.modifyRecords(saving: [record, share], deleting: [])
    for result in results.saveResults.values { _ = try result.get() }
    return share
  }

  private func existingShare(of record: CKRecord, in database: CKDatabase) async throws -> CKShare? {
    guard let reference = record.share else { return nil }
    return try await database.record(for: reference.recordID) as? CKShare
  }

  func currentShare(of name: String) async throws -> CKShare {
    let (record, database) = try await contact(named: name)
    guard let share = try await existingShare(of: record, in: database) else { throw CKError(.unknownItem) }
    return share
  }

  /// Puts a person on the share's list, found by e-mail address or phone number.
  func invite(_ address: String, to share: CKShare, permission: CKShare.ParticipantPermission) async throws -> CKShare {
    let participant =
      address.contains("@")
      ? try await container.shareParticipant(forEmailAddress: address)
      : try await container.shareParticipant(forPhoneNumber: address)
    participant.permission = permission
    share.addParticipant(participant)
    _ = try await privateDatabase.save(share)
    return share
  }

  func remove(_ address: String, from share: CKShare) async throws {
    guard let participant = share.participants.first(where: { $0.userIdentity.lookupInfo?.emailAddress == address })
    else { throw CKError(.unknownItem) }
    share.removeParticipant(participant)
    _ = try await privateDatabase.save(share)
  }

  /// The work of the system when a person taps the link: fetch the metadata, then accept the share.
  func accept(_ url: URL) async throws -> CKShare {
    let metadata = try await container.shareMetadata(for: url)
    return try await container.accept(metadata)
  }

  /// The owner ends a share by deleting it; the contact stays.
  func stopSharing(_ name: String) async throws {
    let share = try await currentShare(of: name)
    _ = try await privateDatabase.deleteRecord(withID: share.recordID)
  }

  /// A participant leaves by deleting the root in the shared database; the owner's record stays.
  func leave(_ name: String) async throws {
    guard let record = try await sharedContacts().first(where: { $0["name"] == name }) else {
      throw CKError(.unknownItem)
    }
    _ = try await sharedDatabase.deleteRecord(withID: record.recordID)
  }
}
