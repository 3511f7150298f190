import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("A snapshot as one file")
struct SnapshotFileTests {
  let cloud: TemporaryCloud
  let alice: Person
  let wait = LockWaitPolicy()

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    let file = try TemporaryFile(String(repeating: "\u{0}0123456789abcdef", count: 200_000))
    var save = alice.note("a", "1")
    save.fields["picture"] = .asset(AssetValue(file: file.path))
    try alice.save(save)
    try alice.save(alice.secret("b", "hidden"))
    _ = try cloud.service.cloud.saveSnapshot("first", note: nil, created: 1000, replacing: false, wait)
  }

  private func lines() throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    try cloud.service.cloud.exportSnapshot("first") { lines.append(Array($0.dropLast())) }
    return lines
  }

  private func read(_ lines: [[UInt8]], as name: String? = nil, to target: TemporaryCloud) throws -> Snapshot {
    var rest = lines[...]
    return try target.service.cloud.importSnapshot(as: name, replacing: false, wait) { rest.popFirst() }
  }

  // [snapshot-6]
  @Test("an imported snapshot has the files of the exported one, in parts of at most a mebibyte")
  func roundTrip() throws {
    let lines = try lines()
    #expect(lines.allSatisfy { $0.count < 3 << 20 })
    #expect(lines.contains { (try? JSONValue(parsing: $0))?["offset"]?.integer == 1 << 20 })
    let target = try TemporaryCloud(accounts: [])
    #expect(try read(lines, as: "other", to: target).name == "other")
    var (old, new) = (
      try FolderImage(of: cloud.path + "/snapshots/first"), try FolderImage(of: target.path + "/snapshots/other")
    )
    (old.files["snapshot.json"], new.files["snapshot.json"]) = (nil, nil)
    // The file has no folders without files.
    #expect(old.differences(from: new).filter { !$0.hasSuffix("/ is too much") } == [])
    try target.service.cloud.restoreSnapshot("other", wait)
    let service = try CloudService.open(root: target.path)
    let again = Person(target, "alice", by: service)
    #expect(try again.fetch("a").fields["text"] == .string("1"))
    #expect(try again.read("b") == "hidden")
    #expect(try service.checks.check() == [])
  }

  @Test("a name that is taken is refused, and nothing is left")
  func takenName() throws {
    #expect { try read(lines(), to: cloud) } throws: { error in
      if case StoreError.snapshotExists("first") = error { true } else { false }
    }
    let names = try Directory.open(path: cloud.path + "/snapshots", in: FileSystem()).entries().map(\.name)
    #expect(names == ["first"])
  }

  // [snapshot-7]
  @Test("a file that is cut off, changed or out of order is refused, and leaves no snapshot")
  func damaged() throws {
    let lines = try lines()
    let target = try TemporaryCloud(accounts: [])
    let changed = lines.map { line in
      line.contains(UInt8(ascii: "1")) ? line.map { $0 == UInt8(ascii: "1") ? UInt8(ascii: "2") : $0 } : line
    }
    let cases: [String: [[UInt8]]] = [
      "empty": [], "without its end": Array(lines.dropLast()), "without its beginning": Array(lines.dropFirst()),
      "without a line": lines.enumerated().filter { $0.offset != 2 }.map(\.element),
      "with a line twice": Array(lines[..<3]) + Array(lines[2...]),
      "changed": Array(lines[..<1]) + Array(changed[1...]),
      "with more": lines + [Array("{}".utf8)], "no JSON": [Array("x".utf8)],
      "of a later version": [
        Array(String(decoding: lines[0], as: UTF8.self).replacing(#""version":1}"#, with: #""version":2}"#).utf8)
      ] + lines.dropFirst(),
    ]
    for (text, lines) in cases {
      #expect(throws: StoreError.self, "\(text)") { try read(lines, to: target) }
    }
    #expect(try target.service.cloud.snapshots() == [])
    let names = try Directory.open(path: target.path + "/snapshots", in: FileSystem()).entries()
    #expect(names == [])
  }

  @Test("a restored marker is whole, for any members of the marker in the file")
  func hostileMarker() throws {
    func lines(_ change: (inout JSONObject) -> Void) throws -> [[UInt8]] {
      var lines = try self.lines()
      var header = try #require(JSONValue(parsing: lines[0]).object)
      var snapshot = try #require(header["snapshot"]?.object)
      var marker = try #require(snapshot["cloud"]?.object)
      change(&marker)
      snapshot["cloud"] = .object(marker)
      header["snapshot"] = .object(snapshot)
      lines[0] = JSONValue.object(header).compact()
      var digest = StreamingDigest()
      for line in lines.dropLast() { digest.add(line + [UInt8(ascii: "\n")]) }
      var last = try #require(JSONValue(parsing: lines[lines.count - 1]).object)
      last["digest"] = .string(digest.hex128)
      lines[lines.count - 1] = JSONValue.object(last).compact()
      return lines
    }
    let target = try TemporaryCloud(accounts: [])
    for version in [0, -1] as [Int64] {
      #expect(throws: StoreError.self) {
        try read(lines { $0["formatVersion"] = .integer(version) }, as: "old", to: target)
      }
    }
    _ = try read(lines { $0["restoring"] = true }, as: "half", to: target)
    try target.service.cloud.restoreSnapshot("half", wait)
    let service = try CloudService.open(root: target.path)
    #expect(service.cloud.properties["restoring"] == nil)
    #expect(try Person(target, "alice", by: service).fetch("a").fields["text"] == .string("1"))
  }

  // [snapshot-7]
  @Test(
    "paths that lead elsewhere are refused",
    arguments: [
      "../x", "/etc/passwd", "accounts", "accounts/../../x", "accounts//x", "accounts/.lock", "cloud.json",
      "snapshots/x/snapshot.json", "containers/iCloud.test/development/private/alice/zones/Notes/.journal/log",
      "accounts/" + String(repeating: "x", count: 256), "accounts/a\u{0}b",
      "accounts/" + String(repeating: "a/", count: 12) + "x",
      "",
    ])
  func hostilePaths(path: String) throws {
    let target = try TemporaryCloud(accounts: [])
    let before = try FolderImage(of: target.path)
    let line: JSONObject = ["path": .string(path), "text": "x"]
    let lines = [try lines()[0], JSONValue.object(line).compact()]
    #expect { try read(lines, to: target) } throws: { error in
      if case StoreError.badSnapshotFile(line: 2, _) = error { true } else { false }
    }
    var after = try FolderImage(of: target.path)
    #expect(after.folders.removeValue(forKey: "snapshots") == FolderImage())
    #expect(after == before)
  }
}
