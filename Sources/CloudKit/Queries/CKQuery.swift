import Foundation
import LocalCloudEmulator
import LocalCloudFoundationPredicates
import Synchronization

/// A search for the records of one type that match a predicate.
///
/// The server supports comparisons of a field with a value (`==`, `!=`, `<`, `<=`, `>`, `>=`, `BETWEEN`, `IN`,
/// `BEGINSWITH`), of a list with a value (`CONTAINS`, `ANY`), of the words of all text fields with some words (`self
/// CONTAINS`), and of a distance in metres with a radius. `NOT` may precede one of them, and `AND` may join them. A
/// query with another predicate or sort descriptor fails with `invalidArguments` when it runs.
// Sendable: the type is a constant, the predicate is immutable, the rest is behind a mutex.
open class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The type of the records searched for.
  public let recordType: CKRecord.RecordType

  /// The predicate that the records have to match.
  public let predicate: NSPredicate

  // Sendable: Foundation's sort descriptors cannot change.
  private struct Order: @unchecked Sendable {
    var descriptors: [NSSortDescriptor]?
  }

  private let order: Mutex<Order>

  /// Makes a query. `NSPredicate(value: true)` matches all records of the type.
  ///
  /// Stops the process if the type is empty, or if the predicate contains an `OR` or a comparison of two values without
  /// a field.
  ///
  /// - Assumption: these are the predicates that Apple's framework refuses at once, as people report them; all others
  ///   that CloudKit does not support fail with `invalidArguments` when the query runs, as Apple's documentation says.
  ///   Where `LOCALCLOUD_STRICT` is `on`, those stop the process here, too, with the same text, `Unexpected expression:
  ///   …`, as other reports have it.
  public convenience init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
    if recordType.isEmpty { raise("recordType must not be nil or empty") }
    if let reason = predicate.refusalByQueries { raise(reason) }
    // The request reports a setting that cannot be read.
    if (try? Settings.isStrict()) == true, let reason = predicate.refusalByRequests { raise(reason) }
    // The predicate is not copied: on Linux a copy of a compound predicate loses its parts.
    self.init(recordType: recordType, predicate: predicate, sortDescriptors: nil)
  }

  private init(recordType: String, predicate: NSPredicate, sortDescriptors: [NSSortDescriptor]?) {
    self.recordType = recordType
    self.predicate = predicate
    order = Mutex(Order(descriptors: sortDescriptors))
    super.init()
  }

  /// The order of the results; nil lets the server choose.
  open var sortDescriptors: [NSSortDescriptor]? {
    get { order.withLock { $0 }.descriptors }
    set {
      let newOrder = Order(descriptors: newValue)
      order.withLock { $0 = newOrder }
    }
  }

  /// The type of the records searched for.
  open override var description: String { "<CKQuery: recordType=\(recordType)>" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a query from an archive.
  ///
  /// - Difference: an archive that holds no query, or one with a predicate made from a block, gives a query that
  ///   matches nothing; the unarchiver's `error` is set. Apple raises an exception.
  public required init(coder aDecoder: NSCoder) {
    let archive = aDecoder.decodePayload(Archive.self, forKey: Self.archiveKey)
    let descriptors = archive?.sortDescriptors?.compactMap(\.descriptor)
    let archived = archive?.predicateFormat.flatMap(PredicateArchive.predicate(format:))
    if archived == nil || descriptors?.count != archive?.sortDescriptors?.count {
      aDecoder.reportDamage(forKey: Self.archiveKey)
    }
    recordType = archive?.recordType ?? ""
    predicate = archived ?? NSPredicate(value: false)
    order = Mutex(Order(descriptors: descriptors))
    super.init()
  }

  /// Writes type, predicate and order to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  var archive: Archive {
    Archive(
      recordType: recordType, predicateFormat: PredicateArchive.format(of: predicate),
      sortDescriptors: sortDescriptors?.map(SortArchive.init(descriptor:)))
  }

  /// Restores a query; nil if the archive holds no query that can run.
  convenience init?(archive: Archive) {
    let descriptors = archive.sortDescriptors?.compactMap(\.descriptor)
    guard ClientNameRules.problem(recordType: archive.recordType, isServerMade: true) == nil,
      let predicate = archive.predicateFormat.flatMap(PredicateArchive.predicate(format:)),
      descriptors?.count == archive.sortDescriptors?.count
    else { return nil }
    self.init(recordType: archive.recordType, predicate: predicate, sortDescriptors: descriptors)
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKQuery(recordType: recordType, predicate: predicate, sortDescriptors: sortDescriptors)
  }

  struct Archive: Codable {
    var recordType: String
    var predicateFormat: String?
    var sortDescriptors: [SortArchive]?
  }

  private static let archiveKey = "CKQuery"
}
