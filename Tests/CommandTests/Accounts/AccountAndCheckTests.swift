import Foundation
import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands account and check")
struct AccountAndCheckTests {
  @Test func accounts() throws {
    let cli = try Cli()
    #expect(cli.run("account", "list").error.contains("localcloud account add NAME --email ADDRESS"))
    let added = try cli.json(
      "account", "add", "ada", "--email", "A@x.org", "--email", "b@x.org", "--phone", "+1 555 01", "--phone", "555 02",
      "--given-name", "Ada", "--family-name", "King")
    #expect(added["emails"] == ["a@x.org", "b@x.org"])
    #expect(added["phones"] == ["+155501", "55502"])
    #expect(added["nameComponents"] == ["familyName": "King", "givenName": "Ada"])
    #expect(added["created"] == "2026-01-31T12:00:00.000Z")
    #expect(cli.run("account", "add", "ada").code == .failure)
    let changed = try cli.json("account", "set", "ada", "--email", "", "--family-name", "", "--status", "restricted")
    #expect(changed["emails"] == [])
    #expect(changed["phones"] == ["+155501", "55502"])
    #expect(changed["nameComponents"] == ["givenName": "Ada"])
    #expect(cli.run("zone", "list", as: "ada").code == .refused)
    #expect(cli.run("account", "remove", "ada").code == .usage)
    #expect(try cli.error("account", "remove", "ada")?["code"] == "confirmationNeeded")
    #expect(try cli.json("account", "remove", "ada", "--yes")["deleted"] == true)
    #expect(try cli.error("account", "show", "ada")?["cause"] == "unknownAccount")
  }

  @Test func accountsWithDataStay() throws {
    let cli = try Cli("ada")
    try cli.expect("zone", "save", "Z", as: "ada")
    #expect(cli.run("account", "remove", "ada", "--yes").error.contains("has data"))
    try cli.expect("zone", "delete", "Z", "--yes", as: "ada")
    try cli.expect("record", "save", "T", "-n", "r", as: "ada")
    #expect(cli.run("account", "remove", "ada", "--yes").error.contains("has data"))
    try cli.expect("record", "delete", "r", as: "ada")
    try cli.expect("zone", "list", as: "ada")
    try cli.expect("account", "remove", "ada", "--yes")
  }

  @Test func fullStorage() throws {
    let cli = try Cli("ada")
    #expect(try cli.json("account", "show", "ada")["storage"] == "available")
    #expect(cli.run("account", "set", "ada", "--storage", "half").code == .usage)
    #expect(try cli.json("account", "set", "ada", "--storage", "full")["storage"] == "full")
    #expect(try cli.json("account", "list")["accounts"]?.array?.map { $0["storage"] } == ["full"])
    #expect(cli.run("account", "show", "ada").output.contains("full"))
    let error = try cli.error("record", "save", "T", "-n", "r", as: "ada")
    #expect(error?["code"] == "quotaExceeded")
    #expect(error?["ckErrorCode"] == 25)
    #expect(error?["cause"] == nil)
    #expect(error?["hint"]?.string?.contains("localcloud account set ada --storage available") == true)
    try cli.expect("account", "set", "ada", "--storage", "available")
    try cli.expect("record", "save", "T", "-n", "r", as: "ada")
  }

  @Test func purge() throws {
    let cli = try Cli("ada")
    #expect(try cli.json("account", "purge", "ada", "--yes")["zones"] == [])
    try cli.expect("zone", "save", "Z", as: "ada")
    let token = try cli.json("changes", as: "ada")["token"]?.string
    #expect(try cli.error("account", "purge", as: "ada")?["code"] == "confirmationNeeded")
    #expect(cli.run("account", "purge", "--yes").code == .usage)
    #expect(cli.run("account", "purge", "bob", "--yes").code == .notFound)
    let other = cli.run("account", "purge", "ada", "--yes", "--container", "iCloud.other")
    #expect(other.output.contains("there was none") || other.error.contains("there was none"))
    let purged = try cli.json("account", "purge", "--yes", as: "ada")
    #expect(purged["name"] == "ada")
    #expect(purged["containerIdentifier"] == "iCloud.example.Commands")
    #expect(purged["zones"]?.array?.map { $0["zoneID"]?["zoneName"] } == ["Z"])
    #expect(purged["zones"]?.array?.map { $0["environment"] } == ["development"])
    #expect(cli.run("record", "get", "r", "-z", "Z", as: "ada").code == .notFound)
    #expect(try cli.error("record", "get", "r", "-z", "Z", as: "ada")?["ckErrorCode"] == 28)
    let changes = try cli.json("changes", "--since", #require(token), as: "ada")
    #expect(changes["zones"]?.array?.map { $0["reason"] } == ["purged"])
    try cli.expect("zone", "delete", "Z", "--yes", as: "ada")
    #expect(try cli.error("zone", "delete", "Z", "--yes", as: "ada")?["ckErrorCode"] == 26)
  }

  @Test func checkNamesWhatIsWrong() throws {
    let cli = try Cli("ada")
    try cli.expect("zone", "save", "Z", as: "ada")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", as: "ada")
    #expect(try cli.json("check")["problems"] == [])
    #expect(cli.run("check", "-q").output == "")
    let file = cli.root + "/containers/iCloud.example.Commands/development/private/ada/zones/Z/records/r.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    let run = cli.run("check", "--json")
    #expect(run.code == .problemsFound)
    #expect(run.error == "")
    let problems = try JSONValue(parsing: run.output)["problems"]?.array ?? []
    #expect(problems.contains { $0["path"]?.string == file })
    #expect(cli.run("check").output.contains(file))
    #expect(cli.run("record", "get", "r", "-z", "Z", as: "ada").code == .storage)
  }

  /// A process with the cloud open continues. Shell test suites check the hint that other processes get.
  @Test("check lists an empty cloud.json, and repair creates it again")
  func emptyMarker() throws {
    let cli = try Cli("ada")
    try cli.expect("zone", "save", "Z", as: "ada")
    let file = cli.root + "/cloud.json"
    try Data().write(to: URL(fileURLWithPath: file))
    let run = cli.run("check", "--json")
    #expect(run.code == .problemsFound)
    let problems = try JSONValue(parsing: run.output)["problems"]?.array ?? []
    #expect(problems.map { $0["path"]?.string } == [file])
    #expect(problems.map { $0["kind"] } == ["damage"])
    try cli.expect("repair")
    try cli.expect("check")
    #expect(cli.run("zone", "list", as: "ada").output.contains("Z"))
  }

  @Test("account list lists the other accounts and reports a damaged one, and repair creates it again")
  func damagedAccount() throws {
    let cli = try Cli("ada", "bob")
    let user = try cli.json("account", "show", "ada")["userRecordName"]
    try cli.expect("zone", "save", "Z", as: "ada")
    let file = cli.root + "/accounts/ada.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    let list = cli.run("account", "list", "--json")
    #expect(list.code == .storage)
    #expect(list.error.contains(file))
    #expect(try JSONValue(parsing: list.output)["accounts"]?.array?.map { $0["name"] } == ["bob"])
    try cli.expect("zone", "save", "Z", as: "bob")
    #expect(try cli.error("zone", "list", as: "ada")?["hint"]?.string?.contains("`localcloud repair`") == true)
    try cli.expect("repair")
    #expect(try cli.json("account", "show", "ada")["userRecordName"] == user)
    #expect(cli.run("zone", "list", as: "ada").output.contains("Z"))
  }

  @Test("commands that list records return the undamaged ones and report a damaged record with its file")
  func damagedRecord() throws {
    let cli = try Cli("ada")
    try cli.expect("zone", "save", "Z", as: "ada")
    for name in ["r", "s"] { try cli.expect("record", "save", "T", "-z", "Z", "-n", name, as: "ada") }
    let file = cli.root + "/containers/iCloud.example.Commands/development/private/ada/zones/Z/records/r.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    for words in [
      ["record", "list", "-z", "Z"], ["record", "list", "T", "-z", "Z"], ["record", "query", "T", "-z", "Z"],
    ] {
      let run = cli.run(words + ["--json"], as: "ada")
      #expect(run.code == .storage, "\(words)")
      #expect(run.error.contains(file), "\(words)")
      #expect(try JSONValue(parsing: run.output)["records"]?.array?.map { $0["recordName"] } == ["s"], "\(words)")
    }
    let changes = cli.run("changes", "-z", "Z", "--json", as: "ada")
    #expect(changes.code == .storage)
    #expect(changes.error.contains(file))
    try cli.expect("repair")
    try cli.expect("record", "list", "-z", "Z", as: "ada")
  }
}
