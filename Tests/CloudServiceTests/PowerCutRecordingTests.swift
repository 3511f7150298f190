import CloudService
import CloudStore
import Platform
import TestSupport
import Testing

/// That the simulated disk holds what a real one does, on the work of the service.
@Suite("Power cuts: the recorded work of a service")
struct PowerCutRecordingTests {
  private static func record(_ work: CrashTests.Work) throws -> (TemporaryCloud, PowerCut) {
    let cloud = try CrashTests.stage()
    let cut = try PowerCut.recording(cloud.path) { fileSystem in
      try work.run(try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
    }
    return (cloud, cut)
  }

  @Test("with everything kept, the folder is the one that the run left, byte for byte", arguments: CrashTests.works)
  func everything(_ work: CrashTests.Work) throws {
    let (cloud, cut) = try Self.record(work)
    let real = try FolderImage(of: cloud.path)
    let end = cut.calls.count
    #expect(end > 3)
    #expect(cut.image(at: end, keeping: .everything).differences(from: real) == [])
    #expect(cut.image(at: 0, keeping: .nothing).differences(from: real) != [])
    let path = MemoryFolder.newPath("cut")
    defer { try? TemporaryCloud.remove(path) }
    try cut.write(to: path, at: end, keeping: .everything)
    #expect(try FolderImage(of: path).differences(from: real) == [])
  }

  @Test("right after a sync of the file system nothing can be lost", arguments: CrashTests.works)
  func synced(_ work: CrashTests.Work) throws {
    let cloud = try CrashTests.stage()
    let cut = try PowerCut.recording(cloud.path) { fileSystem in
      try work.run(try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
      try Directory.open(path: cloud.path, in: fileSystem).file("cloud.json").syncFileSystem()
    }
    let end = cut.calls.count
    #expect(cut.image(at: end, keeping: .nothing).differences(from: try FolderImage(of: cloud.path)) == [])
    #expect(cut.pendingCount(at: end) == 0)
    #expect((0..<end).contains { cut.pendingCount(at: $0) > 1 })
  }

  @Test("a whole cloud from nothing")
  func creation() throws {
    let path = TemporaryCloud.newFolder("cloud")
    defer { try? TemporaryCloud.remove(path) }
    let cut = try PowerCut.recording(path) { fileSystem in
      let service = try CloudService.create(root: path, fileSystem: fileSystem)
      _ = try service.addAccount("alice", AccountChanges())
    }
    let real = try FolderImage(of: path)
    #expect(real.files["cloud.json"] != nil)
    #expect(cut.image(at: cut.calls.count, keeping: .everything).differences(from: real) == [])
  }
}
