import CloudKit
import Foundation
import LocalCloud
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("What a mirrored container tells, and its functions with blocks", .timeLimit(.minutes(2)))
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

  /// What a function with a block calls it with.
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

  @Test("[mirror-2] the records of objects, once they were sent")
  func records() async throws {
    let blog = try CloudBlog("alice", "phone", in: cloud)
    let container = blog.container
    await blog.drain()
    let ids = try await add("One", "Two", to: blog)
    await blog.drain()
    let first = try #require(container.recordID(for: ids[0]))
    #expect(first.zoneID.zoneName == "com.apple.coredata.cloudkit.zone" && UUID(uuidString: first.recordName) != nil)
    let names = container.recordIDs(for: ids)
    #expect(names.count == 2 && names[ids[0]] == first)
    let records = container.records(for: ids)
    #expect(records.mapValues(\.recordID) == names && records[ids[1]]?["CD_title"] as? String == "Two")
    let context = blog.context()
    await context.perform {
      let unsaved = context.add("Post").objectID
      #expect(container.recordID(for: unsaved) == nil && container.records(for: [unsaved]).isEmpty)
      #expect(container.recordIDs(for: [unsaved, ids[0]]) == [ids[0]: first])
    }
    #expect(container.canModifyManagedObjects(in: blog.privateStore))
    #expect(container.canModifyManagedObjects(in: blog.sharedStore))
  }

  @Test("[mirror-18] an event is told when it begins and when it ends; one that fails has the error")
  func events() async throws {
    typealias Container = NSPersistentCloudKitContainer
    let heard = Mutex<[Container.Event]>([])
    let token = NotificationCenter.default.addObserver(
      forName: Container.eventChangedNotification, object: nil, queue: nil
    ) { note in
      guard let event = note.userInfo?[Container.eventNotificationUserInfoKey] as? Container.Event else { return }
      heard.withLock { $0.append(event) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let start = Date()
    // Nobody is signed in on the one device.
    let (blog, lost) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog(nil, "lost", in: cloud))
    _ = try await add("One", to: blog)
    await blog.drain()
    await lost.drain()
    func events(of store: NSPersistentStore, _ type: Container.EventType) -> [Container.Event] {
      heard.withLock { $0 }.filter { $0.storeIdentifier == store.identifier && $0.type == type }
    }
    let setup = events(of: blog.privateStore, .setup)
    #expect(setup.count == 2 && setup.first?.endDate == nil && setup.last?.succeeded == true)
    #expect(Set(setup.map(\.identifier)).count == 1 && Set(setup.map(\.startDate)).count == 1)
    #expect(setup.allSatisfy { $0.startDate >= start && $0.startDate <= Date() && $0.error == nil })
    #expect(events(of: blog.privateStore, .export).contains { $0.succeeded && $0.endDate != nil })
    let failed = try #require(events(of: lost.privateStore, .setup).last)
    #expect(!failed.succeeded && failed.endDate != nil && (failed.error as NSError?)?.code == 134_400)
  }

  @Test("[mirror-14] [mirror-15] sharing, inviting, accepting and leaving, by functions with blocks")
  func blocks() async throws {
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
    #expect(people.count == 1 && again.map(\.userIdentity.userRecordID) == people.map(\.userIdentity.userRecordID))
    people[0].permission = .readWrite
    share.addParticipant(people[0])
    let saved: CKShare = try await answer { done in
      alice.container.persistUpdatedShare(share, in: alice.privateStore, completion: done)
    }
    #expect(saved.participants.count == 2)
    // The objects are sent after the function has returned.
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

  @Test("what can't be done is told to the block")
  func refusals() async throws {
    let blog = try CloudBlog("alice", "phone", in: cloud)
    let local = try Blog()
    await #expect(throws: (any Error).self) {
      let _: CKShare = try await self.answer { done in
        blog.container.share([], to: nil) { _, share, _, error in done(share, error) }
      }
    }
    // The store of a container that mirrors nothing.
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
