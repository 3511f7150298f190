import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Losses of a simulated power cut")
struct PowerCutTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let directory = try folder.open()
    try directory.writeStaged("old", Array("old".utf8))
    try directory.writeStaged("private", [1], mode: 0o600)
    try directory.makeDirectory("child")
    try directory.directory("child").writeStaged("inner", Array("inner".utf8))
  }

  private func record(_ work: (Directory) throws -> Void) throws -> PowerCut {
    try PowerCut.recording(folder.path) { try work(folder.open($0)) }
  }

  private func end(_ cut: PowerCut, _ keep: Keep) -> FolderImage { cut.image(at: cut.calls.count, keeping: keep) }

  /// The possible contents of a file at the end, over many random losses; nil where the file is missing.
  private func outcomes(_ cut: PowerCut, of name: String) -> Set<[UInt8]?> {
    Set((0..<300).map { end(cut, .seeded($0)).files[name]?.bytes })
  }

  @Test(
    "data and size of an unsynced file are lost independently, and a sync of the file does not make its name durable")
  func dataAndSizeOfAnUnsyncedFile() throws {
    let unsynced = try record { try $0.writeStaged("new", [1, 2, 3]) }
    #expect(unsynced.pendingCount(at: unsynced.calls.count) == 3)
    #expect(outcomes(unsynced, of: "new") == [nil, [], [0, 0, 0], [1, 2, 3]])
    let synced = try record { directory in
      try directory.writeStaged("other", [1, 2, 3])
      try directory.file("other", .readWrite).sync()
    }
    #expect(outcomes(synced, of: "other") == [nil, [1, 2, 3]])
    let named = try record { directory in
      try directory.writeStaged("third", [1, 2, 3])
      try directory.sync()
    }
    #expect(outcomes(named, of: "third") == [[], [0, 0, 0], [1, 2, 3]])
  }

  @Test("the blocks of a large write are lost independently")
  func blocksOfALargeWriteAreLost() throws {
    let cut = try record { directory in
      let file = try directory.createFile("large")
      try directory.sync()
      try file.truncate(to: 9000)
      try file.sync()
      try file.write([UInt8](repeating: 7, count: 8000), at: 500)
    }
    #expect(cut.pendingCount(at: cut.calls.count) == 3)
    var expected: Set<[UInt8]?> = []
    for mask in 0..<8 {
      var bytes = [UInt8](repeating: 0, count: 9000)
      for (bit, range) in [500..<4096, 4096..<8192, 8192..<8500].enumerated() where mask & (1 << bit) != 0 {
        for index in range { bytes[index] = 7 }
      }
      expected.insert(bytes)
    }
    #expect(outcomes(cut, of: "large") == expected)
  }

  @Test("a truncation can be lost, and bytes that it removed do not reappear when the file grows again")
  func truncationCanBeLostAndBytes() throws {
    let cut = try record { directory in
      let file = try directory.file("old", .readWrite)
      try file.truncate(to: 1)
      try file.truncate(to: 3)
    }
    #expect(
      outcomes(cut, of: "old") == [Array("old".utf8), Array("o".utf8), Array("o\0\0".utf8)])
    #expect(end(cut, .everything).files["old"]?.bytes == Array("o\0\0".utf8))
  }

  @Test("a rename is lost or complete, and replaces its target in one step")
  func renameIsLostOrCompleteAndReplaces() throws {
    let cut = try record { directory in
      try directory.writeStaged("new", [1])
      try directory.file("new", .readWrite).syncFileSystem()
      try directory.rename("new", to: directory, as: "old")
    }
    #expect(cut.pendingCount(at: cut.calls.count) == 1)
    let lost = end(cut, .nothing)
    #expect(lost.files["new"]?.bytes == [1])
    #expect(lost.files["old"]?.bytes == Array("old".utf8))
    let kept = end(cut, .everything)
    #expect(kept.files["new"] == nil)
    #expect(kept.files["old"]?.bytes == [1])
    #expect(cut.losses(at: cut.calls.count, keeping: .nothing).count == 1)
    #expect(cut.losses(at: cut.calls.count, keeping: .everything) == [])
  }

  @Test("a sync of the source or the target folder makes a rename between them durable", arguments: [nil, "child"])
  func renameAcross(synced: String?) throws {
    let cut = try record { directory in
      let child = try directory.directory("child")
      try directory.rename("old", to: child, as: "moved")
      try (synced == nil ? directory : child).sync()
    }
    let after = end(cut, .nothing)
    #expect(after.files["old"] == nil)
    #expect(after.folders["child"]?.files["moved"]?.bytes == Array("old".utf8))
  }

  @Test("a sync of another folder makes nothing durable")
  func otherFolder() throws {
    let cut = try record { directory in
      try directory.rename("old", to: directory, as: "moved")
      try directory.directory("child").sync()
    }
    #expect(end(cut, .nothing).files.keys.sorted() == ["old", "private"])
  }

  @Test("a file with a lost creation appears under the new name if its rename is durable")
  func renameOfLost() throws {
    let cut = try record { directory in
      try directory.writeStaged("new", [1])
      try directory.rename("new", to: directory, as: "old")
    }
    let last = cut.pendingCount(at: cut.calls.count) - 1
    #expect(end(cut, .only(last)).files["old"]?.bytes == [])
    #expect(end(cut, .allBut(last)).files["new"]?.bytes == [1])
    #expect(end(cut, .allBut(last)).files["old"]?.bytes == Array("old".utf8))
    #expect(end(cut, .allBut(0)).files["old"]?.bytes == [1])
  }

  @Test("a durable later rename is not undone by an earlier rename that is lost")
  func renameTwice() throws {
    let cut = try record { directory in
      try directory.makeDirectory("second")
      try directory.file("old", .readWrite).syncFileSystem()
      try directory.rename("old", to: directory.directory("child"), as: "inner")
      try directory.directory("child").rename("inner", to: directory.directory("second"), as: "last")
      try directory.directory("second").sync()
    }
    for keep in [Keep.nothing, .everything] {
      let after = end(cut, keep)
      #expect(after.files["old"] == nil)
      #expect(after.folders["second"]?.files["last"]?.bytes == Array("old".utf8))
      #expect((after.folders["child"]?.files["inner"] == nil) == (keep == .everything))
    }
  }

  @Test("files in a folder that is lost are lost too, even if they were synced")
  func lostFolder() throws {
    let cut = try record { directory in
      try directory.makeDirectory("new")
      let new = try directory.directory("new")
      try new.writeStaged("file", [1])
      try new.file("file", .readWrite).sync()
      try new.sync()
    }
    #expect(cut.pendingCount(at: cut.calls.count) == 1)
    #expect(end(cut, .nothing).folders["new"] == nil)
    #expect(end(cut, .everything).folders["new"]?.files["file"]?.bytes == [1])
  }

  @Test("removals are lost one by one, and a removed file has its contents until its removal is durable")
  func removalsAreLost() throws {
    let cut = try record { directory in
      try directory.directory("child").remove("inner")
      try directory.removeDirectory("child")
    }
    #expect(cut.pendingCount(at: cut.calls.count) == 2)
    #expect(end(cut, .nothing).folders["child"]?.files["inner"]?.bytes == Array("inner".utf8))
    #expect(end(cut, .only(0)).folders["child"]?.files.isEmpty == true)
    #expect(end(cut, .only(1)).folders["child"] == nil)
  }

  @Test("an open file is written after its folder was renamed or the file was removed")
  func openFiles() throws {
    let cut = try record { directory in
      let inner = try directory.directory("child").file("inner", .readWrite)
      let old = try directory.file("old", .readWrite)
      try directory.rename("child", to: directory, as: "renamed")
      try directory.remove("old")
      try old.write([1], at: 0)
      try inner.truncate(to: 2)
    }
    #expect(end(cut, .everything).differences(from: try FolderImage(of: folder.path)) == [])
    #expect(end(cut, .everything).files["old"] == nil)
  }

  @Test("an image is written to disk with all files and their permissions")
  func imageIsWrittenToDisk() throws {
    let cut = try record { try $0.writeStaged("new", [1, 2, 3]) }
    let path = MemoryFolder.newPath("cut")
    defer { try? ScratchFolder.remove(path) }
    try cut.write(to: path, at: cut.calls.count, keeping: .everything)
    #expect(try FolderImage(of: path).differences(from: try FolderImage(of: folder.path)) == [])
    let written = try Directory.open(path: path, in: FileSystem())
    #expect(try written.permissions(of: "private") == 0o600)
    #expect(try written.permissions(of: "old") != 0o600)
    #expect(throws: SystemError.self) { try cut.write(to: path, at: 0, keeping: .nothing) }
  }

  @Test("the same seed gives the same losses, and different seeds lose different amounts")
  func sameSeedGivesTheSameLosses() {
    let counts = (0..<60).map { seed in Keep.seeded(seed).choices(1000).count { $0 } }
    #expect(Keep.seeded(5).choices(1000) == Keep.seeded(5).choices(1000))
    for range in [50..<200, 400..<600, 850..<950] { #expect(counts.contains { range.contains($0) }) }
  }

  @Test("differences between images name missing, additional and changed files")
  func differencesBetweenImagesNameMissing() throws {
    var other = try FolderImage(of: folder.path)
    #expect(other.differences(from: try FolderImage(of: folder.path)) == [])
    other.files["more"] = FolderImage.FileImage(bytes: [])
    other.files["private"] = nil
    other.folders["child"]?.files["inner"]?.bytes[2] = 0
    #expect(
      other.differences(from: try FolderImage(of: folder.path)) == [
        "more is too much", "private is missing", "child/inner has 5 bytes, not 5, and differs from byte 2",
      ])
  }
}
