import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import TestSupport
import Testing

/// A child shares its parent's open files and so their locks. Therefore each process must open its own files.
@Suite(
  "A process that forks with an open store or zone", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct ForkTests {
  private struct Report {
    var children: [String] = []
    var names: Set<String> = []
    var others: [String] = []
    var errors = ""
  }

  private func run(_ scenario: String, _ path: String) throws -> Report {
    let child = try ChildProcess(StressProgram.path, ["fork-worker", scenario, path])
    let status = child.wait(seconds: 300)
    #expect(status == 0, "\(child.errors)")
    var report = Report(errors: child.errors)
    for line in child.output.split(separator: "\n").map(String.init) {
      if line.hasPrefix("child ") {
        report.children.append(String(line.dropFirst(6)))
      } else if line.hasPrefix("= ") {
        report.names.insert(String(line.dropFirst(2)))
      } else {
        report.others.append(line)
      }
    }
    return report
  }

  @Test(
    "only the user can read the files of a store, with any umask [store-25]", arguments: ["0", "077", "0277"])
  func onlyTheUserCanReadTheFiles(mask: String) throws {
    try withPath { path in
      let command = "umask \(mask) && exec '\(StressProgram.path)' fork-worker store '\(path)'"
      let child = try ChildProcess("/bin/sh", ["-c", command])
      #expect(child.wait(seconds: 300) == 0, "\(child.errors)")
      #expect(try modes(Directory.open(path: path + "/..", in: FileSystem())) == [0o700, 0o600])
    }
  }

  /// The modes of all folders, and of all files.
  private func modes(_ folder: Directory) throws -> Set<UInt32> {
    try folder.entries().reduce(into: []) { modes, entry in
      if let mode = try folder.permissions(of: entry.name) { modes.insert(mode) }
      if entry.kind == .directory { modes.formUnion(try self.modes(folder.directory(entry.name))) }
    }
  }

  private func withPath(_ body: (String) throws -> Void) throws {
    let folder = ScratchFolder.newPath("fork")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    try body(folder + "/private.sqlite")
  }

  /// The names that both processes save.
  private static let names = Set(["before"] + (0..<60).flatMap { ["parent \($0)", "child \($0)"] })

  @Test("parent and child save to a store, and each acknowledged save is there once [store-26]")
  func parentAndChildSaveToAStore() throws {
    try withPath { path in
      let report = try run("store", path)
      #expect(report.children == ["saved"], "\(report.errors)")
      #expect(report.names == Self.names)
      #expect(report.others == ["transactions 121", "problems []"])
    }
  }

  @Test("parent and child save in a context, and each acknowledged save is there once [store-26]")
  func parentAndChildSaveInAContext() throws {
    try withPath { path in
      let report = try run("context", path)
      #expect(report.children == ["saved"], "\(report.errors)")
      #expect(report.names == Self.names)
      #expect(report.others == ["transactions 121", "problems []"])
    }
  }

  @Test("while the parent has the store locked no forked child can save, and after the release a child can [store-26]")
  func whileTheParentHasTheStoreLocked() throws {
    try withPath { path in
      let report = try run("held-store", path)
      #expect(report.children == ["busy", "busy", "saved"], "\(report.errors)")
      #expect(report.names == ["before", "parent", "later child"])
      #expect(report.others == ["transactions 3", "problems []"])
    }
  }

  @Test("parent and child save to a zone, and each acknowledged save is there")
  func parentAndChildSaveToAZone() throws {
    let cloud = try TemporaryCloud()
    let request = ModifyZonesRequest(scope: .private, saves: [ZoneIdentifier(name: "Notes")])
    _ = try cloud.service.zones.modifyZones(request, by: cloud.caller("alice")).saves[0].get()
    let report = try run("zone", cloud.path)
    #expect(report.children == ["saved"], "\(report.errors)")
    #expect(report.names == Self.names)
    #expect(report.others == [])
  }
}
