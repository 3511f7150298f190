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
}
