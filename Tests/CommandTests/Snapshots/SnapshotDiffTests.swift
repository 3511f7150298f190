import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The command snapshot diff")
struct SnapshotDiffTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice", "bob")
    folder = try TransferFolder()
    try cli.expect("zone", "save", "Notes", as: "alice")
  }

  private func save(_ name: String, _ fields: String..., zone: String = "Notes") throws {
    try cli.saveNote(name, fields, zone: zone)
  }

  private func diff(_ words: String...) throws -> String {
    try cli.expect(["snapshot", "diff"] + words).output
  }

  /// The lines of the difference to the present state.
  private func events() throws -> [JSONValue] {
    try diff("before", "--json").split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }

  /// Saves records of all kinds, then a snapshot, and changes some of the records.
  private func change() throws {
    let one = try folder.write("one", Array("one".utf8))
    let two = try folder.write("two", Array("two!".utf8))
    try save(
      "milk", "quantity:int64=3", "tags:string-list=[\"a\"]", "secret:encrypted=hush", "image:asset=\(one)", "text=same"
    )
    try save("tea", "quantity:int64=1")
    try save("bread", "quantity:int64=2")
    try cli.expect("snapshot", "save", "before")
    try save(
      "milk", "quantity:int64=4", "tags:string-list=[\"a\",\"b\"]", "secret:encrypted=other", "image:asset=\(two)",
      "text=same")
    try cli.expect("record", "delete", "tea", "-z", "Notes", as: "alice")
    try save("coffee", "quantity:int64=1", "secret:encrypted=hush")
    try cli.expect("zone", "save", "Later", as: "alice")
    try save("cake", "quantity:int64=9", zone: "Later")
  }

  @Test("added, removed and changed records are listed by zone, with their fields")
  func text() throws {
    try change()
    let text = try diff("before")
    #expect(text.contains("zone Notes of alice, iCloud.example.Commands, development\n"))
    #expect(text.contains("  + Note coffee\n      quantity: 1\n      secret: (encrypted)\n"))
    #expect(text.contains("  - Note tea\n      quantity: 1\n"))
    #expect(text.contains("  ~ Note milk\n      image: 3 bytes, "))
    #expect(text.contains("      quantity: 3 → 4\n      secret: (encrypted) changed\n      tags: [a] → [a, b]\n"))
    #expect(
      text.contains(
        "+ zone Later of alice, iCloud.example.Commands, development\n  + Note cake\n      quantity: 9\n"))
    for word in ["bread", "same", "hush", "other"] { #expect(!text.contains(word), "\(word)") }
  }

  @Test("with --json each line is an object, with the records before and after")
  func lines() throws {
    try change()
    let events = try events()
    func event(_ name: String) throws -> JSONValue { try #require(events.first { $0["recordName"]?.string == name }) }
    let milk = try event("milk")
    #expect(milk["kind"] == "record")
    #expect(milk["change"] == "changed")
    #expect(milk["recordType"] == "Note")
    #expect(milk["account"] == "alice")
    #expect(milk["zoneID"]?["zoneName"] == "Notes")
    #expect(milk["fields"] == ["image", "quantity", "secret", "tags"])
    #expect(milk["before"]?["fields"]?["quantity"]?["value"] == 3)
    #expect(milk["after"]?["fields"]?["quantity"]?["value"] == 4)
    #expect(milk["after"]?["fields"]?["secret"]?["isEncrypted"] == true)
    let tea = try event("tea")
    #expect(tea["change"] == "removed")
    #expect(tea["after"] == nil)
    #expect(try event("coffee")["before"] == nil)
    let zone = try #require(events.first { $0["kind"] == "zone" && $0["change"] == "added" })
    #expect(zone["zoneID"]?["zoneName"] == "Later")
    #expect(try diff("before", "--format", "jsonl") == diff("before", "--json"))
    let cells = try diff("before", "--format", "tsv").split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(Set(cells.map(\.count)) == [10])
    #expect(cells.contains { $0[0] == "removed" && $0[8] == "tea" && $0[9] == "quantity: 1" })
  }

  @Test("two snapshots are compared as one and the present state are, in both directions")
  func snapshots() throws {
    try change()
    try cli.expect("snapshot", "save", "after")
    #expect(try diff("before", "after") == diff("before"))
    let back = try diff("after", "before")
    #expect(back.contains("  + Note tea\n"))
    #expect(back.contains("quantity: 4 → 3\n"))
    #expect(back.contains("- zone Later of alice"))
    // A comparison leaves no snapshot behind.
    #expect(try cli.expect("snapshot", "list", "--count").output == "2\n")
  }

  @Test("the exit code is 0, with --exit-code 1 if there are differences; --quiet prints nothing")
  func exitCodes() throws {
    try change()
    #expect(cli.run("snapshot", "diff", "before").code == .success)
    let differs = cli.run("snapshot", "diff", "before", "--exit-code")
    #expect(differs.code == .failure)
    #expect(try differs.output == diff("before"))
    #expect(differs.error == "")
    let silent = cli.run("snapshot", "diff", "before", "--exit-code", "--quiet")
    #expect(silent.code == .failure)
    #expect(silent.output == "" && silent.error == "")
    let same = cli.run("snapshot", "diff", "before", "before", "--exit-code")
    #expect(same.code == .success)
    #expect(same.output == "")
    #expect(same.error == "no differences\n")
    #expect(cli.run("snapshot", "diff", "before", "before", "--json").output == "")
    #expect(cli.run(["snapshot", "diff", "before"], failWith: SystemError.brokenPipe).code == .success)
  }

  @Test("accounts, and what a save of a child or a share changes in a record")
  func others() throws {
    try save("milk", "quantity:int64=3")
    try save("tea", "quantity:int64=1")
    try cli.expect("snapshot", "save", "before")
    try cli.expect("account", "remove", "bob", "--yes")
    try cli.expect("account", "add", "carol")
    try cli.expect(
      "record", "save", "Note", "--name", "oat milk", "-z", "Notes", "--parent", "milk", "quantity:int64=1", as: "alice"
    )
    try cli.expect("share", "create", "tea", "-z", "Notes", as: "alice")
    let text = try diff("before")
    #expect(text.contains("- account bob\n"))
    #expect(text.contains("+ account carol\n"))
    #expect(text.contains("  + Note oat milk\n      parent: milk\n"))
    #expect(text.contains("  ~ Note milk\n      recordChangeTag: "))
    #expect(text.contains("  + cloudkit.share Share-"))
    #expect(text.contains("      share: no value → Share-"))
    let events = try events()
    #expect(events.contains { $0["kind"] == "account" && $0["change"] == "removed" && $0["account"] == "bob" })
  }

  @Test("names with control characters do not reach the terminal")
  func hostileNames() throws {
    try save("tea")
    try cli.expect("snapshot", "save", "before")
    try save("two\nlines\u{1B}[31m", "text=\u{1B}]0;x")
    let text = try diff("before")
    #expect(text.contains("  + Note two\\nlines\\u{1B}[31m\n"))
    #expect(!text.contains("\u{1B}"))
  }
}
