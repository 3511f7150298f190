import Foundation
import LocalCloudFoundationPredicates
import LocalCloudModel
import Synchronization

/// Sends pushes when records of one type are created, updated or deleted, in the public or the private database.
// Sendable: as CKSubscription. The zone is behind a mutex, the other properties are constants. Foundation's predicates
// are immutable.
open class CKQuerySubscription: CKSubscription, @unchecked Sendable {
  /// The events that a query subscription fires for, and whether it fires once.
  public struct Options: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Fires when a matching record is created.
    public static var firesOnRecordCreation: CKQuerySubscription.Options { Options(rawValue: 1) }

    /// Fires when a matching record is updated.
    public static var firesOnRecordUpdate: CKQuerySubscription.Options { Options(rawValue: 2) }

    /// Fires when a matching record is deleted.
    public static var firesOnRecordDeletion: CKQuerySubscription.Options { Options(rawValue: 4) }

    /// Fires only once: the first push ends the subscription.
    public static var firesOnce: CKQuerySubscription.Options { Options(rawValue: 8) }
  }

  private let type: String
  private let zone: Mutex<CKRecordZoneID?>

  /// The predicate that the records have to match.
  public let predicate: NSPredicate

  /// The events that the subscription fires for, and whether it fires once.
  public let querySubscriptionOptions: CKQuerySubscription.Options

  /// Makes a subscription.
  ///
  /// Stops the process if the options contain neither creation nor update nor deletion.
  public convenience init(
    recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
    options querySubscriptionOptions: CKQuerySubscription.Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  ) {
    guard !querySubscriptionOptions.isDisjoint(with: Self.changes) else {
      raise(
        "You must specify at least one of firesOnRecordCreation, firesOnRecordUpdate and firesOnRecordDeletion in the "
          + "options of a CKQuerySubscription", .invalidArgument)
    }
    self.init(
      recordType: recordType, copied: predicate.copy() as? NSPredicate ?? predicate, id: subscriptionID,
      options: querySubscriptionOptions, zone: nil, info: nil)
  }

  /// Makes a subscription with a UUID as its ID.
  ///
  /// Stops the process if the options contain neither creation nor update nor deletion.
  @available(*, deprecated, renamed: "init(recordType:predicate:subscriptionID:options:)")
  public convenience init(
    recordType: CKRecord.RecordType, predicate: NSPredicate,
    options querySubscriptionOptions: CKQuerySubscription.Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  ) {
    self.init(
      recordType: recordType, predicate: predicate, subscriptionID: UUID().uuidString,
      options: querySubscriptionOptions)
  }

  init(
    recordType: String, copied predicate: NSPredicate, id: String, options: Options, zone: CKRecordZoneID?,
    info: CKNotificationInfo?
  ) {
    type = recordType
    self.predicate = predicate
    querySubscriptionOptions = options
    self.zone = Mutex(zone)
    super.init(id: id, type: .query, info: info)
  }

  private static let changes: Options = [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion]

  /// The type of the records.
  open var recordType: CKRecord.RecordType? { type }

  /// The zone of the records; nil, the default, stands for all zones of the database.
  open var zoneID: CKRecordZone.ID? {
    get { zone.withLock { $0 } }
    set { zone.withLock { $0 = newValue } }
  }

  override func save(_ translator: Translator) -> ModifySubscriptionsRequest.Save {
    var refusal: ServiceError?
    var condition = QueryCondition.always
    do throws(ServiceError) {
      condition = try QueryTranslation(translator: translator).condition(predicate)
    } catch {
      refusal = error
    }
    let query = SubscriptionQuery(
      recordType: type, zone: zoneID.map(translator.identifier),
      fires: FireOptions(rawValue: querySubscriptionOptions.rawValue & 15), condition: condition)
    return ModifySubscriptionsRequest.Save(
      Subscription(id: subscriptionID, kind: .query(query), notification: notificationInfo?.serviceInfo),
      refusal: refusal)
  }

  // MARK: Coding and copying

  /// Reads a subscription from an archive.
  ///
  /// - Difference: an archive that holds no subscription, or a query's with a predicate made from a block, gives one
  ///   that has no ID and can't be saved; the unarchiver's `error` is set. Apple raises an exception.
  public required init(coder aDecoder: NSCoder) {
    let common = Self.archived(aDecoder, .query)
    let archive = aDecoder.decodePayload(Archive.self, forKey: Self.archiveKey)
    let archived = archive?.predicateFormat.flatMap(PredicateArchive.predicate(format:))
    let options = Options(rawValue: archive?.options ?? 0)
    let isWhole = archived != nil && !options.isDisjoint(with: Self.changes)
    if !isWhole { aDecoder.reportDamage(forKey: Self.archiveKey) }
    type = archive?.recordType ?? ""
    predicate = archived ?? NSPredicate(value: false)
    querySubscriptionOptions = isWhole ? options : Self.changes
    zone = Mutex(archive?.zone.flatMap(CKRecordZoneID.init(archive:)))
    super.init(id: isWhole ? common.subscriptionID : "", type: .query, info: common.info)
  }

  /// Writes the subscription to a keyed archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodePayload(
      Archive(
        recordType: type, predicateFormat: PredicateArchive.format(of: predicate), zone: zoneID?.archive,
        options: querySubscriptionOptions.rawValue),
      forKey: Self.archiveKey)
  }

  /// Returns an independent copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    CKQuerySubscription(
      recordType: type, copied: predicate, id: subscriptionID, options: querySubscriptionOptions, zone: zoneID,
      info: copiedInfo)
  }

  private struct Archive: Codable {
    var recordType: String
    var predicateFormat: String?
    var zone: CKRecordZoneID.Archive?
    var options: UInt
  }

  private static let archiveKey = "CKQuerySubscription"
}
