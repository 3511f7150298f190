import CloudKit
import Foundation
import LocalCloud
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("Records, events and completion handlers of a mirrored container", .timeLimit(.minutes(2)))
struct CloudContainerTests {
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  private func add(_ titles: String..., to blog: CloudBlog) async throws -> [NSManagedObjectID] {
    let context = blog.context()
    return try await context.perform {
      let posts = titles.map { context.add("Post", ["title": $0]) }
      try context.save()
      return posts.map(\.objectID)
    }
  }

  /// Calls `body` with a completion handler and returns the value that the handler receives.
  private func answer<Value>(
    _ body: (@escaping (Value?, (any Error)?) -> Void) -> Void
  ) async throws -> Value {
    let box: UncheckedBox<Value> = try await withCheckedThrowingContinuation { continuation in
      body { value, error in
        if let value {
          continuation.resume(returning: UncheckedBox(value))
        } else {
          continuation.resume(throwing: error ?? CocoaError(.coreData))
        }
      }
    }
    return box.value
  }

  @Test("[mirror-2] [mirror-38] the container returns the records of exported objects")
  func containerReturnsTheRecordsOfExportedObjects() async throws {
    let blog = try CloudBlog("alice", "phone", in: cloud)
    let container = blog.container
    await blog.drain()
    let ids = try await add("One", "Two", to: blog)
    await blog.drain()
    let first = try #require(container.recordID(for: ids[0]))
    #expect(first.zoneID.zoneName == "com.apple.coredata.cloudkit.zone")
    #expect(UUID(uuidString: first.recordName) != nil)
    let names = container.recordIDs(for: ids)
    #expect(names.count == 2 && names[ids[0]] == first)
    let records = container.records(for: ids)
    #expect(records.mapValues(\.recordID) == names)
    #expect(records[ids[1]]?["CD_title"] as? String == "Two")
    let context = blog.context()
    await context.perform {
      let unsaved = context.add("Post").objectID
      #expect(container.recordID(for: unsaved) == nil && container.records(for: [unsaved]).isEmpty)
      #expect(container.recordIDs(for: [unsaved, ids[0]]) == [ids[0]: first])
    }
    #expect(container.canModifyManagedObjects(in: blog.privateStore))
    #expect(container.canModifyManagedObjects(in: blog.sharedStore))
  }

  @Test("[mirror-18] an event is posted at its start and at its end; a failed event has an error")
  func events() async throws {
    typealias Container = NSPersistentCloudKitContainer
    let received = Mutex<[Container.Event]>([])
    let token = NotificationCenter.default.addObserver(
      forName: Container.eventChangedNotification, object: nil, queue: nil
    ) { note in
      guard let event = note.userInfo?[Container.eventNotificationUserInfoKey] as? Container.Event else { return }
      received.withLock { $0.append(event) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let start = Date()
    // No account is signed in on the second device.
    let (blog, lost) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog(nil, "lost", in: cloud))
    _ = try await add("One", to: blog)
    await blog.drain()
    await lost.drain()
    func events(of store: NSPersistentStore, _ type: Container.EventType) -> [Container.Event] {
      received.withLock { $0 }.filter { $0.storeIdentifier == store.identifier && $0.type == type }
    }
    let setup = events(of: blog.privateStore, .setup)
    #expect(setup.count == 2)
    #expect(setup.first?.endDate == nil)
    #expect(setup.last?.succeeded == true)
    #expect(Set(setup.map(\.identifier)).count == 1)
    #expect(Set(setup.map(\.startDate)).count == 1)
    #expect(setup.allSatisfy { $0.startDate >= start && $0.startDate <= Date() && $0.error == nil })
    #expect(events(of: blog.privateStore, .export).contains { $0.succeeded && $0.endDate != nil })
    let failed = try #require(events(of: lost.privateStore, .setup).last)
    #expect(!failed.succeeded)
    #expect(failed.endDate != nil)
    #expect((failed.error as NSError?)?.code == 134_400)
    // The names of the notification and of its keys, and the properties of an event.
    #expect(Container.eventChangedNotification.rawValue == "NSPersistentCloudKitContainerEventChangedNotification")
    #expect(Container.eventNotificationUserInfoKey == "event")
    #expect([Container.EventType.setup, .import, .export].map(\.rawValue) == [0, 1, 2])
    #expect(setup[0] != setup[1])
    #expect(setup[1] != failed)
    #expect(setup[0].hash == setup[1].hash)
    #expect(setup[1].copy() as? Container.Event == setup[1])
    #expect(setup[1].isEqual(setup[1].copy()))
    #expect(setup[0].description.contains("setup"))
    #expect(setup[0].description.contains("started"))
    #expect(setup[1].description.contains("succeeded"))
    #expect(failed.description.contains("134400"))
    // The program can still use the store.
    let context = lost.context()
    try await context.perform {
      let post = context.add("Post", ["title": "Local"])
      try context.save()
      #expect(lost.container.canUpdateRecord(forManagedObjectWith: post.objectID))
      #expect(lost.container.canDeleteRecord(forManagedObjectWith: post.objectID))
    }
    #expect(lost.container.canModifyManagedObjects(in: lost.privateStore))
  }

  @Test(
    "[mirror-37] containers of one process with separate files synchronise"
  )
  func exporterAndImporter() async throws {
    typealias Container = NSPersistentCloudKitContainer
    let (exporter, importer) = (try CloudBlog("alice", "mac", in: cloud), try CloudBlog("alice", "mac", in: cloud))
    func ends(_ type: Container.EventType, _ blog: CloudBlog) -> AsyncStream<Bool> {
      let identifier = blog.privateStore.identifier
      return AsyncStream { continuation in
        let token = NotificationCenter.default.addObserver(
          forName: Container.eventChangedNotification, object: blog.container, queue: nil
        ) { note in
          guard let event = note.userInfo?[Container.eventNotificationUserInfoKey] as? Container.Event,
            event.type == type, event.storeIdentifier == identifier, event.endDate != nil
          else { return }
          continuation.yield(event.succeeded)
        }
        let box = UncheckedBox(token)
        continuation.onTermination = { _ in NotificationCenter.default.removeObserver(box.value) }
      }
    }
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    _ = try await exporter.container.purgeObjectsAndRecordsInZone(with: zone, in: exporter.privateStore)
    var (exports, imports) = (
      ends(.export, exporter).makeAsyncIterator(), ends(.import, importer).makeAsyncIterator()
    )
    let ids = try await add("One", to: exporter)
    while exporter.container.record(for: ids[0]) == nil { #expect(await exports.next() == true) }
    while try await importer.titles() != ["One"] { #expect(await imports.next() == true) }
  }

  @Test("[mirror-38] a purge of all stores calls its handler once for each store")
  func purgeOfAll() async throws {
    let blog = try CloudBlog("alice", "phone", in: cloud)
    _ = try await add("One", to: blog)
    await blog.drain()
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let (answers, continuation) = AsyncStream<String>.makeStream()
    blog.container.purgeObjectsAndRecordsInZone(with: zone, in: nil) { purged, error in
      continuation.yield("\(purged?.zoneName ?? "nil") \(error.map { "\($0)" } ?? "done")")
    }
    var iterator = answers.makeAsyncIterator()
    for _ in 0..<2 { #expect(await iterator.next() == "\(zone.zoneName) done") }
    #expect(try await blog.titles() == [])
    // Later work causes no further call.
    await blog.drain()
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("[mirror-38] handlers are called while a context's queue waits for them")
  func waitingOnAQueue() async throws {
    let blog = try CloudBlog("alice", "phone", in: cloud)
    let ids = try await add("One", to: blog)
    await blog.drain()
    let context = blog.context()
    let container = blog.container
    await context.perform {
      let answered = DispatchSemaphore(value: 0)
      let post = context.object(with: ids[0])
      container.share([post], to: nil) { objects, share, _, error in
        #expect(objects == Set(ids))
        #expect(share != nil)
        #expect(error == nil)
        answered.signal()
      }
      #expect(answered.wait(timeout: .now() + 60) == .success)
      // These calls need no request to the cloud.
      #expect((try? container.fetchShares(matching: ids))?.count == 1)
      #expect((try? container.fetchShares(in: nil))?.count == 1)
      #expect(container.recordID(for: ids[0]) != nil)
      container.fetchParticipants(matching: [], into: blog.privateStore) { people, _ in
        #expect(people?.isEmpty == true)
        answered.signal()
      }
      #expect(answered.wait(timeout: .now() + 60) == .success)
    }
    await blog.drain()
  }

  @Test("[mirror-14] [mirror-15] [video-4] completion handlers report sharing, inviting, accepting and leaving")
  func completionHandlersReportSharingInviting() async throws {
    let (alice, bob) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("bob", "tablet", in: cloud))
    let ids = try await add("One", to: alice)
    await alice.drain()
    await bob.drain()
    let context = alice.context()
    let posts = UncheckedBox(await context.perform { ids.map { UncheckedBox(context.object(with: $0)) } }.map(\.value))
    let (shared, share): (Set<NSManagedObjectID>, CKShare) = try await answer { done in
      alice.container.share(posts.value, to: nil) { ids, share, container, error in
        #expect(container?.containerIdentifier == TemporaryCloud.container || error != nil)
        done(ids.flatMap { ids in share.map { (ids, $0) } }, error)
      }
    }
    #expect(shared == Set(ids))
    let lookup = CKUserIdentity.LookupInfo(emailAddress: "bob@example.com")
    let people: [CKShare.Participant] = try await answer { done in
      alice.container.fetchParticipants(matching: [lookup], into: alice.privateStore, completion: done)
    }
    let again = try await alice.container.fetchParticipants(matching: [lookup], into: alice.privateStore)
    #expect(people.count == 1)
    #expect(again.map(\.userIdentity.userRecordID) == people.map(\.userIdentity.userRecordID))
    people[0].permission = .readWrite
    share.addParticipant(people[0])
    let saved: CKShare = try await answer { done in
      alice.container.persistUpdatedShare(share, in: alice.privateStore, completion: done)
    }
    #expect(saved.participants.count == 2)
    // The exporter sends the objects after the function has returned.
    await alice.drain()
    let url = try #require(saved.url)
    let metadata = try await LocalCloud.acting(
      as: "bob", device: "tablet", root: cloud.path, container: TemporaryCloud.container
    ) { try await CKContainer(identifier: TemporaryCloud.container).shareMetadata(for: url) }
    let accepted: [CKShare.Metadata] = try await answer { done in
      bob.container.acceptShareInvitations(from: [metadata], into: bob.sharedStore, completion: done)
    }
    #expect(accepted.map(\.share.recordID.zoneID.zoneName) == [share.recordID.zoneID.zoneName])
    await bob.drain()
    #expect(try await bob.titles() == ["One"])
    let zone = try #require(try bob.container.fetchShares(in: bob.sharedStore).first?.recordID.zoneID)
    let left: CKRecordZone.ID = try await answer { done in
      bob.container.purgeObjectsAndRecordsInZone(with: zone, in: bob.sharedStore, completion: done)
    }
    #expect(left == zone)
    #expect(try await bob.titles() == [])
    #expect(try await alice.titles() == ["One"])
  }

  @Test(
    "a cascading deletion deletes each record; the server cascades nothing [mirror-7]")
  func cascadingDeletionDeletesEachRecord() async throws {
    let (phone, tablet) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("alice", "tablet", in: cloud))
    try await phone.container.change { context in
      for title in ["One", "Two"] {
        let post = context.add("Post", ["title": title])
        post.setValue(Set([context.add("Tag", ["name": title])]), forKey: "tags")
        for _ in 0..<2 { context.add("Attachment").setValue(post, forKey: "post") }
      }
    }
    await phone.drain()
    await tablet.drain()
    try await phone.container.change { $0.delete(try $0.post("One")) }
    await phone.drain()
    let database = try cloud.plainDatabase()
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    func types() async throws -> [String] {
      let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
      return try changes.modificationResultsByID.values.map { try $0.get().record.recordType }.sorted()
    }
    let rest = ["CDMR", "CD_Attachment", "CD_Attachment", "CD_Post", "CD_Tag", "CD_Tag"]
    #expect(try await types() == rest)
    func count(_ entity: String) async throws -> Int {
      let context = tablet.context()
      return try await context.perform { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
    }
    await tablet.drain()
    #expect(try await [count("Post"), count("Attachment"), count("Tag")] == [1, 2, 2])
    // Plain CloudKit deletes only the record of the post.
    let context = tablet.context()
    let post = try await context.perform { try context.post("Two").objectID }
    _ = try await database.deleteRecord(withID: try #require(tablet.container.recordID(for: post)))
    await tablet.drain()
    #expect(try await [count("Post"), count("Attachment"), count("Tag")] == [0, 2, 2])
    #expect(try await types().filter { $0 == "CD_Attachment" }.count == 2)
  }

  @Test("a refused request passes its error to the completion handler")
  func refusedRequestPassesItsError() async throws {
    let blog = try CloudBlog("alice", "phone", in: cloud)
    let local = try Blog()
    await #expect(throws: (any Error).self) {
      let _: CKShare = try await self.answer { done in
        blog.container.share([], to: nil) { _, share, _, error in done(share, error) }
      }
    }
    // The store of a container without mirroring.
    let zone = CKRecordZone.ID(zoneName: "Home")
    await #expect(throws: (any Error).self) {
      let _: CKRecordZone.ID = try await self.answer { done in
        blog.container.purgeObjectsAndRecordsInZone(with: zone, in: local.store, completion: done)
      }
    }
    await #expect(throws: (any Error).self) {
      let _: CKShare = try await self.answer { done in
        blog.container.persistUpdatedShare(CKShare(recordZoneID: zone), in: local.store, completion: done)
      }
    }
    await #expect(throws: (any Error).self) {
      let _: [CKShare.Participant] = try await self.answer { done in
        blog.container.fetchParticipants(matching: [], into: local.store, completion: done)
      }
    }
    await #expect(throws: (any Error).self) {
      let _: [CKShare.Metadata] = try await self.answer { done in
        blog.container.acceptShareInvitations(from: [], into: local.store, completion: done)
      }
    }
  }
}
