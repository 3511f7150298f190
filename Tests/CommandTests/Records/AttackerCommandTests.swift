import LocalCloudCommands
import LocalCloudStore
import TestSupport
import Testing

@Suite("Hostile command lines")
struct AttackerCommandTests {
  private let cli: Cli
  private let url: String

  init() throws {
    cli = try Cli("alice", "bob", "mallory")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", "a=1", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "hidden", "a=1", as: "alice")
    let run = cli.run("share", "create", "root", "-z", "Z", "--share-name", "share", "--with", "bob", as: "alice")
    url = String(run.output.dropLast())
    try cli.expect("share", "accept", url, as: "bob")
  }

  /// Expects the exit code, no change of the cloud and no control character in the output. Returns the error text.
  @discardableResult
  private func refused(
    _ code: ExitCode, _ words: [String], as account: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = try cli.tree()
    let run = cli.run(words, as: account)
    let text = "\(words.map { $0.prefix(60) }): \(run.code) \(run.error.prefix(300))"
    #expect(run.code == code, "\(text)", sourceLocation: sourceLocation)
    #expect(try cli.tree().differences(from: before) == [], "\(text)", sourceLocation: sourceLocation)
    let isVisible = (run.output + run.error).unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }
    #expect(isVisible, "\(text)", sourceLocation: sourceLocation)
    return run.error
  }

  @Test func hostileLinks() throws {
    let prefix = "https://www.icloud.com/share/"
    let guid = String(url.dropFirst(prefix.count).prefix { $0 != "#" })
    var links = [
      "x", prefix, prefix + "..", prefix + "../../cloud.json", prefix + "0never", prefix + guid + "x",
      prefix + String(guid.dropLast()), prefix + guid + "/../" + guid, prefix + "%2e%2e%2f" + guid,
      "http://www.icloud.com/share/" + guid, "https://example.com/share/" + guid, "file://" + cli.root + "/cloud.json",
      prefix + "\u{1B}[31m", prefix + String(repeating: "A", count: 100_000), guid, prefix + guid + "\n",
    ]
    let dead = try refused(.notFound, ["share", "accept", prefix + "0never"], as: "mallory")
    for link in links { #expect(try refused(.notFound, ["share", "accept", link], as: "bob") == dead) }
    // An existing share without an invitation gives the same error as a missing share.
    links.append(url)
    for link in links { #expect(try refused(.notFound, ["share", "accept", link], as: "mallory") == dead) }
    #expect(
      try refused(.notFound, ["share", "accept", url, "--environment", "production"], as: "bob") == dead)
    #expect(
      try refused(.notFound, ["share", "show", url], as: "mallory")
        == refused(.notFound, ["share", "show", prefix + "0never"], as: "mallory"))
  }

  @Test func guestsAreNoOwners() throws {
    for words in [
      ["share", "invite", url, "--to", "mallory"], ["share", "set", url, "--public-permission", "readWrite"],
      ["share", "set", url, "--participant", "bob", "--permission", "readWrite"],
      ["share", "set", url, "--title", "Mine"], ["share", "remove", url, "--participant", "alice"],
      ["record", "update", "root", "--database", "shared", "-z", "Z", "a=2"],
      ["record", "save", "T", "-n", "new", "--database", "shared", "-z", "Z", "--parent", "root"],
      ["share", "create", "root", "--database", "shared", "-z", "Z", "--share-name", "mine"],
    ] {
      let run = cli.run(words, as: "bob")
      #expect([.refused, .usage, .failure].contains(run.code), "\(words): \(run.error)")
      try refused(run.code, words, as: "bob")
    }
    #expect(try cli.json("share", "show", url, as: "alice")["participants"]?.array?.count == 2)
    let hidden = try refused(
      .notFound, ["record", "get", "hidden", "--database", "shared", "-z", "Z"], as: "bob")
    let missing = try refused(
      .notFound, ["record", "get", "absent", "--database", "shared", "-z", "Z"], as: "bob")
    #expect(hidden.replacing("hidden", with: "…") == missing.replacing("absent", with: "…"))
  }

  @Test func pathsAsNames() throws {
    for name in ["../../x", "..", "/etc/passwd", ".journal", "zone.json", "\u{1B}[31m", "~", "%2e%2e"] {
      try refused(.notFound, ["record", "get", "--zone", "Z", "--", name], as: "alice")
      try refused(.notFound, ["record", "list", "T", "--zone=" + name], as: "alice")
      let code = cli.run("status", "--container=" + name, as: "alice").code
      #expect([.success, .failure, .usage].contains(code))
      try refused(.failure, ["zone", "list", "--container=" + name], as: "alice")
      #expect(cli.run("zone", "list", "--account=" + name).code != .success)
      #expect(cli.run("zone", "list", "--environment=" + name, as: "alice").code != .success)
    }
    #expect(try cli.json("check")["problems"] == [])
  }
}
