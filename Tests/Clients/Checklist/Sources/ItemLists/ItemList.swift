import CloudKit
import Foundation

/// A list of items in a zone: the person's own, or one that another person shares.
public struct ItemList: Sendable {
  public struct NoLink: Error {}

  public let zoneID: CKRecordZone.ID
  private let database: CKDatabase

  private init(_ zoneID: CKRecordZone.ID, in database: CKDatabase) {
    (self.zoneID, self.database) = (zoneID, database)
  }

  /// The person's own list. It is made if it is missing.
  public static func own() async throws -> ItemList {
    let database = CKContainer.default().privateCloudDatabase
    let zone = try await database.save(CKRecordZone(zoneName: "Items"))
    return ItemList(zone.zoneID, in: database)
  }

  /// The list that a link leads to, which the person joins.
  public static func joined(by url: URL) async throws -> ItemList {
    let container = CKContainer.default()
    let share = try await container.accept(try await container.shareMetadata(for: url))
    return ItemList(share.recordID.zoneID, in: container.sharedCloudDatabase)
  }

  /// Returns the name of the item's record.
  @discardableResult
  public func add(_ text: String) async throws -> String {
    let id = CKRecord.ID(recordName: UUID().uuidString, zoneID: zoneID)
    let record = CKRecord(recordType: "Item", recordID: id)
    record["text"] = text
    return try await database.save(record).recordID.recordName
  }

  /// The texts of the items, sorted.
  public func texts() async throws -> [String] {
    let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil)
    let records = try changes.modificationResultsByID.values.map { try $0.get().record }
    return records.compactMap { $0["text"] as? String }.sorted()
  }

  /// Shares the list with everybody who has the link.
  public func share() async throws -> URL {
    let share = CKShare(recordZoneID: zoneID)
    share.publicPermission = .readWrite
    let results = try await database.modifyRecords(saving: [share], deleting: []).saveResults
    guard let url = (try results[share.recordID]?.get() as? CKShare)?.url else { throw NoLink() }
    return url
  }
}
