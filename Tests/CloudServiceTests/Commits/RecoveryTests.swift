import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// Cases that were found by fault injection into every kind of commit.
@Suite("Recovery, one case at a time")
struct RecoveryTests {
  @Test("a power cut that empties a pointer does not prevent the recovery of the zone that restores the pointer")
  func emptiedPointer() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("root", "1"))
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(try alice.share("root", with: ["bob"]))
    let folder = "\(cloud.path)/containers/\(TemporaryCloud.container)/development/shared/bob/zones"
    let zones = try Directory.open(path: folder, in: FileSystem())
    try zones.file("alice,Notes.json", .readWrite).truncate(to: 0)
    let next = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings, fileSystem: FileSystem(bootIdentifier: "another boot"))
    #expect(try next.checks.check() == [])
    let changes = try next.feeds.zoneChanges(ZoneChangesRequest(scope: .shared, zone: bob.zone), by: bob.caller)
    #expect(Set(changes.changed.map(\.id.name)) == ["root", "Share-1"])
  }

  @Test("an index that was opened read-only is opened again for writing, once")
  func unwritableIndex() throws {
    let cloud = try TemporaryCloud()
    let people = FaultRunPeople(cloud.service)
    try people.makeZone()
    try people.modify([people.note("a", "1")])
    let opened = Mutex<[String]>([])
    let fileSystem = FileSystem(observing: .allCalls) { call in
      guard case .openFile(let path) = call, path.hasSuffix("/.index/index") else { return .proceed }
      return opened.withLock { opened in
        opened.append(path)
        return opened.count == 1 ? .fail(SystemError.accessDenied) : .proceed
      }
    }
    let late = FaultRunPeople(
      try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
    #expect(late.text(of: "a") == "1")
    for text in ["2", "3", "4"] { try late.modify([late.note("b", text, parent: .set("a", zone: nil))]) }
    // The attempts: for writing (refused), for reading, for writing.
    #expect(opened.withLock(\.count) == 3)
    #expect(try late.service.checks.check() == [])
    #expect(people.text(of: "b") == "4")
  }

  @Test("a failed sync that can't be rolled back is answered with serverResponseLost")
  func failedSyncThatCannotBeRolledBack() throws {
    let cloud = try TemporaryCloud()
    func failing(from folder: String) throws -> CloudService {
      let isFailing = Mutex(false)
      let fileSystem = FileSystem { call in
        isFailing.withLock { failing in
          if case .syncDirectory(let path) = call, path.hasSuffix(folder) { failing = true }
          return failing ? .fail(SystemError.inputOutput) : .proceed
        }
      }
      return try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    }
    let zones = try FaultRunPeople(failing(from: "/alice/zones"))
    #expect(code { try zones.makeZone() } == .serverResponseLost)
    let accounts = try failing(from: "/accounts")
    #expect(code { try accounts.accounts.addAccount("erin", AccountChanges()) } == .serverResponseLost)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a commit survives a power cut if the zone's creator was killed before the zone was durable")
  func killedMaker() throws {
    let cloud = try TemporaryCloud()
    try FaultRunPeople(cloud.service).makeZone(ZoneIdentifier(name: "Other"))
    let before = try FolderImage(of: cloud.path)
    let calls = Mutex<[FileSystemCall]>([])
    let maker = FileSystem { call in
      if case .syncDirectory(let path) = call, path.hasSuffix("/alice/zones") { return .stopBefore }
      calls.withLock { $0.append(call) }
      return .proceed
    }
    let killed = FaultRunPeople(
      try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: maker))
    #expect(throws: (any Error).self) { try killed.makeZone() }
    let later = try CrashHarness().trace { fileSystem in
      let next = FaultRunPeople(
        try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
      try next.modify([next.note("acknowledged", "1")])
    }
    let cut = PowerCut(before: before, path: cloud.path, calls: calls.withLock { $0 } + later)
    let path = MemoryFolder.newPath("cut")
    try cut.write(to: path, at: cut.calls.count, keeping: .nothing)
    defer { try? ScratchFolder.remove(path) }
    let service = try CloudService.open(root: path, fileSystem: FileSystem(bootIdentifier: "another boot"))
    let changes = try service.feeds.zoneChanges(
      ZoneChangesRequest(scope: .private, zone: FaultRunPeople.zone), by: cloud.caller("alice"))
    #expect(changes.changed.map(\.id.name) == ["acknowledged"])
    #expect(try service.checks.check() == [])
  }

  @Test("a process that was refused write access once writes as soon as it has access")
  func permissionLater() throws {
    let cloud = try TemporaryCloud()
    try FaultRunPeople(cloud.service).makeZone()
    let isDenied = Mutex(true)
    let people = FaultRunPeople(
      try CloudService.open(
        root: cloud.path, settings: cloud.service.settings,
        fileSystem: FileSystem(observing: .allCalls) { call in
          guard case .openFile(let path) = call, path.hasSuffix("/Notes/.journal/log") else { return .proceed }
          return isDenied.withLock { denied in
            defer { denied = false }
            return denied ? .fail(SystemError.accessDenied) : .proceed
          }
        }))
    #expect(code { try people.modify([people.note("a", "1")]) } == .serverRejectedRequest)
    try people.modify([people.note("a", "1")])
    #expect(try cloud.service.checks.check() == [])
  }
}
