import Foundation
import LocalCloudModel
import Synchronization

/// Sends pushes for every change in the custom zones of the private database, or in the shared database.
///
/// Changes in the default zone send no push.
// Sendable: as CKSubscription; the type is behind a mutex.
open class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
  private let type: Mutex<String?>

  /// Makes a subscription to the database that it is saved to.
  public convenience init(subscriptionID: CKSubscription.ID) {
    self.init(id: subscriptionID, recordType: nil, info: nil)
  }

  /// Makes a subscription with a UUID as its ID.
  @available(*, deprecated, renamed: "init(subscriptionID:)")
  public convenience init() {
    self.init(subscriptionID: UUID().uuidString)
  }

  init(id: String, recordType: String?, info: CKNotificationInfo?) {
    type = Mutex(recordType)
    super.init(id: id, type: .database, info: info)
  }

  /// Only changes of records of this type send a push; nil, the default, stands for all types.
  open var recordType: CKRecord.RecordType? {
    get { type.withLock { $0 } }
    set { type.withLock { $0 = newValue } }
  }

  override func save(_ translator: Translator) -> ModifySubscriptionsRequest.Save {
    ModifySubscriptionsRequest.Save(
      Subscription(
        id: subscriptionID, kind: .database, recordType: recordType, notification: notificationInfo?.serviceInfo))
  }

  // MARK: Coding and copying

  /// Reads a subscription from an archive.
  ///
  /// - Difference: an archive that holds no subscription gives one that has no ID and can't be saved; the unarchiver's
  ///   `error` is set. Apple raises an exception.
  public required init(coder aDecoder: NSCoder) {
    let common = Self.archived(aDecoder, .database)
    let archive = aDecoder.decodePayload(Archive.self, forKey: Self.archiveKey)
    if archive == nil { aDecoder.reportDamage(forKey: Self.archiveKey) }
    type = Mutex(archive?.recordType)
    super.init(id: archive == nil ? "" : common.subscriptionID, type: .database, info: common.info)
  }

  /// Writes the subscription to a keyed archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodePayload(Archive(recordType: recordType), forKey: Self.archiveKey)
  }

  /// Returns an independent copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    CKDatabaseSubscription(id: subscriptionID, recordType: recordType, info: copiedInfo)
  }

  private struct Archive: Codable {
    var recordType: String?
  }

  private static let archiveKey = "CKDatabaseSubscription"
}
