import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Interrupted and short transfers")
struct ShortTransferTests {
  static let sizes = [0, 1, 2, 511, 4095, 4096, 4097, 12_345, 70_001]

  private static func bytes(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  @Test("reads and writes give the right bytes if transfers are short", arguments: sizes, [1, 7, 4096])
  func readsAndWritesGiveTheRightBytes(size: Int, longest: Int) throws {
    if size / longest > 20_000 { return }
    let folder = try TemporaryFolder()
    let transfers = ShortTransfers(seed: TestSeed.value(UInt64(size + longest)), longest: longest)
    let directory = try folder.open(transfers.fileSystem())
    let bytes = Self.bytes(size)
    try directory.writeStaged("file", bytes)
    #expect(try folder.open().contents("file") == bytes)
    #expect(try directory.contents("file") == bytes)
    let file = try directory.file("file", .readWrite)
    #expect(try file.read(at: size / 3, count: size) == Array(bytes.dropFirst(size / 3)))
    try file.write([1, 2, 3], at: size / 2)
    let end = min(size, size / 2 + 3)
    #expect(try folder.open().contents("file") == Array(bytes[..<(size / 2)]) + [1, 2, 3] + Array(bytes[end...]))
    if size > longest { #expect(transfers.counts.shortened > 0) }
  }

  @Test("opening, locking, syncing and listing continue after a signal")
  func openingLockingSyncingAndListingContinue() throws {
    let folder = try TemporaryFolder()
    let transfers = ShortTransfers(seed: TestSeed.value(1))
    for round in 0..<50 {
      let directory = try folder.open(transfers.fileSystem())
      let file = try directory.createFile("file")
      try file.write([UInt8(round)], at: round)
      #expect(try file.tryLock(.exclusive))
      #expect(try folder.open().file("file").tryLock(.shared) == false)
      try file.waitForLock(.shared)
      file.unlock()
      try file.truncate(to: round + 1)
      try file.sync()
      try directory.sync()
      #expect(try directory.entries().map(\.name) == ["file"])
      #expect(try directory.fileIfPresent("missing") == nil)
    }
    #expect(transfers.counts.interruptions > 50)
    #expect(try folder.open().contents("file") == (0..<50).map { UInt8($0) })
  }
}
