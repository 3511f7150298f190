import CloudKit
import Foundation
import Testing

@Suite("Subscriptions through CloudKit") struct SubscriptionTests {
  private let cloud: TestCloud
  private let alice: CKContainer
  private var database: CKDatabase { alice.privateCloudDatabase }

  init() async throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    try await alice.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
  }

  private func query(
    _ id: String = "query", _ options: CKQuerySubscription.Options = [.firesOnRecordCreation], type: String = "Note"
  ) -> CKQuerySubscription {
    CKQuerySubscription(
      recordType: type, predicate: NSPredicate(value: true), subscriptionID: id, options: options)
  }

  private func full() -> CKSubscription.NotificationInfo {
    let info = CKSubscription.NotificationInfo(
      alertBody: "Body", alertLocalizationKey: "AK", alertLocalizationArgs: ["a"], title: "Title",
      titleLocalizationKey: "TK", titleLocalizationArgs: ["b"], subtitle: "Subtitle", subtitleLocalizationKey: "SK",
      subtitleLocalizationArgs: ["c"], alertActionLocalizationKey: "ACT", alertLaunchImage: "image", soundName: "ping",
      desiredKeys: ["a", "b"], shouldBadge: true, shouldSendContentAvailable: true, shouldSendMutableContent: true,
      category: "CAT", collapseIDKey: "one")
    return info
  }

  private func texts(_ info: CKSubscription.NotificationInfo?) -> [String?] {
    guard let info else { return [] }
    let flags = [info.shouldBadge, info.shouldSendContentAvailable, info.shouldSendMutableContent].map { "\($0)" }
    let lists = [
      info.alertLocalizationArgs, info.titleLocalizationArgs, info.subtitleLocalizationArgs, info.desiredKeys,
    ].map { $0?.joined(separator: ",") }
    return [
      info.alertBody, info.alertLocalizationKey, info.title, info.titleLocalizationKey, info.subtitle,
      info.subtitleLocalizationKey, info.alertActionLocalizationKey, info.alertLaunchImage, info.soundName,
      info.category, info.collapseIDKey,
    ] + lists + flags
  }

  @Test("each kind of subscription is fetched as it was saved, on all devices of the user")
  func eachKindOfSubscriptionIsFetched() async throws {
    let mine = query("query", [.firesOnRecordUpdate, .firesOnce])
    mine.zoneID = testZoneID
    mine.notificationInfo = full()
    let zone = CKRecordZoneSubscription(zoneID: testZoneID, subscriptionID: "zone")
    zone.recordType = "Note"
    let all = CKDatabaseSubscription(subscriptionID: "all")
    for subscription in [mine, zone, all] {
      let saved = try await database.save(subscription)
      #expect(saved !== subscription)
      #expect(saved.subscriptionID == subscription.subscriptionID)
    }
    let found = try await database.allSubscriptions()
    #expect(found.map(\.subscriptionID) == ["all", "query", "zone"])
    #expect(found.map(\.subscriptionType) == [.database, .query, .recordZone])
    let back = try #require(found[1] as? CKQuerySubscription)
    #expect(back.recordType == "Note")
    #expect(back.zoneID == testZoneID)
    #expect(back.predicate == NSPredicate(value: true))
    #expect(back.querySubscriptionOptions == [.firesOnRecordUpdate, .firesOnce])
    #expect(texts(back.notificationInfo) == texts(full()))
    let backZone = try #require(found[2] as? CKRecordZoneSubscription)
    #expect(backZone.zoneID == testZoneID)
    #expect(backZone.recordType == "Note")
    #expect(backZone.notificationInfo == nil)
    #expect((found[0] as? CKDatabaseSubscription)?.recordType == nil)
    #expect(try await cloud.container(of: "bob").privateCloudDatabase.allSubscriptions().isEmpty)
  }

  @Test("functions for one and several subscriptions work as async functions and with completion handlers")
  func functionsForOneAndSeveralSubscriptionsWork() async throws {
    try await database.save(query())
    let several = try await database.subscriptions(for: ["query", "nothing"])
    #expect(several["query"]?.value?.subscriptionID == "query")
    #expect(several["nothing"]?.code == .unknownItem)
    #expect(await code { _ = try await database.subscription(for: "nothing") } == .unknownItem)
    #expect(await code { try await database.deleteSubscription(withID: "nothing") } == .unknownItem)
    let results = try await database.modifySubscriptions(
      saving: [CKDatabaseSubscription(subscriptionID: "all")], deleting: ["query", "nothing"])
    #expect(results.saveResults["all"]?.value?.subscriptionType == .database)
    #expect(results.deleteResults["query"]?.value != nil)
    #expect(results.deleteResults["nothing"]?.code == .unknownItem)
    #expect(try await database.deleteSubscription(withID: "all") == "all")

    let said = Collector<String>()
    func wait(_ body: (@escaping @Sendable () -> Void) -> Void) async {
      await withCheckedContinuation { continuation in body { continuation.resume() } }
    }
    await wait { done in
      database.save(query()) { subscription, error in
        said.append("saved \(subscription?.subscriptionID ?? "") \(error == nil)")
        done()
      }
    }
    await wait { done in
      database.fetch(withSubscriptionID: "query") { subscription, _ in
        said.append("fetched \(subscription?.subscriptionID ?? "")")
        done()
      }
    }
    await wait { done in
      database.fetch(withSubscriptionIDs: ["query", "no"]) { result in
        said.append("several \(result.value?["no"]?.code == .unknownItem)")
        done()
      }
    }
    await wait { done in
      database.fetchAllSubscriptions { list, _ in
        said.append("all \(list?.count ?? 0)")
        done()
      }
    }
    await wait { done in
      database.modifySubscriptions(saving: [], deleting: ["no"]) { result in
        said.append("modified \(result.value?.deleteResults["no"]?.code == .unknownItem)")
        done()
      }
    }
    await wait { done in
      database.delete(withSubscriptionID: "query") { id, error in
        said.append("deleted \(id ?? "") \(error == nil)")
        done()
      }
    }
    #expect(
      said.values == [
        "saved query true", "fetched query", "several true", "all 1", "modified true", "deleted query true",
      ])
  }

  @available(*, deprecated)
  @Test("CKModifySubscriptionsOperation calls each block once, items first, and groups failures by ID or zone ID")
  func modifyBlocks() async throws {
    try await database.save(query("old", type: "Tale"))
    let nowhere = CKRecordZone.ID(zoneName: "Nowhere")
    let operation = CKModifySubscriptionsOperation(
      subscriptionsToSave: [query(), CKRecordZoneSubscription(zoneID: nowhere, subscriptionID: "zone"), query("twin")],
      subscriptionIDsToDelete: ["old", "nothing"])
    let said = Collector<String>()
    let partial = Collector<CKError>()
    operation.perSubscriptionSaveBlock = { said.append("save \($0) \($1.code?.rawValue ?? 0)") }
    operation.perSubscriptionDeleteBlock = { said.append("delete \($0) \($1.code?.rawValue ?? 0)") }
    operation.modifySubscriptionsResultBlock = { said.append("result \($0.code?.rawValue ?? 0)") }
    operation.modifySubscriptionsCompletionBlock = { saved, deleted, error in
      said.append("completion \(saved?.map(\.subscriptionID) ?? []) \(deleted ?? [])")
      if let error = error as? CKError { partial.append(error) }
    }
    await withCheckedContinuation { continuation in
      operation.completionBlock = {
        said.append("end")
        continuation.resume()
      }
      database.add(operation)
    }
    #expect(
      said.values == [
        "save query 0", "save zone 26", "save twin 15", "delete old 0", "delete nothing 11", "result 0",
        #"completion ["query"] ["old"]"#, "end",
      ])
    let errors = try #require(partial.values.first?.partialErrorsByItemID)
    #expect(partial.values.first?.code == .partialFailure)
    #expect(errors.count == 3)
    #expect((errors[nowhere] as? CKError)?.code == .zoneNotFound)
    #expect((errors["twin"] as? CKError)?.code == .serverRejectedRequest)
    #expect((errors["nothing"] as? CKError)?.code == .unknownItem)
  }

  @available(*, deprecated)
  @Test("CKFetchSubscriptionsOperation calls each block once, items first, and fetches all without IDs")
  func fetchBlocks()
    async throws
  {
    try await database.save(query())
    let said = Collector<String>()
    func run(_ operation: CKFetchSubscriptionsOperation) async {
      operation.perSubscriptionResultBlock = { said.append("item \($0) \($1.code?.rawValue ?? 0)") }
      operation.fetchSubscriptionsResultBlock = { said.append("result \($0.code?.rawValue ?? 0)") }
      operation.fetchSubscriptionCompletionBlock = { found, error in
        let errors = (error as? CKError)?.partialErrorsByItemID?.count ?? 0
        said.append("completion \(found?.keys.sorted() ?? []) \(errors)")
      }
      await withCheckedContinuation { continuation in
        operation.completionBlock = { continuation.resume() }
        database.add(operation)
      }
    }
    await run(CKFetchSubscriptionsOperation(subscriptionIDs: ["nothing", "query", "query"]))
    await run(.fetchAllSubscriptionsOperation())
    await run(CKFetchSubscriptionsOperation())
    #expect(
      said.values == [
        "item nothing 11", "item query 0", "result 0", #"completion ["query"] 1"#, "item query 0", "result 0",
        #"completion ["query"] 0"#, "result 0", "completion [] 0",
      ])
  }

  @Test("subscription requests fail as a whole without an account, with too many items, or if cancelled")
  func wholeFailures() async throws {
    let nobody = try cloud.container(of: nil).privateCloudDatabase
    #expect(await code { _ = try await nobody.allSubscriptions() } == .notAuthenticated)
    #expect(await code { try await nobody.save(query()) } == .notAuthenticated)
    let many = (0...400).map { "\($0)" }
    #expect(await code { _ = try await database.modifySubscriptions(saving: [], deleting: many) } == .limitExceeded)
    #expect(await code { _ = try await database.subscriptions(for: many) } == .limitExceeded)
    let operation = CKModifySubscriptionsOperation(subscriptionsToSave: [query()])
    let said = Collector<String>()
    operation.perSubscriptionSaveBlock = { id, _ in said.append("item \(id)") }
    operation.modifySubscriptionsResultBlock = { said.append("result \($0.code?.rawValue ?? 0)") }
    operation.cancel()
    await withCheckedContinuation { continuation in
      operation.completionBlock = { continuation.resume() }
      database.add(operation)
    }
    #expect(said.values == ["result 20"])
    #expect(try await database.allSubscriptions().isEmpty)
  }

  // [subscription-save-8]
  @Test("a predicate is fetched as it was saved, and an unsupported one is refused without affecting other items")
  func predicateIsFetchedAsItWasSaved() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let saved = note("n", "x")
    saved["tags"] = ["a"]
    saved["other"] = CKRecord.Reference(recordID: saved.recordID, action: .none)
    try await database.save(saved)
    func subscription(_ id: String, _ predicate: NSPredicate) -> CKQuerySubscription {
      CKQuerySubscription(recordType: "Note", predicate: predicate, subscriptionID: id)
    }
    let or = subscription("or", NSPredicate(format: "title == 'a' OR title == 'b'"))
    let absent = subscription("absent", NSPredicate(format: "nothing == 1"))
    let good = subscription(
      "good",
      NSPredicate(
        format: "title BEGINSWITH 'x' AND NOT tags CONTAINS 'b' AND ANY tags IN {'a', 'c'} AND other == %@",
        saved.recordID))
    let never = subscription("never", NSPredicate(value: false))
    let results = try await database.modifySubscriptions(saving: [or, absent, good, never, query()], deleting: [])
    #expect(results.saveResults["or"]?.code == .invalidArguments)
    #expect(results.saveResults["absent"]?.code == .invalidArguments)
    for id in ["good", "never", "query"] { #expect(results.saveResults[id]?.value != nil, "\(id)") }
    let back = try #require(try await database.subscription(for: "good") as? CKQuerySubscription)
    let text = try #require(try back.predicate.tree?.format)
    #expect(
      text == #"title BEGINSWITH "x" AND (NOT tags CONTAINS "b") AND ANY tags IN {"a", "c"} AND other == "#
        + #"CAST({"ownerName", "__defaultOwner__", "recordName", "n", "zoneName", "Home"}, "CKReference")"#)
    let empty = try #require(try await database.subscription(for: "never") as? CKQuerySubscription)
    #expect(empty.predicate == NSPredicate(value: false))
  }

  @Test("copies of subscriptions are independent, archives are complete, and damaged archives do not end the process")
  func copiesAndArchives() throws {
    let mine = query("query", [.firesOnRecordDeletion, .firesOnce])
    (mine.zoneID, mine.notificationInfo) = (testZoneID, full())
    let zone = CKRecordZoneSubscription(zoneID: testZoneID, subscriptionID: "zone")
    zone.recordType = "Note"
    let all = CKDatabaseSubscription(subscriptionID: "all")
    let copy = try #require(mine.copy() as? CKQuerySubscription)
    mine.notificationInfo?.alertBody = "changed"
    mine.zoneID = nil
    #expect(copy.notificationInfo?.alertBody == "Body")
    #expect(copy.zoneID == testZoneID)
    #expect(copy.querySubscriptionOptions == mine.querySubscriptionOptions)
    let back = try #require(try archived(copy))
    #expect(back.subscriptionID == "query")
    #expect(back.recordType == "Note")
    #expect(back.zoneID == testZoneID)
    #expect(back.querySubscriptionOptions == [.firesOnRecordDeletion, .firesOnce])
    #expect(texts(back.notificationInfo) == texts(full()))
    let backZone = try #require(try archived(zone))
    #expect(backZone.zoneID == testZoneID)
    #expect(backZone.recordType == "Note")
    #expect(backZone.subscriptionID == "zone")
    #expect(try archived(all)?.subscriptionID == "all")
    #expect(try texts(archived(full())) == texts(full()))
    #expect((zone.copy() as? CKRecordZoneSubscription)?.recordType == "Note")
    #expect((all.copy() as? CKDatabaseSubscription)?.subscriptionID == "all")

    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    coder.encode("not a subscription", forKey: "CKQuerySubscription")
    coder.finishEncoding()
    let damaged = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
    damaged.decodingFailurePolicy = .setErrorAndReturn
    #expect(CKQuerySubscription(coder: damaged).subscriptionID == "")
    #expect(CKSubscription(coder: damaged) == nil)
  }

  @Test("a notification info is copied when it is set, and its properties are empty by default")
  func notificationInfoIsCopied() {
    let info = CKSubscription.NotificationInfo()
    #expect(info.alertBody == nil)
    #expect(info.alertLocalizationArgs == nil)
    #expect(info.desiredKeys == nil)
    #expect(!info.shouldBadge)
    #expect(CKSubscription.NotificationInfo(alertBody: "a").alertLocalizationArgs == [])
    let subscription = CKDatabaseSubscription(subscriptionID: "a")
    info.alertBody = "first"
    subscription.notificationInfo = info
    info.alertBody = "second"
    #expect(subscription.notificationInfo?.alertBody == "first")
  }
}
