import FaultInjection
import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The command export, and import of its output")
struct ExportCommandTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    folder = try TransferFolder()
    for zone in ["Album", "Empty"] { try cli.expect("zone", "save", zone, as: "alice") }
    try cli.expect("zone", "save", "Sealed", "--encryption-scope", "perZone", as: "alice")
    let one = try folder.write("one", (0..<100_000).map { UInt8($0 % 251) })
    let two = try folder.write("two", Array("two".utf8))
    func save(_ words: String...) throws {
      let run = cli.run(["record", "save"] + words, as: "alice")
      guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    }
    try save("Album", "-z", "Album", "-n", "zoo", "title=Zoo", "secret:encrypted=hush", "n:encrypted-int64-list=[1,2]")
    try save(
      "Photo", "-z", "Album", "-n", "a", "--parent", "zoo", "image:asset=\(one)", "next:reference=b",
      "when:timestamp=2026-01-31T12:00:00.1234567Z", "where:location=48.5,11.5", "size:double=2", "raw:bytes=aGk=")
    try save(
      "Photo", "-z", "Album", "-n", "b", "--parent", "a", "images:asset-list=[\"\(two)\",\"\(one)\"]",
      "next:deleteSelf=a",
      "tags:string-list=[\"x\",\"é\"]", "links:reference-list=[\"a\",\"zoo\"]")
    try save("Note", "-z", "Sealed", "-n", "n", "text:encrypted=dear diary")
    try save("Plain", "-n", "in-default", "text=hello")
    try cli.expect(
      "share", "create", "zoo", "-z", "Album", "--share-name", "zoo-share", "--title", "The zoo", "--with", "bob",
      "--with",
      "dave@example.com", "--permission", "readWrite", as: "alice")
    try cli.expect("share", "create", "-z", "Sealed", "--with", "carol", as: "alice")
  }

  private func export(_ words: String..., as account: String = "alice") throws -> String {
    let run = cli.run(["export"] + words, as: account)
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return run.output
  }

  @Test("an export into a missing folder creates the folder and reports it")
  func missingFolder() throws {
    let path = folder.file("new/deep/all.jsonl")
    let made = cli.run("export", path, as: "alice")
    #expect(made.code == .success)
    #expect(made.error == "made the folder \(folder.file("new/deep"))\n")
    #expect(cli.run("export", path, as: "alice").error == "")
  }

  @Test("an export that is imported into an empty cloud of the same accounts gives the same export again")
  func roundTrip() throws {
    let run = cli.run("export", folder.file("all.jsonl"), as: "alice")
    #expect(run.output == "exported 7 records to \(folder.file("all.jsonl"))\n", "\(run.error)")
    let text = try folder.text("all.jsonl")
    #expect(try folder.names("all.assets").count == 2)
    let names = try text.split(separator: "\n").map { line in
      let value = try JSONValue(parsing: String(line))
      return value["recordName"]?.string ?? value["zoneID"]?["zoneName"]?.string
    }
    #expect(
      names == [
        "Album", "zoo", "a", "b", "zoo-share", "Empty", "Sealed", "n", "cloudkit.zoneshare", "in-default",
      ])
    for zone in ["Album", "Empty", "Sealed"] { try cli.expect("zone", "delete", zone, "--yes", as: "alice") }
    try cli.expect("record", "delete", "in-default", as: "alice")
    let imported = cli.run("import", folder.file("all.jsonl"), as: "alice")
    #expect(imported.code == .success, "\(imported.error)")
    #expect(
      imported.output == """
        imported 7 records: 7 new
        made zone Album
        made zone Empty
        made zone Sealed
        invited 3 people, who join with the share's link

        """)
    #expect(
      try cli.run("export", folder.file("all.jsonl"), as: "alice").code == .success && folder.text("all.jsonl") == text)
    #expect(
      try cli.json("zone", "list", as: "alice")["zones"]?.array?.contains { $0["encryptionScope"] == "perZone" } == true
    )
    let before = try cli.tree()
    let again = cli.run("import", folder.file("all.jsonl"), as: "alice")
    #expect(again.output == "imported 7 records: 7 as they were\n", "\(again.error)")
    #expect(try cli.tree().differences(from: before) == [])
    // Encrypted fields are encrypted again.
    #expect(try !FolderImage(of: cli.root).contains("dear diary"))
    #expect(
      try cli.json("record", "get", "n", "-z", "Sealed", as: "alice")["fields"]?["text"]?["value"] == "dear diary")
    #expect(cli.run("check").code == .success)
  }

  @Test("export to standard output reports that asset bytes are omitted, or writes them to the folder of --assets")
  func exportToStandardOutputReportsThatAsset() throws {
    let run = cli.run("export", "-z", "Album", as: "alice")
    #expect(run.code == .failure, "\(run.error)")
    #expect(run.error.contains("the bytes of 3 assets are left out"), "\(run.error)")
    #expect(try export("-z", "Album", "--no-assets") == run.output)
    let text = try export("-z", "Album", "--assets", folder.file("bytes"))
    #expect(try folder.names("bytes").count == 2)
    let copied = cli.run(["import", "-z", "Copy", "--assets", folder.file("bytes")], as: "alice", input: text)
    #expect(
      copied.code == .success,
      "\(copied.error)")
    #expect(
      copied.output.hasPrefix("imported 4 records: 4 new\nmade zone Copy\n"),
      "\(copied.error)")
    #expect(try export("-z", "Copy", "--no-assets").replacing("Copy", with: "Album") == run.output)
    let lost = cli.run(["import", "-z", "Other"], as: "alice", input: run.output)
    #expect(lost.code == .notFound, "\(lost.error)")
    #expect(lost.error.contains("line 3, record 'a'"), "\(lost.error)")
    #expect(lost.error.contains("imported is all up to line 1;"), "\(lost.error)")
  }

  @Test("export writes one document, one type, and on request the server's keys ([record-json-3])")
  func exportWritesOneDocumentOneType() throws {
    let document = try JSONValue(parsing: export("--json", "--no-assets"))
    #expect(document["records"]?.array?.count == 7)
    #expect(document["zones"]?.array?.count == 3)
    #expect(document["schemaVersion"] == 1)
    try cli.expect("export", folder.file("all.json"), as: "alice")
    #expect(cli.run("import", folder.file("all.json"), as: "alice").output == "imported 7 records: 7 as they were\n")
    let photos = try export("-z", "Album", "--type", "Photo", "--no-assets", "--system-keys").split(separator: "\n")
    #expect(photos.count == 3)
    let photo = try JSONValue(parsing: String(photos[1]))
    #expect(photo["recordName"] == "a")
    #expect(photo["created"]?["timestamp"] != nil)
    #expect(photo["recordChangeTag"] != nil)
    let same = cli.run(["import"], as: "alice", input: photos.joined(separator: "\n"))
    #expect(same.output == "imported 2 records: 2 as they were\n", "\(same.error)")
    #expect(cli.run("export", "--format", "tsv", as: "alice").code == .usage)
  }

  @Test("an export to the path of a folder is refused before any read, and the folder is unchanged") func ontoFolder()
    throws
  {
    _ = try export("-z", "Album", "--assets", folder.file("taken"))
    let names = try folder.names("taken")
    for path in [folder.file("taken"), folder.file("taken/"), folder.file("new/")] {
      let run = cli.run("export", "-z", "Album", path, as: "alice")
      #expect(run.code == .storage, "\(run.error)")
      #expect(run.error.contains("cannot write \(path): it is a folder"), "\(run.error)")
      #expect(try folder.names("taken") == names && (try? folder.names("new")) == nil)
    }
  }

  @Test("a participant exports the records of a share, and an import writes changes into the share")
  func sharedDatabase() throws {
    let link = try cli.json("share", "show", "zoo", "-z", "Album", as: "alice")["url"]?.string ?? ""
    try cli.expect("share", "accept", link, as: "bob")
    let text = try export("--database", "shared", "--no-assets", as: "bob")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.contains("ownerRecordName") })
    let changed = text.replacing("\"Zoo\"", with: "\"Zoo 2\"")
    let run = cli.run(["import", "--database", "shared"], as: "bob", input: changed)
    #expect(run.output == "imported 4 records: 1 changed, 3 as they were\n", "\(run.error)")
    #expect(try cli.json("record", "get", "zoo", "-z", "Album", as: "alice")["fields"]?["title"]?["value"] == "Zoo 2")
    // In the participant's own copy the owner is a person who cannot be invited.
    let own = cli.run(
      ["import", "-z", "Bare", "--json"], as: "bob", input: text.replacing(#""x-local":{"path""#, with: ""))
    #expect(own.code != .success)
    let records = lines.filter { !$0.contains("ASSETID") && !$0.contains("\"parent\"") }.joined(separator: "\n")
    let copy = cli.run(["import", "-z", "Mine"], as: "bob", input: records)
    #expect(copy.code == .failure, "\(copy.error)")
    #expect(copy.output.hasPrefix("imported 2 records: 2 new\nmade zone Mine\n"), "\(copy.error)")
    #expect(copy.error.contains("can't be brought: line 2: alice owned the share"), "\(copy.error)")
  }

  @Test("participants are matched by address or account in another cloud, and persons without an account are reported")
  func participantsAreMatchedByAddressOrAccount() throws {
    try cli.expect("record", "save", "Note", "-z", "Album", "-n", "open", as: "alice")
    let link = try cli.expect(
      "share", "create", "open", "-z", "Album", "--share-name", "open-share", "--public-permission", "readOnly",
      as: "alice")
    try cli.expect("share", "accept", String(link.output.dropLast()), as: "carol")
    let text = try export("--no-assets", "--type", "cloudkit.share") + export("-z", "Album", "--type", "Note")
    let other = try Cli("bob", "alice")
    // Seeded clouds give the first accounts the same user records. Carol is the third account and has none there.
    _ = other.run(
      ["import"], as: "alice", input: #"{"recordName":"zoo","recordType":"Album","zoneID":{"zoneName":"Album"}}"#)
    let zones = #"{"zoneID":{"zoneName":"Sealed"},"encryptionScope":"perZone"}"# + "\n"
    let run = other.run(["import"], as: "alice", input: zones + text)
    #expect(run.code == .failure, "\(run.error)")
    #expect(run.output.contains("invited 2 people, who join with the share's link\n"), "\(run.output)")
    #expect(run.error.contains("carol came by the share's link, and has to use it again"), "\(run.error)")
    #expect(run.error.contains("carol has no account here, and can't be invited"), "\(run.error)")
    let share = try other.json("record", "get", "zoo-share", "-z", "Album", as: "alice")
    let handles = share["participants"]?.array?.map { $0["userIdentity"] }
    #expect(handles?.count == 3)
    #expect(handles?.last??["lookupInfo"]?["emailAddress"] == "dave@example.com")
    try other.expect("share", "accept", share["url"]?.string ?? "", as: "bob")
  }

  @Test("export includes the caller's own user record, omits those of others, and reports the omission")
  func exportIncludesTheCallersOwnUserRecord()
    throws
  {
    func save(_ account: String) throws {
      let own = try cli.json("account", "show", account)["userRecordName"]?.string ?? ""
      let run = cli.run(
        ["record", "save", "Users", "--database", "public", "-n", own, "--policy", "changed", "motto=\(account)"],
        as: account)
      #expect(run.code == .success, "\(run.error)")
    }
    try save("alice")
    try save("bob")
    let run = cli.run("export", "--database", "public", as: "alice")
    #expect(run.output.contains(#""recordName":"__defaultOwner__","recordType":"Users""#), "\(run.output)")
    #expect(run.error == "exported 1 record\nleft out what other people keep in 1 user record\n")
    let moved = cli.run(["import", "--database", "public"], as: "carol", input: run.output)
    #expect(moved.code == .success, "\(moved.error)")
    #expect(cli.run("export", "--database", "public", as: "carol").output == run.output)
  }
}

extension FolderImage {
  /// True if a file contains the text.
  fileprivate func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return files.values.contains { $0.bytes.contains(wanted) } || folders.values.contains { $0.contains(text) }
  }
}
