import Foundation
import ObjectStore
import Platform
import Storage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

extension StateKey {
  /// The date of the newest record of a type that was taken over from the public database.
  static func newest(_ type: String) -> String { "newest \(type)" }
}

/// Asks the public database, which has no feed of changes, for the records that are newer than those it knows, type by
/// type, each page one transaction of the store with the date up to which it goes ([mirror-28]).
///
/// - Assumption: records are found by the dates of their changes, from a second before the newest one on. Where the
///   newest one's date is still to come, because a clock was set back, all records are asked for.
struct PublicImporter: Importing {
  private struct RecordType {
    var name: String
    /// What the model knows of it: what a former version of the program passed over is fetched once it knows more.
    var entities: String
  }

  private typealias Page = (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
  )

  let mirrored: MirroredStore
  private(set) var errors: [CKRecord.ID: any Error] = [:]
  private(set) var wantsExport = false
  /// As of the last page: the history is read once, however many pages there are.
  private var unsent: UnsentChanges?

  /// The time between two imports, in seconds.
  ///
  /// - Difference: the public database is asked every 30 seconds. Apple's mirroring is reported to wait half an hour in
  ///   development, and up to a day in production.
  static let interval = 30.0

  /// In milliseconds. Dates are given under the zone's lock, so that nothing but a clock puts them out of order.
  private static let overlap: Int64 = 1000

  init(_ mirrored: MirroredStore) { self.mirrored = mirrored }

  mutating func run() throws {
    var failure: (any Error)?
    for type in types {
      do { try fetch(type) } catch let error as CKError {
        // The others come all the same.
        failure = failure ?? naming(type, error)
      }
    }
    if let failure { throw failure }
  }

  private var types: [RecordType] {
    let entities = Dictionary(grouping: mirrored.mapping.entities, by: \.recordType)
    let types = entities.map {
      RecordType(name: $0.key, entities: $0.value.map(\.name).sorted().joined(separator: ","))
    }
    let hasLinks = mirrored.mapping.entities.contains { !$0.linked.isEmpty }
    return types.sorted { $0.name < $1.name } + (hasLinks ? [RecordType(name: RecordNames.linkType, entities: "")] : [])
  }

  private mutating func fetch(_ type: RecordType) throws {
    let query = try query(type)
    var cursor: CKQueryOperation.Cursor?
    // What could not be read is asked for again.
    var isHeld = false
    repeat {
      let page: Page
      do {
        page = try self.page(of: query, cursor)
      } catch let error as CKError where error.code == .unknownItem {
        // Nobody has saved a record of the type yet.
        return
      }
      if page.matchResults.isEmpty { return }
      try mirrored.pass(.fetched)
      let content = try ImportedPage(page.matchResults, object: object)
      errors.merge(content.errors) { first, _ in first }
      if !content.errors.isEmpty { isHeld = true }
      try take(content, type, through: isHeld ? nil : newest(page))
      cursor = page.queryCursor
    } while cursor != nil
  }

  private mutating func take(_ content: ImportedPage, _ type: RecordType, through newest: Int64?) throws {
    let (mapping, known) = (mirrored.mapping, unsent)
    let (left, wantsExport) = try mirrored.edit { edits in
      let pass = try ImportPass(edits, mapping, known)
      try content.apply(pass)
      if let newest {
        try edits.setState(
          StateKey.newest(type.name), ["newest": .integer(newest), "entities": .string(type.entities)])
      }
      return (pass.unsent, edits.wantsExport)
    }
    unsent = left
    if wantsExport { self.wantsExport = true }
    try mirrored.pass(.imported)
  }

  // MARK: Queries

  /// The records that are not known yet, the oldest change first: what is changed meanwhile comes at the end.
  private func query(_ type: RecordType) throws -> CKQuery {
    let known = try mirrored.read { try $0.mirrorRow(key: StateKey.newest(type.name), in: .state)?.values } ?? [:]
    var predicate = NSPredicate(value: true)
    if let newest = known["newest"]?.integer, known["entities"]?.string == type.entities,
      newest <= systemTimeMilliseconds()
    {
      let since = Date(timeIntervalSince1970: Double(newest - Self.overlap) / 1000)
      predicate = NSPredicate(format: "modificationDate > %@", since)
    }
    let query = CKQuery(recordType: type.name, predicate: predicate)
    query.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: true)]
    return query
  }

  private func page(of query: CKQuery, _ cursor: CKQueryOperation.Cursor?) throws -> Page {
    try mirrored.cloud.wait { done in
      if let cursor {
        mirrored.database.fetch(withCursor: cursor, completionHandler: done)
      } else {
        mirrored.database.fetch(withQuery: query, inZoneWith: ZoneHome.public.zoneID, completionHandler: done)
      }
    }
  }

  private func newest(_ page: Page) -> Int64? {
    let dates = page.matchResults.compactMap { try? $0.1.get().modificationDate }
    return dates.max().map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  /// What a record says of its object. Nobody moves records here: who says so in a record of theirs gets no other's
  /// object by it.
  private func object(_ record: CKRecord) throws -> ImportedRecord? {
    guard var object = try ImportedRecord(record, mirrored.mapping) else { return nil }
    object.receipt = MoveReceipt()
    object.creator = try mirrored.creator(of: record)
    return object
  }

  /// The service's words name the field alone.
  private func naming(_ type: RecordType, _ error: CKError) -> any Error {
    guard error.code == .invalidArguments else { return error }
    let error = error as NSError
    var userInfo = error.userInfo
    userInfo[NSLocalizedFailureReasonErrorKey] =
      "Records of the type '\(type.name)' can't be asked for: \(error.localizedDescription). Of each type that is mirrored "
      + "to the public database the schema has to have `\"___recordID\" REFERENCE QUERYABLE` and `\"___modTime\" TIMESTAMP "
      + "QUERYABLE SORTABLE`."
    return CKError(_nsError: NSError(domain: error.domain, code: error.code, userInfo: userInfo))
  }
}
