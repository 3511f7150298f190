import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The command import")
struct ImportCommandTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice", "bob")
    folder = try TransferFolder()
  }

  private func run(_ words: [String], _ lines: [String]) -> ToolRun {
    cli.run(words, as: "alice", input: lines.map { $0 + "\n" }.joined())
  }

  private func note(_ name: String, parent: String? = nil, zone: String = "Z", _ fields: String = "") -> String {
    let parent = parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? ""
    return
      #"{"recordName":"\#(name)","recordType":"Note","zoneID":{"zoneName":"\#(zone)"}\#(parent),"fields":{\#(fields)}}"#
  }

  private func record(_ name: String, zone: String = "Z") throws -> JSONValue {
    try cli.json("record", "get", name, "-z", zone, as: "alice")
  }

  // MARK: Order

  @Test("2,000 records with later parents are imported parents first, and a second import changes nothing")
  func recordsWithLaterParentsAreImportedParents() throws {
    let lines = (0..<2000).map { note("r\($0)", parent: $0 % 100 < 99 ? "r\($0 + 1)" : nil, "\"n\":\($0)") }
    let first = run(["import"], lines)
    #expect(first.code == .success, "\(first.error)")
    #expect(first.output == "imported 2000 records: 2000 new\nmade zone Z\n", "\(first.error)")
    #expect(try record("r0")["parent"] == ["recordName": "r1"])
    let before = try cli.tree()
    let again = run(["import"], lines)
    #expect(again.output == "imported 2000 records: 2000 as they were\n", "\(again.error)")
    #expect(try cli.tree().differences(from: before) == [])
    #expect(cli.run("check").code == .success)
  }

  @Test("a record with a validating reference waits for a target 600 lines later, and a missing target is an error")
  func validatingReferences() throws {
    let both = ["a", "b"].map { #"{"recordName":"\#($0)","action":"VALIDATE"}"# }.joined(separator: ",")
    var lines = [note("early", #""to":{"type":"REFERENCE_LIST","value":[\#(both)]}"#)]
    lines += (0..<600).map { note("r\($0)") }
    let last = [note("a"), note("b")]
    let whole = run(["import"], lines + last)
    #expect(whole.code == .success, "\(whole.error)")
    #expect(try record("early")["fields"]?["to"]?["value"]?.array?.map { $0["action"] } == ["VALIDATE", "VALIDATE"])
    let half = run(["import"], [note("late", #""to":{"recordName":"none","action":"VALIDATE"}"#)])
    #expect(half.code == .notFound)
    #expect(half.error.contains("its reference to 'none' is neither in what is imported nor in the cloud"))
    #expect(cli.run("check").code == .success)
  }

  @Test("a share before its root, circular references, and a child before its parent in another batch are imported")
  func shareBeforeRoot() throws {
    var lines = [
      #"{"recordName":"the-share","recordType":"cloudkit.share","zoneID":{"zoneName":"Z"},"forRecord":{"recordName":"#
        + #""root"},"participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"bob@example.com"}},"permission":"#
        + #""READ_WRITE"}],"fields":{"cloudkit.title":"List"}}"#,
      note("child", parent: "root", #""to":{"recordName":"r1","action":"DELETE_SELF"}"#),
      note("grandchild", parent: "child"),
    ]
    lines += (0..<600).map { note("r\($0)", #""to":{"recordName":"\#($0 == 1 ? "child" : "r1")"}"#) }
    lines.append(note("root"))
    let run = run(["import", "--json"], lines)
    #expect(run.code == .success, "\(run.error)")
    let report = try JSONValue(parsing: run.output)
    #expect(report["created"] == 604)
    #expect(report["invited"] == 1)
    let share = try record("the-share")
    #expect(share["participants"]?.array?.count == 2)
    #expect(share["participants"]?.array?[1]["permission"] == "READ_WRITE")
    #expect(try record("root")["share"]?["recordName"] == "the-share")
    #expect(try record("child")["fields"]?["to"]?["value"]?["action"] == "DELETE_SELF")
    try cli.expect("share", "accept", share["url"]?.string ?? "", as: "bob")
    try cli.expect("record", "get", "grandchild", "--owner", "alice", "-z", "Z", as: "bob")
    #expect(cli.run("check").code == .success)
  }

  @Test("records that wait for a missing record are reported, and all other records are imported")
  func waitsInVain() throws {
    let run = run(["import"], [note("a", parent: "nope"), note("b", parent: "a"), note("c")])
    #expect(run.code == .notFound)
    #expect(run.error.contains("line 1, record 'a': its parent 'nope' is neither in what is imported nor in the cloud"))
    #expect(run.error.contains("so 1 more wait in vain; imported is all up to line 3, but for 1–2"))
    #expect(try cli.json("record", "list", "-z", "Z", as: "alice")["records"]?.array?.count == 1)
  }

  // MARK: Stopping

  @Test("if import stops before the first save, it reports that nothing was imported")
  func stopsAtOnce() throws {
    for lines in [[note("a")], [note("a"), note("b")], [#"{"zoneID":{"zoneName":"Z"}}"#, note("a")]] {
      let run = run(["import", "--database", "shared"], lines)
      #expect(run.code == .notFound, "\(run.error)")
      #expect(run.error.contains("No zone 'Z' is shared with this account"), "\(run.error)")
      #expect(run.error.contains("; nothing was imported"), "\(run.error)")
      #expect(!run.error.contains("all up to"), "\(run.error)")
    }
  }

  @Test("each batch is imported completely or not at all, and the error names the imported lines")
  func stopsInTheMiddle() throws {
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "Note", "-z", "Z", "-n", "first", "n:int64=1", as: "alice")
    let lines = (1...1000).map { note("r\($0)", $0 == 500 ? #""n":"text""# : "\"n\":\($0)") }
    let run = run(["import", "--json"], lines)
    let error = try JSONValue(parsing: run.error)["error"]
    #expect(run.code == .schemaRefused)
    let message = error?["message"]?.string ?? ""
    #expect(message.hasPrefix("standard input, line 500, record 'r500': invalid attempt to set value type STRING"))
    #expect(message.hasSuffix("; imported is all up to line 400; what is in stays as it is when it is imported again"))
    #expect(error?["notImported"]?.array?.first == 401)
    #expect(try cli.json("record", "list", "-z", "Z", as: "alice")["records"]?.array?.count == 401)
    let mended = self.run(["import"], lines.map { $0.replacing("\"text\"", with: "500") })
    #expect(mended.output == "imported 1000 records: 600 new, 400 as they were\n")
  }

  @Test("in the default zone, without atomic batches, the valid records of a batch are imported") func defaultZone()
    throws
  {
    let lines = ["1", "\"x\"", "3"].map {
      #"{"recordName":"r\#($0.count)\#($0.first!)","recordType":"T","fields":{"n":\#($0)}}"#
    }
    .map { $0.replacing("r3\"", with: "r2q") }
    try cli.expect("record", "save", "T", "-n", "first", "n:int64=1", as: "alice")
    let run = run(["import"], lines)
    #expect(run.code == .schemaRefused, "\(run.error)")
    #expect(run.error.contains("imported is all up to line 3, but for 2"), "\(run.error)")
    #expect(try cli.json("record", "list", "T", as: "alice")["records"]?.array?.count == 3)
  }

  // MARK: Policies

  @Test(
    "--policy decides whether an existing record is updated, replaced, skipped or an error",
    arguments: ["update", "replace", "skip", "fail"])
  func policyDecidesWhetherAnExistingRecord(_ policy: String) throws {
    _ = run(
      ["import"], [note("p"), note("a", parent: "p", #""x":1,"y":{"value":"s","type":"STRING","isEncrypted":true}"#)])
    let run = run(["import", "--policy", policy], [note("a", #""x":2,"z":[1.5]"#), note("new")])
    let fields = try record("a")["fields"]?.object
    switch policy {
    case "update":
      #expect(fields?.keys == ["x", "y", "z"])
      #expect(fields?["x"]?["value"] == 2)
      #expect(try record("a")["parent"] != nil)
      #expect(run.output == "imported 2 records: 1 new, 1 changed\n")
    case "replace":
      #expect(fields?.keys == ["x", "z"])
      #expect(try record("a")["parent"] == nil)
    case "skip":
      #expect(fields?["x"]?["value"] == 1)
      #expect(run.output == "imported 2 records: 1 new, 1 left alone\n")
    default:
      #expect(run.code == .conflict)
      #expect(run.error.contains("line 1, record 'a': the record 'a' is there already, and differs"))
      #expect(fields?["x"]?["value"] == 1)
      #expect(cli.run("record", "get", "new", "-z", "Z", as: "alice").code == .notFound)
    }
  }

  @Test("null removes fields and parents, and of two lines for a record the later one is saved last")
  func nullRemovesFieldsAndParents() throws {
    _ = run(["import"], [note("p"), note("a", parent: "p", #""x":1,"y":"s""#)])
    let line = #"{"recordName":"a","recordType":"Note","parent":null,"fields":{"x":{"value":null},"y":"t"}}"#
    let run = run(["import", "--zone", "Z"], [line, note("a", #""y":"u""#)])
    #expect(run.code == .success, "\(run.error)")
    let a = try record("a")
    #expect(a["parent"] == nil)
    #expect(a["fields"] == ["y": ["type": "STRING", "value": "u"]])
  }

  @Test("import --dry-run prints the changes that it would make, and makes none") func dryRun() throws {
    _ = run(["import"], [note("a", "\"x\":1")])
    let before = try cli.tree()
    let run = run(
      ["import", "--dry-run"],
      [note("b", parent: "c"), note("c", zone: "Z"), note("d", zone: "New"), note("a", "\"x\":1")])
    #expect(run.output == "would import 4 records: 3 new, 1 as they were\nwould make zone New\n", "\(run.error)")
    #expect(try cli.tree().differences(from: before) == [])
  }

  // MARK: Forms

  @Test("import accepts one document with lists, one record, a plain list, and the output of other commands")
  func importAcceptsOneDocumentWithLists() throws {
    let a = note("a", "\"x\":1")
    let forms = [
      "{\"records\": [\n\(a),\n\(note("b"))]}", "[\(a)]", a.replacing(",", with: ",\n"), a,
      "\n\n\(a)\r\n\n\(note("b"))",
    ]
    for form in forms {
      let run = cli.run(["import"], as: "alice", input: form)
      #expect(run.code == .success, "\(form)\(run.error)")
      #expect(run.output.hasPrefix("imported "), "\(form)\(run.error)")
    }
    let list = cli.run("record", "list", "-z", "Z", "--json", as: "alice").output
    let run = cli.run(["import", "-z", "Y"], as: "alice", input: list)
    #expect(run.output == "imported 2 records: 2 new\nmade zone Y\n", "\(run.error)")
    #expect(try record("a", zone: "Y")["fields"]?["x"]?["value"] == 1)
    #expect(cli.run(["import"], as: "alice", input: "").output == "imported 0 records\n")
  }

  @Test("import --type imports records of that type only") func importTypeImportsRecordsOfThatType() throws {
    let other = note("b").replacing("\"Note\"", with: "\"Other\"")
    #expect(
      run(["import", "--type", "Other"], [note("a"), other]).output == "imported 1 record: 1 new\nmade zone Z\n")
  }

  // MARK: Invalid input

  static let wrong: [(line: String, message: String)] = [
    (#"{"recordName":"a","recordType":"T",}"#, "line 2, column 36: expected a key in quotation marks"),
    (#"{"recordName":"a","recordName":"b"}"#, "line 2, column 19: the key ‘recordName’ occurs twice"),
    ("[1]", "line 2: expected an object with \"recordName\", \"recordType\" and \"fields\""),
    (#"{"recordType":"T"}"#, "line 2, key recordName: it is missing: expected a name"),
    (#"{"recordName":"a"}"#, "line 2, key recordType: it is missing: expected the record's type"),
    (#"{"recordName":"","recordType":"T"}"#, "line 2, key recordName: expected a string that is not empty"),
    (
      #"{"recordName":"a","recordType":"T","feilds":{}}"#,
      "line 2, key feilds: there is no such key; did you mean \"fields\"?"
    ),
    (#"{"recordName":"a","recordType":"T","participants":[]}"#, "line 2, key participants: there is no such key"),
    (#"{"recordName":"a","recordType":"T","fields":[]}"#, "line 2, key fields: expected an object of fields"),
    (
      #"{"recordName":"a","recordType":"T","fields":{"n":{"value":"x","type":"INT64"}}}"#,
      "line 2, key fields.n: Invalid value for field 'n', expected type INT64"
    ),
    (
      #"{"recordName":"a","recordType":"T","fields":{"n":{"value":1,"typ":"INT64"}}}"#,
      "line 2, key fields.n: a field has no key \"typ\""
    ),
    (#"{"recordName":"a","recordType":"T","fields":{"n":true}}"#, "line 2, key fields.n: CloudKit has no booleans"),
    (
      #"{"recordName":"a","recordType":"T","fields":{"n":{"value":1,"type":"INT64","isEncrypted":1}}}"#,
      "line 2, key fields.n: \"isEncrypted\" is neither true nor false"
    ),
    (
      #"{"recordName":"a","recordType":"T","parent":"b"}"#, "line 2, key parent: expected an object with \"recordName\""
    ),
    (#"{"recordName":"a","recordType":"T","zoneID":"Z"}"#, "line 2, key zoneID: expected an object with \"zoneName\""),
    (#"{"recordName":"a","deleted":true}"#, "line 2, key deleted: a deletion can't be imported"),
    (#"{"recordName":"_other","recordType":"Users"}"#, "line 2, key recordName: only one's own user record"),
    (#"{"zoneID":{"zoneName":"Z"},"encryptionScope":"x"}"#, "line 2, key encryptionScope: expected \"perRecord\" or"),
    (#"{"recordName":"s","recordType":"cloudkit.share"}"#, "line 2, key forRecord: it is missing: expected"),
    (
      #"{"recordName":"s","recordType":"cloudkit.share","forRecord":{"recordName":""}}"#,
      "line 2, key forRecord: expected an object with \"recordName\""
    ),
    (
      #"{"recordName":"s","recordType":"cloudkit.share","forRecord":{"recordName":"r"},"participants":[{}]}"#,
      "line 2, key participants[0]: expected an object with \"userIdentity\""
    ),
    (
      #"{"recordName":"s","recordType":"cloudkit.share","forRecord":{"recordName":"r"},"publicPermission":"ALL"}"#,
      "line 2, key publicPermission: expected NONE, READ_ONLY or READ_WRITE"
    ),
    (
      #"{"recordName":"a","recordType":"T","fields":{"f":{"value":{"x-local":{"path":"../../x"}},"type":"ASSETID"}}}"#,
      "line 2, key fields.f: \"../../x\" is not the path of a file below "
    ),
    (
      #"{"recordName":"a","recordType":"T","fields":{"f":{"value":{"x-local":{"path":"/etc/passwd"}}}}}"#,
      "line 2, key fields.f: \"/etc/passwd\" is not the path of a file below "
    ),
    (
      #"{"recordName":"a","recordType":"T","fields":{"f":{"value":{"downloadURL":"file:///etc/passwd"}}}}"#,
      "line 2, key fields.f: \"/etc/passwd\" is not the path of a file below "
    ),
    (
      #"{"recordName":"a","recordType":"T","fields":{"f":{"value":{"x-local":{"path":"nothing"}}}}}"#,
      "line 2, key fields.f: the asset's file \"nothing\" below "
    ),
    ("{\"recordName\":\"a\",\"recordType\":\"\u{1B}[31m\u{202E}T", "line 2, column 33: a control character"),
    (String(repeating: "[", count: 5000), "line 2, column 65: nested more than 64 deep"),
  ]

  @Test(
    "an invalid line is reported with its line, key and the expected value, and nothing is imported",
    arguments: wrong.indices)
  func wrongLines(_ index: Int) throws {
    let (line, message) = Self.wrong[index]
    let path = try folder.write("wrong.jsonl", lines: [note("first"), line, note("last")])
    let before = try cli.tree()
    let run = cli.run("import", path, as: "alice")
    #expect(run.code == .failure, "\(run.error)")
    #expect(run.output == "", "\(run.error)")
    #expect(run.error.contains(message), "\(run.error)")
    #expect(run.error.contains("nothing was imported"))
    #expect(run.error.contains("wrong.jsonl, "))
    let isVisible = run.error.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" }
    #expect(isVisible)
    #expect(try cli.tree().differences(from: before) == [])
  }

  @Test("several invalid lines are reported together, and a missing file and an endless line are refused")
  func severalInvalidLinesAreReportedTogether()
    throws
  {
    let lines = (0..<30).map { $0 % 3 == 0 ? "x" : note("r\($0)") }
    let run = run(["import", "--json"], [note("ok")] + lines)
    let error = try JSONValue(parsing: run.error)["error"]
    #expect(
      error?["message"]?.string?.hasPrefix("standard input, 10 things are wrong, nothing was imported: line 2, ")
        == true)
    #expect(error?["problems"]?.array?.count == 10)
    #expect(cli.run("import", folder.file("none.jsonl"), as: "alice").code == .notFound)
    let long = try folder.write("long.jsonl", lines: [note("a"), "{" + String(repeating: " ", count: 17 << 20)])
    let refused = cli.run("import", long, as: "alice")
    #expect(refused.code == .failure)
    #expect(refused.error.contains("line 2: it is longer than any record can be"))
    // A line may have 16 MiB; one byte more is too long, independent of the next line's position.
    for (count, code) in [(0, ExitCode.success), (1, .failure)] {
      let start = note("a")
      let line = start + String(repeating: " ", count: 16 << 20 - start.utf8.count + count)
      let path = try folder.write("edge.jsonl", lines: [line, note("b")])
      #expect(cli.run("import", path, as: "alice").code == code)
    }
    #expect(cli.run("import", long).code == .refused, "nobody is signed in")
  }

  @Test("an asset whose bytes differ from fileChecksum or size is refused with its line and file")
  func assetChecksums() throws {
    try folder.write("bytes", Array("seven\n".utf8))
    let other = try folder.write("other", Array("eleven".utf8))
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "other", "f:asset=\(other)", as: "alice")
    let name = try #require(record("other")["fields"]?["f"]?["value"]?["fileChecksum"]?.string)
    func line(_ asset: String) -> String {
      #"{"recordName":"a","recordType":"T","zoneID":{"zoneName":"Z"},"fields":{"f":{"value":{\#(asset)}}}}"#
    }
    let before = try cli.tree()
    for (asset, message) in [
      (
        #""x-local":{"path":"bytes"},"fileChecksum":"\#(name)""#,
        "the file \"bytes\" below \(folder.path) does not hold"
      ),
      (
        #""x-local":{"path":"bytes"},"size":5"#,
        "\"size\" is 5, and the file \"bytes\" below \(folder.path) has 6 bytes"
      ),
      (#""downloadURL":"file://\#(folder.file("bytes"))","size":7"#, "\"size\" is 7, and the file \"bytes\" below "),
      (#""x-local":{"path":"bytes"},"size":-1"#, "\"size\" is no number of bytes"),
      (#""x-local":{"path":"bytes"},"size":"6""#, "\"size\" is no number of bytes"),
      (#""x-local":{"path":"bytes"},"fileChecksum":"AQHk""#, "\"fileChecksum\" is none that export writes"),
      (#""x-local":{"path":"bytes"},"fileChecksum":6"#, "\"fileChecksum\" is none that export writes"),
      (#""fileChecksum":"\#(name)","size":5"#, "\"size\" is not that of \"fileChecksum\", which is 6"),
    ] {
      for options in [[], ["--dry-run"], ["--policy", "skip"]] {
        let path = try folder.write("assets.jsonl", lines: [note("first"), line(asset)])
        let run = cli.run(["import", path] + options, as: "alice")
        #expect(run.code == .failure, "\(asset): \(run.error)")
        #expect(run.error.contains("assets.jsonl, line 2, key fields.f: \(message)"), "\(run.error)")
      }
      // The same in a JSON document, without line numbers.
      let path = try folder.write("assets.json", Array("[\(note("first")), \(line(asset))]".utf8))
      let run = cli.run("import", path, as: "alice")
      #expect(run.code == .failure, "\(run.error)")
      #expect(run.error.contains("[1], key fields.f: \(message)"), "\(run.error)")
    }
    #expect(try cli.tree().differences(from: before) == [])
    let good = line(#""x-local":{"path":"other"},"fileChecksum":"\#(name)","size":6"#)
    let run = try cli.run("import", folder.write("good.jsonl", lines: [good]), as: "alice")
    #expect(run.output == "imported 1 record: 1 new\n", "\(run.error)")
    // A file that changed after its export, in a record with the former bytes, is not taken as unchanged.
    try folder.write("other", Array("ELEVEN".utf8))
    let changed = try cli.run("import", folder.write("good.jsonl", lines: [good]), as: "alice")
    #expect(changed.code == .failure, "\(changed.error)")
    #expect(changed.error.contains("the file \"other\" below "), "\(changed.error)")
  }

  @Test("a symbolic link as an asset's file is refused") func symbolicLinkAsAnAssetsFile() throws {
    try folder.write("secret", Array("hidden".utf8))
    let assets = try TransferFolder()
    try link(folder.file("secret"), at: assets.file("link"))
    let line = #"{"recordName":"a","recordType":"T","fields":{"f":{"value":{"x-local":{"path":"link"}}}}}"#
    let run = run(["import", "--assets", assets.path], [line])
    #expect(run.code == .failure, "\(run.error)")
    #expect(run.error.contains("the asset's file \"link\" below "), "\(run.error)")
    let good = self.run(["import", "--assets", folder.path], [line.replacing("link", with: "secret")])
    #expect(good.output == "imported 1 record: 1 new\n", "\(good.error)")
    withExtendedLifetime(assets) {}
  }

  private func link(_ target: String, at path: String) throws {
    let made = try ChildProcess("/bin/ln", ["-s", target, path])
    #expect(made.wait() == 0)
  }
}
