import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudStorage

extension StateKey {
  /// The date of the newest record of a type that was imported from the public database.
  static func newest(_ type: String) -> String { newest + type }
  static let newest = "newest "
}

/// Imports from the public database. It has no change feed, so each record type is queried for records that are newer
/// than those already imported. Each page is one transaction of the store, together with the date that the import has
/// reached ([mirror-35]).
///
/// - Assumption: records are found by their modification dates, from one second before the newest known date. If that
///   date is in the future, because a clock was set back, all records are fetched.
struct PublicImporter: Importing {
  private typealias Page = (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
  )

  let run: MirroringRun
  var errors: [CKRecord.ID: any Error] = [:]

  /// The time between two imports, in seconds.
  ///
  /// - Difference: the public database is queried every 30 seconds. Apple's mirroring is reported to wait half an hour
  ///   in development, and up to a day in production.
  static let interval = 30.0

  /// In milliseconds. The cloud sets dates under the zone's lock, so only a changed clock puts them out of order.
  private static let overlap: Int64 = 1000

  init(_ run: MirroringRun) { self.run = run }

  mutating func importChanges() throws {
    let isWalkedAnew = try begin()
    try fetchUnread()
    var failures: [any Error] = []
    for type in types {
      // The other types are fetched nevertheless.
      do { try fetch(type) } catch let error as CKError { failures.append(naming(type, error)) }
    }
    // A type that can't be queried has no imported records to read again.
    if isWalkedAnew, failures.allSatisfy({ ($0 as? CKError)?.code == .invalidArguments }) {
      run.later { try $0.editZone(.public) { $0.isWalkedAnew = false } }
    }
    if let failure = failures.first { throw failure }
  }

  /// Whether all records have to be fetched because the model has new properties ([mirror-29]). Then the stored dates
  /// are removed.
  private func begin() throws -> Bool {
    guard let zone = try mirrored.zone(.public) else {
      try mirrored.edit { try $0.editZone(.public) { $0.isMade = true } }
      return false
    }
    if zone.isWalkedAnew {
      try mirrored.edit { edits in
        for row in try edits.rows(prefix: StateKey.newest, in: .state) { edits.remove(row.id, from: .state) }
      }
    }
    return zone.isWalkedAnew
  }

  /// The record types of the model.
  private var types: [String] {
    let types = Set(mirrored.mapping.entities.map(\.recordType)).sorted()
    return types + (mirrored.mapping.entities.contains { !$0.linked.isEmpty } ? [RecordNames.linkType] : [])
  }

  private mutating func fetch(_ type: String) throws {
    // The next request may take long.
    try run.store()
    let query = try query(type)
    var cursor: CKQueryOperation.Cursor?
    repeat {
      let page: Page
      do {
        page = try self.page(of: query, cursor)
      } catch let error as CKError where error.code == .unknownItem {
        // No record of the type was saved yet.
        return
      }
      if page.matchResults.isEmpty { return }
      try mirrored.pass(.fetched)
      let content = try PageContent(Dictionary(page.matchResults) { $1 }, of: mirrored)
      errors.merge(content.errors) { $1 }
      let newest = newest(page)
      run.later { [unowned run] edits in
        try content.apply(run.importPass(edits))
        if let newest { try edits.setState(StateKey.newest(type), "newest", .integer(newest)) }
      }
      cursor = page.queryCursor
      if cursor != nil { try run.store() }
    } while cursor != nil
  }

  // MARK: Queries

  /// Finds records that are not known yet, the oldest change first: records that change during the query are at the
  /// end.
  private func query(_ type: String) throws -> CKQuery {
    let newest = try mirrored.read {
      try $0.row(key: StateKey.newest(type), in: .state)?.values["newest"]?.integer
    }
    var predicate = NSPredicate(value: true)
    if let newest, try newest <= mirrored.cloud.time() {
      let since = Date(timeIntervalSince1970: Double(newest - Self.overlap) / 1000)
      predicate = NSPredicate(format: "modificationDate > %@", since)
    }
    let query = CKQuery(recordType: type, predicate: predicate)
    query.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: true)]
    return query
  }

  private func page(of query: CKQuery, _ cursor: CKQueryOperation.Cursor?) throws -> Page {
    try mirrored.cloud.wait { done in
      if let cursor {
        mirrored.database.fetch(withCursor: cursor, completionHandler: done)
      } else {
        mirrored.database.fetch(withQuery: query, inZoneWith: ZoneLocation.public.zoneID, completionHandler: done)
      }
    }
  }

  private func newest(_ page: Page) -> Int64? {
    let dates = page.matchResults.compactMap { try? $0.1.get().modificationDate }
    return dates.max().map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  /// The service's message names only the field.
  private func naming(_ type: String, _ error: CKError) -> any Error {
    guard error.code == .invalidArguments else { return error }
    let error = error as NSError
    var userInfo = error.userInfo
    userInfo[NSLocalizedFailureReasonErrorKey] =
      "Records of the type '\(type)' can't be asked for: \(error.localizedDescription). Of each type that is mirrored "
      + "to the public database the schema has to have `\"___recordID\" REFERENCE QUERYABLE` and `\"___modTime\" TIMESTAMP "
      + "QUERYABLE SORTABLE`."
    return CKError(_nsError: NSError(domain: error.domain, code: error.code, userInfo: userInfo))
  }
}
