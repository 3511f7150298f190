import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStore

@Suite("The check of file kinds in a cloud's directory tree")
struct TreeShapeTests {
  let path = ScratchFolder.newPath("shape")
  let cloud: Cloud

  init() throws {
    try Cloud.create(path: path, history: "h", created: 0)
    cloud = try Cloud(path: path, fieldEncoding: FieldEncoding { _, _ in [] }, observer: ToyObserver())
  }

  private static let environment = "containers/c/dev"
  private static let database = "\(environment)/private/alice"
  private static let zone = "\(database)/zones/Z"

  private static let files: [String] =
    [
      "requests.jsonl", "requests.1.jsonl", ".arrival", "accounts/a.json", "toys/ball", "containers/c/shares/s.json",
      "\(environment)/schema.ckdb", "\(environment)/.lock",
      "\(environment)/public/changes.jsonl", "\(environment)/public/toy", "\(environment)/public/zones/.lock",
      "\(environment)/public/zones/.deleted/Z.json", "\(environment)/shared/bob/zones/p",
      "\(database)/changes.jsonl", "\(database)/toy",
    ]
    + [
      "zone.json", "changes.jsonl", "lock", ".index/index", ".journal/log", ".journal/other", ".journal/staged/1",
      ".journal/uploads/u", "records/r.json", "shares/s.jsonl", "assets/x", "keys/zone.json", "keys/records/r.json",
      "keys/shares/s.json",
    ].map { "\(zone)/\($0)" }

  private static let folders: [String] =
    [
      "containers/k", "containers/c/env", "containers/c2/shares", "containers/c/e2/public", "containers/c/e2/private",
      "containers/c/e2/shared", "containers/c/e3/private/alice", "containers/c/e3/public/zones",
      "containers/c/e3/shared/bob/zones", "\(database)/zones/.deleted",
      "\(database)/zones/Y",
    ]
    + [".index", ".journal", "records", "shares", "assets", "keys"].map { "\(database)/zones/X/\($0)" }
    + [".journal/staged", ".journal/uploads", "keys/records", "keys/shares"].map { "\(database)/zones/W/\($0)" }

  private static let free: [String] =
    ["other", ".x", "containers/c/.x", "\(environment)/other", "\(environment)/public/other"]
    + ["devices/d", "\(environment)/public/toys/.x", "\(environment)/public/zones/.new"]
    + ["other", "records/.x", "shares/.x", "assets/.x", "keys/other", "keys/records/.x"].map { "\(zone)/\($0)" }

  private func lay(_ path: String, asFolder isFolder: Bool) throws {
    let parts = path.split(separator: "/").map(String.init)
    let parent = try cloud.root.makingDirectory(at: parts.dropLast())
    if isFolder {
      try parent.makeDirectory(parts[parts.count - 1])
    } else {
      try parent.writeStaged(parts[parts.count - 1], [])
    }
  }

  private func misfits() throws -> Set<String> {
    let shape = try TreeShape(of: cloud)
    #expect(shape.unreadable == [])
    for misfit in shape.misfits {
      let path = (misfit.folder + [misfit.name]).joined(separator: "/")
      #expect(misfit.problem.path == cloud.root.path(of: path))
      #expect(!misfit.problem.isUnread)
    }
    return Set(shape.misfits.map { ($0.folder + [$0.name]).joined(separator: "/") + ": " + $0.problem.text })
  }

  @Test("files and folders of the right kind are accepted, and unknown entries may be of any kind")
  func filesAndFoldersOfTheRightKind() throws {
    for path in Self.files { try lay(path, asFolder: false) }
    for path in Self.folders { try lay(path, asFolder: true) }
    for path in Self.free {
      try lay(path + "1", asFolder: true)
      try lay(path + "2", asFolder: false)
    }
    #expect(try misfits() == [])
    try ScratchFolder.remove(path)
  }

  @Test("the check reports a folder at the path of each file, and a file at the path of each folder")
  func checkReportsAFolderAtThePath() throws {
    for path in Self.files { try lay(path, asFolder: true) }
    for path in Self.folders { try lay(path, asFolder: false) }
    let expected =
      Self.files.map { $0 + ": it is not a file" } + Self.folders.map { $0 + ": it is not a folder" }
    let found = try misfits()
    #expect(found.subtracting(expected) == [])
    #expect(Set(expected).subtracting(found) == [])
    try ScratchFolder.remove(path)
  }

  @Test("the check reports a file that is too large to read completely, except assets and their uploads")
  func checkReportsAFileThatIsToo() throws {
    for name in ["records/most.json", "records/more.json", "assets/more", ".journal/uploads/more"] {
      try lay(Self.zone + "/" + name, asFolder: false)
      let parts = (Self.zone + "/" + name).split(separator: "/").map(String.init)
      let folder = try #require(try cloud.root.directory(at: parts.dropLast()))
      let size = name.hasSuffix("most.json") ? File.mostBytes : File.mostBytes + 1
      // The file is sparse.
      try folder.file(parts[parts.count - 1], .readWrite).truncate(to: size)
    }
    #expect(
      try misfits() == [Self.zone + "/records/more.json: it is larger than any file of a cloud can be"])
    try ScratchFolder.remove(path)
  }
}
