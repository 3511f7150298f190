import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands device and account discoverability")
struct DeviceCommandTests {
  private let cli: Cli

  init() throws { cli = try Cli("alice", "bob") }

  @Test func signingInAndOut() throws {
    #expect(
      cli.run("device", "list").output == """
        DEVICE        ACCOUNT  NETWORK
        alice-device  alice    online
        bob-device    bob      online

        """)
    let online: JSONValue = ["condition": "online"]
    let phone: JSONValue = ["account": "bob", "name": "phone", "network": online]
    let signedIn = try cli.json("device", "sign-in", "phone", "bob")
    #expect(signedIn["account"] == "bob")
    #expect(signedIn["name"] == "phone")
    #expect(cli.run("device", "sign-out", "bob-device").output == "nobody is signed in on bob-device\n")
    #expect(cli.run("device", "sign-in", "alice-device", "bob").output == "bob is signed in on alice-device\n")
    #expect(
      try cli.json("device", "list")["devices"]
        == [
          ["account": "bob", "name": "alice-device", "network": online],
          ["account": .null, "name": "bob-device", "network": online], phone,
        ])
    #expect(cli.run("device", "sign-out", "tablet").code == .notFound)
    #expect(try cli.error("device", "sign-in", "tablet", "carol")?["cause"] == "unknownAccount")
    #expect(cli.run("check").code == .success)
  }

  @Test("a mistyped device name is refused with the nearest existing name, and no device is created")
  func mistypedDeviceNameIsRefused() throws {
    for words in [["network", "offline", "--device", "alcie-device"], ["sign-out", "alcie-device"]] {
      let run = cli.run(["device"] + words, as: "alice")
      #expect(run.code == .notFound)
      #expect(run.error.contains("hint: did you mean \"alice-device\"?"), "\(run.error)")
    }
    #expect(try cli.json("device", "list")["devices"]?.array?.count == 2)
  }

  @Test("a command that creates a device by its first sign-in reports the new device")
  func newDevice() throws {
    let first = cli.run(["zone", "list"], as: "alice", variables: ["LOCALCLOUD_DEVICE": "alcie-device"])
    #expect(first.code == .success)
    #expect(first.error == "signed alice in on alcie-device, a new device\nhint: did you mean \"alice-device\"?\n")
    #expect(cli.run(["zone", "list"], as: "alice", variables: ["LOCALCLOUD_DEVICE": "alcie-device"]).error == "")
    #expect(cli.run("zone", "list", "--device", "phone", "--json", as: "alice").error == "")
  }

  @Test(
    "a device name with a slash, a line break or a control character is refused",
    arguments: ["a/b", "..", "a\u{1B}b", "a\nb", "a\u{202E}b", "a\u{2028}b"])
  func badNames(name: String) throws {
    let isPlain = name == ".."
    let run = cli.run(["zone", "list"], as: "alice", variables: ["LOCALCLOUD_DEVICE": name])
    #expect((run.code == .success) == isPlain)
    #expect(isPlain || run.error.contains("A device's name must not hold a slash, a line break or a control character"))
    #expect(cli.run("device", "sign-in", name, "alice").code == run.code)
    #expect(try cli.json("device", "list")["devices"]?.array?.count == (isPlain ? 3 : 2))
  }

  @Test func whoActs() throws {
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("device", "sign-out", "alice-device")
    let refused = try cli.error("zone", "list", as: "alice")
    #expect(refused?["code"] == "notAuthenticated")
    #expect(refused?["ckErrorCode"] == 9)
    #expect(refused?["hint"]?.string?.contains("localcloud device sign-in alice-device ACCOUNT") == true)
    #expect(cli.run("zone", "list", as: "alice").code == .refused)
    // The status shows the settings, and commands that need no account still work.
    let settings = try cli.json("status", as: "alice")["settings"]
    #expect(settings?["account"] == ["origin": "device", "value": .null, "variable": "LOCALCLOUD_ACCOUNT"])
    #expect(settings?["device"]?["value"] == "alice-device")
    for words in [
      ["check"], ["account", "list"], ["device", "list"], ["account", "set", "bob", "--given-name", "Bob"],
    ] {
      #expect(cli.run(words, as: "alice").code == .success, "\(words)")
    }
    try cli.expect("device", "sign-in", "alice-device", "bob")
    let taken = cli.run("zone", "list", as: "alice")
    #expect(taken.code == .refused)
    #expect(taken.error.contains("signed in to the account bob, not alice"))
    #expect(cli.run("device", "sign-in", "alice-device", "alice", as: "alice").code == .success)
    #expect(cli.run("zone", "list", as: "alice").output.contains("Z"))
  }

  @Test func discoverability() throws {
    let words = ["account", "discoverability", "alice"]
    #expect(
      cli.run(words).output == """
        account alice
          container   iCloud.example.Commands
          status      initialState
          when asked  granted

        """)
    #expect(cli.run(words + ["--answer", "denied"]).output.hasSuffix("  status     denied\n"))
    let asked = try JSONValue(parsing: cli.run(words + ["--answer", "granted", "--when-asked", "--json"]).output)
    #expect(asked["status"] == "initialState")
    #expect(asked["answer"] == "granted")
    #expect(asked["account"] == "alice")
    let permissions = try cli.json("account", "show", "alice")["permissions"]
    #expect(
      permissions == ["iCloud.example.Commands": ["asked": false, "userDiscoverability": "granted"]])
    try cli.expect("account", "discoverability", "alice", "--answer", "initialState")
    #expect(try cli.json("account", "show", "alice")["permissions"] == nil)
    #expect(cli.run(words + ["--when-asked"]).code == .usage)
    #expect(cli.run(words + ["--answer", "initialState", "--when-asked"]).code == .usage)
    #expect(cli.run("account", "discoverability", "carol").code == .notFound)
  }
}
