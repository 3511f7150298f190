import Foundation

// The persisted inputs that restore each kind of long-lived operation.

/// Restores values from their archives. Returns nil if an archive is invalid; the inner optional is nil if there are no
/// archives.
private func all<Archive, Value>(_ archives: [Archive]?, _ make: (Archive) -> Value?) -> [Value]?? {
  guard let archives else { return .some(nil) }
  let values = archives.compactMap(make)
  return values.count == archives.count ? .some(values) : nil
}

extension CKModifyRecordsOperation: LongLivable {
  static var kind: String { "CKModifyRecordsOperation" }

  struct Inputs: Codable {
    var recordsToSave: [RecordState.Archive]?
    var recordIDsToDelete: [CKRecordID.Archive]?
    var savePolicy: Int
    var isAtomic: Bool
    var clientChangeTokenData: Data?
  }

  var inputs: Inputs {
    Inputs(
      recordsToSave: recordsToSave?.map { $0.state.archive(systemFieldsOnly: false) },
      recordIDsToDelete: recordIDsToDelete?.map(\.archive), savePolicy: savePolicy.rawValue, isAtomic: isAtomic,
      clientChangeTokenData: clientChangeTokenData)
  }

  func restore(_ inputs: Inputs) -> Bool {
    guard let records = all(inputs.recordsToSave, { RecordState(archive: $0).map(CKRecord.make(state:)) }),
      let recordIDs = all(inputs.recordIDsToDelete, CKRecordID.init(archive:)),
      let policy = RecordSavePolicy(rawValue: inputs.savePolicy)
    else { return false }
    recordsToSave = records
    recordIDsToDelete = recordIDs
    savePolicy = policy
    isAtomic = inputs.isAtomic
    clientChangeTokenData = inputs.clientChangeTokenData
    return true
  }
}

extension CKFetchRecordsOperation: LongLivable {
  static var kind: String { "CKFetchRecordsOperation" }

  struct Inputs: Codable {
    var recordIDs: [CKRecordID.Archive]?
    var desiredKeys: [String]?
    var fetchesCurrentUser: Bool
  }

  var inputs: Inputs {
    Inputs(
      recordIDs: recordIDs?.map(\.archive), desiredKeys: desiredKeys, fetchesCurrentUser: fetchesCurrentUser)
  }

  func restore(_ inputs: Inputs) -> Bool {
    guard let recordIDs = all(inputs.recordIDs, CKRecordID.init(archive:)) else { return false }
    self.recordIDs = recordIDs
    desiredKeys = inputs.desiredKeys
    fetchesCurrentUser = inputs.fetchesCurrentUser
    return true
  }
}

extension CKQueryOperation: LongLivable {
  static var kind: String { "CKQueryOperation" }

  struct Inputs: Codable {
    var query: CKQuery.Archive?
    var cursor: Data?
    var zoneID: CKRecordZoneID.Archive?
    var resultsLimit: Int
    var desiredKeys: [String]?
  }

  var inputs: Inputs {
    Inputs(
      query: query?.archive, cursor: cursor?.data, zoneID: zoneID?.archive, resultsLimit: resultsLimit,
      desiredKeys: desiredKeys)
  }

  func restore(_ inputs: Inputs) -> Bool {
    let query = inputs.query.flatMap(CKQuery.init(archive:))
    let zoneID = inputs.zoneID.flatMap(CKRecordZoneID.init(archive:))
    guard (query == nil) == (inputs.query == nil), (zoneID == nil) == (inputs.zoneID == nil) else { return false }
    self.query = query
    self.zoneID = zoneID
    cursor = inputs.cursor.map(CKQueryCursor.init(data:))
    resultsLimit = inputs.resultsLimit
    desiredKeys = inputs.desiredKeys
    return true
  }
}

extension CKFetchRecordZonesOperation: LongLivable {
  static var kind: String { "CKFetchRecordZonesOperation" }

  struct Inputs: Codable {
    var recordZoneIDs: [CKRecordZoneID.Archive]?
    var fetchesAll: Bool
  }

  var inputs: Inputs { Inputs(recordZoneIDs: recordZoneIDs?.map(\.archive), fetchesAll: fetchesAll) }

  func restore(_ inputs: Inputs) -> Bool {
    guard let zoneIDs = all(inputs.recordZoneIDs, CKRecordZoneID.init(archive:)) else { return false }
    recordZoneIDs = zoneIDs
    fetchesAll = inputs.fetchesAll
    return true
  }
}

extension CKModifyRecordZonesOperation: LongLivable {
  static var kind: String { "CKModifyRecordZonesOperation" }

  struct Inputs: Codable {
    var recordZonesToSave: [CKRecordZone.Archive]?
    var recordZoneIDsToDelete: [CKRecordZoneID.Archive]?
  }

  var inputs: Inputs {
    Inputs(
      recordZonesToSave: recordZonesToSave?.map(\.archive),
      recordZoneIDsToDelete: recordZoneIDsToDelete?.map(\.archive))
  }

  func restore(_ inputs: Inputs) -> Bool {
    guard let zones = all(inputs.recordZonesToSave, CKRecordZone.init(archive:)),
      let zoneIDs = all(inputs.recordZoneIDsToDelete, CKRecordZoneID.init(archive:))
    else { return false }
    recordZonesToSave = zones
    recordZoneIDsToDelete = zoneIDs
    return true
  }
}

extension CKFetchDatabaseChangesOperation: LongLivable {
  static var kind: String { "CKFetchDatabaseChangesOperation" }

  struct Inputs: Codable {
    var previousServerChangeToken: Data?
    var resultsLimit: Int
    var fetchAllChanges: Bool
  }

  var inputs: Inputs {
    Inputs(
      previousServerChangeToken: previousServerChangeToken?.data, resultsLimit: resultsLimit,
      fetchAllChanges: fetchAllChanges)
  }

  func restore(_ inputs: Inputs) -> Bool {
    previousServerChangeToken = inputs.previousServerChangeToken.map(CKServerChangeToken.init(data:))
    resultsLimit = inputs.resultsLimit
    fetchAllChanges = inputs.fetchAllChanges
    return true
  }
}

extension CKFetchRecordZoneChangesOperation: LongLivable {
  static var kind: String { "CKFetchRecordZoneChangesOperation" }

  struct Inputs: Codable {
    struct Configuration: Codable {
      var zoneID: CKRecordZoneID.Archive
      var settings: ZoneConfiguration.Archive
    }

    var recordZoneIDs: [CKRecordZoneID.Archive]?
    var configurations: [Configuration]?
    var fetchAllChanges: Bool
  }

  var inputs: Inputs {
    Inputs(
      recordZoneIDs: recordZoneIDs?.map(\.archive),
      configurations: configurationsByRecordZoneID?.map {
        Inputs.Configuration(zoneID: $0.key.archive, settings: $0.value.archive)
      }, fetchAllChanges: fetchAllChanges)
  }

  func restore(_ inputs: Inputs) -> Bool {
    guard let zoneIDs = all(inputs.recordZoneIDs, CKRecordZoneID.init(archive:)),
      let configured = all(inputs.configurations?.map(\.zoneID), CKRecordZoneID.init(archive:))
    else { return false }
    recordZoneIDs = zoneIDs
    configurationsByRecordZoneID = configured.map { zoneIDs in
      let settings = (inputs.configurations ?? []).map { ZoneConfiguration(archive: $0.settings) }
      return Dictionary(zip(zoneIDs, settings), uniquingKeysWith: { first, _ in first })
    }
    fetchAllChanges = inputs.fetchAllChanges
    return true
  }
}

@available(*, deprecated)
extension CKFetchRecordChangesOperation: LongLivable {
  static var kind: String { "CKFetchRecordChangesOperation" }

  struct Inputs: Codable {
    var recordZoneID: CKRecordZoneID.Archive?
    var settings: CKFetchRecordZoneChangesConfiguration.Archive
  }

  var inputs: Inputs {
    Inputs(
      recordZoneID: recordZoneID?.archive,
      settings: CKFetchRecordZoneChangesConfiguration(
        previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit, desiredKeys: desiredKeys
      ).archive)
  }

  func restore(_ inputs: Inputs) -> Bool {
    let zoneID = inputs.recordZoneID.flatMap(CKRecordZoneID.init(archive:))
    guard (zoneID == nil) == (inputs.recordZoneID == nil) else { return false }
    recordZoneID = zoneID
    let settings = CKFetchRecordZoneChangesConfiguration(archive: inputs.settings)
    previousServerChangeToken = settings.previousServerChangeToken
    resultsLimit = settings.resultsLimit
    desiredKeys = settings.desiredKeys
    return true
  }
}
