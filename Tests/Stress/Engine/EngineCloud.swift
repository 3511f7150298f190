import CloudKit
import LocalCloud
import TestSupport

/// The cloud's data, read with plain CloudKit on devices of their own.
struct EngineCloud {
  private var containers: [String: CKContainer] = [:]
  /// The names of the accounts' user records, by account.
  private(set) var users: [String: String] = [:]

  init(_ root: String, accounts names: [String]) async throws {
    for name in names {
      let container = try LocalCloud.acting(as: name, device: "\(name)-plain", root: root) {
        CKContainer(identifier: TemporaryCloud.container)
      }
      containers[name] = container
      users[name] = try await container.userRecordID().recordName
    }
  }

  /// The database in which an account sees a zone, and the zone's ID there.
  private func address(
    of zone: EngineZone, as account: String
  ) throws -> (database: CKDatabase, zoneID: CKRecordZone.ID) {
    let container = try container(account)
    let isShared = zone.owner != account
    let owner = try isShared ? user(zone.owner) : CKCurrentUserDefaultName
    return (
      isShared ? container.sharedCloudDatabase : container.privateCloudDatabase,
      CKRecordZone.ID(zoneName: zone.name, ownerName: owner)
    )
  }

  private func container(_ account: String) throws -> CKContainer {
    guard let container = containers[account] else { throw ScenarioEnd("no account \(account)") }
    return container
  }

  private func user(_ account: String) throws -> String {
    guard let user = users[account] else { throw ScenarioEnd("no account \(account)") }
    return user
  }

  /// Creates the zone of both accounts. All other accounts join it with write permission.
  func shareFamilyZone() async throws {
    let owner = try container(EngineZone.family.owner)
    let zoneID = CKRecordZone.ID(zoneName: EngineZone.family.name)
    try await owner.privateCloudDatabase.save(CKRecordZone(zoneID: zoneID))
    let others = containers.keys.filter { $0 != EngineZone.family.owner }.sorted()
    let share = CKShare(recordZoneID: zoneID)
    for account in others {
      let participant = try await owner.shareParticipant(forEmailAddress: "\(account)@example.com")
      participant.permission = .readWrite
      share.addParticipant(participant)
    }
    guard let url = (try await owner.privateCloudDatabase.save(share) as? CKShare)?.url else {
      throw ScenarioEnd("the share has no link")
    }
    for account in others {
      let container = try container(account)
      _ = try await container.accept(try await container.shareMetadata(for: url))
    }
  }

  /// Creates and shares the zone of both accounts again, after its end, that of its share, or a departure.
  func restoreFamilyZone() async throws {
    try await endFamilyShare()
    try await shareFamilyZone()
  }

  /// Deletes a zone, or leaves it, if the account has it.
  func delete(_ zone: EngineZone, as account: String) async throws {
    let (database, zoneID) = try address(of: zone, as: account)
    _ = try? await database.modifyRecordZones(saving: [], deleting: [zoneID])
  }

  /// Ends the share of the zone of both accounts, if there is one. The zone remains.
  func endFamilyShare() async throws {
    let (database, zoneID) = try address(of: .family, as: EngineZone.family.owner)
    let shareID = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: zoneID)
    _ = try? await database.modifyRecords(saving: [], deleting: [shareID])
  }

  /// Saves a marker in each zone of an account. Returns the names of the zones that exist.
  func saveMarkers(_ number: Int, as account: String) async throws -> [String] {
    var zones: [String] = []
    for zone in EngineZone.zones(of: account) {
      let (database, zoneID) = try address(of: zone, as: account)
      let recordID = CKRecord.ID(recordName: "marker", zoneID: zoneID)
      let marker = CKRecord(recordType: EngineItem.markerType, recordID: recordID)
      marker["number"] = number
      do {
        let results = try await database.modifyRecords(saving: [marker], deleting: [], savePolicy: .allKeys)
        for result in results.saveResults.values { _ = try result.get() }
        zones.append(zone.name)
      } catch {
        if !Self.isMissingZone(error) { throw error }
      }
    }
    return zones
  }

  private static func isMissingZone(_ error: any Error) -> Bool {
    guard let code = (error as? CKError)?.code else { return false }
    return code == .zoneNotFound || code == .userDeletedZone
  }

  /// The items of an account in the zones that exist, with the violated rules.
  func items(of account: String) async throws -> (items: EngineItems, problems: [String]) {
    let container = try container(account)
    var found: EngineItems = [:]
    var problems: [String] = []
    for zone in EngineZone.zones(of: account) {
      let (database, zoneID) = try address(of: zone, as: account)
      do {
        found[zone] = try await items(of: zoneID, in: database, &problems)
      } catch {
        if !Self.isMissingZone(error) { throw error }
      }
    }
    let expected = EngineZone.zones(of: account).filter { $0.owner == account }.map(\.name)
    for zone in try await container.privateCloudDatabase.allRecordZones().map(\.zoneID.zoneName)
    where zone != CKRecordZone.ID.defaultZoneName && !expected.contains(zone) {
      problems.append("\(account) has a zone \(zone)")
    }
    return (found, problems)
  }

  private func items(
    of zoneID: CKRecordZone.ID, in database: CKDatabase, _ problems: inout [String]
  ) async throws -> [String: Set<Int>] {
    var items: [String: Set<Int>] = [:]
    var token: CKServerChangeToken?
    while true {
      let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
      for result in page.modificationResultsByID.values {
        let record = try result.get().record
        guard record.recordType == EngineItem.recordType else { continue }
        let name = record.recordID.recordName
        if EngineItem.name(of: record) != name { problems.append("\(record.recordID) is another item's record") }
        items[name] = EngineItem.edits(of: record)
      }
      token = page.changeToken
      if !page.moreComing { return items }
    }
  }
}
