import LocalCloudCommands
import LocalCloudStorage
import Testing

@Suite("The command watch")
struct WatchCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
  }

  private func save(_ name: String) throws {
    try cli.expect("record", "save", "Note", "--name", name, "--zone", "Notes", as: "alice")
  }

  private func token(_ words: String...) throws -> String {
    try #require(cli.run(["changes", "--json"] + words, as: "alice").code == .success)
    return try #require(
      JSONValue(parsing: cli.run(["changes", "--json"] + words, as: "alice").output)["token"]?.string)
  }

  @Test func aZoneIsWatchedFromAToken() throws {
    let token = try token("--zone", "Notes")
    try save("milk")
    try save("tea")
    try cli.expect("record", "delete", "milk", "--zone", "Notes", as: "alice")
    let watched = try cli.expect("watch", "Notes", "--since", token, "--count", "2", as: "alice")
    #expect(
      watched.output == """
        2026-01-31T12:00:00.000Z  saved  private  Notes  tea  Note  by alice
        2026-01-31T12:00:00.000Z  deleted  private  Notes  milk  Note

        """)
    #expect(watched.error.contains("watching alice's private database"))
    let line = try JSONValue(
      parsing: cli.run("watch", "Notes", "--since", token, "--count", "1", "--json", as: "alice").output)
    #expect(line["change"] == "saved")
    #expect(line["recordName"] == "tea")
    #expect(line["by"] == "alice")
    #expect(line["zoneID"]?["zoneName"] == "Notes")
    #expect(line["database"] == "private")
  }

  @Test func aDatabaseIsWatchedFromAToken() throws {
    let token = try token()
    try save("milk")
    try cli.expect("zone", "save", "Other", as: "alice")
    let lines = try cli.expect("watch", "--since", token, "--count", "3", as: "alice").output.split(separator: "\n")
    #expect(
      lines.map { $0.dropFirst(26) } == [
        "zone saved  private  Notes", "saved  private  Notes  milk  Note  by alice", "zone saved  private  Other",
      ])
    try cli.expect("zone", "delete", "Other", "--yes", as: "alice")
    let after = try cli.expect("watch", "--since", token, "--for", "0", as: "alice").output
    #expect(after.contains("zone deleted  private  Other"))
  }

  @Test func fromNowOnNothingOldIsShown() throws {
    try save("milk")
    #expect(try cli.expect("watch", "--for", "0", as: "alice").output.isEmpty)
    #expect(try cli.expect("watch", "Notes", "--for", "0", as: "alice").output.isEmpty)
    #expect(try cli.expect("watch", "--all", "--for", "0").output.isEmpty)
  }

  @Test func wrongInputIsRefused() throws {
    #expect(cli.run("watch", "Notes", "--all").code == .usage)
    #expect(cli.run("watch", "--count", "0", as: "alice").code == .usage)
    #expect(cli.run("watch", "--all", "--since", "x").code == .usage)
    #expect(cli.run("watch", "--all", "--database", "shared").code == .usage)
    #expect(cli.run("watch").code == .refused)
    #expect(cli.run("watch", "None", as: "alice").code == .notFound)
    #expect(cli.run("watch", "Notes", "--since", "none", "--for", "0", as: "alice").code == .failure)
    #expect(cli.run("watch", "--database", "public", as: "alice").code == .failure)
  }
}
