import CloudKit
import Foundation
import LocalCloud
import LocalCloudObjectStore
import LocalCloudService
import Testing

@testable import LocalCloudCoreDataMirroring

/// A cloud with indexes in the public database, so that it can be queried.
final class PublicStage: Sendable {
  let stage: MirrorStage

  /// The record types of the tests' model.
  static let types = ["CD_Attachment", "CD_Cover", "CD_Person", "CD_Post", "CD_Tag", "CD_Value", "CDMR"]

  init(indexing types: [String] = types) throws {
    stage = try MirrorStage()
    for type in types { try index(type) }
  }

  /// Adds the indexes to the schema that a developer has to add in the dashboard.
  func index(_ type: String) throws {
    let (schemas, caller) = (stage.cloud.service.schemas, stage.cloud.caller("alice"))
    var schema = try schemas.schema(by: caller)
    var declared = schema.types[type] ?? .justInTime
    declared.systemIndexes["___recordID"] = .queryable
    declared.systemIndexes["___modTime"] = [.queryable, .sortable]
    schema.types[type] = declared
    _ = try schemas.importSchema(schema.text, by: caller)
  }

  func device(_ account: String?, _ name: String) throws -> Device { try stage.device(account, name, .public) }

  func database(_ account: String) throws -> CKDatabase { try stage.container(of: account).publicCloudDatabase }

  func save(_ account: String, _ type: String, _ name: String, _ fields: [String: String]) async throws {
    let record = CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name))
    for (key, value) in fields { record[key] = value }
    try await database(account).save(record)
  }

  /// The titles of all posts that plain CloudKit reads.
  func posts() async throws -> [String] {
    let query = CKQuery(recordType: "CD_Post", predicate: NSPredicate(value: true))
    let page = try await database("carol").records(matching: query)
    #expect(page.queryCursor == nil)
    return try page.matchResults.compactMap { try $0.1.get()["CD_title"] as? String }.sorted()
  }
}
