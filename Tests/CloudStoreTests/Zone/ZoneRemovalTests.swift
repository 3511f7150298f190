import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("The files of a removed zone are removed without the zone's lock ([commit-24])")
struct ZoneRemovalTests {
  private let path = ScratchFolder.newPath("removal")
  private let database = DatabasePath(container: "c", environment: "e", scope: ["private", "alice"])
  private let waitPolicy = LockWaitPolicy()

  init() throws {
    try Cloud.create(path: path, history: "h", created: 0)
    let zone = try #require(try make("Z", in: try open()).zone)
    try zone.write(waitPolicy) { transaction in
      for name in ["a", "b", "c"] {
        try transaction.put(StoredRecord(["recordName": .string(name), "recordType": "T"]))
      }
      try transaction.commit(waitPolicy)
    }
  }

  private func open(_ fileSystem: FileSystem = FileSystem()) throws -> Cloud {
    try Cloud(path: path, fieldEncoding: FieldEncoding { _, _ in [] }, observer: ToyObserver(), in: fileSystem)
  }

  private func zonePath(_ name: ExactName) -> ZonePath { ZonePath(database: database, zone: name) }

  @discardableResult
  private func make(_ name: ExactName, in cloud: Cloud) throws -> (zone: ZoneStore?, isNew: Bool) {
    let properties = ZoneProperties(
      name: name, owner: "_alice", incarnation: "of-\(name)", base: 0, capabilities: 0, created: 0)
    return try cloud.createZone(zonePath(name), properties, mentioned: true, waitPolicy)
  }

  /// Removes the zone as another process does. `fault` is called before each removal of one of its files.
  private func removeZone(_ fault: @escaping @Sendable () -> InjectedFault) throws {
    let cloud = try open(
      FileSystem { call in
        if case .remove(let path) = call, path.contains("/.deleted-") { fault() } else { .proceed }
      })
    let zone = try #require(try cloud.zone(zonePath("Z")))
    try zone.write(waitPolicy) { transaction in
      transaction.removeZone()
      try transaction.commit(waitPolicy)
    }
  }

  private func names() throws -> [String] {
    let folder = try #require(try open().database(database)).directory.directory("zones")
    return try folder.entries().map(\.name).filter { $0 != ".lock" }
  }

  @Test("while the files are removed, a process with the zone open gets its lock and learns that the zone is missing")
  func lock() throws {
    let zone = try #require(try open().zone(zonePath("Z")))
    let outcomes = Mutex<[String]>([])
    try removeZone {
      let outcome: String
      do {
        try zone.read(LockWaitPolicy(seconds: 0)) { _ in }
        outcome = "read"
      } catch StoreError.zoneMissing { outcome = "missing" } catch { outcome = "\(error)" }
      outcomes.withLock { $0.append(outcome) }
      return .proceed
    }
    #expect(Set(outcomes.withLock { $0 }) == ["missing"])
    #expect(try names() == [])
    try ScratchFolder.remove(path)
  }

  @Test("a process that makes a zone meanwhile leaves the files to the process that is removing them")
  func making() throws {
    let removed = Mutex(0)
    let maker = try open(
      FileSystem { call in
        if case .remove(let path) = call, path.contains("/.deleted-") { removed.withLock { $0 += 1 } }
        return .proceed
      })
    let isMade = Mutex(false)
    // Making it again changes nothing.
    try removeZone { [self] in
      let isNew = (try? make("Y", in: maker).isNew) ?? false
      isMade.withLock { $0 = $0 || isNew }
      return .proceed
    }
    #expect(isMade.withLock { $0 })
    #expect(removed.withLock { $0 } == 0)
    #expect(try names() == ["Y"])
    try ScratchFolder.remove(path)
  }

  @Test("the files that a killed process left are removed when the next zone is made")
  func killed() throws {
    let count = Mutex(0)
    #expect(throws: (any Error).self) {
      try removeZone {
        count.withLock { count in
          count += 1
          return count == 3 ? .stopBefore : .proceed
        }
      }
    }
    #expect(try names() == [".deleted-of-Z"])
    try make("Y", in: open())
    #expect(try names() == ["Y"])
    try ScratchFolder.remove(path)
  }
}
