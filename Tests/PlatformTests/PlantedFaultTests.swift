import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Skipped and doubled calls")
struct PlantedFaultTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let directory = try folder.open()
    try directory.writeStaged("file", Array("contents".utf8))
    try directory.makeDirectory("child")
    try directory.makeDirectory("empty")
  }

  private func skipping(_ chosen: @escaping @Sendable (FileSystemCall) -> Bool) throws -> Directory {
    try folder.open(FileSystem(observing: .allCalls) { chosen($0) ? .skip : .proceed })
  }

  @Test("skipped changes report success and leave the folder unchanged")
  func skippedChangesReportSuccessAndLeave() throws {
    let before = try FolderImage(of: folder.path)
    let directory = try skipping(\.changesTree)
    try directory.rename("file", to: directory.directory("child"), as: "other")
    #expect(try directory.remove("file"))
    #expect(try directory.makeDirectory("made"))
    try directory.removeDirectory("empty")
    try directory.sync()
    let file = try directory.file("file", .readWrite)
    try file.write([1, 2, 3], at: 0)
    try file.truncate(to: 1)
    try file.sync()
    try file.syncFileSystem()
    try Directory.make(path: folder.path + "/made", in: directory.fileSystem)
    #expect(try FolderImage(of: folder.path).differences(from: before) == [])
  }

  @Test("a file with a skipped creation can be used, and is not in its folder")
  func fileWithASkippedCreation() throws {
    let directory = try skipping { if case .createFile = $0 { true } else { false } }
    let file = try directory.createFile("new")
    try file.write([1, 2, 3], at: 0)
    #expect(try file.readAll() == [1, 2, 3])
    #expect(try folder.open().exists("new") == false)
    // Opening an existing file creates nothing and is not skipped.
    _ = try? directory.createFile("file", exclusively: true)
    #expect(try folder.open().contents("file") == Array("contents".utf8))
  }

  @Test("a skipped lock counts as taken and stays free")
  func skippedLockCountsAsTakenAndStays() throws {
    let directory = try skipping { call in
      switch call {
      case .tryLock, .waitForLock: true
      default: false
      }
    }
    let held = try folder.open().file("file")
    #expect(try held.tryLock(.exclusive))
    let skipped = try directory.file("file")
    #expect(try skipped.tryLock(.exclusive))
    try skipped.waitForLock(.exclusive)
    held.unlock()
    #expect(try folder.open().file("file").tryLock(.exclusive))
  }

  @Test("a skipped read returns no bytes and a skipped listing no entries; opening and file status are not skipped")
  func skippedReadReturnsNoBytes() throws {
    let directory = try skipping { _ in true }
    #expect(try directory.contents("file") == [])
    #expect(try directory.entries() == [])
    #expect(try directory.exists("file"))
    #expect(try directory.directory("child").exists("nothing") == false)
    #expect(try directory.file("file").size() == 8)
  }

  @Test("with doubled calls a write appears twice in succession, and other calls happen once")
  func withDoubledCallsAWriteAppearsTwice() throws {
    let directory = try folder.open(FileSystem { _ in .twice })
    let file = try directory.file("file", .readWrite)
    try file.write([1, 2], at: 1)
    #expect(try file.readAll() == [0x63, 1, 2, 1, 2] + Array("nts".utf8))
    try file.write([7, 8], at: 8)
    #expect(try file.readAll().suffix(5) == [0x73, 7, 8, 7, 8])
    try directory.rename("file", to: directory, as: "other")
    #expect(try directory.exists("other"))
  }
}
