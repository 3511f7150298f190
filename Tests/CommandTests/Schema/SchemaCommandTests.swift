import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands schema import, validate, diff, deploy and export")
struct SchemaCommandTests {
  private let cli: Cli
  private static let person = "RECORD TYPE Person (name STRING QUERYABLE, age INT64);"

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", "Y", as: "alice")
  }

  /// Runs a schema command with these types as its input.
  @discardableResult
  private func schema(_ verb: String, _ types: String, _ options: String...) -> ToolRun {
    cli.run(["schema", verb, "-"] + options, as: "alice", input: "DEFINE SCHEMA \(types)")
  }

  private func save(_ words: String...) throws {
    let run = cli.run(["record", "save"] + words, as: "alice")
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
  }

  @Test("schema import prints its changes, schema validate the changes that an import would make")
  func schemaImportPrintsItsChangesSchemaValidate() throws {
    let lines = """
      + type Person
      + field Person.age INT64
      + field Person.name STRING QUERYABLE

      """
    let valid = schema("validate", Self.person)
    #expect(valid.code == .success)
    #expect(valid.output == lines)
    let first = schema("import", Self.person)
    #expect(first.code == .success)
    #expect(first.output == lines)
    #expect(first.error == "")
    #expect(schema("validate", Self.person).output == "valid, and nothing would change\n")
    #expect(schema("import", Self.person).output == "no changes\n")
    #expect(schema("validate", "RECORD TYPE Person (name STRING QUERYABLE);").output == "- field Person.age INT64\n")
    let document = try JSONValue(parsing: schema("validate", "RECORD TYPE Person (age INT64);", "--json").output)
    #expect(document["isValid"] == true)
    #expect(
      document["changes"]
        == [["before": "STRING QUERYABLE", "change": "removed", "subject": "field Person.name"]])
    let refused = schema("validate", "RECORD TYPE Person (name BADTYPE);")
    #expect(refused.code == .schemaRefused)
    #expect(refused.output == "")
  }

  @Test("schema diff and deploy compare with production, and diff ends with 17 if there are differences")
  func schemaDiffAndDeployCompareWithProduction() throws {
    #expect(cli.run("schema", "diff", as: "alice").output == "no differences\n")
    schema("import", Self.person)
    let diff = cli.run("schema", "diff", "--json", as: "alice")
    #expect(diff.code == .problemsFound)
    #expect(diff.error == "")
    let changes: JSONValue = [
      ["change": "added", "subject": "type Person"],
      ["after": "INT64", "change": "added", "subject": "field Person.age"],
      ["after": "STRING QUERYABLE", "change": "added", "subject": "field Person.name"],
    ]
    #expect(try JSONValue(parsing: diff.output)["changes"] == changes)
    #expect(cli.run("schema", "diff", "--quiet", as: "alice").output == "")
    #expect(cli.run("schema", "diff", "--quiet", as: "alice").code == .problemsFound)
    let deployed = cli.run("schema", "deploy", as: "alice")
    #expect(
      deployed.output == "+ type Person\n+ field Person.age INT64\n+ field Person.name STRING QUERYABLE\n",
      "\(deployed.error)")
    #expect(cli.run("schema", "deploy", as: "alice").output == "production is up to date\n")
    let same = cli.run("schema", "diff", as: "alice")
    #expect(same.code == .success)
    #expect(same.output == "no differences\n")
  }

  @Test("schema export prints the schema as text, or in JSON with its environment")
  func schemaExportPrintsTheSchemaAsText() throws {
    schema("import", Self.person)
    let text = cli.run("schema", "export", as: "alice").output
    #expect(text.hasPrefix("DEFINE SCHEMA\n\n    RECORD TYPE Person (\n        \"___createTime\" TIMESTAMP,\n"))
    #expect(text.hasSuffix("        GRANT READ TO \"_world\"\n    );\n"))
    let document = try cli.json("schema", "export", as: "alice")
    #expect(document["schema"]?.string == text)
    #expect(document["environment"] == "development")
    let production = try cli.json("schema", "export", "--environment", "production", as: "alice")
    #expect(production["environment"] == "production")
    #expect(production["schema"]?.string?.contains("Person") == false)
    #expect(schema("import", String(text.dropFirst("DEFINE SCHEMA".count))).output == "no changes\n")
  }

  @Test("a schema that is not UTF-8 or does not exist is refused")
  func schemaThatIsNotUTF8() throws {
    let folder = try TransferFolder()
    let path = try folder.write("bad.ckdb", Array("DEFINE ".utf8) + [0xFF])
    for verb in ["import", "validate"] {
      let error = try cli.error("schema", verb, path, as: "alice")
      #expect(error?["exitCode"] == 16)
      #expect(error?["code"] == "invalidArguments")
      #expect(error?["message"]?.string == "\(path) is not a text in UTF-8")
      #expect(cli.run("schema", verb, folder.file("none"), as: "alice").code == .notFound)
    }
  }

  @Test("schema import reports deleted records, fields, dependent records and lost parents on standard error")
  func schemaImportReportsDeletedRecordsFields() throws {
    let types = "RECORD TYPE A (x STRING); RECORD TYPE B (r REFERENCE, n INT64); RECORD TYPE C (x STRING);"
    schema("import", types)
    try save("A", "-z", "Z", "-n", "a", "x=1")
    try save("B", "-z", "Z", "-n", "b1", "r:deleteSelf=a", "n:int64=1")
    try save("B", "-z", "Y", "-n", "b2", "n:int64=1")
    try save("B", "-z", "Y", "-n", "b3", "n:int64=1")
    let field = schema("import", "RECORD TYPE A (x STRING); RECORD TYPE B (r REFERENCE); RECORD TYPE C (x STRING);")
    #expect(field.output == "- field B.n INT64\n")
    #expect(field.error == "deleted field B.n of 3 records in 2 zones\n")
    let type = schema("import", "RECORD TYPE B (r REFERENCE); RECORD TYPE C (x STRING);")
    #expect(type.output == "- type A\n")
    #expect(
      type.error == """
        deleted 1 record of type A in 1 zone
        deleted with them 1 record of type B in 1 zone

        """)
    for name in ["c1", "c2", "c3"] { try save("C", "-z", "Y", "-n", name) }
    for name in ["b2", "b3"] {
      try cli.expect("record", "update", name, "-z", "Y", "--parent", name == "b2" ? "c1" : "c2", as: "alice")
    }
    let parents = schema("import", "RECORD TYPE B (r REFERENCE);")
    #expect(parents.error == "deleted 3 records of type C in 1 zone\n2 records lost their parents\n")
    #expect(try cli.json("record", "get", "b2", "-z", "Y", as: "alice")["parent"] == nil)
  }

  @Test("the losses of a schema import are also printed as JSON, also by cktool import-schema")
  func lossesAsJSON() throws {
    try save("B", "-z", "Z", "-n", "b")
    func gone(_ options: String...) throws -> JSONValue {
      schema("import", "RECORD TYPE B (x STRING); RECORD TYPE C (x STRING);")
      try save("C", "-z", "Z", "-n", "c")
      try cli.expect("record", "update", "b", "-z", "Z", "--parent", "c", as: "alice")
      let words = ["cktool", "import-schema", "--container-id", "iCloud.example.Commands"]
      let run = cli.run(
        words + ["--environment", "development", "--file", "-"] + options, as: "alice",
        input: "DEFINE SCHEMA RECORD TYPE B (x STRING);")
      #expect(run.code == .success, "\(run.error)")
      if options.isEmpty {
        #expect(run.output == "")
        #expect(run.error == "deleted 1 record of type C in 1 zone\n1 record lost its parent\n")
        return .null
      }
      return try JSONValue(parsing: run.output)
    }
    _ = try gone()
    let document = try gone("--json")
    #expect(document["orphanCount"] == 1)
    #expect(document["removed"] == [["recordCount": 1, "subject": "type C", "zoneCount": 1]])
    #expect(document["changes"] == [["change": "removed", "subject": "type C"]])
  }

  @Test("the message of the schema parser is printed with its line breaks", arguments: ["validate", "import"])
  func messageOfTheSchemaParserIsPrinted(verb: String) {
    let run = cli.run(["schema", verb, "-"], as: "alice", input: "DEFINE")
    #expect(run.code == .schemaRefused)
    #expect(run.error.contains("line 1, column 7.\nWas expecting:\n    "), "\(run.error)")
    #expect(!run.error.contains("\\n"))
  }

  @Test("cktool get-teams and validate-schema print JSON documents")
  func toolDocuments() throws {
    #expect(
      try cli.json("cktool", "get-teams", as: "alice")["teams"]
        == [["name": "LocalCloudKit", "teamId": "LOCALCLOUD"]])
    let words = ["cktool", "validate-schema", "--container-id", "iCloud.example.Commands"]
    func validate(_ text: String) -> ToolRun {
      cli.run(
        words + ["--environment", "development", "--file", "-", "--json"], as: "alice", input: text)
    }
    let valid = try JSONValue(parsing: validate("DEFINE SCHEMA \(Self.person)").output)
    #expect(valid == ["isValid": true, "schemaVersion": 1])
    let refused = validate("x")
    #expect(refused.code == .schemaRefused)
    #expect(refused.output == "")
    let error = try JSONValue(parsing: refused.error)["error"]
    #expect(error?["cause"] == "schema")
    #expect(error?["ckErrorCode"] == 12)
    #expect(error?["internalCode"] == 2006)
  }
}
