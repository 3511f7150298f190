import CloudKit

/// Groups of contacts: a zone each, shared as a whole or not at all.
extension ContactStore {
  struct Group {
    var zone: CKRecordZone
    var database: CKDatabase
    var isShared: Bool { zone.share != nil }
  }

  func makeGroup(_ name: String) async throws -> Group {
    Group(zone: try await privateDatabase.save(CKRecordZone(zoneName: name)), database: privateDatabase)
  }

  /// The user's own groups, and those that others share. A zone in the shared database is a group if it is shared as a
  /// whole.
  func groups() async throws -> [Group] {
    let own = try await privateDatabase.allRecordZones()
      .filter { $0.zoneID.zoneName != CKRecordZone.ID.defaultZoneName && $0.zoneID != recordZone.zoneID }
      .map { Group(zone: $0, database: privateDatabase) }
    let shared = try await sharedDatabase.allRecordZones()
      .filter { $0.share?.recordID.recordName == CKRecordNameZoneWideShare }
      .map { Group(zone: $0, database: sharedDatabase) }
    return (own + shared).sorted { $0.zone.zoneID.zoneName < $1.zone.zoneID.zoneName }
  }

  func group(named name: String) async throws -> Group {
    guard let group = try await groups().first(where: { $0.zone.zoneID.zoneName == name }) else {
      throw CKError(.zoneNotFound)
    }
    return group
  }

  func contacts(in group: Group) async throws -> [CKRecord] {
    try await contacts(in: group.zone.zoneID, of: group.database)
  }

  // MARK: Sharing

  /// The group's share. Makes it if there is none. A zone has one share, and the record name of the share is fixed.
  func share(_ group: Group) async throws -> CKShare {
    if let share = try await currentShare(of: group) { return share }
    let share = CKShare(recordZoneID: group.zone.zoneID)
    share[CKShare.SystemFieldKey.title] = group.zone.zoneID.zoneName
    _ = try await group.database.save(share)
    return share
  }

  func currentShare(of group: Group) async throws -> CKShare? {
    guard let reference = group.zone.share else { return nil }
    return try await group.database.record(for: reference.recordID) as? CKShare
  }

  /// Every person with the link may join.
  func open(_ share: CKShare, _ permission: CKShare.ParticipantPermission) async throws {
    share.publicPermission = permission
    _ = try await privateDatabase.save(share)
  }

  /// Deletes the share. For the owner this ends the share, for a participant it means leaving.
  func deleteShare(of group: Group) async throws {
    guard let reference = group.zone.share else { throw CKError(.unknownItem) }
    _ = try await group.database.deleteRecord(withID: reference.recordID)
  }
}
