import CloudKit
import CoreData
import LocalCloud
import TestSupport

/// The participants of a share without its owner.
struct SyncMembers {
  var all: Set<String> = []
  var readers: Set<String> = []
}

/// The cloud's data, read with plain CloudKit.
struct SyncCloud {
  private var containers: [String: CKContainer] = [:]
  /// Accounts by the names of their user records.
  private(set) var accounts: [String: String] = [:]

  init(_ root: String, accounts names: [String]) async throws {
    for name in names {
      let container = try LocalCloud.acting(as: name, device: "\(name)-plain", root: root) {
        CKContainer(identifier: TemporaryCloud.container)
      }
      containers[name] = container
      accounts[try await container.userRecordID().recordName] = name
    }
  }

  /// The owner name that an account's devices use for its own zones.
  static let own = CKCurrentUserDefaultName

  func userRecord(of account: String) -> String? { accounts.first { $0.value == account }?.key }

  private func database(_ account: String) throws -> CKDatabase {
    guard let container = containers[account] else { throw ScenarioEnd("no account \(account)") }
    return container.privateCloudDatabase
  }

  /// The zones of an account's mirrorings.
  func zones(of account: String) async throws -> [SyncZone] {
    try await database(account).allRecordZones().map(\.zoneID.zoneName).filter { $0.hasPrefix("com.apple.coredata.") }
      .map { SyncZone(owner: account, name: $0) }.sorted()
  }

  /// A zone's objects, and the participants of its share without the owner; nil if the zone is not shared.
  func content(of zone: SyncZone) async throws -> (objects: [String: SyncObject], members: SyncMembers?) {
    let database = try database(zone.owner)
    var records: [CKRecord] = []
    var token: CKServerChangeToken?
    while true {
      let page = try await database.recordZoneChanges(
        inZoneWith: CKRecordZone.ID(zoneName: zone.name), since: token)
      for result in page.modificationResultsByID.values { records.append(try result.get().record) }
      token = page.changeToken
      if !page.moreComing { break }
    }
    let share = records.lazy.compactMap { $0 as? CKShare }.first
    return (objects(records), share.map(members))
  }

  private func members(of share: CKShare) -> SyncMembers {
    var members = SyncMembers()
    for participant in share.participants where participant.role != .owner && participant.acceptanceStatus == .accepted
    {
      guard let account = participant.userIdentity.userRecordID.flatMap({ accounts[$0.recordName] }) else { continue }
      members.all.insert(account)
      if participant.permission == .readOnly { members.readers.insert(account) }
    }
    return members
  }

  // MARK: Records

  private func objects(_ records: [CKRecord]) -> [String: SyncObject] {
    var keys: [String: String] = [:]
    for record in records where record.recordType != "CDMR" {
      keys[record.recordID.recordName] = record["CD_key"] as? String
    }
    var objects: [String: SyncObject] = [:]
    func link(_ key: String, _ name: String, _ target: String) {
      let links = (objects[key]?.links[name] ?? []) + [target]
      objects[key]?.links[name] = links.sorted()
    }
    for record in records {
      guard let key = keys[record.recordID.recordName] else { continue }
      objects[key] = object(record)
    }
    for record in records {
      if let names = pair(record, "CD_recordNames"), let relationships = pair(record, "CD_relationships") {
        guard let first = keys[names.0], let second = keys[names.1] else { continue }
        link(first, relationships.0, second)
        link(second, relationships.1, first)
      } else if let key = keys[record.recordID.recordName] {
        for (name, inverse) in toOnes[objects[key]?.entity ?? ""] ?? [:] {
          guard let target = (record["CD_\(name)"] as? String).flatMap({ keys[$0] }) else { continue }
          link(key, name, target)
          if !inverse.isEmpty { link(target, inverse, key) }
        }
      }
    }
    return objects
  }

  /// The to-one relationships, with their inverses if the records of the other side do not contain them.
  private var toOnes: [String: [String: String]] {
    ["Attachment": ["post": "attachments"], "Cover": ["post": ""], "Post": ["cover": ""]]
  }

  private func pair(_ record: CKRecord, _ field: String) -> (String, String)? {
    guard record.recordType == "CDMR", let parts = (record[field] as? String)?.split(separator: ":"), parts.count == 2
    else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  private func object(_ record: CKRecord) -> SyncObject {
    var object = SyncObject(entity: record["CD_entityName"] as? String ?? "?")
    object.values["text"] = record["CD_text"] as? String
    object.values["memo"] = record.encryptedValues["CD_memo"] as? String
    var photo = record["CD_photo"] as? Data
    if let url = (record["CD_photo_ckAsset"] as? CKAsset)?.fileURL { photo = try? Data(contentsOf: url) }
    object.values["photo"] = SyncPhoto.text(photo)
    return object
  }
}
