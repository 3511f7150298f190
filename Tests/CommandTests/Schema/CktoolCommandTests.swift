import FaultInjection
import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The verbs of cktool ([schema-tool-1] and following)")
struct CktoolCommandTests {
  private let cli: Cli
  private static let access = [
    "--team-id", "TEAM", "--container-id", "iCloud.example.Tool", "--environment", "development",
  ]
  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Book (
        "___recordID" REFERENCE QUERYABLE, title STRING QUERYABLE SORTABLE, pages INT64 QUERYABLE SORTABLE,
        at LOCATION, cover ASSET, covers LIST<ASSET>, data BYTES, added TIMESTAMP, other REFERENCE, ratio DOUBLE,
        tags LIST<STRING> QUERYABLE, note ENCRYPTED STRING,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
    """

  init() throws { cli = try Cli("alice") }

  @discardableResult
  private func tool(_ verb: String, _ words: String..., input: String = "") -> ToolRun {
    cli.run(["cktool", verb] + Self.access + words, as: "alice", input: input)
  }

  @discardableResult
  private func records(_ verb: String, _ words: String..., input: String = "") -> ToolRun {
    cli.run(
      ["cktool", verb] + Self.access + ["--database-type", "private"] + words, as: "alice", input: input)
  }

  private func load() throws {
    let run = tool("import-schema", "--file", "-", input: Self.schema)
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
  }

  private func create(_ fields: String, type: String = "Book") throws -> JSONValue {
    let run = records("create-record", "--record-type", type, "--fields-json", fields)
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return try JSONValue(parsing: run.output)
  }

  @Test("import-schema, validate-schema and export-schema print the same as Apple's cktool ([schema-tool-1])")
  func importSchemaValidateSchemaAndExportSchema() throws {
    let imported = tool("import-schema", "--validate", "--file", "-", input: Self.schema)
    #expect(imported.code == .success)
    #expect(imported.output == "")
    #expect(imported.error == "")
    let valid = tool("validate-schema", "--file", "-", input: Self.schema)
    #expect(valid.code == .success)
    #expect(valid.output == "✅ Schema is valid.\n")
    #expect(valid.error == "")
    let bad = tool("validate-schema", "--file", "-", input: Self.schema.replacing("INT64", with: "BADTYPE"))
    #expect(bad.code == .schemaRefused)
    #expect(bad.output == "")
    #expect(
      bad.error.hasPrefix(
        """
        ❌ Schema validation failed: Encountered " <IDENTIFIER> "BADTYPE "" at line 3, column 79.
        Was expecting one of:
            "LIST" ...

        """), "\(bad.error)")
    let exported = tool("export-schema")
    #expect(exported.output.hasPrefix("DEFINE SCHEMA\n\n    RECORD TYPE Book (\n"))
    let folder = ScratchFolder.newPath("exports")
    defer { try? ScratchFolder.remove(folder) }
    let file = folder + "/new/schema.ckdb"
    let written = tool("export-schema", "--output-file", file)
    #expect(written.code == .success)
    #expect(written.output == "")
    #expect(try String(decoding: UserFile.read(file, limit: .text), as: UTF8.self) == exported.output)
    #expect(tool("export-schema", "--output-file", folder).code == .storage)
    #expect(tool("import-schema", "--file", file).code == .success)
    #expect(tool("import-schema", "--file", folder + "/none").code == .notFound)
    let refused = cli.run(
      "cktool", "import-schema", "--container-id", "iCloud.example.Tool", "--environment", "production", "--file", file,
      as: "alice")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("invalid-scope"))
  }

  @Test("create-record saves a record with every type of value, and prints it in the input's form ([schema-tool-2])")
  func createRecordSavesARecord() throws {
    try load()
    let folder = ScratchFolder.newPath("covers")
    defer { try? ScratchFolder.remove(folder) }
    let file = folder + "/a.txt"
    #expect(tool("export-schema", "--output-file", file).code == .success)
    let fields = #"""
      {"title": {"type": "stringType", "value": "Nemo"}, "pages": {"type": "int64Type", "value": 300},
       "ratio": {"type": "doubleType", "value": 1.5}, "data": {"type": "bytesType", "value": "aGk="},
       "added": {"type": "timestampType", "value": "1875-09-12T21:12:42Z"},
       "other": {"type": "referenceType", "value": {"recordName": "x", "action": "NONE"}},
       "at": {"type": "locationType", "value": {"latitude": 1.5, "longitude": 2.5}},
       "tags": {"type": "stringListType", "value": ["sea", "ship"]},
       "note": {"type": "encryptedStringType", "value": "hidden"},
       "cover": {"type": "assetType", "value": "A"}, "covers": {"type": "assetListType", "value": ["A", "B"]}}
      """#
    let run = records(
      "create-record", "--record-type", "Book", "--fields-stdin", "--asset-files", "A=\(file)", "B=\(file)",
      input: fields)
    #expect(run.code == .success, "\(run.error)")
    #expect(run.error == "", "\(run.error)")
    let record = try JSONValue(parsing: run.output)
    let given = try #require(try JSONValue(parsing: fields).object)
    for (name, value) in given where !name.hasPrefix("cover") && name != "added" {
      #expect(record["fields"]?[name] == value, "\(name)")
    }
    #expect(record["fields"]?["added"] == ["type": "timestampType", "value": "1875-09-12T21:12:42.000Z"])
    #expect(record["fields"]?["cover"]?["type"] == "assetType")
    #expect(record["fields"]?["cover"]?["value"]?["size"]?.integer ?? 0 > 10)
    #expect(record["fields"]?["covers"]?["value"]?.array?.count == 2)
    #expect(record["recordName"]?.string?.count == 36)
    #expect(record["recordType"] == "Book")
    #expect(record["created"]?["timestamp"] == "2026-01-31T12:00:00.000Z")
    #expect(record["zone"]?["zoneName"] == "_defaultZone")
    #expect(record["schemaVersion"] == nil)
    // The printed fields can be used as input again, except assets.
    var again = record["fields"]?.object ?? [:]
    (again["cover"], again["covers"]) = (nil, nil)
    let copy = try create("\(JSONValue.object(again))")
    #expect(copy["fields"] == .object(again))
    #expect(copy["recordName"] != record["recordName"])
    // The record type must exist, and the fields must come from one source.
    let missing = records("create-record", "--record-type", "Film", "--fields-json", "{}")
    #expect(missing.code == .notFound)
    #expect(missing.error.contains("Did not find record type: Film"))
    let unasked = records("query-records", "--record-type", "Film", "--filters", "pages > 2")
    #expect(unasked.code == .notFound)
    #expect(unasked.error.contains("Did not find record type: Film"))
    for run in [missing, unasked] {
      #expect(run.error.contains("`localcloud schema export` shows the types there are"))
    }
    #expect(records("create-record", "--record-type", "Book").code == .usage)
    #expect(records("create-record", "--record-type", "Book", "--fields-json", "{}", "--fields-stdin").code == .usage)
    #expect(
      records(
        "create-record", "--record-type", "Book", "--fields-json", #"{"pages": {"type": "stringType", "value": "x"}}"#
      )
      .code == .schemaRefused)
  }

  // [schema-tool-3]
  @Test("query-records supports filters, sort keys, fields and pages, and needs an index if it has no filter")
  func queryRecordsSupportsFiltersSortKeysFields() throws {
    try load()
    for (title, pages) in [("a", 100), ("b", 300), ("c", 200)] {
      _ = try create(
        #"{"title": {"type": "stringType", "value": "\#(title)"}, "pages": {"type": "int64Type", "value": \#(pages)}}"#)
    }
    func titles(_ run: ToolRun) throws -> [JSONValue?]? {
      try JSONValue(parsing: run.output)["records"]?.array?.map { $0["fields"]?["title"]?["value"] }
    }
    #expect(
      try titles(records("query-records", "--record-type", "Book", "--sort-by", "pages DESC")) == ["b", "c", "a"])
    #expect(
      try titles(
        records(
          "query-records", "--record-type", "Book", "--filters", "pages > 100", "title != c", "--sort-by", "pages"))
        == ["b"])
    let partial = records(
      "query-records", "--record-type", "Book", "--filters", "title == b", "--requested-fields", "pages", "title")
    #expect(try JSONValue(parsing: partial.output)["records"]?.array?[0]["fields"]?.object?.count == 2)
    let page = records("query-records", "--record-type", "Book", "--sort-by", "title", "--limit", "2")
    let token = try #require(try JSONValue(parsing: page.output)["continuationToken"]?.string)
    let rest = records(
      "query-records", "--record-type", "Book", "--sort-by", "title", "--limit", "2", "--continuation-token", token)
    #expect(try titles(rest) == ["c"])
    #expect(try JSONValue(parsing: rest.output).object?.keys.sorted() == ["records"])
    #expect(records("query-records", "--record-type", "Book", "--limit", "201").code == .usage)
    #expect(records("query-records", "--record-type", "Book", "--filters", "title BEGINS_WITH b").code == .usage)
    let mismatch = records("query-records", "--record-type", "Book", "--filters", "title == 5")
    #expect(mismatch.code == .failure)
    #expect(
      mismatch.error.contains(
        "Field 'title' has a value type of STRING and cannot be queried using filter value type INT64"))
    try cli.expect(
      "schema", "import", "-", "--container", "iCloud.example.Tool", as: "alice",
      input: Self.schema.replacing("REFERENCE QUERYABLE", with: "REFERENCE"))
    let all = records("query-records", "--record-type", "Book")
    #expect(all.code == .failure)
    #expect(all.error.contains("Field 'recordName' is not marked queryable"))
    let bare = records("delete-records", "--record-type", "Book")
    #expect(bare.code == .failure)
    #expect(bare.error.contains(#"a field `"___recordID" REFERENCE QUERYABLE` of the type"#))
  }

  @Test(
    "delete-record and delete-records count in a dry run, ask, and delete the records of all pages ([schema-tool-4])")
  func deleteRecordAndDeleteRecordsCount() throws {
    try load()
    let name = try create("{}")["recordName"]?.string ?? ""
    #expect(records("delete-record", "--record-name", name).code == .usage)
    let deleted = records("delete-record", "--record-name", name, "--yes")
    #expect(deleted.code == .success)
    #expect(deleted.output == "")
    #expect(deleted.error == "")
    for pages in 1...5 { _ = try create(#"{"pages": {"type": "int64Type", "value": \#(pages)}}"#) }
    let dry = "Dry run. Found 3 matching records to delete.\n"
    let counted = records("delete-records", "--record-type", "Book", "--filters", "pages > 2")
    #expect(counted.output == dry)
    #expect(counted.error == "--dry-run false deletes them\n")
    #expect(records("delete-records", "--record-type", "Book", "--filters", "pages > 2000").error.isEmpty)
    #expect(
      records("delete-records", "--record-type", "Book", "--filters", "pages > 2", "--dry-run", "true").output == dry)
    #expect(
      records("delete-records", "--record-type", "Book", "--filters", "pages > 2", "--dry-run", "false").code == .usage)
    let run = records("delete-records", "--record-type", "Book", "--filters", "pages > 2", "--dry-run", "false", "-y")
    #expect(run.code == .success)
    #expect(run.output == "Deleted 3 records.\n")
    #expect(
      records("delete-records", "--record-type", "Book").output == "Dry run. Found 2 matching records to delete.\n")
  }

  @Test("reset-schema asks for nothing, prints nothing, and has no option for the environment")
  func resetSchemaAsksForNothingPrintsNothing() throws {
    try load()
    _ = try create("{}")
    let reset = cli.run(
      "cktool", "reset-schema", "--team-id", "T", "--container-id", "iCloud.example.Tool", as: "alice")
    #expect(reset.code == .success)
    #expect(reset.output == "")
    #expect(reset.error == "")
    #expect(!tool("export-schema").output.contains("Book"))
    #expect(tool("reset-schema").code == .usage)
  }

  @Test("token and team commands of scripts succeed, and without a terminal no token is asked for ([schema-tool-1])")
  func tokenAndTeamCommandsOfScriptsSucceed() {
    #expect(cli.run("cktool", "save-token", "abc", "--type", "user", "--method", "file", "--force").code == .success)
    #expect(cli.run("cktool", "remove-token", "--type", "management").code == .success)
    let interactive = cli.run("cktool", "save-token", "--type", "user")
    #expect(interactive.code == .failure)
    #expect(interactive.output == "")
    #expect(interactive.error.contains("Interaction was required while running in non-interactive mode"))
    #expect(cli.run(["cktool", "save-token"], answers: []).code == .success)
    #expect(cli.run("cktool", "get-teams", "-t", "abc").output == "LOCALCLOUD: LocalCloudKit\n")
  }

  @Test(
    "required options must be given, unknown ones are refused, tokens and teams are always accepted ([schema-tool-1])")
  func requiredOptionsMustBeGivenUnknownOnes() {
    for verb in ["export-schema", "import-schema", "validate-schema", "reset-schema"] {
      let run = cli.run(["cktool", verb, "--team-id", "T", "--token", "t"], as: "alice")
      #expect(run.code == .usage, "\(verb)\n\(run.error)")
      let text = "Missing expected argument '--container-id <container-id>'"
      #expect(run.error.contains(text), "\(verb)\n\(run.error)")
    }
    for verb in ["create-record", "query-records", "delete-record", "delete-records"] {
      for missing in ["--container-id", "--environment", "--database-type", "--record-type", "--record-name"] {
        var words = ["--container-id", "c", "--environment", "development", "--database-type", "private"]
        words += verb == "delete-record" ? ["--record-name", "x"] : ["--record-type", "Book"]
        guard let index = words.firstIndex(of: missing) else { continue }
        words.removeSubrange(index...index + 1)
        let run = cli.run(["cktool", verb] + words, as: "alice")
        #expect(run.code == .usage, "\(verb) \(missing)\n\(run.error)")
        #expect(
          run.error.contains("Missing expected argument '\(missing) <\(missing.dropFirst(2))>'"),
          "\(verb) \(missing)\n\(run.error)")
      }
      #expect(cli.run(["cktool", verb, "--nonsense"], as: "alice").code == .usage)
      #expect(cli.run(["cktool", verb, "-h"]).output.contains("--team-id <team-id>"))
    }
    #expect(cli.run("cktool", "help", "query-records").output.contains("--continuation-token <"))
    #expect(cli.run("cktool").code == .success)
    #expect(cli.run("cktool", "get-record").code == .usage)
    #expect(cli.run("help", "filters").output.contains("BEGINS_WITH"))
  }
}
