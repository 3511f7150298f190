import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import TestSupport
import Testing

@testable import CoreData

/// Two stores of one model, for the user's own objects and for those that other people share.
@Suite("A private and a shared store side by side", .timeLimit(.minutes(2)))
struct SharedStoresTests {
  private let cloud: TemporaryCloud
  private let alice: CloudBlog
  private let bob: CloudBlog

  init() throws {
    cloud = try TemporaryCloud()
    alice = try CloudBlog("alice", "phone", in: cloud)
    bob = try CloudBlog("bob", "tablet", in: cloud)
  }

  /// Saves a post and shares it; every user with the link may edit it.
  private func share(_ title: String, of blog: CloudBlog) async throws -> CKShare {
    let context = blog.context()
    let post = try await context.perform {
      let post = context.add("Post", ["title": title])
      try context.save()
      return UncheckedBox(post)
    }
    let (_, share, _) = try await blog.container.share([post.value], to: nil)
    share.publicPermission = .readWrite
    let saved = try await blog.container.persistUpdatedShare(share, in: blog.privateStore)
    await blog.drain()
    _ = context
    return saved
  }

  private func accept(_ share: CKShare) async throws {
    let metadata = try await LocalCloud.acting(
      as: "bob", device: "tablet", root: cloud.path, container: TemporaryCloud.container
    ) { try await CKContainer(identifier: TemporaryCloud.container).shareMetadata(for: try #require(share.url)) }
    _ = try await bob.container.acceptShareInvitations(from: [metadata], into: bob.sharedStore)
    await bob.drain()
  }

  @Test("an unassigned new object goes to the store of its related objects [mirror-12]")
  func storeOfNewObjects() async throws {
    try await accept(try await share("Alice's", of: alice))
    let (context, container) = (bob.context(), bob.container)
    let (privateStore, sharedStore) = (bob.privateStore, bob.sharedStore)
    let tag = try await context.perform {
      let post = try context.post("Alice's")
      let (related, tag) = (context.add("Attachment"), context.add("Tag", ["name": "T"]))
      related.setValue(post, forKey: "post")
      tag.setValue(Set([post]), forKey: "posts")
      let lonely = context.add("Tag", ["name": "mine"])
      let assigned = context.add("Post", ["title": "assigned"])
      context.assign(assigned, to: privateStore)
      try context.save()
      #expect([related, tag].allSatisfy { $0.objectID.persistentStore === sharedStore })
      #expect([lonely, assigned].allSatisfy { $0.objectID.persistentStore === privateStore })
      // Objects of two stores can't be related.
      lonely.setValue(Set([post]), forKey: "posts")
      #expect {
        try context.save()
      } throws: {
        ($0 as NSError).code == 133_010
      }
      context.rollback()
      // An object that is only assigned to the shared store belongs to no share yet.
      let stray = context.add("Tag", ["name": "stray"])
      context.assign(stray, to: sharedStore)
      try context.save()
      return UncheckedBox(stray)
    }
    await bob.drain()
    #expect(container.record(for: tag.value.objectID) == nil)
    let share = try #require(try container.fetchShares(in: sharedStore).first)
    let (objects, _, _) = try await container.share([tag.value], to: share)
    #expect(objects == [tag.value.objectID])
    await bob.drain()
    await alice.drain()
    let list = alice.context()
    let names = try await list.perform {
      try list.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).compactMap {
        $0.value(forKey: "name") as? String
      }
    }
    #expect(names.sorted() == ["T", "stray"])
  }

  @Test("shares of one store and of all; unexported objects have none [mirror-14] [video-5]")
  func sharesOfOneStoreAndOfAll() async throws {
    let (theirs, own) = (try await share("Alice's", of: alice), try await share("Bob's", of: bob))
    try await accept(theirs)
    let container = bob.container
    func zones(_ store: NSPersistentStore?) throws -> Set<String> {
      Set(try container.fetchShares(in: store).map(\.recordID.zoneID.zoneName))
    }
    let (first, second) = (theirs.recordID.zoneID.zoneName, own.recordID.zoneID.zoneName)
    #expect(try zones(bob.sharedStore) == [first] && zones(bob.privateStore) == [second])
    #expect(try zones(nil) == [first, second])
    let context = bob.context()
    try await context.perform {
      let ids = [try context.post("Alice's").objectID, try context.post("Bob's").objectID]
      let unsaved = context.add("Post", ["title": "new"])
      let unshared = context.add("Post", ["title": "private"])
      let found = try container.fetchShares(matching: ids + [unsaved.objectID, unshared.objectID])
      #expect(found.mapValues(\.recordID.zoneID.zoneName) == [ids[0]: first, ids[1]: second])
    }
    // A participant's private database has none of the shared records.
    let database = try cloud.plainDatabase(of: "bob")
    #expect(try await !database.allRecordZones().contains { $0.zoneID.zoneName == first })
  }

  @Test("refused sharing throws an error and moves nothing [mirror-14]")
  func refusedSharingThrowsAnErrorAndMoves() async throws {
    try await accept(try await share("Alice's", of: alice))
    let (context, container) = (bob.context(), bob.container)
    let posts = try await context.perform {
      let saved = context.add("Post", ["title": "saved"])
      try context.save()
      return [
        "saved": UncheckedBox(saved), "unsaved": UncheckedBox(context.add("Post", ["title": "unsaved"])),
        "shared": UncheckedBox(try context.post("Alice's")),
      ]
    }
    await bob.drain()
    func refuse(_ names: String..., isolation: isolated (any Actor)? = #isolation) async throws {
      let objects = UncheckedBox(names.compactMap { posts[$0]?.value })
      do {
        _ = try await container.share(objects.value, to: nil)
        Issue.record("\(names) were shared")
      } catch {
        let error = error as NSError
        #expect(error.domain == NSCocoaErrorDomain, "\(names)")
        #expect(error.code == 134_060, "\(names)")
        #expect(error.localizedFailureReason?.isEmpty == false, "\(names)")
      }
    }
    try await refuse()
    try await refuse("unsaved")
    try await refuse("saved", "unsaved")
    try await refuse("saved", "shared")
    try await refuse("shared")
    #expect(try container.fetchShares(in: bob.privateStore).isEmpty)
    let saved = try #require(posts["saved"]).value.objectID
    #expect(container.recordID(for: saved)?.zoneID.zoneName == "com.apple.coredata.cloudkit.zone")
    // Without an account the objects have no zone.
    let lost = try CloudBlog(nil, "lost", in: cloud)
    let list = lost.context()
    let local = try await list.perform {
      let post = list.add("Post", ["title": "local"])
      try list.save()
      return UncheckedBox(post)
    }
    await #expect {
      _ = try await lost.container.share([local.value], to: nil)
    } throws: {
      ($0 as NSError).code == 134_400
    }
    #expect(try await lost.titles() == ["local"])
  }
}
