import FaultInjection
import LocalCloudCommands
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

/// Data that a later version wrote: the tool refuses it, says what to do, and leaves every file as it is.
@Suite("Clouds and stores of later versions")
struct NewerVersionTests {
  /// Raises the format version in a file from 1.
  private func raise(_ file: String, in folder: Directory) throws {
    let text = String(decoding: try folder.contents(file) ?? [], as: UTF8.self)
    #expect(text.contains("\"formatVersion\": 1"))
    try folder.writeStaged(file, Array(text.replacing("\"formatVersion\": 1", with: "\"formatVersion\": 2").utf8))
  }

  private func expectRefusal(_ run: ToolRun, _ command: [String]) {
    #expect(run.code == .unknownFormat, "\(command): \(run.code) \(run.error)")
    for part in ["format 2", "up to 1", "hint: use the newer version of the tool"] {
      #expect(run.error.contains(part), "\(command): \(run.error)")
    }
  }

  // [version-1]
  @Test("commands refuse a cloud of a later format: they name both formats and the next step, and write no file")
  func laterCloud() throws {
    let cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
    try cli.expect("record", "save", "Note", "--zone", "Notes", "--name", "a", "text=1", as: "alice")
    try cli.expect("snapshot", "save", "first")
    try raise("cloud.json", in: Directory.open(path: cli.root, in: FileSystem()))
    let before = try FolderImage(of: cli.root)
    let commands = [
      ["status"], ["check"], ["repair", "--yes"], ["account", "list"], ["account", "add", "carol"], ["device", "list"],
      ["zone", "list"], ["record", "get", "a", "--zone", "Notes"], ["record", "delete", "a", "--zone", "Notes"],
      ["record", "save", "Note", "--zone", "Notes", "--name", "b", "text=1"], ["changes", "--zone", "Notes"],
      ["history", "a", "--zone", "Notes"], ["snapshot", "list"], ["snapshot", "save", "second"],
      ["snapshot", "restore", "first", "--yes"], ["snapshot", "delete", "first", "--yes"], ["reset", "all", "--yes"],
      ["clock", "set", "2026-01-01T00:00:00Z"], ["clock", "reset"], ["fault", "add", "--latency", "1"],
      ["fault", "clear"], ["schema", "export"], ["push", "list"], ["log"],
    ]
    for command in commands { expectRefusal(cli.run(command, as: "alice"), command) }
    #expect(try FolderImage(of: cli.root).differences(from: before) == [])
  }

  // [store-1]
  @Test("store commands refuse a store of a later format: they name both and the next step, and write no file")
  func laterStore() throws {
    let (cli, folder) = (try Cli("alice"), try TemporaryFolder("later"))
    let path = folder.path + "/notes.sqlite"
    try ObjectStore.ofNotes(path).insertNotes("One")
    try raise("store.json", in: Directory.open(path: path, in: FileSystem()))
    let before = try FolderImage(of: folder.path)
    let commands = [
      ["list", path], ["show", path, "Note/1"], ["history", path], ["metadata", path], ["check", path],
      ["repair", path, "--yes"], ["destroy", path, "--yes"],
    ]
    for command in commands { expectRefusal(cli.run(["store"] + command, as: "alice"), command) }
    #expect(try FolderImage(of: folder.path).differences(from: before) == [])
  }

  // [snapshot-6]
  @Test("the file of a snapshot of a later version is refused, with both versions, and nothing is imported")
  func laterSnapshotFile() throws {
    let (cli, folder) = (try Cli("alice"), try TemporaryFolder("later"))
    let file = "first.snapshot"
    let path = folder.path + "/" + file
    try cli.expect("snapshot", "save", "first")
    try cli.expect("snapshot", "export", "first", path)
    let directory = try Directory.open(path: folder.path, in: FileSystem())
    let text = String(decoding: try directory.contents(file) ?? [], as: UTF8.self)
    let later = text.replacing("\"version\":1}", with: "\"version\":2}", maxReplacements: 1)
    #expect(later != text)
    try directory.writeStaged(file, Array(later.utf8))
    let run = cli.run("snapshot", "import", path, "--name", "later")
    #expect(run.code == .unknownFormat)
    #expect(run.error.contains("version 2") && run.error.contains("up to 1"), "\(run.error)")
    #expect(run.error.contains("newer version of the tool"), "\(run.error)")
    #expect(!cli.run("snapshot", "list").output.contains("later"))
  }

  @Test(
    "settings of the clock and fault rules with members of a later version are refused by name, and stay",
    arguments: [
      ("clock.json", #"{"pace":2}"#, "pace", ["clock"]),
      (
        "faults.json", #"{"rules":[{"fired":0,"id":"a","matched":0,"rule":{"latency":1,"mood":"bad"}}]}"#, "mood",
        ["fault", "list"]
      ),
      (
        "faults.json", #"{"rules":[{"fired":0,"id":"a","matched":0,"rule":{"error":"tooQuick"}}]}"#, "tooQuick",
        ["zone", "list"]
      ),
      ("faults.json", #"{"rules":[],"version":2}"#, "version", ["zone", "list"]),
    ])
  func laterMembers(file: String, text: String, member: String, command: [String]) throws {
    let cli = try Cli("alice")
    let root = try Directory.open(path: cli.root, in: FileSystem())
    try root.writeStaged(file, Array(text.utf8))
    let run = cli.run(command, as: "alice")
    #expect(run.code == .storage, "\(run.error)")
    #expect(run.error.contains(file) && run.error.contains("'\(member)'"), "\(run.error)")
    #expect(run.error.contains("hint: "), "\(run.error)")
    #expect(try root.contents(file) == Array(text.utf8))
  }
}
