import FaultInjection
import LocalCloudPlatform
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("Temporary directories")
struct TemporaryDirectoryTests {
  @Test("a directory is removed with entries whose names are not UTF-8; links in it are not followed")
  func namesThatAreNotText() throws {
    let outside = try TemporaryFolder("outside")
    try outside.directory.writeStaged("file", [1])
    let directory = try Directory.makeTemporary()
    // A folder with a name in Latin-1, and a file of that name in it.
    let folder = Array(directory.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xE9)]
    #expect(mkdir(folder + [0], 0o700) == 0)
    let file = open(folder + [0x2F, CChar(bitPattern: 0xE9), 0], O_WRONLY | O_CREAT, 0o600)
    #expect(file >= 0)
    close(file)
    #expect(symlink(outside.path, directory.path + "/link") == 0)
    try directory.removeTree()
    #expect(!UserFile.exists(directory.path))
    #expect(try outside.directory.exists("file"))
    // It may be called again.
    try directory.removeTree()
  }

  @Test("a directory that was moved away is not emptied")
  func movedDirectory() throws {
    let folder = try TemporaryFolder("moved")
    let directory = try Directory.makeTemporary()
    try directory.writeStaged("file", [1])
    let (parent, name) = UserFile.folderAndName(of: directory.path)
    try Directory.open(path: parent, in: FileSystem()).rename(name, to: folder.directory, as: "kept")
    try directory.removeTree()
    #expect(try folder.directory.directory("kept").exists("file"))
  }
}
