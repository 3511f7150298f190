import FaultInjection
import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("A restored copy of a cloud starts new histories; a moved cloud does not")
struct CopiedCloudTests {
  let cloud: TemporaryCloud
  let alice: Person
  let saved: String

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("a", "1"))
    saved = ScratchFolder.newPath("saved")
  }

  private func copy(_ from: String, to: String) throws {
    try FileManager.default.copyItem(atPath: from, toPath: to)
  }

  private func bytes(_ path: String, _ name: String) throws -> [UInt8] {
    try #require(try Directory.open(path: path, in: FileSystem()).contents(name))
  }

  /// Replaces the changed cloud by the saved copy.
  private func bringBack(without lost: [String] = []) throws -> Person {
    try ScratchFolder.remove(cloud.path)
    try copy(saved, to: cloud.path)
    for path in lost { try? FileManager.default.removeItem(atPath: cloud.path + "/" + path) }
    return Person(cloud, "alice", by: try reopened())
  }

  private func reopened(_ fileSystem: FileSystem = FileSystem()) throws -> CloudService {
    try CloudService.open(root: cloud.path, settings: TemporaryCloud.settings(ids: "other"), fileSystem: fileSystem)
  }

  private func histories() throws -> Int {
    let bytes = try bytes(cloud.zonePath(), "zone.json")
    return try JSONValue(parsing: bytes)["histories"]?.array?.count ?? 0
  }

  // [change-token-3]
  @Test("after a restore, tokens of discarded commits expire, their tags match no record, and older tokens stay valid")
  func discardedFuture() throws {
    let past = try alice.changes().token
    let database = try alice.databaseChanges().token
    try copy(cloud.path, to: saved)
    defer { try? ScratchFolder.remove(saved) }
    let lost = try alice.save(alice.note("a", "2"), policy: .allKeys).changeTag
    try alice.save(alice.note("b", "1"))
    let future = try alice.changes().token
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, saves: [ZoneIdentifier(name: "Later")]), by: alice.caller)
    var other = alice
    other.zone = ZoneIdentifier(name: "Later")
    let later = try other.save(other.note("x", "1")).changeTag

    let again = try bringBack()
    // Makes as many changes as the discarded ones, so that plain sequences and tags would be equal.
    let tag = try again.save(again.note("a", "3"), policy: .allKeys).changeTag
    try again.save(again.note("c", "1"))
    #expect(tag != lost)
    #expect(tag.hasPrefix(lost + "-"))
    #expect(code { try again.changes(since: future) } == .changeTokenExpired)
    #expect(code { try again.save(again.note("a", "4", tag: lost)) } == .serverRecordChanged)
    #expect(code { try again.databaseChanges(since: database) } == .changeTokenExpired)
    #expect(try again.changes(since: past).changed.map(\.id.name) == ["a", "c"])
    #expect(try again.fetch("a").fields["text"] == .string("3"))
    // A zone that existed only in the discarded history has different tags when it is created again.
    var made = again
    made.zone = other.zone
    try made.makeZone()
    let new = try made.save(made.note("x", "2")).changeTag
    #expect(new != later)
    #expect(code { try made.save(made.note("x", "3", tag: later)) } == .serverRecordChanged)
    #expect(try again.service.checks.check() == [])
    // A further start adds no history.
    let before = try histories()
    _ = try reopened()
    #expect(before == 1)
    #expect(try histories() == 1)
  }

  @Test("a copy that is written over the existing files is recognized as a copy")
  func copiedOver() throws {
    try copy(cloud.path, to: saved)
    defer { try? ScratchFolder.remove(saved) }
    try FileManager.default.removeItem(atPath: saved)
    try run("/bin/cp", ["-a", cloud.path, saved])
    let past = try alice.changes().token
    try alice.save(alice.note("b", "1"))
    let future = try alice.changes().token
    // `cp` keeps each file's inode, birth time and modification time.
    try run("/bin/cp", ["-a", saved + "/.", cloud.path])
    let again = Person(cloud, "alice", by: try reopened())
    #expect(try histories() == 1)
    #expect(code { try again.changes(since: future) } == .changeTokenExpired)
    #expect(try again.changes(since: past).changed == [])
  }

  private func run(_ tool: String, _ arguments: [String]) throws {
    let child = try ChildProcess(tool, arguments)
    try #require(child.wait(seconds: 60) == 0, "\(child.errors)")
  }

  @Test("a cloud that is moved or opened again keeps its histories")
  func cloudThatIsMovedOrOpenedAgain() throws {
    let tag = try alice.fetch("a").changeTag
    let token = try alice.databaseChanges().token
    try FileManager.default.moveItem(atPath: cloud.path, toPath: saved)
    _ = try CloudService.open(root: saved)
    try FileManager.default.moveItem(atPath: saved, toPath: cloud.path)
    let again = Person(cloud, "alice", by: try reopened())
    #expect(try histories() == 0)
    #expect(try again.databaseChanges(since: token).changed == [])
    #expect(try again.save(again.note("a", "2", tag: tag)).changeTag == "2")
  }

  @Test("a process without write permission reads a copy as it is")
  func readOnly() throws {
    try copy(cloud.path, to: saved)
    defer { try? ScratchFolder.remove(saved) }
    let before = try FolderImage(of: saved)
    let fileSystem = FileSystem(observing: .allCalls) { $0.changesTree ? .fail(SystemError.readOnly) : .proceed }
    let service = try CloudService.open(root: saved, fileSystem: fileSystem)
    let reader = Person(cloud, "alice", by: service)
    #expect(try reader.fetch("a").fields["text"] == .string("1"))
    #expect(try FolderImage(of: saved).differences(from: before) == [])
  }

  @Test("a clone without empty folders and hidden files works immediately, without a repair")
  func cloneWithoutEmptyFoldersAndHiddenFiles() throws {
    try copy(cloud.path, to: saved)
    defer { try? ScratchFolder.remove(saved) }
    let zone = "containers/\(TemporaryCloud.container)/development/private/alice/zones/Notes"
    let again = try bringBack(without: [
      ".origin", ".boot", ".lock", ".gate", "devices", "accounts/.lock", "\(zone)/.index", "\(zone)/.journal",
      "\(zone)/shares", "\(zone)/../.lock",
    ])
    #expect(try again.fetch("a").fields["text"] == .string("1"))
    #expect(try again.changes().changed.map(\.id.name) == ["a"])
    try again.save(again.note("b", "1"))
    #expect(try again.service.checks.check() == [])
  }

  @Test("a missing empty folder counts as empty, also in a cloud that is not a copy")
  func emptyFolders() throws {
    let zone = cloud.zonePath()
    for path in ["\(zone)/shares", "\(zone)/.journal/staged", "\(zone)/.index"] {
      try FileManager.default.removeItem(atPath: path)
    }
    let again = Person(cloud, "alice", by: try reopened())
    #expect(try again.fetch("a").fields["text"] == .string("1"))
    try again.save(again.note("b", "1"))
    #expect(try again.service.checks.check() == [])
    #expect(try histories() == 0)
  }

  @Test("after a kill at any call while histories start, the next process completes them, with one new history each")
  func afterAKillAtAnyCall() throws {
    var other = alice
    other.zone = ZoneIdentifier(name: "Other")
    try other.makeZone()
    try other.save(other.note("o", "1"))
    try copy(cloud.path, to: saved)
    defer { try? ScratchFolder.remove(saved) }
    var calls = 1
    while true {
      try ScratchFolder.remove(cloud.path)
      try copy(saved, to: cloud.path)
      let counter = Counter()
      let stop = Int64(calls)
      let fileSystem = FileSystem { _ in counter.next() == stop ? .stopBefore : .proceed }
      let isThrough = (try? reopened(fileSystem)) != nil
      let service = try reopened()
      for zone in ["Notes", "Other"] {
        let properties = try JSONValue(parsing: bytes(cloud.zonePath(zone), "zone.json"))
        #expect(properties["histories"]?.array?.count == 1, "\(zone), killed at call \(calls)")
      }
      let marker = try JSONValue(parsing: bytes(cloud.path, "cloud.json"))
      #expect(marker["branch"]?.string != nil)
      #expect(try service.checks.check() == [])
      if isThrough { break }
      calls += 1
    }
    #expect(calls > 20)
  }
}
