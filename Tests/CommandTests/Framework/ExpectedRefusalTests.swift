import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStore
import Testing

@Suite("The option --expect")
struct ExpectedRefusalTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "a", "n:int64=1", as: "alice")
    let url = try cli.expect("share", "create", "a", "-z", "Z", "--with", "bob", as: "alice").output
    try cli.expect("share", "accept", String(url.dropLast()), as: "bob")
  }

  private let write = ["record", "update", "a", "--database", "shared", "-z", "Z", "n:int64=2"]

  @Test("a command that is refused with the expected code succeeds, and prints a notice")
  func expectedRefusal() {
    for words in [["--expect", "permissionFailure"] + write, write + ["--expect=permissionFailure"]] {
      let run = cli.run(words, as: "bob")
      #expect(run.code == .success, "\(run.error)")
      #expect(run.output == "")
      #expect(run.error == "refused as expected: WRITE operation not permitted (permissionFailure)\n")
    }
    #expect(cli.run(write + ["--expect", "permissionFailure", "-q"], as: "bob").error == "")
    #expect(cli.run(write + ["--expect", "permissionFailure", "--json"], as: "bob").error == "")
  }

  @Test("a command that succeeds, or fails with another code, has status 1; the message names both codes")
  func unexpectedOutcomes() throws {
    let success = cli.run("record", "get", "a", "-z", "Z", "--expect", "unknownItem", as: "alice")
    #expect(success.code == .failure)
    #expect(success.error == "localcloud: error: expected unknownItem, but the command succeeded\n")
    let other = cli.run(write + ["--expect", "zoneBusy"], as: "bob")
    #expect(other.code == .failure)
    #expect(
      other.error.contains(
        "expected zoneBusy, but the command failed with permissionFailure: WRITE operation not permitted"))
    let json = try cli.error("zone", "list", "--expect", "zoneBusy", as: "alice")
    #expect(json?["code"] == "notAsExpected")
    #expect(json?["exitCode"] == 1)
  }

  @Test("of several items all that failed must have the code")
  func partialFailures() {
    let get = ["record", "get", "a", "x", "y", "-z", "Z", "--expect"]
    #expect(cli.run(get + ["unknownItem"], as: "alice").code == .success)
    #expect(cli.run(get + ["partialFailure"], as: "alice").code == .success)
    let other = cli.run(get + ["zoneNotFound"], as: "alice")
    #expect(other.code == .failure)
    #expect(other.error.contains("failed with partialFailure of unknownItem: "))
  }

  @Test("a mistake of the caller is no refusal: wrong usage, an account or a cloud that does not exist")
  func mistakes() {
    let unknown = cli.run(write + ["--expect", "permisionFailure"], as: "bob")
    #expect(unknown.code == .usage)
    #expect(unknown.error.contains("did you mean \"permissionFailure\"?"))
    #expect(cli.run("record", "get", "-z", "Z", "--expect", "unknownItem", as: "alice").code == .usage)
    #expect(cli.run("zone", "list", "--expect", "notAuthenticated", as: "carol").code == .failure)
    let nowhere = cli.run("zone", "list", "--root", cli.root + "-none", "--expect", "badContainer", as: "alice")
    #expect(nowhere.code == .failure)
  }

  @Test("a command whose output nobody reads was not refused")
  func closedOutput() {
    let words = ["zone", "list", "--expect", "zoneNotFound"]
    #expect(cli.run(words, as: "alice", failWith: SystemError.brokenPipe).code == .failure)
  }
}
