import CloudKit
import FaultInjection
import Foundation
import LocalCloudObjectStore
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import LocalCloudCoreDataMirroring

@Suite("Removal of a mirrored container's stores", .timeLimit(.minutes(2)))
struct RemovalTests {
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  /// A device with changes that are not exported yet.
  private func device(_ name: String) async throws -> CloudBlog {
    let phone = try CloudBlog("alice", name, in: cloud)
    try await phone.container.change { context in
      for number in 0..<40 { context.add("Post", ["title": "\(name) \(number)"]) }
    }
    return phone
  }

  /// The files of the cloud, with their contents.
  private func files() throws -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: cloud.path)?.compactMap { $0 as? String } ?? []
    var files: [String: Data] = [:]
    for name in names { files[name] = FileManager.default.contents(atPath: "\(cloud.path)/\(name)") }
    return files
  }

  /// Compares the store at the time when the mirroring was stopped with the store at the end of the mirroring's thread.
  private func expectNoWrites(_ worker: MirroringWorker, _ objects: ObjectStore, _ round: Int) throws {
    let head = try objects.read { try $0.head() }
    let before = try files()
    #expect(worker.state.wait(seconds: 60) { $0.isOver ? true : nil } == true, "\(round)")
    let after = try files()
    #expect(try objects.read { try $0.head() } == head, "\(round)")
    #expect(after == before, "\(round)")
  }

  @Test("[mirror-45] the mirroring writes nothing for a store after its removal has returned")
  func mirroringWritesNothingForAStore() async throws {
    for round in 0..<12 {
      let phone = try await device("phone \(round)")
      let coordinator = phone.container.persistentStoreCoordinator
      // The mirroring of the other store writes to the cloud, too.
      try coordinator.remove(phone.sharedStore)
      let (store, engine) = try #require(phone.container.engines.first)
      try coordinator.remove(store)
      try expectNoWrites(engine.worker, store.objects, round)
      #expect(coordinator.persistentStores == [])
    }
  }

  @Test("[mirror-45] the mirroring writes nothing after it was released")
  func mirroringWritesNothingAfterItWasReleased() async throws {
    for round in 0..<12 {
      let phone = try await device("phone \(round)")
      let coordinator = phone.container.persistentStoreCoordinator
      try coordinator.remove(phone.sharedStore)
      let store = phone.privateStore
      let (objects, acting) = (store.objects, phone.container.acting)
      try coordinator.remove(store)
      var engine: MirroringEngine? = MirroringEngine(
        store: objects, containerIdentifier: TemporaryCloud.container, scope: .private, acting: acting)
      engine?.start()
      let worker = try #require(engine).worker
      engine = nil
      try expectNoWrites(worker, objects, round)
    }
  }

  @Test("[mirror-45] an event's block may remove the store and wait for another thread's removal")
  func removingInBlocks() async throws {
    let phone = try await device("phone")
    let coordinator = phone.container.persistentStoreCoordinator
    let failures = Mutex<[String]>([])
    let isFirst = Mutex(true)
    let (removals, removal) = AsyncStream.makeStream(of: Void.self)
    let observation = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification, object: phone.container, queue: nil
    ) { _ in
      let mayRemove = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard mayRemove else { return }
      let removed = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        for store in coordinator.persistentStores {
          do { try coordinator.remove(store) } catch { failures.withLock { $0.append("\(error)") } }
        }
        removed.signal()
      }
      removed.wait()
      removal.yield()
    }
    defer { NotificationCenter.default.removeObserver(observation) }
    try await phone.container.change { $0.add("Post", ["title": "last"]) }
    for await _ in removals { break }
    #expect(failures.withLock { $0 } == [])
    #expect(coordinator.persistentStores == [])
  }
}
