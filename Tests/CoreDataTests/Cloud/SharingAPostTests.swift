import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@testable import CoreData

@Suite("Synchronisation and sharing of a post", .timeLimit(.minutes(2)))
struct SharingAPostTests {
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  private func add(_ title: String, to blog: CloudBlog) async throws -> NSManagedObjectID {
    let context = blog.context()
    return try await context.perform {
      let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
      post.setValue(title, forKey: "title")
      post.setValue("at home", forKey: "location")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("talk", forKey: "name")
      post.setValue(NSSet(object: tag), forKey: "tags")
      let attachment = NSEntityDescription.insertNewObject(forEntityName: "Attachment", into: context)
      attachment.setValue(Data([1, 2, 3]), forKey: "image")
      attachment.setValue(post, forKey: "post")
      try context.save()
      return post.objectID
    }
  }

  @Test("another device of the same person receives a post, with its relationships [note-1] [note-6]")
  func otherDevice() async throws {
    let (phone, tablet) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("alice", "tablet", in: cloud))
    let list = tablet.context()
    _ = try await add("Sharing demos are the best", to: phone)
    await phone.drain()
    await tablet.drain()
    #expect(try await tablet.titles() == ["Sharing demos are the best"])
    try await list.perform {
      let post = try #require(try list.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post")).first)
      #expect(post.value(forKey: "location") as? String == "at home")
      #expect((post.value(forKey: "tags") as? NSSet)?.count == 1)
      #expect((post.value(forKey: "attachments") as? NSSet)?.count == 1)
      #expect(tablet.container.canUpdateRecord(forManagedObjectWith: post.objectID))
      #expect(try tablet.container.fetchShares(matching: [post.objectID]).isEmpty)
      #expect(tablet.container.record(for: post.objectID)?["CD_title"] as? String == "Sharing demos are the best")
    }
  }

  @Test("a post is shared by link, opened and edited by another person, and purged by its owner [video-2] [video-3]")
  func postIsSharedByLinkOpened() async throws {
    let (germaine, heather) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("bob", "tablet", in: cloud))
    let id = try await add("Sharing demos are the best", to: germaine)
    let context = germaine.context()
    let post = await UncheckedBox(context.perform { context.object(with: id) })
    let (ids, share, _) = try await germaine.container.share([post.value], to: nil)
    #expect(ids.contains(id))
    #expect(ids.count == 3)
    share[CKShare.SystemFieldKey.title] = "Sharing demos are the best"
    share.publicPermission = .readWrite
    let saved = try await germaine.container.persistUpdatedShare(share, in: germaine.privateStore)
    await germaine.drain()
    let url = try #require(saved.url)
    #expect(try germaine.container.fetchShares(matching: [id])[id]?.publicPermission == .readWrite)

    let metadata = try await LocalCloud.acting(
      as: "bob", device: "tablet", root: cloud.path, container: TemporaryCloud.container
    ) { try await CKContainer(identifier: TemporaryCloud.container).shareMetadata(for: url) }
    _ = try await heather.container.acceptShareInvitations(from: [metadata], into: heather.sharedStore)
    await heather.drain()
    #expect(try await heather.titles() == ["Sharing demos are the best"])

    let edit = heather.context()
    let copy = try await edit.perform {
      let post = try #require(try edit.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post")).first)
      #expect(post.objectID.persistentStore === heather.sharedStore)
      #expect(heather.container.canUpdateRecord(forManagedObjectWith: post.objectID))
      post.setValue("Edited by Heather", forKey: "title")
      try edit.save()
      return post.objectID
    }
    await heather.drain()
    await germaine.drain()
    #expect(try await germaine.titles() == ["Edited by Heather"])
    let theirs = try #require(try heather.container.fetchShares(matching: [copy])[copy])
    #expect(theirs.recordID.zoneID.zoneName == share.recordID.zoneID.zoneName)

    let own = try #require(try germaine.container.fetchShares(in: germaine.privateStore).first)
    own.publicPermission = .readOnly
    _ = try await germaine.container.persistUpdatedShare(own, in: germaine.privateStore)
    await heather.drain()
    #expect(!heather.container.canUpdateRecord(forManagedObjectWith: copy))
    #expect(!heather.container.canDeleteRecord(forManagedObjectWith: copy))

    _ = try await germaine.container.purgeObjectsAndRecordsInZone(
      with: share.recordID.zoneID, in: germaine.privateStore)
    await heather.drain()
    #expect(try await heather.titles() == [])
    #expect(try await germaine.titles() == [])
  }

  @Test("another device receives a post by push, without a fetch of its own [note-8] [video-10]")
  func anotherDeviceReceivesAPostByPush() async throws {
    let (phone, tablet) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("alice", "tablet", in: cloud))
    await tablet.drain()
    var iterator = RemoteChange.stream(of: tablet.container).makeAsyncIterator()
    _ = try await add("Pushed", to: phone)
    while try await tablet.titles() != ["Pushed"] { _ = await iterator.next() }
  }

  @Test(
    "[mirror-19] [note-3] [video-8] the schema has every field of the model; no record is left; a dry run sends none"
  )
  func schemaHasEveryFieldOfTheModel() async throws {
    let phone = try CloudBlog("alice", "phone", in: cloud)
    await phone.drain()
    let path = "\(cloud.path)/containers/\(TemporaryCloud.container)/development/schema.ckdb"
    func text() -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    try phone.container.initializeCloudKitSchema(options: [.dryRun])
    #expect(!text().contains("CD_Post"))
    try phone.container.initializeCloudKitSchema()
    for name in [
      "CD_Post", "CD_title", "CD_title_ckAsset", "CD_entityName", "CD_moveReceipt", "CD_moveReceipt_ckAsset",
      "CD_Attachment", "CD_image", "CD_post ", "CDMR", "CD_recordNames",
    ] { #expect(text().contains(name), "\(name)") }
    #expect(text().contains(/CD_location +ENCRYPTED STRING/))
    await phone.drain()
    #expect(try await phone.titles() == [])
    let zones = try await LocalCloud.acting(as: "alice", root: cloud.path) {
      try await CKContainer(identifier: TemporaryCloud.container).privateCloudDatabase.allRecordZones()
    }
    #expect(!zones.contains { $0.zoneID.zoneName == "com.apple.coredata.cloudkit.schema" })
    let nobody = try CloudBlog(nil, "lost", in: cloud)
    try nobody.container.initializeCloudKitSchema(options: [.dryRun])
    #expect(throws: (any Error).self) { try nobody.container.initializeCloudKitSchema() }
  }

  @Test("an idle mirroring adds no events")
  func idleMirroringAddsNoEvents() async throws {
    let phone = try CloudBlog("alice", "phone", in: cloud)
    _ = try await add("One", to: phone)
    await phone.drain()
    await phone.drain()
    // The duration of runs that find nothing: a mirroring that repeats by itself would do as many runs each time.
    let length = await ContinuousClock().measure {
      await phone.drain()
      await phone.drain()
    }
    let before = try phone.container.engines.map { try $0.engine.events().count }
    try await Task.sleep(for: length * 5 + .milliseconds(500))
    // A run that an earlier notification caused may still end.
    let after = try phone.container.engines.map { try $0.engine.events().count }
    #expect(zip(before, after).allSatisfy { $1 - $0 <= 4 }, "\(before) and then \(after)")
  }
}
