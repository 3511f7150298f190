import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// Compares the simulation with the real file system after random operations.
@Suite("Power cuts after random operations")
struct PowerCutRandomTests {
  private static let names = ["a", "b", "c"]

  private struct Walker {
    var generator: SeededGenerator
    let root: Directory

    mutating func name() -> String { names.randomElement(using: &generator)! }

    /// A random folder, at most two levels below the root.
    mutating func folder() throws -> Directory {
      var folder = root
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        guard let next = try? folder.directory(name()) else { break }
        folder = next
      }
      return folder
    }

    /// Performs a random call. Calls can fail because of names; the simulation must agree with the file system.
    mutating func step() {
      do {
        let folder = try folder()
        switch Int.random(in: 0..<14, using: &generator) {
        case 0, 1: try folder.makeDirectory(name())
        case 2, 3:
          let bytes = [UInt8](repeating: UInt8.random(in: 1...255, using: &generator), count: size())
          try folder.writeStaged(name(), bytes)
        case 4, 5:
          let bytes = [UInt8](repeating: UInt8.random(in: 1...255, using: &generator), count: size())
          try folder.createFile(name()).write(bytes, at: size())
        case 6: try folder.file(name(), .readWrite).truncate(to: size())
        case 7, 8, 9: try folder.rename(name(), to: try self.folder(), as: name())
        case 10: try folder.remove(name())
        case 11: try folder.removeDirectory(name())
        case 12: try folder.sync()
        default: try folder.file(name(), .readWrite).sync()
        }
      } catch {}
    }

    mutating func size() -> Int { Int.random(in: 0..<9000, using: &generator) }
  }

  @Test("an image without losses equals the real folder after every step", arguments: TestSeed.values(0..<20))
  func imageWithoutLossesEqualsTheRealFolder(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var before = Walker(generator: SeededGenerator(seed: seed), root: try folder.open())
    for _ in 0..<20 { before.step() }
    let start = try FolderImage(of: folder.path)
    var states: [Int: FolderImage] = [:]
    var walker: Walker?
    let calls = try CrashHarness().trace { fileSystem in
      walker = Walker(generator: before.generator, root: try folder.open(fileSystem))
      for _ in 0..<150 {
        walker?.step()
        states[fileSystem.changes.load(ordering: .relaxed)] = try FolderImage(of: folder.path)
      }
      try walker?.root.createFile("last").syncFileSystem()
    }
    let cut = PowerCut(before: start, path: folder.path, calls: calls)
    for (count, state) in states {
      try #require(cut.image(at: count, keeping: .everything).differences(from: state) == [], "\(count) calls")
    }
    #expect(states.count > 50)
    #expect(cut.image(at: 0, keeping: .nothing).differences(from: start) == [])
    #expect(cut.pendingCount(at: calls.count) == 0)
    #expect(cut.image(at: calls.count, keeping: .nothing).differences(from: try FolderImage(of: folder.path)) == [])
  }

  @Test(
    "an image with random losses can be written to disk, and the same seed gives the same losses",
    arguments: TestSeed.values(20..<30)
  )
  func imageWithRandomLossesCanBeWritten(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let cut = try PowerCut.recording(folder.path) { fileSystem in
      var walker = Walker(generator: SeededGenerator(seed: seed), root: try folder.open(fileSystem))
      for _ in 0..<100 { walker.step() }
    }
    let path = MemoryFolder.newPath("cut")
    for count in stride(from: 0, through: cut.calls.count, by: 5) {
      let keep = Keep.seeded(seed &* 1000 &+ UInt64(count))
      try cut.write(to: path, at: count, keeping: keep)
      let written = try FolderImage(of: path)
      try ScratchFolder.remove(path)
      try #require(written.differences(from: cut.image(at: count, keeping: keep)) == [])
      #expect(cut.losses(at: count, keeping: .nothing).count == cut.pendingCount(at: count))
    }
  }
}
