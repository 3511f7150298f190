import Foundation

/// A form that JSON and property lists can hold ([sync-state-8]). Changes in flight are written as pending.
extension SyncState: Codable {
  private static let version = 1

  private enum Key: CodingKey { case version }

  /// Version 1. Names are checked before anything is built from them.
  fileprivate struct Archive: Codable {
    /// One of both is set.
    struct RecordChange: Codable {
      var saved: CKRecordID.Archive?
      var deleted: CKRecordID.Archive?
    }

    /// One of both is set.
    struct DatabaseChange: Codable {
      var saved: CKRecordZone.Archive?
      var deleted: CKRecordZoneID.Archive?
    }

    struct ZoneToken: Codable {
      var zoneID: CKRecordZoneID.Archive
      var token: Data
    }

    var version: Int
    var recordChanges: [RecordChange]
    var databaseChanges: [DatabaseChange]
    var hasPendingUntrackedChanges: Bool
    var databaseToken: Data?
    var zoneTokens: [ZoneToken]
    var zonesWithUnfetchedChanges: [CKRecordZoneID.Archive]
    var lastUser: CKRecordID.Archive?
    var subscriptionID: String?
  }

  func encode(to encoder: any Encoder) throws {
    let state = landed
    let zoneTokens = zoneTokens.map { Archive.ZoneToken(zoneID: $0.key.archive, token: $0.value.data) }.sorted {
      ($0.zoneID.ownerName, $0.zoneID.zoneName) < ($1.zoneID.ownerName, $1.zoneID.zoneName)
    }
    try Archive(
      version: Self.version, recordChanges: state.recordChanges.list.map { $0.archive },
      databaseChanges: state.databaseChanges.list.map { $0.archive },
      hasPendingUntrackedChanges: state.hasPendingUntrackedChanges, databaseToken: databaseToken?.data,
      zoneTokens: zoneTokens, zonesWithUnfetchedChanges: zonesWithUnfetchedChanges.map(\.archive),
      lastUser: lastUser?.archive, subscriptionID: subscriptionID
    ).encode(to: encoder)
  }

  /// - Throws: `DecodingError` for another version, and for names, zones or changes that cannot be.
  init(from decoder: any Decoder) throws {
    func valid<Value>(_ value: Value?) throws -> Value {
      guard let value else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "The state of a sync engine holds an invalid value."))
      }
      return value
    }
    let version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .version)
    guard version == Self.version else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "The state of a sync engine has the format \(version); this library reads "
            + "\(Self.version). Start the engine without a state: it fetches everything."))
    }
    let archive = try Archive(from: decoder)
    self.init()
    recordChanges.add(try archive.recordChanges.map { try valid($0.change) })
    databaseChanges.add(try archive.databaseChanges.map { try valid($0.change) })
    hasPendingUntrackedChanges = archive.hasPendingUntrackedChanges
    databaseToken = archive.databaseToken.map { CKServerChangeToken(data: $0) }
    for entry in archive.zoneTokens {
      let zoneID = try valid(CKRecordZoneID(archive: entry.zoneID))
      zoneTokens[zoneID] = CKServerChangeToken(data: entry.token)
    }
    markUnfetched(try archive.zonesWithUnfetchedChanges.map { try valid(CKRecordZoneID(archive: $0)) })
    lastUser = try archive.lastUser.map { try valid(CKRecordID(archive: $0)) }
    subscriptionID = archive.subscriptionID
  }
}

extension CKSyncEngine.PendingRecordZoneChange {
  fileprivate var archive: SyncState.Archive.RecordChange {
    switch self {
    case .saveRecord(let recordID): SyncState.Archive.RecordChange(saved: recordID.archive)
    case .deleteRecord(let recordID): SyncState.Archive.RecordChange(deleted: recordID.archive)
    }
  }
}

extension CKSyncEngine.PendingDatabaseChange {
  fileprivate var archive: SyncState.Archive.DatabaseChange {
    switch self {
    case .saveZone(let zone): SyncState.Archive.DatabaseChange(saved: zone.archive)
    case .deleteZone(let zoneID): SyncState.Archive.DatabaseChange(deleted: zoneID.archive)
    }
  }
}

extension SyncState.Archive.RecordChange {
  /// Nil if the ID is missing or invalid.
  fileprivate var change: CKSyncEngine.PendingRecordZoneChange? {
    if let saved { return CKRecordID(archive: saved).map { .saveRecord($0) } }
    return deleted.flatMap { CKRecordID(archive: $0) }.map { .deleteRecord($0) }
  }
}

extension SyncState.Archive.DatabaseChange {
  /// Nil if the zone or the ID is missing or invalid.
  fileprivate var change: CKSyncEngine.PendingDatabaseChange? {
    if let saved { return CKRecordZone(archive: saved).map { .saveZone($0) } }
    return deleted.flatMap { CKRecordZoneID(archive: $0) }.map { .deleteZone($0) }
  }
}
