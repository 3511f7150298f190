import LocalCloudCommands
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// The share commands act as the system's sharing screen: programs on the device get events for them.
@Suite("Events of the share commands for programs on the device")
struct ShareScreenTests {
  private let cli: Cli
  /// The received events in order: `save` or `stop`, with the error code of a failure.
  private let events = ThreadCondition<[String]>([])

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", as: "alice")
  }

  private func listen(as account: String, device: String? = nil) throws -> SharingReader {
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.device) = (cli.root, .account(account), device)
    acting.container = "iCloud.example.Commands"
    let reader = SharingReader(acting) { [events] event, _ in
      let text =
        switch event.outcome {
        case .saved: "save"
        case .notSaved(let error): "save \(error.code)"
        case .stopped: "stop"
        case .notStopped(let error): "stop \(error.code)"
        }
      events.change { $0.append("\(text) \(event.share.name)") }
    }
    try reader.start()
    return reader
  }

  private func received(_ count: Int) -> [String] {
    events.wait(seconds: 20) { $0.count >= count ? $0 : nil } ?? events.change { $0 }
  }

  @Test("each command that saves or deletes a share sends one event, and other commands send none")
  func everyCommand() throws {
    let reader = try listen(as: "alice")
    defer { reader.stop() }
    let create = ["share", "create", "root", "-z", "Z", "--share-name", "S"]
    let url = String(cli.run(create, as: "alice").output.dropLast())
    try cli.expect("share", "show", url, as: "alice")
    try cli.expect("share", "invite", url, "--to", "bob", as: "alice")
    try cli.expect("share", "accept", url, as: "bob")
    try cli.expect("share", "set", url, "--access-requests", "allowed", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    try cli.expect("share", "deny", url, "--person", "carol", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    try cli.expect("share", "block", url, "--person", "carol", as: "alice")
    try cli.expect("share", "unblock", url, "--person", "carol", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    try cli.expect("share", "approve", url, "--person", "carol", as: "alice")
    try cli.expect("share", "link", url, as: "alice")
    try cli.expect("share", "remove", url, "--participant", "bob", as: "alice")
    try cli.expect("share", "stop", url, as: "alice")
    let saves = Array(repeating: "save S", count: 9)
    #expect(received(10) == saves + ["stop S"])
  }

  @Test("refusals with their codes and a participant's leaving are sent to the named device only")
  func othersAndRefusals() throws {
    let readers = try [listen(as: "bob", device: "phone")]
    defer { for reader in readers { reader.stop() } }
    let create = ["share", "create", "root", "-z", "Z", "--share-name", "S", "--with", "bob"]
    let url = String(cli.run(create, as: "alice").output.dropLast())
    try cli.expect("share", "accept", url, "--device", "phone", as: "bob")
    #expect(cli.run("share", "set", url, "--title", "Mine", "--device", "phone", as: "bob").code == .refused)
    #expect(cli.run("share", "set", url, "--title", "Mine", as: "bob").code == .refused)
    try cli.expect("share", "leave", url, "--device", "phone", as: "bob")
    #expect(received(2) == ["save permissionFailure S", "stop S"])
  }

  @Test("an event log that cannot be written is reported on standard error, and the command succeeds")
  func damagedLog() throws {
    let reader = try listen(as: "alice")
    defer { reader.stop() }
    let folder = try Directory.open(path: cli.root + "/devices/alice-device/sharing", in: FileSystem())
    try folder.writeStaged("events.jsonl", Array("broken\n".utf8))
    let run = cli.run("share", "create", "root", "-z", "Z", "--share-name", "S", as: "alice")
    #expect(run.code == .success)
    #expect(run.output.hasPrefix("https://"))
    #expect(run.error.contains("programs on this device can't be told of it"))
    #expect(cli.run("share", "stop", "root", "-z", "Z", "--json", as: "alice").code == .success)
    #expect(cli.run("share", "show", "root", "-z", "Z", as: "alice").code == .notFound)
  }

  @Test("entries of the share manage menu send the same events")
  func entriesOfTheShareManageMenuSend() throws {
    let reader = try listen(as: "alice")
    defer { reader.stop() }
    try cli.expect("share", "create", "root", "-z", "Z", "--share-name", "S", as: "alice")
    let run = cli.run(["share", "manage", "root", "-z", "Z"], as: "alice", answers: menuAnswers)
    #expect(run.code == .success, "\(run.error)")
    #expect(received(3) == ["save S", "save S", "stop S"])
  }

  /// Answers that open the share to all users with the link, then stop it.
  private var menuAnswers: [TerminalLine] { ["o", "readOnly", "s", "y"].map { .text($0) } }
}
