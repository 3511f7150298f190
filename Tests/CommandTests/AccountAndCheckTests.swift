import CloudStore
import Foundation
import LocalCloudCommands
import Testing

@Suite("account, check")
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
}
