import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Files with changes in memory only")
struct MemoryFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("memory-file") }

  /// Applies random writes and truncations to a file and to an array.
  private func change(_ file: File, _ bytes: inout [UInt8], _ random: inout SeededGenerator) throws {
    for _ in 0..<60 {
      let offset = Int.random(in: 0...40_000, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        try file.truncate(to: offset)
        bytes = Array(bytes.prefix(offset)) + [UInt8](repeating: 0, count: max(0, offset - bytes.count))
      } else {
        let count = Int.random(in: 0...20_000, using: &random)
        let new = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
        try file.write(new, at: offset)
        if !new.isEmpty {
          bytes += [UInt8](repeating: 0, count: max(0, offset + count - bytes.count))
          bytes.replaceSubrange(offset..<(offset + count), with: new)
        }
      }
      #expect(try file.size() == bytes.count)
      let from = Int.random(in: 0...50_000, using: &random)
      let count = Int.random(in: 0...20_000, using: &random)
      #expect(try file.read(at: from, count: count) == Array(bytes.dropFirst(from).prefix(count)))
    }
    #expect(try file.readAll() == bytes)
  }

  @Test("a memory file is read as it was written, and the file on disk is unchanged", arguments: 0..<6)
  func memoryFileIsRead(round: Int) throws {
    var random = SeededGenerator(seed: TestSeed.value("memory file \(round)"))
    let original = (0..<Int.random(in: 0...30_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try folder.directory.writeStaged("file", original)
    let file = try folder.directory.file("file").inMemory()
    var bytes = original
    try change(file, &bytes, &random)
    #expect(try folder.directory.contents("file") == original)
    // A second layer above the first.
    let layer = try file.inMemory()
    var upper = bytes
    try change(layer, &upper, &random)
    #expect(try file.readAll() == bytes)
  }

  @Test("a memory file can exist without a file on disk")
  func memoryFileCanExistWithoutAFile() throws {
    var random = SeededGenerator(seed: TestSeed.value("memory file"))
    let file = try File.inMemory(path: "memory", in: FileSystem { _ in .fail(SystemError.noSpace) })
    var bytes: [UInt8] = []
    try change(file, &bytes, &random)
  }

  @Test("a memory file works after the file on disk was removed")
  func memoryFileWorksAfterTheFile() throws {
    try folder.directory.writeStaged("file", [1, 2, 3])
    let file = try folder.directory.file("file").inMemory()
    try folder.directory.remove("file")
    try file.write([4], at: 3)
    #expect(try file.readAll() == [1, 2, 3, 4])
  }
}
