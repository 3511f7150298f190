import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import TestSupport
import Testing

/// Checks that the simulated disk has the same contents as the real one after work of the service.
@Suite("Power cuts in recorded work of a service", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct PowerCutRecordingTests {
  @Test(
    "an image without losses equals the folder after the run, and after a sync of the file system nothing can be lost",
    arguments: FaultRunKind.all)
  func imageWithoutLossesEqualsTheFolder(_ kind: FaultRunKind) throws {
    let faultRun = try FaultRun(kind, .short(seed: 1))
    let end = faultRun.cut.calls.count
    #expect(faultRun.cut.image(at: end, keeping: .everything).differences(from: faultRun.imageAfter) == [])
    #expect(faultRun.cut.image(at: faultRun.first, keeping: .everything).differences(from: faultRun.image) == [])
    #expect(faultRun.cut.image(at: 0, keeping: .nothing).differences(from: faultRun.imageAfter) != [])
    let path = MemoryFolder.newPath("cut")
    defer { try? ScratchFolder.remove(path) }
    try faultRun.cut.write(to: path, at: end, keeping: .everything)
    #expect(try FolderImage(of: path).differences(from: faultRun.imageAfter) == [])

    let calls = faultRun.cut.calls + [.syncFileSystem(faultRun.path + "/cloud.json")]
    let cut = PowerCut(before: try FaultRunStage.shared.image, path: faultRun.path, calls: calls)
    #expect(cut.image(at: calls.count, keeping: .nothing).differences(from: faultRun.imageAfter) == [])
    #expect(cut.pendingCount(at: calls.count) == 0)
    #expect((0..<calls.count).contains { cut.pendingCount(at: $0) > 1 })
  }

  @Test("an image without losses equals the folder of a newly created cloud")
  func imageWithoutLossesEqualsTheFolderOfANewly() throws {
    let path = ScratchFolder.newPath("cloud")
    defer { try? ScratchFolder.remove(path) }
    let cut = try PowerCut.recording(path) { fileSystem in
      let service = try CloudService.create(root: path, fileSystem: fileSystem)
      _ = try service.accounts.addAccount("alice", AccountChanges())
    }
    let real = try FolderImage(of: path)
    #expect(real.files["cloud.json"] != nil)
    // The file `.origin` identifies itself, so its contents are valid only in its own folder.
    let recorded = cut.image(at: cut.calls.count, keeping: .everything)
    #expect(recorded.files[".origin"] != nil)
    #expect(recorded.differences(from: real).filter { !$0.hasPrefix(".origin has ") } == [])
  }
}
