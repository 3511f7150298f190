import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands record query, record update and schema reset")
struct RecordQueryCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
    for (name, age) in [("ada", 36), ("alan", 41), ("grace", 85)] {
      try cli.expect(
        "record", "save", "Person", "-z", "Z", "-n", name, "name=\(name)", "age:int64=\(age)", as: "alice")
    }
  }

  @discardableResult
  private func run(_ words: String..., input: String = "") -> ToolRun { cli.run(words, as: "alice", input: input) }

  /// The names of the found records, in order.
  private func find(_ words: String...) throws -> [String] {
    let run = cli.run(["record", "query", "Person"] + words + ["--json"], as: "alice")
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return try JSONValue(parsing: run.output)["records"]?.array?.compactMap { $0["recordName"]?.string } ?? []
  }

  @Test("record query applies all filters and sorts by several keys in their order")
  func recordQueryAppliesAllFiltersAndSorts() throws {
    #expect(try find("-z", "Z") == ["ada", "alan", "grace"])
    #expect(try find("-z", "Z", "--filter", "age > 36") == ["alan", "grace"])
    #expect(try find("-z", "Z", "-f", "age > 36", "-f", "name BEGINS_WITH al") == ["alan"])
    #expect(try find("-z", "Z", "-f", "name IN [\"ada\",\"grace\"]", "--sort", "age:desc") == ["grace", "ada"])
    #expect(try find("-z", "Z", "--sort", "name:desc") == ["grace", "alan", "ada"])
    // The default zone has none of these records.
    #expect(try find() == [])
  }

  @Test("record query and import open one session")
  func sessionsOfOneCommand() {
    let line = #"{"recordName":"ada","recordType":"Person","zoneID":{"zoneName":"Z"}}"#
    for run in [
      run("record", "query", "Person", "-z", "Z", "--verbose"),
      run("import", "--database", "shared", "--verbose", input: line),
    ] {
      #expect(run.error.split(separator: "\n").count(where: { $0.hasPrefix("acting as alice") }) == 1, "\(run.error)")
    }
  }

  @Test(
    "digits of a date below a millisecond are printed, compared in filters, and accepted as input"
  )
  func datesBelowMilliseconds() throws {
    let texts = ["2026-01-31T12:00:00.1234567Z", "2026-01-31T12:00:00.1234568Z"]
    for (name, text) in zip(["one", "two"], texts) {
      #expect(run("record", "save", "Event", "-z", "Z", "-n", name, "when:timestamp=\(text)").code == .success)
      #expect(run("record", "get", name, "-z", "Z").output.contains(text))
    }
    for (filter, names) in [("==", ["two"]), ("<", ["one"]), (">=", ["two"])] {
      let run = run("record", "query", "Event", "-z", "Z", "-f", "when \(filter) \(texts[1])", "--json")
      #expect(
        try JSONValue(parsing: run.output)["records"]?.array?.compactMap { $0["recordName"]?.string } == names,
        "\(filter)")
    }
    let field = try JSONValue(parsing: run("record", "get", "two", "-z", "Z", "--json").output)
    let value = field["record"]?["fields"]?["when"] ?? field["fields"]?["when"] ?? .null
    #expect(value["value"]?.double == 1769860800123.4568, "\(field)")
    #expect(
      run("record", "save", "Event", "-z", "Z", "-n", "three", "--fields-json", "{\"when\":\(value)}").code == .success)
    #expect(run("record", "get", "three", "-z", "Z").output.contains(texts[1]))
  }

  @Test("a whole number beyond 64 bits is refused if the field has no other type")
  func largeIntegers() throws {
    for text in ["18446744073709551615", "-9223372036854775809", "[1,9223372036854775808]"] {
      for fields in ["{\"n\":\(text)}", "{\"n\":{\"value\":\(text)}}"] {
        let run = run("record", "save", "T", "-z", "Z", "--fields-json", fields)
        #expect(run.code == .usage, "\(fields): \(run.error)")
        #expect(run.error.contains("whole number of 64 bits"), "\(fields): \(run.error)")
      }
    }
  }

  @Test("the target of a validating reference must exist and cannot be deleted first, and help explains this")
  func validatingReferences() throws {
    let early = run("record", "save", "T", "-z", "Z", "-n", "v", "to:validate=nobody")
    #expect(early.code != .success)
    #expect(early.error.contains("'nobody', which does not exist"))
    #expect(run("record", "save", "T", "-z", "Z", "-n", "v", "to:validate=ada").code == .success)
    let deletion = run("record", "delete", "ada", "-z", "Z")
    #expect(deletion.code == early.code)
    #expect(deletion.error.contains("record 'v' has a validating reference to it"))
    #expect(run("record", "delete", "ada", "v", "-z", "Z").code == .success)
    let help = cli.run("help", "fields").output
    #expect(
      help.contains(
        """

         owner:validate=record-name                 REFERENCE; that record must exist, and cannot be
                                                    deleted before this one; apps see action "none"

        """))
  }

  @Test("record query --all-zones finds records of all zones, and tables have a column for the zone")
  func allZones() throws {
    try cli.expect("record", "save", "Person", "-n", "home", "name=home", "age:int64=1", as: "alice")
    #expect(try find("--all-zones", "--sort", "age") == ["home", "ada", "alan", "grace"])
    let lines = run("record", "query", "Person", "--all-zones", "-f", "age < 40", "--format", "tsv").output
      .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    #expect(lines[0] == ["record", "zone", "age", "name", "modified", "by", "tag"])
    #expect(
      lines.dropFirst().map { $0[0...1].joined(separator: " in ") } == [
        "ada in Z of alice", "home in _defaultZone of alice",
      ])
    #expect(run("record", "query", "Person", "--all-zones", "-z", "Z").code == .usage)
    let shared = try cli.error("record", "query", "Person", "--all-zones", "--database", "shared", as: "alice")
    #expect(shared?["message"] == "SharedDB does not support Zone Wide queries")
  }

  @Test(
    "record query --limit prints a continuation token in every format, and the token is valid for the same query only")
  func recordQueryLimitPrintsAContinuationToken() throws {
    let first = try cli.json("record", "query", "Person", "-z", "Z", "--sort", "age", "--limit", "2", as: "alice")
    #expect(first["records"]?.array?.map { $0["recordName"] } == ["ada", "alan"])
    let token = try #require(first["continuationToken"]?.string)
    let rest = try cli.json(
      "record", "query", "Person", "-z", "Z", "--sort", "age", "--continuation-token", token, as: "alice")
    #expect(rest["records"]?.array?.map { $0["recordName"] } == ["grace"])
    #expect(rest["continuationToken"] == nil)
    let other = run("record", "query", "Person", "-z", "Z", "--sort", "name", "--continuation-token", token)
    #expect(other.code == .failure)
    #expect(other.error.contains("The cursor belongs to another query"))
    let lines = run("record", "query", "Person", "-z", "Z", "--limit", "1", "--format", "jsonl").output
      .split(separator: "\n")
    #expect(try lines.count == 2 && JSONValue(parsing: String(lines[1]))["continuationToken"]?.string != nil)
    let table = run("record", "query", "Person", "-z", "Z", "--limit", "1")
    #expect(table.error.hasPrefix("there are more: --continuation-token "))
    #expect(!table.output.contains("continuation"))
  }

  @Test("--keys omits all other fields, and query errors have iCloud's texts and a hint")
  func keysAndRefusals() throws {
    let found = try cli.json("record", "query", "Person", "-z", "Z", "-f", "age == 36", "--keys", "name", as: "alice")
    #expect(found["records"]?.array?[0]["fields"]?.object?.keys == ["name"])
    let error = try cli.error("record", "query", "Person", "-z", "Z", "-f", "color == red", as: "alice")
    #expect(error?["message"] == "Did not find field: 'color' in type: 'Person'")
    try cli.expect(
      "schema", "import", "-", as: "alice", input: "DEFINE SCHEMA RECORD TYPE Person (name STRING, age INT64);")
    let sort = try cli.error("record", "query", "Person", "-z", "Z", "--sort", "age", as: "alice")
    #expect(sort?["message"] == "Field 'age' is not marked sortable")
    #expect(sort?["hint"]?.string?.contains("schema import") == true)
    #expect(sort?["internalCode"] == 2015)
    for (filter, type) in [("name == 3", "STRING"), ("age == \"36\"", "INT64")] {
      let error = try cli.error("record", "query", "Person", "-z", "Z", "-f", filter, as: "alice")
      #expect(error?["message"]?.string?.contains("has a value type of \(type) and cannot be queried") == true)
      #expect(error?["hint"]?.string?.contains("quotes make a value a string") == true)
    }
    let lost = try cli.error("record", "query", "Person", "-z", "Z", "--continuation-token", "abc", as: "alice")
    #expect(lost?["code"] == "changeTokenExpired")
    #expect(lost?["hint"]?.string?.contains("--continuation-token") == true)
    #expect(run("record", "query", "Person", "-z", "Z", "-f", "age").code == .usage)
    #expect(run("record", "query", "Person", "-z", "Z", "--limit", "0").code == .usage)
  }

  @Test("record update changes an existing record, and ends with 13 if there is none and with 14 if its tag differs")
  func recordUpdateChangesAnExistingRecord() throws {
    #expect(run("record", "update", "ada", "-z", "Z", "age:int64=37").output == "updated Person ada in zone Z, tag 4\n")
    let record = try cli.json("record", "get", "ada", "-z", "Z", as: "alice")
    #expect(record["fields"]?["age"]?["value"] == 37)
    #expect(record["fields"]?["name"]?["value"] == "ada")
    #expect(run("record", "update", "nobody", "-z", "Z", "age:int64=37").code == .notFound)
    #expect(run("record", "get", "nobody", "-z", "Z").code == .notFound)
    let late = run("record", "update", "ada", "-z", "Z", "--if-tag", "1", "age:int64=38", "--json")
    #expect(late.code == .conflict)
    #expect(try JSONValue(parsing: late.error)["error"]?["serverRecord"]?["recordChangeTag"] == "4")
    #expect(run("record", "update", "ada", "-z", "Z", "--if-tag", "4", "age:null=").code == .success)
    #expect(try cli.json("record", "get", "ada", "-z", "Z", as: "alice")["fields"]?["age"] == nil)
    #expect(run("record", "update", "alan", "-z", "Z", "--parent", "ada").code == .success)
    #expect(run("record", "update", "alan", "-z", "Z", "--no-parent").code == .success)
    #expect(run("record", "update", "ada", "-z", "Z", "--fields-stdin", input: #"{"age": 40}"#).code == .success)
    let nothing = run("record", "update", "ada", "-z", "Z")
    #expect(nothing.code == .usage)
    #expect(nothing.error.contains("there is nothing to change"))
    #expect(run("record", "update", "ada", "-z", "Z", "name:int64=1").code == .schemaRefused)
    #expect(cli.run("record", "update", "ada", "-z", "Z", "age:int64=1").code == .refused)
  }

  @Test("schema reset asks for confirmation and prints the deleted types, records and zones")
  func schemaResetAsksForConfirmationAndPrints() throws {
    let unasked = run("schema", "reset")
    #expect(unasked.code == .usage)
    #expect(unasked.error.contains("add --yes"))
    let declined = cli.run(["schema", "reset"], as: "alice", answers: [.text("n")])
    #expect(declined.code == .failure)
    #expect(try find("-z", "Z").count == 3)
    #expect(run("schema", "reset", "--yes", "--environment", "production").code == .usage)
    let reset = run("schema", "reset", "--yes")
    #expect(
      reset.output == """
        - type Person
        reset development of iCloud.example.Commands: gone are 3 records: Z of alice

        """)
    let again = try cli.json("schema", "reset", "--yes", as: "alice")
    #expect(again["changes"] == [])
    #expect(again["zones"] == [])
    #expect(again["recordCount"] == 0)
    #expect(
      run("schema", "reset", "--yes").output == "reset development of iCloud.example.Commands: there was no data\n")
    #expect(run("zone", "list").output.contains("Z ") == false)
  }
}
