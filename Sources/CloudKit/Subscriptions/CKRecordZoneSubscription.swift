import Foundation
import LocalCloudModel
import Synchronization

/// Sends pushes for every change in one custom zone of the private database.
///
/// Deleting the zone deletes the subscription. A new zone of the same name needs a new subscription.
// Sendable: as CKSubscription; the zone is a constant, the type behind a mutex.
open class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
  /// The ID of the zone.
  public let zoneID: CKRecordZone.ID

  private let type: Mutex<String?>

  /// Makes a subscription to a zone.
  public convenience init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
    self.init(zoneID: zoneID, id: subscriptionID, recordType: nil, info: nil)
  }

  /// Makes a subscription with a UUID as its ID.
  @available(*, deprecated, renamed: "init(zoneID:subscriptionID:)")
  public convenience init(zoneID: CKRecordZone.ID) {
    self.init(zoneID: zoneID, subscriptionID: UUID().uuidString)
  }

  init(zoneID: CKRecordZoneID, id: String, recordType: String?, info: CKNotificationInfo?) {
    self.zoneID = zoneID
    type = Mutex(recordType)
    super.init(id: id, type: .recordZone, info: info)
  }

  /// Only changes of records of this type send a push; nil, the default, stands for all types.
  open var recordType: CKRecord.RecordType? {
    get { type.withLock { $0 } }
    set { type.withLock { $0 = newValue } }
  }

  override func save(_ translator: Translator) -> ModifySubscriptionsRequest.Save {
    ModifySubscriptionsRequest.Save(
      Subscription(
        id: subscriptionID, kind: .zone(translator.identifier(zoneID)), recordType: recordType,
        notification: notificationInfo?.serviceInfo))
  }

  // MARK: Coding and copying

  /// Reads a subscription from an archive.
  ///
  /// - Difference: an archive that holds no subscription gives one that has no ID and can't be saved; the unarchiver's
  ///   `error` is set. Apple raises an exception.
  public required init(coder aDecoder: NSCoder) {
    let common = Self.archived(aDecoder, .recordZone)
    let archive = aDecoder.decodePayload(Archive.self, forKey: Self.archiveKey)
    let archived = archive.flatMap { CKRecordZoneID(archive: $0.zoneID) }
    if archived == nil { aDecoder.reportDamage(forKey: Self.archiveKey) }
    zoneID = archived ?? .default
    type = Mutex(archive?.recordType)
    super.init(id: archived == nil ? "" : common.subscriptionID, type: .recordZone, info: common.info)
  }

  /// Writes the subscription to a keyed archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodePayload(Archive(zoneID: zoneID.archive, recordType: recordType), forKey: Self.archiveKey)
  }

  /// Returns an independent copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    CKRecordZoneSubscription(zoneID: zoneID, id: subscriptionID, recordType: recordType, info: copiedInfo)
  }

  private struct Archive: Codable {
    var zoneID: CKRecordZoneID.Archive
    var recordType: String?
  }

  private static let archiveKey = "CKRecordZoneSubscription"
}
