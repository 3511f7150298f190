import LocalCloudCommands
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import Testing

@Suite("The commands zone, record and changes")
struct RecordCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  @discardableResult
  private func run(_ words: String..., input: String = "") -> ToolRun { cli.run(words, as: "alice", input: input) }

  @Test("record delete reports a record that does not exist, with the zone")
  func deletingNothing() throws {
    run("record", "save", "T", "-z", "Z", "-n", "r")
    let nothing = run("record", "delete", "r")
    #expect(nothing.code == .success)
    #expect(nothing.output == "nothing to delete in zone _defaultZone of the private database: r\n")
    #expect(nothing.error.hasPrefix("hint: --zone names another zone"))
    let both = run("record", "delete", "r", "x", "-z", "Z")
    #expect(both.output == "deleted r\nnothing to delete in zone Z of the private database: x\n")
    #expect(
      try cli.json("record", "delete", "r", "-z", "Z", as: "alice")["records"]
        == [["deleted": false, "recordName": "r"]])
    #expect(run("record", "delete", "r", "-z", "Z", "--quiet").output == "")
  }

  @Test(
    "for a record that is not found the hint names the zone that was searched",
    arguments: [
      ["record", "get", "r"], ["record", "get", "r", "s"], ["record", "update", "r", "a=1"],
      ["record", "save", "T", "-n", "r", "--tag", "1"],
      ["share", "create", "r", "-z", "_defaultZone"],
    ])
  func searchedZone(words: [String]) throws {
    let error = try JSONValue(parsing: cli.run(words + ["--json"], as: "alice").error)["error"]
    #expect(error?["exitCode"]?.integer == 13)
    let hint = error?["hint"]?.string ?? ""
    #expect(hint.hasPrefix("only zone _defaultZone of the private database was searched: --zone names another one"))
  }

  @Test("record save has no --update: the error names record update, and nothing is saved")
  func saveDoesNotUpdate() throws {
    run("record", "save", "T", "-z", "Z", "-n", "r", "a=1")
    let error = try cli.error("record", "save", "T", "-z", "Z", "-n", "r", "--update", "a=2", as: "alice")
    #expect(error?["code"] == "usage")
    #expect(error?["exitCode"] == 64)
    #expect(error?["message"] == "unknown option \"--update\"")
    #expect(error?["hint"] == "a record that is there is changed by: localcloud record update NAME FIELD=VALUE")
    #expect(try cli.json("record", "get", "r", "-z", "Z", as: "alice")["fields"]?["a"]?["value"] == "1")
    #expect(!run("record", "save", "--help").output.contains("--update"))
  }

  @Test("for a value of the wrong type the hint shows the right form of the field")
  func wrongType() throws {
    run(
      "record", "save", "T", "-z", "Z", "-n", "r", "quantity:int64=3", "tags:string-list=[\"a\"]", "text=a",
      "note:encrypted=a", "age:encrypted-int64=3")
    func hint(_ field: String) throws -> String? {
      try cli.error("record", "update", "r", "-z", "Z", field, as: "alice")?["hint"]?.string
    }
    #expect(try hint("quantity=4") == "the field quantity is declared as INT64: write quantity:int64=4")
    #expect(try hint("quantity=many") == "the field quantity is declared as INT64: write quantity:int64=…")
    #expect(try hint("tags=a") == "the field tags is declared as STRING_LIST: write tags:string-list=[…]")
    #expect(try hint("text:int64=4") == "the field text is declared as STRING: write text=4")
    #expect(try hint("note=secret") == "the field note is declared as ENCRYPTED_STRING: write note:encrypted=secret")
    #expect(try hint("age=4") == "the field age is declared as ENCRYPTED_INT64: write age:encrypted-int64=4")
  }

  @Test("a refusal in production has its code in the text and a hint at schema deploy")
  func productionLacks() throws {
    run("record", "save", "T", "-z", "Z", "-n", "r", "a=1")
    run("schema", "deploy")
    run("zone", "save", "Z", "--environment", "production")
    let deploy = "\nhint: `localcloud schema diff` shows what production lacks, `localcloud schema deploy` copies it"
    for words in [["save", "T", "b=1"], ["save", "U", "b=1"]] {
      let run = cli.run(["record"] + words + ["-z", "Z", "--environment", "production"], as: "alice")
      #expect(run.code == .schemaRefused)
      #expect(run.error.contains(" in production schema (invalidArguments 12/2006)" + deploy), "\(run.error)")
    }
    for words in [["U"], ["T", "--filter", "b == 1"]] {
      let run = cli.run(["record", "query"] + words + ["-z", "Z", "--environment", "production"], as: "alice")
      #expect(run.error.contains(deploy), "\(run.error)")
    }
  }

  @Test("text output shows long BYTES by size and digest, and --json has all bytes")
  func longBytes() throws {
    let text = JSONValue.string([UInt8](0..<49).base64Text)
    let word = try #require(text.string)
    run(
      "record", "save", "T", "-z", "Z", "-n", "r", "a:bytes=\(word)", "b:bytes=aGVsbG8=", "c:bytes-list=[\"\(word)\"]")
    let digest = "49 bytes, \(Digest.hex128([UInt8](0..<49)))"
    let shown = run("record", "get", "r", "-z", "Z").output
    #expect(shown.contains("  a:bytes       \(digest)\n  b:bytes       aGVsbG8=\n  c:bytes-list  [\(digest)]\n"))
    for words in [["T"], [], ["T", "--format", "tsv"]] {
      let list = cli.run(["record", "list"] + words + ["-z", "Z"], as: "alice").output
      #expect(list.contains(digest), "\(words)")
      #expect(list.contains("[\(digest)]"), "\(words)")
      #expect(!list.contains(word), "\(words)")
    }
    let fields = try cli.json("record", "get", "r", "-z", "Z", as: "alice")["fields"]
    #expect(fields?["a"]?["value"] == text)
    #expect(fields?["c"]?["value"] == [text])
  }

  @Test func listsGoOnPageAfterPage() throws {
    let service = try CloudService.open(root: cli.root)
    let caller = Caller(account: "alice", container: "iCloud.example.Commands")
    for first in stride(from: 0, to: 900, by: 300) {
      let saves = (first..<first + 300).map {
        RecordSave(id: RecordIdentifier(name: ExactName("r\($0)"), zone: ZoneIdentifier(name: "Z")), type: "T")
      }
      _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: saves), by: caller)
    }
    func count(_ words: String...) throws -> Int? {
      try JSONValue(parsing: cli.run(words + ["--json"], as: "alice").output)["records"]?.array?.count
    }
    #expect(try count("record", "list", "T", "-z", "Z") == 900)
    #expect(try count("record", "list", "T", "-z", "Z", "--limit", "250") == 250)
    #expect(try count("record", "list", "-z", "Z") == 900)
    #expect(try count("record", "list", "-z", "Z", "--limit", "401") == 401)
    #expect(try count("changes", "-z", "Z") == 900)
    let page = try cli.json("changes", "-z", "Z", "--limit", "899", as: "alice")
    #expect(page["moreComing"] == true)
    let rest = try cli.json("changes", "-z", "Z", "--since", page["token"]?.string ?? "", as: "alice")
    #expect(rest["records"]?.array?.map { $0["recordName"] } == ["r899"])
    #expect(rest["moreComing"] == false)
  }

  @Test func fieldsFromEverywhere() throws {
    let saved = cli.run(
      ["record", "save", "T", "-z", "Z", "-n", "r", "--fields-stdin", "a=word", "--json"], as: "alice",
      input: #"{"a":"json","n":{"type":"int64Type","value":5},"when":{"type":"TIMESTAMP","value":0}}"#)
    let fields = try JSONValue(parsing: saved.output)["fields"]
    #expect(fields?["a"] == ["type": "STRING", "value": "word"])
    #expect(fields?["n"] == ["type": "INT64", "value": 5])
    #expect(fields?["when"] == ["type": "TIMESTAMP", "value": 0])
    try cli.expect("record", "update", "r", "-z", "Z", "a:null=", as: "alice")
    let later = try cli.json("record", "get", "r", "-z", "Z", as: "alice")["fields"]
    #expect(later?.object?.keys == ["n", "when"])
  }

  @Test func recordsWithoutNamesGetUUIDs() throws {
    let name = try cli.json("record", "save", "T", "-z", "Z", as: "alice")["recordName"]?.string ?? ""
    #expect(name.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
    let other = try cli.json("record", "save", "T", "-z", "Z", as: "alice")["recordName"]?.string
    #expect(other != name)
  }

  @Test func everyTypeHasATextThatTheCommandLineReads() throws {
    let words = [
      "a=x y", "b:int64=-1", "c:double=0.5", "d:timestamp=2026-01-31T12:00:00.000Z", "e:bytes=aGk=",
      "f:reference=r", "g:location=1.5,-2.0", "h:string-list=[\"x\",\"y\"]",
    ]
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", as: "alice")
    #expect(cli.run(["record", "update", "r", "-z", "Z"] + words, as: "alice").code == .success)
    let before = try cli.json("record", "get", "r", "-z", "Z", as: "alice")["fields"]
    let shown = run("record", "list", "-z", "Z", "--format", "tsv").output.split(separator: "\n")[1]
      .split(separator: "\t", omittingEmptySubsequences: false)[3]
    for word in words.dropFirst() where !word.hasPrefix("h") { #expect(shown.contains(word)) }
    let details = run("record", "get", "r", "-z", "Z").output
    #expect(details.contains("d:timestamp    2026-01-31T12:00:00.000Z"))
    #expect(before?.object?.count == words.count)
  }

  @Test func conflictsCarryTheServersRecord() throws {
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", "a=1", as: "alice")
    let error = try cli.error("record", "save", "T", "-z", "Z", "-n", "r", "a=2", as: "alice")
    #expect(error?["code"] == "serverRecordChanged")
    #expect(error?["exitCode"] == 14)
    #expect(error?["ckErrorCode"] == 14)
    #expect(error?["internalCode"] == 2004)
    #expect(error?["serverRecord"]?["fields"]?["a"]?["value"] == "1")
    let tag = error?["serverRecord"]?["recordChangeTag"]?.string ?? ""
    #expect(run("record", "save", "T", "-z", "Z", "-n", "r", "--tag", tag, "a=2").code == .success)
    #expect(run("record", "save", "T", "-z", "Z", "-n", "r", "--tag", tag, "a=3").code == .conflict)
  }

  @Test func partialFailures() throws {
    let error = try cli.error("record", "get", "none", "-z", "Z", as: "alice")
    #expect(error?["code"] == "unknownItem")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", as: "alice")
    let several = run("record", "get", "r", "none", "nor", "-z", "Z", "--json")
    #expect(several.code == .notFound)
    #expect(try JSONValue(parsing: several.output)["records"]?.array?.count == 1)
    let errors = try JSONValue(parsing: several.error)["error"]?["partialErrors"]?.array
    #expect(errors?.map { $0["name"] } == ["none", "nor"])
    // In an atomic batch, only the item that caused the failure is named.
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "child", "--parent", "r", as: "alice")
    let batch = run("record", "delete", "r", "other", "-z", "Z")
    #expect(batch.code == .failure)
    #expect(batch.error.contains("2 of 2 records failed: r: "))
    #expect(!batch.error.contains("other:"))
  }

  @Test func whoWaitsSaysSoOnce() throws {
    let zone = cli.root + "/containers/iCloud.example.Commands/development/private/alice/zones/Z"
    let lock = try Directory.open(path: zone, in: FileSystem()).file("lock", .readWrite)
    #expect(try lock.tryLock(.exclusive))
    let words = ["record", "update", "r", "-z", "Z", "a=1", "--lock-timeout", "0.2"]
    let busy = run("record", "save", "T", "-z", "Z", "--lock-timeout", "0.2")
    #expect(busy.code == .locked)
    #expect(busy.error.split(separator: "\n").count { $0.hasPrefix("waiting up to 0.2 s for ") } == 1)
    let quiet = cli.run(words + ["--json"], as: "alice")
    #expect(quiet.code == .locked)
    let error = try JSONValue(parsing: quiet.error)["error"]
    #expect(error?["cause"] == "lockTimeout")
    #expect(error?["retryAfter"]?.double ?? 0 > 0)
    lock.unlock()
    // Threads that gave up may not have ended yet.
    #expect(run("record", "save", "T", "-z", "Z", "--lock-timeout", "10").code == .success)
  }

  @Test func publicDatabase() throws {
    try cli.expect("record", "save", "T", "-n", "r", "--database", "public", "a=1", as: "alice")
    #expect(cli.run("record", "get", "r", "--database", "public").output.contains("a"))
    #expect(cli.run("record", "save", "T", "--database", "public").code == .refused)
    #expect(try cli.error("zone", "save", "X", "--database", "public", as: "alice")?["code"] == "badDatabase")
    #expect(try cli.error("changes", "--database", "public", as: "alice")?["code"] == "badDatabase")
  }

  @Test func nothingIsSaidOfEmptyLists() {
    let list = run("record", "list", "-z", "Z")
    #expect(list.output == "")
    #expect(list.error == "no records\n")
    #expect(run("record", "list", "-z", "Z", "-q").error == "")
    #expect(run("record", "list", "T", "-z", "Z", "--format", "tsv").output == "record\tmodified\tby\ttag\n")
    #expect(run("changes", "-z", "Z").output.hasPrefix("no changes\ntoken "))
  }

  @Test func nobodyKnowsThatAListIsEmptyOfWhichNothingCanBeRead() throws {
    let zone = cli.root + "/containers/iCloud.example.Commands/development/private/alice/zones/Z"
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", "a=1", as: "alice")
    try Directory.open(path: zone, in: FileSystem()).directory("records").writeStaged("r.json", Array("{".utf8))
    let lists = [
      ["record", "list"], ["record", "list", "T"], ["record", "query", "T"], ["record", "get", "r"],
    ]
    for words in lists {
      for format in ["table", "json", "jsonl", "tsv"] {
        let list = cli.run(words + ["-z", "Z", "--format", format, "--verbose"], as: "alice")
        #expect(list.code == .storage, "\(words) \(format)")
        #expect(list.output == "", "\(words) \(format)")
        #expect(!list.error.contains("no records"), "\(words) \(format)")
        #expect(list.error.contains("r.json"), "\(words) \(format)")
      }
    }
    // The token is past the record.
    let changes = run("changes", "-z", "Z")
    #expect(changes.code == .storage)
    #expect(changes.output.hasPrefix("token "))
    let document = try JSONValue(parsing: run("changes", "-z", "Z", "--json").output)
    #expect(document["token"]?.string != nil)
    #expect(document["records"] == nil)
    let accounts = try Directory.open(path: cli.root, in: FileSystem()).directory("accounts")
    for entry in try accounts.entries() where entry.name.hasSuffix(".json") {
      try accounts.writeStaged(entry.name, Array("{".utf8))
    }
    for format in ["table", "json", "jsonl", "tsv"] {
      let list = cli.run("account", "list", "--format", format, "--verbose")
      #expect(list.code == .storage, "\(format)")
      #expect(list.output == "", "\(format)")
      #expect(!list.error.contains("no accounts"), "\(format)")
    }
    #expect(!cli.run("status").output.contains("no accounts"))
    let status = try JSONValue(parsing: cli.run("status", "--json").output)
    #expect(status["settings"] != nil)
    #expect(status["accounts"] == nil)
  }
}
