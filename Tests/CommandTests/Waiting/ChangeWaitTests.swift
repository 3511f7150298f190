import FaultInjection
import LocalCloudEmulator
import LocalCloudPlatform
import Testing

@Suite("Waiting for a change in folders")
struct ChangeWaitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("waiting") }

  @Test("a folder that is made after the look, but before the watch, is found before the wait")
  func folderThatIsMadeBeforeTheWatch() throws {
    var looks = 0
    var checks = 0
    let outcome = try ChangeWait().run(seconds: 20) { () throws -> WatchedFolders in
      let watched = try WatchedFolders(path: folder.path + "/one/two")
      looks += 1
      if looks == 1 { try folder.directory.makeDirectory("one") }
      return watched
    } until: { () throws -> Int? in
      checks += 1
      return checks == 2 ? checks : nil
    }
    guard case .met(2) = outcome else {
      Issue.record("the wait went on: \(outcome)")
      return
    }
    #expect(looks == 3)
  }

  @Test("the folders are looked up once if nothing is waited for")
  func lookWithoutAWait() throws {
    var looks = 0
    let outcome = try ChangeWait().run(seconds: 0) { () throws -> WatchedFolders in
      looks += 1
      return WatchedFolders([folder.directory])
    } until: { () throws -> Int? in
      nil
    }
    guard case .timedOut = outcome else {
      Issue.record("nothing was there: \(outcome)")
      return
    }
    #expect(looks == 1)
  }

  @Test("the whole time limit may be quiet")
  func quiet() throws {
    var looks = 0
    let outcome = try ChangeWait().runUntilQuiet(for: 0.05, seconds: 0.05) { () throws -> WatchedFolders in
      looks += 1
      return WatchedFolders([folder.directory])
    }
    guard case .met = outcome else {
      Issue.record("nothing was written: \(outcome)")
      return
    }
    #expect(looks == 2)
  }

  /// Folders that differ each time they are looked up.
  private func otherFolders(_ looks: inout Int) throws -> WatchedFolders {
    looks += 1
    let name = "folder \(looks)"
    try folder.directory.makeDirectory(name)
    return try WatchedFolders(path: folder.path + "/" + name)
  }

  @Test("a wait whose folders are others at each look ends at its time limit")
  func limitBesideOtherFolders() throws {
    var looks = 0
    let outcome = try ChangeWait().run(seconds: 0.05) {
      try otherFolders(&looks)
    } until: { () throws -> Int? in
      nil
    }
    guard case .timedOut = outcome else {
      Issue.record("the wait did not end: \(outcome)")
      return
    }
  }

  @Test("a wait for quiet whose folders are others at each look ends at its time limit")
  func quietBesideOtherFolders() throws {
    var looks = 0
    let outcome = try ChangeWait().runUntilQuiet(for: 20, seconds: 0.05) { try otherFolders(&looks) }
    guard case .timedOut = outcome else {
      Issue.record("the wait did not end: \(outcome)")
      return
    }
  }

  @Test("a wait whose folders are others at each look can be stopped")
  func stopBesideOtherFolders() throws {
    var looks = 0
    let wait = ChangeWait()
    let outcome = try wait.run(seconds: .infinity) {
      if looks == 10 { wait.stop() }
      return try otherFolders(&looks)
    } until: { () throws -> Int? in
      nil
    }
    guard case .stopped = outcome else {
      Issue.record("the wait was not stopped: \(outcome)")
      return
    }
  }
}
