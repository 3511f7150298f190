import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The commands snapshot export and import")
struct SnapshotFileTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice", "bob")
    folder = try TransferFolder()
    try cli.expect("zone", "save", "Notes", as: "alice")
    let picture = try folder.write("picture", Array("picture".utf8))
    try cli.expect(
      "record", "save", "Note", "--name", "milk", "-z", "Notes", "secret:encrypted=hush", "image:asset=\(picture)",
      as: "alice")
    try cli.expect("snapshot", "save", "before", "--note", "for another machine")
  }

  private func names(_ cli: Cli) throws -> [String] {
    try #require(cli.json("snapshot", "list")["snapshots"]?.array).compactMap { $0["name"]?.string }
  }

  @Test("a snapshot in a file is restored in another cloud, with its assets and encrypted values")
  func intoAnotherCloud() throws {
    let file = folder.file("new/before.jsonl")
    let exported = try cli.expect("snapshot", "export", "before", file)
    #expect(exported.output == "exported snapshot before to \(file)\n")
    #expect(exported.error.contains("made the folder"))
    let other = try Cli("zoe")
    let imported = try other.expect("snapshot", "import", file)
    #expect(imported.output.hasPrefix("imported snapshot before: "))
    // The state of the cloud is still its own.
    #expect(try other.expect("account", "list", "--count").output == "1\n")
    let shown = try other.json("snapshot", "show", "before")
    #expect(try shown == cli.json("snapshot", "show", "before"))
    #expect(shown["note"] == "for another machine")
    try other.expect("snapshot", "restore", "before", "--yes")
    let accounts = try other.json("account", "list")["accounts"]?.array?.map { $0["name"] }
    #expect(accounts == ["alice", "bob"])
    let value = try other.expect("record", "get", "milk", "-z", "Notes", "--value", "secret", as: "alice")
    #expect(value.output == "hush\n")
    try other.expect(
      "record", "get", "milk", "-z", "Notes", "--asset-files", "image=\(folder.file("copy"))", as: "alice")
    #expect(try folder.text("copy") == "picture")
    #expect(other.run("check").output == "no problems found\n")
  }

  @Test("through pipes, under another name; -q prints the name")
  func pipes() throws {
    let file = folder.file("before.jsonl")
    let document = try cli.json("snapshot", "export", "before", file)
    #expect(document["path"]?.string == file)
    let text = try cli.expect("snapshot", "export", "before").output
    #expect(try text == folder.text("before.jsonl"))
    #expect(try cli.expect("snapshot", "export", "before", "-").output == text)
    // Every line is a JSON object.
    for line in text.split(separator: "\n") { #expect(try JSONValue(parsing: String(line)).object != nil) }
    #expect(try cli.expect("snapshot", "import", "-", "--name", "mon/day", "-q", input: text).output == "mon/day\n")
    #expect(try names(cli) == ["before", "mon/day"])
    #expect(try cli.expect("snapshot", "diff", "before", "mon/day").output == "")
    #expect(cli.run(["snapshot", "export", "before"], failWith: SystemError.brokenPipe).code == .success)
  }

  @Test("a name that is taken is refused, unless it is replaced; so is a wrong name")
  func importedNames() throws {
    let file = folder.file("before.jsonl")
    try cli.expect("snapshot", "export", "before", file)
    let taken = try cli.error("snapshot", "import", file)
    #expect(taken?["code"] == "serverRejectedRequest")
    #expect(taken?["hint"]?.string?.contains("--replace") == true)
    try cli.expect("snapshot", "import", file, "--replace")
    #expect(try cli.error("snapshot", "import", file, "--name", ".hidden")?["code"] == "invalidArguments")
    #expect(try cli.error("snapshot", "import", file, "--name", "a\nb")?["code"] == "invalidArguments")
    #expect(try names(cli) == ["before"])
  }

  @Test("a file that is cut short, changed or none of a snapshot is refused as a whole")
  func damagedFiles() throws {
    let text = try cli.expect("snapshot", "export", "before").output
    let lines = text.split(separator: "\n").map(String.init)
    let damaged: [[String]] = [
      [], Array(lines.dropLast()), Array(lines.dropFirst()), lines.map { $0.replacing("milk", with: "silk") },
      Array(lines.prefix(1) + lines.dropFirst(2)), lines + ["{}"], ["{\"recordName\": \"milk\"}"], ["no JSON"],
    ]
    for (index, lines) in damaged.enumerated() {
      let file = try folder.write("damaged\(index)", lines: lines)
      let error = try cli.error("snapshot", "import", file, "--name", "new")
      #expect(error?["code"] == "invalidArguments", "\(index)")
      #expect(error?["exitCode"] == 1, "\(index)")
      #expect(error?["message"]?.string?.contains("line ") == true, "\(index)")
    }
    #expect(try names(cli) == ["before"])
    #expect(cli.run("check").output == "no problems found\n")
  }

  @Test("files that can't be read or written")
  func refusals() throws {
    #expect(cli.run("snapshot", "import", folder.file("none")).code == .notFound)
    #expect(cli.run("snapshot", "import", folder.path).code == .storage)
    #expect(cli.run("snapshot", "export", "before", folder.path).code == .storage)
    // A file in the cloud would be damage.
    #expect(cli.run("snapshot", "export", "before", cli.root + "/before.jsonl").code == .storage)
    let terminal = cli.run(["snapshot", "export", "before"], answers: [])
    #expect(terminal.code == .usage)
    #expect(terminal.output == "")
    // No file is made for a snapshot that does not exist.
    #expect(cli.run("snapshot", "export", "none", folder.file("none")).code == .notFound)
    #expect(try folder.names() == ["picture"])
    let long = try folder.write("long", Array(repeating: UInt8(ascii: "x"), count: (16 << 20) + 1))
    let error = try cli.error("snapshot", "import", long)
    #expect(error?["code"] == "badInput")
  }
}
