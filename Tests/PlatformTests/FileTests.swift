import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Files and folders")
struct FileTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("platform")
    directory = folder.directory
  }

  @Test(
    "a name that leads out of its folder is refused", arguments: ["..", "a/b", "/etc/passwd", "", "a\u{0}b", "../x"])
  func nameThatLeadsOutOfItsFolder(name: String) throws {
    #expect(throws: SystemError.self) { try directory.writeStaged(name, [1]) }
    #expect(throws: SystemError.self) { try directory.remove(name) }
    #expect(throws: SystemError.self) { try directory.makeDirectory(name) }
    #expect(throws: SystemError.self) { try directory.rename("x", to: directory, as: name) }
  }

  @Test("symbolic links to files and folders are not followed")
  func symbolicLinksToFilesAndFolders() throws {
    #expect(try runProgram("/bin/ln", ["-s", "/etc/passwd", folder.path + "/file"]) == 0)
    #expect(try runProgram("/bin/ln", ["-s", "/etc", folder.path + "/folder"]) == 0)
    #expect(throws: SystemError.self) { try directory.contents("file") }
    #expect(throws: SystemError.self) { try directory.directory("folder") }
    try directory.remove("folder")
    #expect(try Directory.open(path: "/etc", in: FileSystem()).exists("passwd"))
  }

  @Test("entries are sorted by their bytes, with their kinds")
  func entries() throws {
    let names = ["b", "a", "ab", "é", "Z", ".hidden", String(repeating: "n", count: 255)]
    for name in names { try directory.writeStaged(name, []) }
    try directory.makeDirectory("c")
    let entries = try directory.entries()
    let sorted = (names + ["c"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(entries.map(\.name) == sorted)
    #expect(entries.map(\.kind) == sorted.map { $0 == "c" ? Directory.Kind.directory : .file })
    #expect(try directory.directory("c").entries() == [])
    #expect(try entries == directory.entries() && entries != [])
  }

  @Test("a file system that was stopped performs no more calls")
  func fileSystemThatWasStoppedPerforms() throws {
    let fileSystem = FileSystem { call in
      if case .write = call { .stopWithin(2) } else { .proceed }
    }
    let stopping = try folder.open(fileSystem)
    #expect(throws: SystemError.self) { try stopping.writeStaged("a", [1, 2, 3]) }
    #expect(throws: SystemError.self) { try stopping.remove("a") }
    #expect(try directory.contents("a") == [1, 2])
  }

  @Test("a condition's wait ends at its time limit, or when the condition becomes true")
  func conditionsWaitEndsAtItsTimeLimit() throws {
    let condition = ThreadCondition(0)
    let start = monotonicNanoseconds()
    #expect(condition.wait(seconds: 0.05) { $0 == 1 ? true : nil } == nil)
    #expect(monotonicNanoseconds() - start >= 50_000_000)
    startThread {
      pause(microseconds: 10_000)
      condition.change { $0 = 1 }
    }
    #expect(condition.wait(seconds: 30) { $0 == 1 ? true : nil } == true)
  }
}
