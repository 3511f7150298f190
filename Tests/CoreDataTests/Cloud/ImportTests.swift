import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import TestSupport
import Testing

@testable import CoreData

/// Effects of imports on a program's contexts and on the history.
@Suite("Imports during a program's own work", .timeLimit(.minutes(2)))
struct ImportTests {
  private let cloud: TemporaryCloud
  private let phone: CloudBlog
  private let tablet: CloudBlog

  init() throws {
    cloud = try TemporaryCloud()
    phone = try CloudBlog("alice", "phone", in: cloud)
    tablet = try CloudBlog("alice", "tablet", in: cloud)
  }

  /// One save of an app with a transaction author.
  private func change(_ blog: CloudBlog, _ body: @escaping (NSManagedObjectContext) throws -> Void) async throws {
    let context = blog.container.newBackgroundContext()
    context.transactionAuthor = "app"
    try await context.perform {
      try body(context)
      try context.save()
    }
  }

  private func sync(_ from: CloudBlog, _ to: CloudBlog) async {
    await from.drain()
    await to.drain()
  }

  /// The transactions of the private store's history.
  private func history(
    _ blog: CloudBlog, where predicate: NSPredicate? = nil
  ) async throws -> [NSPersistentHistoryTransaction] {
    let (context, store) = (blog.container.newBackgroundContext(), blog.privateStore)
    let found = try await context.perform {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      request.affectedStores = [store]
      if let predicate, let fetch = NSPersistentHistoryTransaction.fetchRequest {
        fetch.predicate = predicate
        request.fetchRequest = fetch
      }
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return UncheckedBox(try #require(result?.result as? [NSPersistentHistoryTransaction]))
    }
    return found.value
  }

  @Test("the history has an import under its author name, so that programs can filter it [mirror-11]")
  func historyHasAnImportUnderItsAuthor() async throws {
    try await change(phone) { $0.add("Post", ["title": "One"]) }
    await sync(phone, tablet)
    #expect(try await history(phone).map(\.author) == ["app"])
    #expect(try await history(tablet).map(\.author) == ["NSCloudKitMirroringDelegate.import"])
    // A context that merges the changes of other authors itself.
    let list = tablet.container.newBackgroundContext()
    let post = try await list.perform { UncheckedBox(try list.post("One")) }
    try await change(tablet) { $0.add("Tag", ["name": "T"]) }
    try await change(phone) { try $0.post("One").setValue("Two", forKey: "title") }
    await sync(phone, tablet)
    let others = try await history(tablet, where: NSPredicate(format: "author != %@", "app"))
    #expect(others.map { $0.changes?.map(\.changeType) } == [[.insert], [.update]])
    let notes = UncheckedBox(others.map { $0.objectIDNotification() })
    await list.perform {
      #expect(post.value.value(forKey: "title") as? String == "One")
      for note in notes.value { list.mergeChanges(fromContextDidSave: note) }
      #expect(post.value.value(forKey: "title") as? String == "Two")
    }
  }

  @Test("a changed share posts a remote change and adds no transaction [mirror-18]")
  func changedShare() async throws {
    try await change(phone) { $0.add("Post", ["title": "One"]) }
    let context = phone.context()
    let post = try await context.perform { UncheckedBox(try context.post("One")) }
    let (_, share, _) = try await phone.container.share([post.value], to: nil)
    await sync(phone, tablet)
    #expect(try tablet.container.fetchShares(in: tablet.privateStore).count == 1)
    let before = try await history(tablet).count
    var changes = RemoteChange.stream(of: tablet.container).makeAsyncIterator()
    share[CKShare.SystemFieldKey.title] = "Ours"
    _ = try await phone.container.persistUpdatedShare(share, in: phone.privateStore)
    func title() throws -> String? {
      try tablet.container.fetchShares(in: tablet.privateStore).first?[CKShare.SystemFieldKey.title] as? String
    }
    while try title() != "Ours" { #expect(await changes.next() != nil) }
    #expect(try await history(tablet).count == before)
  }

  @Test("a save over an import is a conflict that the context's merge policy resolves [mirror-13]")
  func saveOverAnImportIsAConflict() async throws {
    try await change(phone) { $0.add("Post", ["title": "One"]) }
    await sync(phone, tablet)
    let context = tablet.container.newBackgroundContext()
    let post = try await context.perform { UncheckedBox(try context.post("One")) }
    let title = await context.perform { post.value.value(forKey: "title") as? String }
    #expect(title == "One")
    try await change(phone) { post in
      let post = try post.post("One")
      post.setValue("Phone", forKey: "title")
      post.setValue("of the phone", forKey: "content")
    }
    await sync(phone, tablet)
    try await context.perform {
      post.value.setValue("Tablet", forKey: "title")
      #expect {
        try context.save()
      } throws: {
        ($0 as NSError).code == 133_020
      }
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      try context.save()
      #expect(post.value.value(forKey: "content") as? String == "of the phone")
    }
    await sync(tablet, phone)
    #expect(try await phone.titles() == ["Tablet"])
  }

  @Test("a context pinned to a generation sees an import once it is pinned anew")
  func contextPinnedToAGenerationSees() async throws {
    try await change(phone) { $0.add("Post", ["title": "One"]) }
    await sync(phone, tablet)
    let context = tablet.container.newBackgroundContext()
    func titles() async throws -> [String] {
      try await context.perform {
        context.refreshAllObjects()
        let posts = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post"))
        return posts.compactMap { $0.value(forKey: "title") as? String }.sorted()
      }
    }
    try await context.perform { try context.setQueryGenerationFrom(.current) }
    #expect(try await titles() == ["One"])
    try await change(phone) { context in
      try context.post("One").setValue("Changed", forKey: "title")
      context.add("Post", ["title": "Two"])
    }
    await sync(phone, tablet)
    #expect(try await tablet.titles() == ["Changed", "Two"])
    #expect(try await titles() == ["One"])
    try await context.perform { try context.setQueryGenerationFrom(.current) }
    #expect(try await titles() == ["Changed", "Two"])
  }

  @Test("a purge of the history retains changes that are not exported yet [mirror-11]")
  func purgeOfTheHistoryRetainsChanges() async throws {
    try await change(phone) { context in
      for title in ["One", "Two"] { context.add("Post", ["title": title]) }
    }
    await sync(phone, tablet)
    func setFull(_ isFull: Bool) throws {
      try LocalCloud.acting(as: "alice", root: cloud.path) { try LocalCloud.setStorageFull(isFull, of: "alice") }
    }
    try setFull(true)
    try await change(phone) { try $0.post("One").setValue("Changed", forKey: "title") }
    await phone.drain()
    let (context, store) = (phone.container.newBackgroundContext(), phone.privateStore)
    try await context.perform {
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
      request.affectedStores = [store]
      _ = try context.execute(request)
    }
    #expect(try await history(phone).flatMap { $0.changes ?? [] }.map(\.changeType) == [.update])
    try setFull(false)
    while try await tablet.titles() != ["Changed", "Two"] { await sync(phone, tablet) }
  }

  @Test("an import may break rules of the model; the program's own save must obey them [mirror-17]")
  func importMayBreakRulesOfTheModel() async throws {
    let folder = try TemporaryFolder()
    let model = try ModelTexts.model(
      """
      <entity name="Post">
        <attribute name="title" optional="YES" attributeType="String" maxValueString="5"/>
        <attribute name="count" optional="YES" attributeType="Integer 16" minValueString="1" maxValueString="9"/>
      </entity>
      """, module: nil)
    let container = try cloud.posts(model, in: folder.path)
    await container.drain()
    let database = try cloud.plainDatabase()
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let record = CKRecord(recordType: "CD_Post", recordID: CKRecord.ID(recordName: "plain", zoneID: zone))
    record["CD_entityName"] = "Post"
    record["CD_title"] = "Much too long"
    record["CD_count"] = 100
    try await database.save(record)
    await container.drain()
    let context = container.newBackgroundContext()
    try await context.perform {
      let post = try context.post("Much too long")
      #expect(post.value(forKey: "count") as? Int == 100)
      post.setValue("Still too long", forKey: "title")
      #expect(throws: CocoaError.self) { try context.save() }
      post.setValue("Short", forKey: "title")
      post.setValue(9, forKey: "count")
      try context.save()
    }
    await container.drain()
    #expect(try await database.record(for: record.recordID)["CD_title"] as? String == "Short")
  }
}
