import CloudKit

/// Names in iCloud, found by the letters that they begin with.
///
/// The code does not depend on the cloud being a folder: the same file compiles against Apple's CloudKit.
struct NameStore {
  static let recordType = "Contact"

  let container = CKContainer(identifier: "iCloud.com.example.Queries")
  var database: CKDatabase { container.privateCloudDatabase }

  func add(_ names: [String]) async throws {
    let records = names.map { name in
      let record = CKRecord(recordType: Self.recordType)
      record["name"] = name
      return record
    }
    let results = try await database.modifyRecords(saving: records, deleting: [])
    for result in results.saveResults.values { _ = try result.get() }
  }

  /// Returns the names in alphabetical order; all names if the prefix is empty. Upper and lower case differ.
  ///
  /// The server answers only queries that have an index: `name` has to be QUERYABLE for the prefix and SORTABLE for the
  /// order, and the record's name QUERYABLE for a query of all names.
  func names(beginningWith prefix: String, pageSize: Int = CKQueryOperation.maximumResults) async throws -> [[String]] {
    let predicate = prefix.isEmpty ? NSPredicate(value: true) : NSPredicate(format: "name BEGINSWITH %@", prefix)
    let query = CKQuery(recordType: Self.recordType, predicate: predicate)
    query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]

    var page = try await database.records(matching: query, desiredKeys: ["name"], resultsLimit: pageSize)
    var pages = [try page.matchResults.map(name)]
    while let cursor = page.queryCursor {
      page = try await database.records(continuingMatchFrom: cursor, desiredKeys: ["name"], resultsLimit: pageSize)
      pages.append(try page.matchResults.map(name))
    }
    return pages.filter { !$0.isEmpty }
  }

  private func name(_ match: (CKRecord.ID, Result<CKRecord, any Error>)) throws -> String {
    try match.1.get()["name"] as? String ?? ""
  }
}
