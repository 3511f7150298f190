import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands account reset-keys, account purge and account show")
struct AccountKeysTests {
  private let cli: Cli
  private static let container = "iCloud.example.Commands"

  init() throws { cli = try Cli("alice", "bob") }

  private func reset(_ words: String..., as account: String) -> ToolRun {
    cli.run(["account", "reset-keys"] + words, as: account)
  }

  @Test(
    "account reset-keys asks for confirmation, and names the deleted zones and those to be joined again"
  )
  func accountResetKeysAsksForConfirmation() throws {
    #expect(
      reset("--yes", as: "alice").output == "reset the keys of alice in \(Self.container): nothing was encrypted\n")
    for zone in ["E", "W", "Plain"] { try cli.expect("zone", "save", zone, as: "alice") }
    for zone in ["E", "W"] {
      try cli.expect("record", "save", "T", "-z", zone, "-n", "s", "x:encrypted=hush", as: "alice")
    }
    try cli.expect("record", "save", "T", "-z", "Plain", "-n", "s", "y=open", as: "alice")
    let create = try cli.expect("share", "create", "s", "-z", "E", "--with", "bob", as: "alice")
    let url = String(create.output.dropLast())
    try cli.expect("share", "accept", url, as: "bob")
    let asked = reset("--json", as: "bob")
    #expect(asked.code == .usage)
    #expect(
      try JSONValue(parsing: asked.error)["error"]?["message"]?.string
        == "will not throw away all that is encrypted with the keys of bob in \(Self.container) without being told to")
    #expect(
      reset("--yes", as: "bob").output
        == "reset the keys of bob in \(Self.container): to be joined again are E\n")
    let nothing = try JSONValue(parsing: reset("bob", "--yes", "--json", as: "bob").output)
    #expect(nothing["sharedZones"] == [])
    #expect(nothing["zones"] == [])
    #expect(nothing["name"] == "bob")
    #expect(
      reset("alice", "--yes", as: "bob").output
        == "reset the keys of alice in \(Self.container): gone are E, W\n")
    let lost = try cli.error("record", "get", "s", "-z", "E", as: "alice")
    #expect(lost?["encryptedDataReset"] == true)
    #expect(lost?["code"] == "zoneNotFound")
    #expect(lost?["exitCode"] == 13)
    #expect(lost?["hint"] == "delete the zone, or save it again, then upload what is to be in it")
    let plain = try cli.json("record", "get", "s", "-z", "Plain", as: "alice")
    #expect(plain["fields"]?["y"]?["value"] == "open")
  }

  @Test("account reset-keys prints as JSON the next key generation and the zones with their environments")
  func accountResetKeysPrintsAsJSON() throws {
    try cli.expect("zone", "save", "E", as: "alice")
    try cli.expect("record", "save", "T", "-z", "E", "-n", "s", "x:encrypted=hush", as: "alice")
    let document = try JSONValue(parsing: reset("--yes", "--json", as: "alice").output)
    #expect(document["containerIdentifier"]?.string == Self.container)
    #expect(document["generation"] == 2)
    #expect(document["zones"]?.array?.map { $0["zoneID"]?["zoneName"] } == ["E"])
    #expect(document["zones"]?.array?.map { $0["environment"] } == ["development"])
  }

  @Test("account show prints the key generation and every phone number, and account set refuses an empty change")
  func accountShowPrintsTheKeyGeneration() throws {
    try cli.expect("account", "set", "alice", "--phone", "555", "--phone", "556", "--given-name", "Ada")
    try cli.expect("zone", "save", "E", as: "alice")
    try cli.expect("record", "save", "T", "-z", "E", "-n", "s", "x:encrypted=hush", as: "alice")
    let shown = cli.run("account", "show", as: "alice").output
    #expect(shown.contains("\n  person       Ada\n"))
    #expect(shown.contains("\n  phone        555\n  phone        556\n"))
    #expect(shown.hasSuffix("\n  keys         generation 1 in \(Self.container)\n"), "\(shown)")
    #expect(reset("--yes", as: "alice").code == .success)
    #expect(
      cli.run("account", "show", as: "alice").output
        .hasSuffix("\n  keys         generation 2 in \(Self.container), none made yet\n"))
    let nothing = try cli.error("account", "set", "alice")
    #expect(nothing?["message"] == "nothing to change was named")
    #expect(nothing?["exitCode"] == 64)
    let nobody = try cli.error("account", "show")
    #expect(nobody?["message"] == "no account acts")
    #expect(nobody?["hint"] == "name one, or set LOCALCLOUD_ACCOUNT")
  }

  @Test("account purge names the deleted zones, or reports that there was nothing to delete")
  func accountPurgeNamesTheDeletedZones() throws {
    #expect(
      cli.run("account", "purge", "alice", "--yes").output
        == "purged the data of alice in \(Self.container): there was none\n")
    for zone in ["Z", "Y"] { try cli.expect("zone", "save", zone, as: "alice") }
    #expect(
      cli.run("account", "purge", "--yes", as: "alice").output
        == "purged the data of alice in \(Self.container): gone are Y, Z\n")
  }

  @Test("check and repair report that there is nothing to do, or list the problems and repairs")
  func checkAndRepairReportThatThere() throws {
    #expect(cli.run("repair").output == "nothing to repair\n")
    #expect(cli.run("repair", "-q").output == "")
    #expect(try cli.json("repair")["problems"] == [])
    #expect(cli.run("check").output == "no problems found\n")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", as: "alice")
    let folder = cli.root + "/containers/\(Self.container)/development/private/alice/zones/Z/records"
    try Directory.open(path: folder, in: FileSystem()).writeStaged("r.json", Array("{".utf8))
    let file = folder + "/r.json"
    let found = cli.run("check", "--format", "tsv")
    #expect(found.code == .problemsFound)
    #expect(
      found.output == """
        problem\tpath
        not JSON: line 1, column 2: expected a key in quotation marks, found the end\t\(file)
        the record 'r' is in the log and not here\t\(file)

        """)
    let repaired = cli.run("repair", "--format", "tsv")
    #expect(repaired.code == .success)
    #expect(
      repaired.output == """
        state\twhat\tpath
        repaired\tno record: it is in aside/2026-01-31T120000.000Z\t\(file)
        repaired\tthe record 'r' is lost: its deletion is now in the log\t\(file)

        """)
    #expect(cli.run("check").code == .success)
  }
}
