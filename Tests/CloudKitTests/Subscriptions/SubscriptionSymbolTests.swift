import CloudKit
import Foundation
import LocalCloudStorage
import Testing

@Suite("Subscriptions: raw values, archives, properties of operations")
struct SubscriptionSymbolTests {
  @Test("raw values of subscription and notification enumerations are Apple's")
  func rawValues() {
    let types: [CKSubscription.SubscriptionType] = [.query, .recordZone, .database]
    #expect(types.map(\.rawValue) == [1, 2, 3])
    #expect(CKSubscription.SubscriptionType(rawValue: 2) == .recordZone)
    #expect(CKSubscription.SubscriptionType(rawValue: 4) == nil)
    let kinds: [CKNotification.NotificationType] = [.query, .recordZone, .readNotification, .database]
    #expect(kinds.map(\.rawValue) == [1, 2, 3, 4])
    #expect(CKNotification.NotificationType(rawValue: 3) == .readNotification)
    let reasons: [CKQueryNotification.Reason] = [.recordCreated, .recordUpdated, .recordDeleted]
    #expect(reasons.map(\.rawValue) == [1, 2, 3])
    #expect(CKQueryNotification.Reason(rawValue: 4) == nil)
    #expect(CKQueryNotification.Reason(rawValue: 2) == .recordUpdated)
    #expect(CKQuerySubscription.Options(rawValue: 9) == [.firesOnRecordCreation, .firesOnce])
  }

  private func coder(_ subscription: CKSubscription) throws -> NSKeyedUnarchiver {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    subscription.encode(with: archiver)
    archiver.finishEncoding()
    return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
  }

  @available(*, deprecated)
  @Test("a subscription without an ID gets a unique one, and its archive contains that ID")
  func subscriptionWithoutAnIDGetsAUnique() throws {
    let database = CKDatabaseSubscription()
    database.recordType = "Note"
    let id: CKSubscription.ID = database.subscriptionID
    #expect(UUID(uuidString: id) != nil)
    #expect(CKDatabaseSubscription().subscriptionID != id)
    let second = CKDatabaseSubscription(coder: try coder(database))
    #expect(second.subscriptionID == id)
    #expect(second.recordType == "Note")
    #expect(second.subscriptionType == .database)
    let zone = CKRecordZoneSubscription(zoneID: testZoneID)
    let third = CKRecordZoneSubscription(coder: try coder(zone))
    #expect(third.subscriptionID == zone.subscriptionID)
    #expect(third.zoneID == testZoneID)
    #expect(third.subscriptionType == .recordZone)
    let query = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(value: true), options: .firesOnce.union(.firesOnRecordUpdate))
    #expect(query.recordType == "Note")
    #expect(query.querySubscriptionOptions == [.firesOnce, .firesOnRecordUpdate])
    #expect(UUID(uuidString: query.subscriptionID) != nil)
  }

  @available(*, deprecated)
  @Test("subscription operations use the values of their properties")
  func subscriptionOperationsUseTheValues() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let journal = Journal()
      let save = CKModifySubscriptionsOperation()
      save.subscriptionsToSave = [CKDatabaseSubscription(subscriptionID: "all")]
      save.modifySubscriptionsResultBlock = { journal.write("saved \($0.value != nil)") }
      await run(save, on: database)
      let fetch = CKFetchSubscriptionsOperation()
      fetch.subscriptionIDs = ["all", "none"]
      fetch.perSubscriptionResultBlock = { id, result in journal.write("\(id) \(result.value != nil)") }
      await run(fetch, on: database)
      let delete = CKModifySubscriptionsOperation()
      delete.subscriptionIDsToDelete = ["all"]
      delete.perSubscriptionDeleteBlock = { id, result in journal.write("deleted \(id) \(result.value != nil)") }
      await run(delete, on: database)
      #expect(journal.lines == ["saved true", "all true", "none false", "deleted all true"])
      let left = try await database.allSubscriptions()
      #expect(left.isEmpty)
      let answer: CKContainer.ApplicationPermissionStatus = await withCheckedContinuation { continuation in
        container.requestApplicationPermission(.userDiscoverability) { status, _ in
          continuation.resume(returning: status)
        }
      }
      var reported: CKContainer.ApplicationPermissionStatus?
      let block: CKContainer.ApplicationPermissionBlock = { status, _ in reported = status }
      block(answer, nil)
      #expect(reported == .granted)
    }
  }
}
