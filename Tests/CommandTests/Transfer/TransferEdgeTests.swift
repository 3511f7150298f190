import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Edge cases of import: refusals and unchanged records")
struct TransferEdgeTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice", "bob")
    folder = try TransferFolder()
  }

  private func run(_ options: String..., lines: [String]) -> ToolRun {
    cli.run(["import"] + options, as: "alice", input: lines.map { $0 + "\n" }.joined())
  }

  private func line(_ name: String, _ fields: String = "", zone: String = "Z", more: String = "") -> String {
    #"{"recordName":"\#(name)","recordType":"T","zoneID":{"zoneName":"\#(zone)"}\#(more),"fields":{\#(fields)}}"#
  }

  // MARK: Invalid input

  static let wrongFields: [(field: String, message: String)] = [
    (#"{"value":"x","type":"assetType"}"#, "an asset is written with the type ASSETID"),
    (#"{"value":1,"type":5}"#, "\"type\" is not a string"),
    (#"{"value":1,"type":"ASSETID","typ":5}"#, "a field has no key \"typ\""),
    (#"{"value":{"fileChecksum":"x"},"isEncrypted":true}"#, "an asset can't be encrypted"),
    (#"{"value":5,"type":"ASSETID_LIST"}"#, "a list was expected"),
    (#"{"value":5,"type":"ASSETID"}"#, "expected an asset's object"),
    (#"{"value":[5],"type":"ASSET_LIST"}"#, "expected an asset's object"),
    (#"{"value":{"x-local":{"path":5}}}"#, "\"path\" is not a string"),
    (#"{"value":{"x-loca":{"path":5}},"type":"ASSET"}"#, "an asset has no key \"x-loca\""),
    (#"{"value":{},"type":"ASSET"}"#, "the asset has no file: expected {\"x-local\": {\"path\": …}}"),
    (
      #"{"value":{"downloadURL":"https://example.com/one"}}"#,
      "the asset has no file: expected {\"x-local\": {\"path\": …}}"
    ),
    (#"{"value":{"x-local":{"path":""}}}"#, "\"\" is not the path of a file below "),
    (#"{"value":{"x-local":{"path":"a//b"}}}"#, "\"a//b\" is not the path of a file below "),
    (#"{"value":{"x-local":{"path":"a/./b"}}}"#, "\"a/./b\" is not the path of a file below "),
    (#"{"value":1,"isEncrypted":true}"#, "an encrypted field needs its \"type\""),
    (#"{"value":1,"type":"strinType"}"#, "there is no type \"strinType\"; did you mean \"stringType\"?"),
    (#"{"value":1,"type":"STRIN"}"#, "Field 'f' has the unknown type STRIN"),
  ]

  @Test("an invalid field is reported with its key and the expected value", arguments: wrongFields.indices)
  func invalidFieldIsReportedWithItsKey(_ index: Int) {
    let (field, message) = Self.wrongFields[index]
    let run = run(lines: [line("a", "\"f\":\(field)")])
    #expect(run.code == .failure)
    #expect(run.output == "")
    #expect(run.error.contains("error: standard input, line 1, key fields.f: \(message)"), "\(run.error)")
    #expect(run.error.contains("; nothing was imported\n"), "\(run.error)")
  }

  static let wrongLines: [(line: String, message: String)] = [
    (#"{"zoneID":{"zoneName":"Y"},"encryptionScope":5}"#, "key encryptionScope: expected \"perRecord\" or \"perZone\""),
    (#"{"zoneID":{"zoneName":""}}"#, "key zoneID: expected an object with \"zoneName\""),
    (#"{"zoneID":{"zoneName":"Y"},"foo":1}"#, "key foo: there is no such key;"),
    (
      #"{"recordName":"p","recordType":"T","parent":{"recordName":""}}"#,
      "key parent: expected an object with \"recordName\", or null"
    ),
    (#"{"recordName":5,"recordType":"T"}"#, "key recordName: expected a string that is not empty"),
    (
      #"{"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share","forRecord":{"recordName":"a"}}"#,
      "key forRecord: the share of a whole zone has no root"
    ),
    (share(#""denyAccessRequests":1"#), "key denyAccessRequests: expected true or false"),
    (share(#""participants":{}"#), "key participants: a list was expected"),
    (share(#""blocked":5"#), "key blocked: a list was expected"),
    (
      share(#""participants":[{"userIdentity":{"lookupInfo":{}}}]"#),
      "key participants[0].userIdentity.lookupInfo: expected \"emailAddress\", \"phoneNumber\" or \"userRecordName\""
    ),
    (
      share(#""requesters":[{"userIdentity":{}},{"userIdentity":{},"type":"BOSS"}]"#),
      "key requesters[1].type: expected USER, ADMINISTRATOR, PUBLIC_USER or OWNER"
    ),
    (
      share(#""participants":[{"userIdentity":{},"permission":"UNKNOWN"}]"#),
      "key participants[0].permission: expected NONE, READ_ONLY or READ_WRITE"
    ),
  ]

  private static func share(_ more: String) -> String {
    #"{"recordName":"s","recordType":"cloudkit.share","forRecord":{"recordName":"a"},\#(more)}"#
  }

  @Test("invalid zones, names and shares are reported with their line and key", arguments: wrongLines.indices)
  func invalidZonesNamesAndSharesAreReported(_ index: Int) {
    let (line, message) = Self.wrongLines[index]
    let run = run(lines: [line])
    #expect(run.code == .failure)
    #expect(run.output == "")
    #expect(run.error.contains("error: standard input, line 1, \(message)"), "\(run.error)")
  }

  @Test("an invalid record in a document is reported with its position in the list")
  func invalidRecordInADocumentIsReported() {
    func text(_ document: String) -> String { cli.run(["import"], as: "alice", input: document).error }
    #expect(
      text(#"{"records":[{"recordName":"e","recordType":"N"},5]}"#)
        .hasPrefix("localcloud: error: standard input, records[1]: expected an object with \"recordName\", "))
    #expect(text(#"{"records":[]"#).hasPrefix("localcloud: error: standard input, line 1, column 14: expected "))
    #expect(text(#"{"records":5}"#).contains("line 1, key recordType: it is missing: "))
    #expect(cli.run(["import"], as: "alice", input: " \n\t\r\n").output == "imported 0 records\n")
  }

  // MARK: Progress

  @Test("the error names the lines that were not imported, at most twenty ranges of them")
  func missingRanges() throws {
    try cli.expect("record", "save", "T", "-n", "first", "n:int64=1", as: "alice")
    func line(_ number: Int, isGood: Bool) -> String {
      let value = isGood ? "1" : #""x""#
      return #"{"recordName":"r\#(number)","recordType":"T","fields":{"n":\#(value)}}"#
    }
    let many = run("--json", lines: (1...50).map { line($0, isGood: $0 % 2 == 0) })
    let error = try JSONValue(parsing: many.error)["error"]
    let odd = stride(from: 1, through: 39, by: 2).map { "\($0)" }.joined(separator: ", ")
    let message = error?["message"]?.string ?? ""
    #expect(message.contains("imported is all up to line 50, but for \(odd) and 5 more ranges; "), "\(message)")
    #expect(error?["lastRead"] == 50)
    #expect(error?["notImported"]?.array?.count == 25)
    #expect(error?["exitCode"] == 16)
    let some = run(lines: (1...43).map { line($0, isGood: $0 == 3 || $0 > 6) })
    #expect(
      some.error.contains("imported is all up to line 43, but for 1–2, 4–6; what is in stays as it is"), "\(some.error)"
    )
    let document = "[\((1...3).map { line($0, isGood: $0 != 2) }.joined(separator: ","))]"
    let things = cli.run(["import"], as: "alice", input: document)
    #expect(things.error.contains("[1], record 'r2': invalid attempt to set value type STRING"), "\(things.error)")
    #expect(things.error.contains("; imported is all up to the 3. thing, but for 2; "), "\(things.error)")
  }

  @Test("the error names the root, reference target or parent that a record waits for, also in a dry run")
  func errorNamesTheRootReferenceTarget() {
    let nowhere = "is neither in what is imported nor in the cloud"
    let root =
      #"{"recordName":"s","recordType":"cloudkit.share","zoneID":{"zoneName":"Z"},"forRecord":{"recordName":"x"}}"#
    let share = run(lines: [root])
    #expect(share.code == .notFound)
    #expect(share.error.contains("line 1, record 's': its root 'x' \(nowhere); nothing was"))
    let reference = run(lines: [
      line("v", #""to":{"recordName":"x","action":"VALIDATE"}"#), line("w", more: #","parent":{"recordName":"v"}"#),
    ])
    #expect(
      reference.error.contains(
        "line 1, record 'v': its reference to 'x' \(nowhere), and so 1 more wait in vain; nothing was imported"),
      "\(reference.error)")
    let child = line("a", more: #","parent":{"recordName":"x"}"#)
    let dry = run("--dry-run", lines: [child])
    #expect(dry.code == .notFound)
    #expect(
      dry.error.contains("its parent 'x' \(nowhere); this was a dry run: nothing was imported\n"), "\(dry.error)")
    let twice = run(lines: [child, line("b", zone: "Y"), line("a")])
    #expect(twice.code == .failure)
    #expect(
      twice.error.contains("line 3: the record 'a' is there twice, and waits for another one; nothing was imported"),
      "\(twice.error)")
  }

  // MARK: Unchanged records

  @Test("a record counts as unchanged with an integer for a fraction or null for a missing field")
  func sameContents() throws {
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "m", "d:double=2", "l:json=[1.5,2]", as: "alice")
    let same = "imported 1 record: 1 as they were\n"
    let changed = "imported 1 record: 1 changed\n"
    for fields in ["\"d\":2", "\"d\":2,\"l\":[1.5,2]", "\"q\":null", "\"q\":{\"value\":null}", ""] {
      #expect(run(lines: [line("m", fields, more: ",\"parent\":null")]).output == same, "\(fields)")
    }
    for fields in ["\"l\":[1.5]", "\"l\":[1.5,2]", "\"l\":[1.5,3]", "\"d\":3", "\"l\":null"] {
      #expect(run(lines: [line("m", fields)]).output == changed, "\(fields)")
    }
    #expect(run(lines: [line("m").replacing("\"fields\":{}", with: "\"fields\":null")]).output == same)
    #expect(run("--policy", "replace", lines: [line("m", "\"d\":3")]).output == same)
    #expect(run("--policy", "replace", lines: [line("m")]).output == changed)
    #expect(run("--policy", "fail", lines: [line("m")]).output == same)
  }

  @Test("an asset with the same bytes counts as unchanged, also if only its checksum is given")
  func assetWithTheSameBytesCounts() throws {
    try folder.write("one", Array("one".utf8))
    try folder.write("two", Array("two".utf8))
    func asset(_ json: String, type: String = "") throws -> ToolRun {
      let path = try folder.write("in.jsonl", lines: [line("a", "\"f\":{\"value\":{\(json)}\(type)}")])
      return cli.run("import", path, as: "alice")
    }
    #expect(try asset(#""x-local":{"path":"one"}"#).output == "imported 1 record: 1 new\nmade zone Z\n")
    let name =
      try cli.json("record", "get", "a", "-z", "Z", as: "alice")["fields"]?["f"]?["value"]?["fileChecksum"]?
      .string ?? ""
    let same = "imported 1 record: 1 as they were\n"
    #expect(try asset(#""x-local":{"path":"one"}"#, type: ",\"type\":\"ASSET\"").output == same)
    #expect(try asset(#""downloadURL":"file://\#(folder.file("one"))""#).output == same)
    #expect(try asset(#""fileChecksum":"\#(name)""#).output == same)
    #expect(try asset(#""fileChecksum":"\#(name)","size":3"#).output == same)
    #expect(try asset(#""fileChecksum":null,"size":null,"x-local":{"path":"one"}"#).output == same)
    #expect(try asset(#""x-local":{"path":"two"}"#).output == "imported 1 record: 1 changed\n")
    let lost = try asset(#""fileChecksum":"\#(name)""#)
    #expect(lost.code == .notFound)
    #expect(lost.error.contains("the record holds no such asset, and no file was given"))
  }

  @Test("references to a line's own zone are changed to the zone of the import")
  func localReferences() throws {
    let own = #"{"recordName":"b","zoneID":{"zoneName":"Z"}}"#
    let run = run(
      "-z", "Copy",
      lines: [
        line("a", #""r":{"value":\#(own),"type":"REFERENCE"},"l":{"value":[\#(own)],"type":"REFERENCE_LIST"}"#)
      ])
    #expect(run.output == "imported 1 record: 1 new\nmade zone Copy\n", "\(run.error)")
    let fields = try cli.json("record", "get", "a", "-z", "Copy", as: "alice")["fields"]
    let local: JSONValue = ["action": "NONE", "recordName": "b"]
    #expect(fields?["r"]?["value"] == local)
    #expect(fields?["l"]?["value"]?.array == [local])
  }

  @Test("an existing zone retains its encryption scope, and a different one in the input is reported")
  func encryptionScopes() {
    let zone = #"{"zoneID":{"zoneName":"Y"}}"#
    let sealed = #"{"zoneID":{"zoneName":"Y"},"encryptionScope":"perZone"}"#
    let run = run(lines: [sealed, sealed, zone])
    #expect(run.code == .failure)
    #expect(run.output == "imported 0 records\nmade zone Y\n")
    #expect(
      run.error.contains(
        "error: all records are in, but 1 thing can't be brought: "
          + "line 3: the zone Y is there already, with the encryption scope perZone\n"), "\(run.error)")
    #expect(self.run(lines: [sealed, line("a", zone: "Y")]).output == "imported 1 record: 1 new\n")
  }

  @Test("import accepts the caller's user record by its own name")
  func ownUserRecord() throws {
    let own = try cli.json("account", "show", as: "alice")["userRecordName"]?.string ?? ""
    let line = #"{"recordName":"\#(own)","recordType":"Users","fields":{"motto":"x"}}"#
    #expect(run("--database", "public", lines: [line]).output == "imported 1 record: 1 changed\n")
    #expect(run("--database", "public", lines: [line]).output == "imported 1 record: 1 as they were\n")
  }

  @Test("long lines, carriage returns, a missing last line break and a long document are imported")
  func longLines() throws {
    let lines = (0..<5).map { line("l\($0)", "\"t\":\"\(String(repeating: "x", count: 100_000))\"") }
    let run = cli.run(["import"], as: "alice", input: lines.joined(separator: "\r\n"))
    #expect(run.output == "imported 5 records: 5 new\nmade zone Z\n", "\(run.error)")
    let again = cli.run(["import"], as: "alice", input: "\n\n" + lines.joined(separator: "\n") + "\n\n")
    #expect(again.output == "imported 5 records: 5 as they were\n", "\(again.error)")
    // Longer than any line may be, but one document.
    let document = "[\(line("l0"))\(String(repeating: " ", count: 17 << 20))]"
    #expect(cli.run(["import"], as: "alice", input: document).output == "imported 1 record: 1 as they were\n")
  }
}
