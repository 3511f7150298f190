import FaultInjection
import Testing

@testable import LocalCloudPlatform

@Suite("The holder of a file's lock in the system's lock list")
struct FileLockHolderTests {
  private let list = """
    1: POSIX  ADVISORY  WRITE 11 fe:00:77 0 EOF
    2: FLOCK  ADVISORY  WRITE 12 fe:01:77 0 EOF
    3: FLOCK  ADVISORY  WRITE 13 fe:00:7 0 EOF
    4: FLOCK  ADVISORY  WRITE 14 fe:00:77 0 EOF
    4: -> FLOCK  ADVISORY  WRITE 15 fe:00:77 0 EOF
    5: FLOCK  ADVISORY  READ -1 103:105:8 0 EOF
    6: FLOCK  ADVISORY  READ 16 103:105:8 0 EOF
    nonsense

    """

  private func process(_ major: UInt64, _ minor: UInt64, _ inode: UInt64) throws -> Int32? {
    let folder = try TemporaryFolder()
    var file = try withExtendedLifetime(folder) { try folder.open().identity() }
    (file.device, file.inode) = (FileLockHolder.device(major, minor), inode)
    return FileLockHolder.process(holding: file, in: list)
  }

  @Test("the holder is found by device, file and kind of lock, and waiting processes are ignored")
  func holderIsFoundByDeviceFile() throws {
    #expect(try process(0xFE, 0, 77) == 14)
    #expect(try process(0xFE, 1, 77) == 12)
    #expect(try process(0x103, 0x105, 8) == 16)
    #expect(try process(0xFE, 2, 77) == nil)
    #expect(try process(0xFE, 0, 78) == nil)
  }

  @Test("the holder of a lock that this process took is this process")
  func holderOfALockThatThisProcess() throws {
    let folder = try TemporaryFolder()
    try withExtendedLifetime(folder) {
      let file = try folder.open().createFile("f")
      #expect(FileLockHolder(of: try file.identity()) == nil)
      #expect(try file.tryLock(.exclusive))
      #if os(Linux)
        #expect(FileLockHolder(of: try file.identity())?.process == HostProcess.identifier)
        #expect(FileLockHolder(of: try file.identity())?.name?.isEmpty == false)
      #endif
      file.unlock()
      #expect(FileLockHolder(of: try file.identity()) == nil)
    }
  }
}
