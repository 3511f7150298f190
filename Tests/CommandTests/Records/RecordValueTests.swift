import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("record get --value, record count and --count")
struct RecordValueTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect(
      "record", "save", "T", "-z", "Z", "-n", "a", "text=two words\tand a tab", "n:int64=36", "d:double=1.5",
      "when:timestamp=2026-01-31T12:00:00Z", "to:reference=b", "where:location=48.2,16.37", "raw:bytes=aGk=",
      "tags:json=[\"x\",\"y z\"]", "secret:encrypted-int64=4", as: "alice")
  }

  private func values(_ words: String...) -> ToolRun {
    cli.run(["record", "get", "a", "-z", "Z"] + words, as: "alice")
  }

  @Test(
    "a value is printed alone, in its plain form",
    arguments: [
      ("text", "two words\tand a tab\n"), ("n", "36\n"), ("d", "1.5\n"), ("when", "2026-01-31T12:00:00.000Z\n"),
      ("to", "b\n"), ("where", "48.2,16.37\n"), ("raw", "aGk=\n"), ("tags", "x\ny z\n"), ("secret", "4\n"),
      ("recordName", "a\n"), ("recordType", "T\n"), ("recordChangeTag", "1\n"),
      ("createdTimestamp", "2026-01-31T12:00:00.000Z\n"),
    ])
  func plainValues(field: String, text: String) {
    let run = values("--value", field)
    #expect(run.output == text)
    #expect(run.code == .success, "\(run.error)")
  }

  @Test("several values of a record are one line with tabs between them, escaped as in tables")
  func severalValues() {
    #expect(
      values("--value", "n", "--value", "text", "--value", "tags").output == "36\ttwo words\\tand a tab\t[x, y z]\n")
    #expect(cli.run("record", "save", "T", "-z", "Z", "-n", "b", "n:int64=2", as: "alice").code == .success)
    let both = cli.run("record", "get", "a", "b", "-z", "Z", "--value", "n", as: "alice")
    #expect(both.output == "36\n2\n")
  }

  @Test("a field that the record lacks is exit code 13, with the fields that exist; nothing is printed")
  func missingField() throws {
    let run = values("--value", "n", "--value", "txet")
    #expect(run.code == .notFound)
    #expect(run.output == "")
    #expect(run.error.contains("the record a has no field \"txet\""))
    #expect(run.error.contains("hint: it has d, n, raw, secret, tags, text, to, when, where, recordName, "))
    #expect(values("--value", "parent").code == .notFound)
    #expect(cli.run("record", "get", "x", "-z", "Z", "--value", "n", as: "alice").code == .notFound)
    #expect(values("--value").code == .usage)
    #expect(values("--value", "n", "--value", "txet", "--json").code == .notFound)
  }

  @Test("with --json a record has only the fields that --value names")
  func valueAsJSON() throws {
    let record = try JSONValue(parsing: values("--value", "n", "--json").output)
    #expect(record["fields"]?.object?.keys == ["n"])
  }

  @Test("the value of an asset is the path of its file")
  func assetValue() throws {
    let source = cli.root + "-beach.jpg"
    let folder = try Directory.open(path: UserFile.folderAndName(of: source).folder, in: FileSystem())
    let name = UserFile.folderAndName(of: source).name
    try folder.writeStaged(name, Array("a picture".utf8))
    defer { _ = try? folder.remove(name) }
    try cli.expect("record", "save", "Photo", "-z", "Z", "-n", "p", "image:asset=\(source)", as: "alice")
    let run = try cli.expect("record", "get", "p", "-z", "Z", "--value", "image", as: "alice")
    let path = String(run.output.dropLast())
    #expect(path.hasPrefix(cli.root + "/"))
    #expect(try UserFile.read(path, limit: .text) == Array("a picture".utf8))
  }

  @Test("a terminal gets a value without its control characters, and with its line breaks")
  func terminal() throws {
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "c", "text=\u{1B}[2Jred\nblue", as: "alice")
    let words = ["record", "get", "c", "-z", "Z", "--value", "text"]
    #expect(cli.run(words, as: "alice").output == "\u{1B}[2Jred\nblue\n")
    #expect(cli.run(words, as: "alice", answers: []).output == "\\u{1B}[2Jred\nblue\n")
  }

  @Test("a reader that closes standard output ends the command quietly")
  func closedOutput() {
    let run = cli.run(
      ["record", "get", "a", "-z", "Z", "--value", "tags"], as: "alice", failWith: SystemError.brokenPipe)
    #expect(run.code == .success)
    #expect(run.error == "")
  }

  @Test("record count counts the records of a zone, of a type, or those that a filter finds")
  func recordCount() throws {
    func count(_ words: String...) throws -> String {
      let run = cli.run(["record", "count"] + words, as: "alice")
      guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
      return run.output
    }
    try cli.expect("record", "save", "Person", "-z", "Z", "-n", "ada", "age:int64=36", as: "alice")
    try cli.expect("record", "save", "Person", "-z", "Z", "-n", "bob", "age:int64=8", as: "alice")
    #expect(try count("-z", "Z") == "3\n")
    #expect(try count("Person", "-z", "Z") == "2\n")
    #expect(try count("Person", "-z", "Z", "--filter", "age > 8") == "1\n")
    #expect(try count("Nothing", "-z", "Z") == "0\n")
    #expect(try cli.json("record", "count", "-z", "Z", as: "alice")["count"]?.integer == 3)
    #expect(try count("-z", "Z", "--format", "jsonl") == "{\"count\":3}\n")
  }

  @Test("record count walks over several pages")
  func recordCountOfSeveralPages() throws {
    let lines = (1...230).map { "{\"recordName\":\"n\($0)\",\"recordType\":\"Many\",\"fields\":{\"k\":\($0)}}\n" }
    try cli.expect("import", "-z", "Z", as: "alice", input: lines.joined())
    #expect(try cli.expect("record", "count", "Many", "-z", "Z", as: "alice").output == "230\n")
    #expect(try cli.expect("record", "count", "Many", "-z", "Z", "-f", "k > 10", as: "alice").output == "220\n")
  }

  @Test("record count refuses a missing zone, a filter without a type and a filter that is none")
  func refusedCounts() {
    #expect(cli.run("record", "count", "-z", "Y", as: "alice").code == .notFound)
    #expect(cli.run("record", "count", "-z", "Z", "-f", "age > 8", as: "alice").code == .usage)
    #expect(cli.run("record", "count", "T", "-z", "Z", "-f", "age", as: "alice").code == .usage)
    #expect(cli.run(["record", "count", "-z", "Z"], as: "alice", failWith: SystemError.brokenPipe).code == .success)
  }

  @Test("every listing has --count, which prints only how many items there are")
  func countOfListings() throws {
    #expect(try cli.expect("account", "list", "--count").output == "2\n")
    #expect(try cli.expect("zone", "list", "--count", as: "alice").output == "2\n")
    #expect(try cli.expect("record", "list", "-z", "Z", "--count", as: "alice").output == "1\n")
    #expect(try cli.expect("record", "list", "Nothing", "-z", "Z", "--count", as: "alice").output == "0\n")
    #expect(try cli.expect("subscription", "list", "--count", "--format", "tsv", as: "alice").output == "0\n")
    #expect(try cli.json("device", "list", "--count")["count"]?.integer == 2)
    #expect(cli.run("zone", "list", "--count=3", as: "alice").code == .usage)
    #expect(cli.run("record", "get", "a", "-z", "Z", "--count", as: "alice").code == .usage)
    for command in CommandRegistry.standard.commands where command.description.path.last == "list" {
      #expect(ToolRun(words: command.description.path + ["-h"], registry: .standard).output.contains("--count"))
    }
  }
}
