import CoreData
import LocalCloud
import TestSupport
import XCTest

@testable import Posts

/// The talk's test, with a list instead of the table.
class TestMainViewController: XCTestCase {
  var cloud: TemporaryCloud!
  var storesURL: URL!
  var coreDataStack: CoreDataStack!
  var postList: PostList!

  override func setUpWithError() throws {
    cloud = try TemporaryCloud(accounts: ["germaine"])
    storesURL = URL(fileURLWithPath: cloud.path).appendingPathComponent("stores")
    try LocalCloud.acting(as: "germaine", root: cloud.path, container: TemporaryCloud.container) {
      coreDataStack = CoreDataStack(storesURL: storesURL)
      let context = coreDataStack.persistentContainer.viewContext
      postList = PostList(context: context, sharingProvider: coreDataStack)
    }
  }

  override func tearDown() {
    (postList, coreDataStack, cloud) = (nil, nil, nil)
  }

  func generatePosts(in context: NSManagedObjectContext, postSaveBlock: ([Post]) -> Void) {
    context.performAndWait {
      let posts = (0..<100).map { number in
        let post = Post(context: context)
        post.title = String(format: "Post %03d", number)
        return post
      }
      do {
        try context.save()
        postSaveBlock(posts)
      } catch let error {
        XCTFail("Error while saving \(error)")
      }
    }
  }

  func testSharedPostsGetDisclosure() {
    var sharedObjectIDs: Set<NSManagedObjectID> = Set()
    let context = coreDataStack.persistentContainer.viewContext
    self.generatePosts(
      in: context,
      postSaveBlock: { posts in
        for (index, post) in posts.enumerated() where (index % 4) == 0 {
          sharedObjectIDs.insert(post.objectID)
        }
      })

    let provider = BlockBasedShareProvider(stack: coreDataStack)
    provider.isSharedBlock = sharedObjectIDs.contains
    postList.sharingProvider = provider

    do {
      try postList.fetchedResultsController.performFetch()
    } catch let error {
      XCTFail("Error while fetching \(error)")
    }

    let rowCount = postList.numberOfRows
    XCTAssertEqual(100, rowCount)
    var sharedCount = 0
    for index in 0..<rowCount {
      let indexPath = IndexPath(row: index, section: 0)
      let post = postList.fetchedResultsController.object(at: indexPath)
      guard let title = post.title else {
        XCTFail("All posts should have been given a title.")
        return
      }
      let row = postList.row(at: indexPath)
      if sharedObjectIDs.contains(post.objectID) {
        XCTAssertEqual(row, title + "  (shared)")
        sharedCount += 1
      } else {
        XCTAssertEqual(row, title)
      }
    }
    XCTAssertEqual(25, sharedCount)
  }

  /// Without blocks the provider returns the values of the stack.
  func testWithoutBlocksTheStackAnswers() throws {
    let provider = BlockBasedShareProvider(stack: coreDataStack)
    let context = coreDataStack.persistentContainer.viewContext
    let post = Post(context: context)
    try context.save()
    XCTAssertFalse(provider.isShared(object: post))
    XCTAssertTrue(provider.participants(for: post).isEmpty)
    XCTAssertTrue(try provider.shares(matching: [post.objectID]).isEmpty)
    XCTAssertTrue(provider.canEdit(object: post))
    XCTAssertTrue(provider.canDelete(object: post))
    provider.canEditBlock = { _ in false }
    provider.canDeleteBlock = { _ in false }
    XCTAssertFalse(provider.canEdit(object: post))
    XCTAssertFalse(provider.canDelete(object: post))
  }
}
