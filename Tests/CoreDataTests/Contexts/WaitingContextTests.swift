import CoreData
import FaultInjection
import Foundation
import Synchronization
import Testing

/// Each case runs in a child process that ends if contexts wait for each other forever.
@Suite("Contexts that wait for each other", .timeLimit(.minutes(5)))
struct WaitingContextTests {
  /// A store with one post, the main queue's context, and a child of it that merges the parent's saves.
  private struct World {
    let blog: Blog
    let main: NSManagedObjectContext
    let child: NSManagedObjectContext
    let id: NSManagedObjectID

    @MainActor init() throws {
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { exit(99) }
      blog = try Blog()
      main = blog.container.viewContext
      child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = main
      child.automaticallyMergesChangesFromParent = true
      let post = Post(context: main)
      post.title = "0"
      try main.save()
      id = post.objectID
    }

    @MainActor var post: Post? { main.object(with: id) as? Post }
  }

  @Test("[object-queue-5] the main thread saves the parent and then waits for a child that merges the save")
  func savingParent() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let world = try World()
        let child = world.child
        let controller = child.performAndWait {
          let request = NSFetchRequest<Post>(entityName: "Post")
          request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
          return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
        }
        let delegate = Follower()
        controller.delegate = delegate
        try child.performAndWait { try controller.performFetch() }
        for round in 1...50 {
          world.post?.title = "\(round)"
          Post(context: world.main).title = "new \(round)"
          try world.main.save()
          let titles = child.performAndWait { controller.fetchedObjects?.compactMap(\.title) ?? [] }
          #expect(titles.contains("\(round)"), "\(titles)")
          #expect(titles.count == round + 1, "\(titles)")
        }
      }
    }
  }

  @Test("[object-queue-5] a child reads its parent while the main thread occupies the parent and waits for the child")
  func readingChild() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let world = try World()
        let child = world.child
        for isSlow in [false, true] {
          let (begun, mayRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          let title = Mutex<String?>(nil)
          child.performAndWait { child.reset() }
          child.perform { @Sendable in
            begun.signal()
            mayRead.wait()
            title.withLock { $0 = (child.object(with: world.id) as? Post)?.title }
          }
          begun.wait()
          // Either the child's wait or the main thread's wait completes the cycle.
          if isSlow {
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { mayRead.signal() }
          } else {
            mayRead.signal()
          }
          child.performAndWait {}
          let read = title.withLock { $0 }
          #expect(read == "0")
        }
      }
    }
  }

  @Test("[object-queue-5] a grandchild saves into its parents while the main thread waits for it")
  func savingGrandchild() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let world = try World()
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = world.child
        let errors = Mutex<[String]>([])
        grandchild.perform { @Sendable in
          (grandchild.object(with: world.id) as? Post)?.title = "changed"
          do {
            try grandchild.save()
            try world.child.performAndWait { try world.child.save() }
          } catch { errors.withLock { $0.append("\(error)") } }
        }
        grandchild.performAndWait {}
        let found = errors.withLock { $0 }
        #expect(found == [])
        #expect(world.post?.title == "changed")
        #expect(world.main.updatedObjects == Set([world.post].compactMap { $0 }))
      }
    }
  }

  @Test("[object-queue-5] a grandchild asks for permanent identities while the main thread waits for it")
  func identifyingGrandchild() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let world = try World()
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = world.child
        let errors = Mutex<[String]>([])
        let isTemporary = Mutex(true)
        grandchild.perform { @Sendable in
          do {
            let post = Post(context: grandchild)
            try grandchild.save()
            try world.child.performAndWait { try world.child.save() }
            try grandchild.obtainPermanentIDs(for: [post])
            isTemporary.withLock { $0 = post.objectID.isTemporaryID }
          } catch { errors.withLock { $0.append("\(error)") } }
        }
        grandchild.performAndWait {}
        let found = errors.withLock { $0 }
        #expect(found == [])
        let stayed = isTemporary.withLock { $0 }
        #expect(!stayed)
      }
    }
  }

  @Test("[object-queue-5] a context merges its save into the main queue's while the main thread waits for it")
  func mergingInto() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let world = try World()
        let background = world.blog.context()
        #expect(world.post?.title == "0")
        background.perform { @Sendable in
          (background.object(with: world.id) as? Post)?.title = "merged"
          try? background.save()
          let changes = [NSUpdatedObjectsKey: [world.id]]
          NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [world.main])
        }
        background.performAndWait {}
        #expect(world.post?.title == "merged")
      }
    }
  }

  @Test("[object-queue-5] a block of a private-queue parent waits for a child that reads the parent")
  func privateParent() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let world = try World()
        let parent = world.blog.context()
        let children = (0..<2).map { _ in
          let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          child.parent = parent
          return child
        }
        for round in 0..<50 {
          for child in children {
            child.perform { @Sendable in _ = (child.object(with: world.id) as? Post)?.title }
          }
          parent.performAndWait {
            for child in children {
              child.performAndWait { child.refreshAllObjects() }
              #expect(child.performAndWait { (child.object(with: world.id) as? Post)?.title } == "0", "\(round)")
            }
          }
        }
      }
    }
  }

  @Test("[object-queue-6] a context's blocks run one at a time, in the order in which a thread added them")
  func contextsBlocksRunOneAtATime() async {
    await #expect(processExitsWith: .success) { try await Self.useFromFourTasks() }
  }

  private static func useFromFourTasks() async throws {
    let blog = try Blog()
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { exit(99) }
    let context = blog.context()
    let seen = Seen()
    @Sendable func enter(_ worker: Int, _ number: Int) { seen.enter(worker, number) }
    @Sendable func add(_ worker: Int, _ number: Int) {
      if number % 3 == 0 {
        context.perform { enter(worker, number) }
      } else {
        context.performAndWait { enter(worker, number) }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<600 {
            if number % 3 == 2 { await context.perform { enter(worker, number) } } else { add(worker, number) }
          }
        }
      }
    }
    let orders = seen.orders.withLock { $0 }
    precondition(orders == Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, Array(0..<600)) }))
  }

  /// Records the order of each task's blocks.
  private final class Seen: Sendable {
    let orders = Mutex<[Int: [Int]]>([:])
    private let running = Atomic<Int>(0)

    func enter(_ worker: Int, _ number: Int) {
      precondition(running.add(1, ordering: .relaxed).newValue == 1)
      orders.withLock { $0[worker, default: []].append(number) }
      precondition(running.subtract(1, ordering: .relaxed).newValue == 0)
    }
  }
}

private final class Follower: NSFetchedResultsControllerDelegate {}
