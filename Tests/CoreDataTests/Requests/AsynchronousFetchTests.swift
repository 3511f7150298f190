import CoreData
import Foundation
import Testing

@Suite("Execution of requests, and asynchronous fetches")
struct AsynchronousFetchTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      for number in 0..<3 { Post(context: context).title = "P\(number)" }
      try context.save()
    }
  }

  private var request: NSFetchRequest<Post> {
    let request = Post.all()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test("[request-any-1] contexts and coordinators execute fetches and batches; unsupported requests are refused")
  func contextsAndCoordinatorsExecuteFetches() throws {
    let coordinator = blog.container.persistentStoreCoordinator
    let array = try coordinator.execute(request, with: context)
    #expect((array as? [Post])?.count == 3)
    try context.performAndWait {
      let result = try context.execute(request) as? NSAsynchronousFetchResult<Post>
      #expect(result?.finalResult?.map(\.title) == ["P0", "P1", "P2"])
      let batch = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "t"]])
      #expect(try coordinator.execute(batch, with: context) is NSBatchInsertResult)
      let posts = Set(result?.finalResult ?? [])
      let save = NSSaveChangesRequest(inserted: nil, updated: posts, deleted: [], locked: nil)
      #expect(save.insertedObjects == nil)
      #expect(save.updatedObjects == posts)
      #expect(save.deletedObjects == [])
      #expect(save.lockedObjects == nil)
      #expect(save.requestType == .saveRequestType)
      for request in [save, NSPersistentStoreRequest()] {
        let error = #expect(throws: NSError.self) { try coordinator.execute(request, with: context) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
      }
    }
    let other = try Blog()
    let foreign = other.context()
    #expect(throws: NSError.self) { try coordinator.execute(Post.all(), with: foreign) }
  }

  @Test("[request-async-1] an asynchronous fetch delivers its result later, with progress")
  func asynchronousFetchDeliversItsResultLater() async throws {
    let context = context
    let titles: [String?] = try await withCheckedThrowingContinuation { continuation in
      let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        #expect(result.operationError == nil)
        #expect(result.managedObjectContext === context)
        #expect(result.progress?.isFinished == true)
        continuation.resume(returning: result.finalResult?.map(\.title) ?? [])
      }
      asynchronous.estimatedResultCount = 7
      do {
        try context.performAndWait {
          let parent = Progress(totalUnitCount: 1)
          parent.becomeCurrent(withPendingUnitCount: 1)
          let result = try context.execute(asynchronous) as? NSAsynchronousFetchResult<Post>
          parent.resignCurrent()
          #expect(result?.finalResult == nil)
          #expect(result?.progress?.totalUnitCount == 7)
          #expect(result?.fetchRequest === asynchronous)
          #expect(parent.fractionCompleted == 0)
        }
      } catch { continuation.resume(throwing: error) }
    }
    #expect(titles == ["P0", "P1", "P2"])
  }

  @Test("[request-async-2] a cancelled asynchronous fetch delivers the error userCancelled", arguments: [true, false])
  func cancelledAsynchronousFetchDeliversTheError(byProgress: Bool) async throws {
    let context = context
    let code: Int? = try await withCheckedThrowingContinuation { continuation in
      let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        #expect(result.finalResult == nil)
        continuation.resume(returning: (result.operationError as NSError?)?.code)
      }
      do {
        try context.performAndWait {
          let result = try context.execute(asynchronous) as? NSPersistentStoreAsynchronousResult
          if byProgress { result?.progress?.cancel() } else { result?.cancel() }
        }
      } catch { continuation.resume(throwing: error) }
    }
    #expect(code == CocoaError.Code.userCancelled.rawValue)
  }

  @Test("[request-async-2] an asynchronous fetch of an unreadable store delivers the error")
  func asynchronousFetchOfAnUnreadableStoreDelivers() async throws {
    let context = context
    try FileManager.default.removeItem(at: blog.url)
    let error: NSError? = try await withCheckedThrowingContinuation { continuation in
      let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        #expect(result.finalResult == nil)
        continuation.resume(returning: result.operationError as NSError?)
      }
      do { _ = try context.performAndWait { try context.execute(asynchronous) } } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(error?.domain == NSCocoaErrorDomain)
  }
}
