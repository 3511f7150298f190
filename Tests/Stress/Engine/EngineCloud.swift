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

  /// The items of an account, with the violated rules.
  func items(of account: String) async throws -> (items: EngineItems, problems: [String]) {
    let container = try container(account)
    var found: EngineItems = [:]
    var problems: [String] = []
    for zone in EngineZone.zones(of: account) {
      let isShared = zone.owner != account
      let owner = try isShared ? user(zone.owner) : CKCurrentUserDefaultName
      let database = isShared ? container.sharedCloudDatabase : container.privateCloudDatabase
      let zoneID = CKRecordZone.ID(zoneName: zone.name, ownerName: owner)
      found[zone] = try await items(of: zoneID, in: database, &problems)
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
