import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("The cache of open folders")
struct DirectoryCacheTests {
  let folder: TemporaryFolder
  let root: Directory
  let folders: DirectoryCache

  init() throws {
    folder = try TemporaryFolder("kept-folders")
    root = folder.directory
    folders = DirectoryCache(below: root)
  }

  @Test("the cache finds a folder that was removed and created again, and one that was missing before")
  func cacheFindsAFolderThatWasRemoved() throws {
    #expect(try folders.folder(at: ["a", "b"]) == nil)
    let first = try root.makingDirectory(at: ["a", "b"])
    #expect(try folders.folder(at: ["a", "b"])?.identity() == first.identity())
    try root.removeTree("a")
    #expect(try folders.folder(at: ["a", "b"]) == nil)
    try root.makingDirectory(at: ["a", "b"]).writeStaged("file", [1])
    #expect(try folders.folder(at: ["a", "b"])?.contents("file") == [1])
  }

  @Test("the cache bounds the number of open file descriptors")
  func cacheBoundsTheNumberOfOpenFile() throws {
    for number in 0..<1500 {
      let name = "f\(number)"
      try root.makeDirectory(name)
      #expect(try folders.folder(at: [name])?.path == root.path(of: name))
    }
    #expect(try folders.folder(at: ["f0"])?.path == root.path(of: "f0"))
  }
}
