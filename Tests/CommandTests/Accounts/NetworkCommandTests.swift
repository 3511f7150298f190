import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The command device network")
struct NetworkCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  @Test func offlineAndBack() throws {
    #expect(cli.run("device", "network", as: "alice").output == "alice-device: online\n")
    #expect(cli.run("device", "network", "offline", "--device", "alice-device").output == "alice-device: offline\n")
    let refused = try cli.error("zone", "list", as: "alice")
    #expect(refused?["code"] == "networkUnavailable")
    #expect(refused?["ckErrorCode"] == 3)
    #expect(
      refused?["hint"]?.string?.contains("`localcloud device network online --device alice-device`") == true)
    #expect(cli.run("zone", "save", "Y", as: "alice").code == .tryLater)
    let list = try cli.json("device", "list")["devices"]?.array
    #expect(list?.first?["network"] == ["condition": "offline"])
    #expect(list?.last?["network"] == ["condition": "online"])
    let status = try cli.json("status", as: "alice")
    #expect(status["network"] == ["condition": "offline"])
    #expect(cli.run("status", as: "alice").output.contains("the device is not online: offline"))
    // Commands that manage devices and accounts need no network. Other devices are not affected.
    for words in [
      ["check"], ["repair", "--yes"], ["account", "list"], ["device", "list"],
      ["account", "set", "bob", "--given-name", "B"],
      ["schema", "export"], ["push", "list"], ["device", "network"],
    ] {
      #expect(cli.run(words, as: "alice").code == .success, "\(words)")
    }
    #expect(cli.run("zone", "list", as: "bob").code == .success)
    #expect(cli.run(["zone", "list"], as: "alice", variables: ["LOCALCLOUD_DEVICE": "phone"]).output.contains("Z"))
    #expect(try cli.json("device", "network", "online", as: "alice")["network"] == ["condition": "online"])
    #expect(cli.run("zone", "list", as: "alice").output.contains("Z"))
    #expect(!cli.run("status", as: "alice").output.contains("not online"))
    #expect(cli.run("check").code == .success)
  }

  @Test func retryAfter() throws {
    let words = ["device", "network", "unavailable", "--retry-after", "2.5", "--times", "2"]
    #expect(
      cli.run(words, as: "alice").output == "alice-device: unavailable, try again after 2.5 s, 2 times\n")
    let refused = try cli.error("zone", "list", as: "alice")
    #expect(refused?["ckErrorCode"] == 6)
    #expect(refused?["retryAfter"] == 2.5)
    #expect(
      cli.run("device", "network", as: "alice").output == "alice-device: unavailable, try again after 2.5 s, once\n")
    #expect(cli.run("zone", "list", as: "alice").code == .tryLater)
    #expect(cli.run("zone", "list", as: "alice").code == .success)
    try cli.expect("device", "network", "throttled", as: "alice")
    let network = try cli.json("device", "network", as: "alice")["network"]
    #expect(network?["condition"] == "throttled")
    #expect(network?["retryAfter"]?.double == 30)
    // The clock does not advance, so the device stays throttled.
    #expect(try cli.error("zone", "list", as: "alice")?["ckErrorCode"] == 6)
    for _ in 0..<2 {
      let repeated = try cli.error("zone", "list", as: "alice")
      #expect(repeated?["ckErrorCode"] == 7)
      #expect(repeated?["retryAfter"]?.double == 30)
    }
  }

  @Test func lostReply() throws {
    try cli.expect("device", "network", "replyLost", "--times", "1", as: "alice")
    #expect(cli.run("record", "save", "Note", "text=a", "--name", "n", "--zone", "Z", as: "alice").code == .tryLater)
    #expect(cli.run("record", "get", "n", "--zone", "Z", as: "alice").output.contains("text  a"))
  }

  @Test func mistakes() throws {
    #expect(cli.run("device", "network").error.contains("no device was named"))
    #expect(cli.run("device", "network", "offline").code == .usage)
    #expect(cli.run("device", "network", "off", as: "alice").code == .usage)
    #expect(cli.run("device", "network", "offline", "--device", "tablet").code == .notFound)
    #expect(cli.run("device", "network", "--device", "tablet").code == .notFound)
    for words in [
      ["online", "--times", "1"], ["offline", "--retry-after", "1"], ["throttled", "--retry-after", "0"],
      ["throttled", "--retry-after", "soon"], ["offline", "--times", "0"], ["--times", "1"],
    ] {
      #expect(cli.run(["device", "network"] + words, as: "alice").code == .usage, "\(words)")
    }
    #expect(cli.run("device", "network", as: "alice").output == "alice-device: online\n")
  }
}
