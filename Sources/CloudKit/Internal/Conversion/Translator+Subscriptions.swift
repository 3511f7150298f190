import Foundation
import LocalCloudModel

extension Translator {
  func subscription(_ subscription: Subscription) throws(ServiceError) -> CKSubscription {
    let info = subscription.notification.map(CKNotificationInfo.init(content:))
    switch subscription.kind {
    case .query(let query):
      let zone = try query.zone.map { (zone) throws(ServiceError) in try zoneID(zone) }
      return CKQuerySubscription(
        recordType: query.recordType, copied: try predicate(query.condition, in: query.zone), id: subscription.id,
        options: CKQuerySubscription.Options(rawValue: query.fires.rawValue), zone: zone, info: info)
    case .zone(let zone):
      return CKRecordZoneSubscription(
        zoneID: try zoneID(zone), id: subscription.id, recordType: subscription.recordType, info: info)
    case .database:
      return CKDatabaseSubscription(id: subscription.id, recordType: subscription.recordType, info: info)
    }
  }
}
