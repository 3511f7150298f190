import FaultInjection
import LocalCloudCommands
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The commands wait")
struct WaitCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
  }

  private func save(_ name: String, _ fields: String..., zone: String = "Notes") throws {
    let run = cli.run(
      ["record", "save", "Note", "--name", name, "--zone", zone, "--policy", "all"] + fields, as: "alice")
    try #require(run.code == .success, "\(run.error)")
  }

  /// Runs a command on another thread while `change` runs on this one. Returns the command's result.
  private func run(
    _ words: String..., as account: String = "alice", while change: () throws -> Void
  ) throws -> (code: ExitCode, output: String) {
    let result = ThreadCondition<(code: ExitCode, output: String)?>(nil)
    let isStarted = startThreadIfPossible { [cli] in
      let run = cli.run(words + ["--timeout", "60"], as: account)
      result.change { $0 = (run.code, run.output + (run.code == .success ? "" : run.error)) }
    }
    try #require(isStarted)
    try change()
    return try #require(result.wait(seconds: 90) { $0 })
  }

  // MARK: Records

  @Test func aRecordThatIsThereIsPrintedAtOnce() throws {
    try save("milk", "quantity:int64=3")
    let got = try cli.expect("record", "get", "milk", "--zone", "Notes", as: "alice").output
    #expect(try cli.expect("wait", "record", "milk", "-z", "Notes", "--timeout", "0", as: "alice").output == got)
    let document = try cli.json(
      "wait", "record", "milk", "-z", "Notes", "--until", "quantity == 3", "--until", "quantity < 4", as: "alice")
    #expect(document["recordName"] == "milk")
  }

  @Test func whatIsThereInsteadIsSaid() throws {
    try save("milk", "quantity:int64=2")
    func found(_ words: String...) -> String? {
      let run = cli.run(["wait"] + words + ["--timeout", "0", "--json"], as: "alice")
      #expect(run.code == .timedOut)
      #expect(run.output.isEmpty)
      return (try? JSONValue(parsing: run.error))?["error"]?["message"]?.string
    }
    #expect(
      found("record", "milk", "-z", "Notes", "--until", "quantity == 3", "--until", "note == a")
        == "record milk exists, but quantity is 2 and note has no value")
    #expect(
      found("record", "tea", "-z", "Notes") == "there is no record tea in zone Notes of the private database")
    #expect(found("record", "milk", "-z", "Notes", "--deleted") == "record milk exists")
    #expect(found("record", "milk", "-z", "None")?.contains("None") == true)
    #expect(found("record", "milk", "-z", "Notes", "--database", "shared")?.contains("Notes") == true)
    #expect(found("count", "Note", "-z", "Notes", "--is", "2") == "there is 1 record")
    #expect(found("count", "Tale", "-z", "None", "--at-least", "2") == "there are 0 records")
    #expect(found("zone", "None")?.contains("None") == true)
    #expect(found("zone", "Notes", "--deleted") == "zone Notes exists")
    #expect(found("share", "milk", "-z", "Notes", "--accepted-by", "bob") == "the record milk is not shared")
    #expect(found("push") == "no push came to alice-device")
    #expect(found("push", "--subscription", "s") == "no push of s came to alice-device")
    #expect(found("object", cli.root + "-none/private.sqlite", "Post")?.hasPrefix("there is no store at ") == true)
  }

  @Test func wrongInputIsRefused() throws {
    let usage = [
      ["record"], ["record", "milk", "--until", "quantity"], ["record", "milk", "--until", "a == 1", "--deleted"],
      ["record", "milk", "--timeout", "soon"], ["count", "Note"], ["count", "Note", "--is", "1", "--at-least", "2"],
      ["count", "--is", "1", "--filter", "a == 1"], ["share", "milk"], ["share", "--participant", "bob"],
      ["share", "milk", "--participant", "bob", "--accepted-by", "bob"], ["quiet"],
      ["quiet", "--for", "2", "--timeout", "1"], ["object", "store"], ["store"], ["nothing"], [],
    ]
    for words in usage { #expect(cli.run(["wait"] + words, as: "alice").code == .usage, "\(words)") }
    // An error that no change could cure ends the wait at once.
    try save("milk")
    let refusals: [([String], ExitCode)] = [
      (["record", "milk", "-z", "Notes", "--database", "public"], .failure),
      (["share", "https://www.icloud.com/share/none", "--participant", "bob"], .notFound),
      (["zone", "Notes", "--owner", "nobody"], .notFound),
    ]
    for (words, code) in refusals { #expect(cli.run(["wait"] + words, as: "alice").code == code, "\(words)") }
    #expect(cli.run("wait", "record", "milk", "-z", "Notes").code == .refused)
    try cli.expect("share", "create", "milk", "--zone", "Notes", as: "alice")
    #expect(
      cli.run("wait", "share", "milk", "-z", "Notes", "--accepted-by", "nobody", as: "alice").code == .notFound)
    #expect(cli.run("wait", "record", "milk", variables: ["LOCALCLOUD_ROOT": cli.root + "/none"]).code == .noStore)
  }

  @Test func aWaitEndsWithTheCommit() throws {
    let saved = try run("wait", "record", "milk", "-z", "Later", "--until", "quantity == 3") {
      try cli.expect("zone", "save", "Later", as: "alice")
      for quantity in 1...3 { try save("milk", "quantity:int64=\(quantity)", zone: "Later") }
    }
    #expect(saved.code == .success, "\(saved.output)")
    #expect(saved.output.contains("quantity:int64  3"))
    let counted = try run("wait", "count", "Note", "-z", "Later", "--filter", "quantity == 9", "--is", "1") {
      try save("milk", "quantity:int64=9", zone: "Later")
    }
    #expect(counted.output == "1\n")
    let deleted = try run("wait", "record", "milk", "-z", "Later", "--deleted") {
      try cli.expect("record", "delete", "milk", "--zone", "Later", as: "alice")
    }
    #expect(deleted.output == "there is no record milk\n")
    let gone = try run("wait", "zone", "Later", "--deleted") {
      try cli.expect("zone", "delete", "Later", "--yes", as: "alice")
    }
    #expect(gone.output == "there is no zone Later\n")
    // A zone of the same name has another folder.
    let again = try run("wait", "zone", "Later") { try cli.expect("zone", "save", "Later", as: "alice") }
    #expect(again.output == "Later\n")
  }

  @Test func aTypeIsCountedWithoutAnIndex() throws {
    try save("milk", "quantity:int64=3")
    for filter in [[], ["--filter", "quantity == 3"]] {
      let run = cli.run(
        ["wait", "count", "Note", "-z", "Notes", "--is", "1", "--timeout", "0"] + filter, as: "alice",
        variables: ["LOCALCLOUD_STRICT": "on"])
      #expect(run.code == .success, "\(run.error)")
    }
  }

  @Test func encryptedValuesAndSystemFieldsAreCompared() throws {
    try save("milk", "note:encrypted=secret")
    for filter in ["note == secret", "recordName == referenceType:milk", "createdTimestamp > 2020-01-01"] {
      let run = cli.run(
        "wait", "record", "milk", "-z", "Notes", "--timeout", "0", "--until", filter, as: "alice")
      #expect(run.code == .success, "\(filter): \(run.error)")
    }
  }

  // MARK: Sharing and pushes

  @Test func aParticipantWaitsForWhatIsShared() throws {
    try save("milk")
    let link = try cli.expect("share", "create", "milk", "--zone", "Notes", as: "alice").output.dropLast()
    let invited = try run("wait", "share", String(link), "--participant", "bob@example.com") {
      try cli.expect("share", "invite", "milk", "--zone", "Notes", "--to", "bob@example.com", as: "alice")
    }
    #expect(invited.code == .success, "\(invited.output)")
    let seen = try run("wait", "record", "milk", "--database", "shared", "-z", "Notes", as: "bob") {
      let accepted = try run("wait", "share", "milk", "-z", "Notes", "--accepted-by", "bob") {
        try cli.expect("share", "accept", String(link), as: "bob")
      }
      #expect(accepted.output.contains("accepted"))
    }
    #expect(seen.output.contains("Note milk"))
    let zone = try cli.expect("wait", "zone", "Notes", "--owner", "alice", "--timeout", "0", as: "bob")
    #expect(zone.output == "Notes\n")
  }

  @Test func aPushIsPrintedAndStays() throws {
    try cli.expect("subscription", "create", "zone", "notes", "--zone", "Notes", as: "alice")
    try cli.expect("status", "--device", "phone", as: "alice")
    let push = try run("wait", "push", "--since", "0", "--subscription", "notes", "--device", "phone") {
      try save("milk")
    }
    #expect(push.output.contains("notes  private zone"))
    #expect(try cli.json("push", "list", "--waiting", "--device", "phone", as: "alice")["pushes"]?.array?.count == 1)
  }

  @Test func quietIsSaid() throws {
    let quiet = try cli.expect("wait", "quiet", "--for", "0.01", as: "alice")
    #expect(quiet.output == "nothing was written for 0.01 s\n")
    #expect(cli.run("wait", "quiet", "--for", "0").code == .success)
    #expect(cli.run("wait", "quiet", "--for", "0.05", "--timeout", "0.05").code == .success)
  }

  // MARK: The cloud

  @Test func aCloudThatIsRemovedEndsTheWait() throws {
    let ended = try run("wait", "record", "milk", "-z", "Notes") {
      // In one step: a look at a cloud that is removed in part finds damage.
      let (folder, name) = UserFile.folderAndName(of: cli.root)
      let parent = try Directory.open(path: folder, in: FileSystem())
      try parent.rename(name, to: parent, as: name + "-removed")
      // The command may make a lock file during the removal; its next look is its last.
      var isRemoved = false
      for _ in 0..<100 where !isRemoved { isRemoved = (try? ScratchFolder.remove(cli.root + "-removed")) != nil }
      try #require(isRemoved)
    }
    #expect(ended.code == .noStore, "\(ended.output)")
  }

  @Test func aCloudThatIsMovedEndsTheWait() throws {
    let parent = try Directory.open(path: UserFile.folderAndName(of: cli.root).folder, in: FileSystem())
    let name = UserFile.folderAndName(of: cli.root).name
    let ended = try run("wait", "zone", "Other") { try parent.rename(name, to: parent, as: name + "-moved") }
    try ScratchFolder.remove(cli.root + "-moved")
    #expect(ended.code == .noStore, "\(ended.output)")
  }

  @Test func requestsThatAreLoggedDoNotWakeTheWait() throws {
    let run = cli.run(
      "wait", "record", "milk", "-z", "None", "--timeout", "0.3", as: "alice", variables: ["LOCALCLOUD_LOG": "on"])
    #expect(run.code == .timedOut)
    let log = try Directory.open(path: cli.root, in: FileSystem()).contents("requests.jsonl") ?? []
    // The log's own file is a new entry of the root once.
    #expect(log.count { $0 == UInt8(ascii: "\n") } < 10)
  }
}

@Suite("The commands wait object and wait store")
struct WaitStoreCommandTests {
  private let cli: Cli
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/private.sqlite" }

  init() throws {
    cli = try Cli("alice")
    folder = try TemporaryFolder("stores")
  }

  @Test func anObjectIsFound() throws {
    let store = try ObjectStore.ofNotes(path)
    try store.insertNotes("Milk")
    func wait(_ words: String...) -> ToolRun { cli.run(["wait", "object", path] + words + ["--timeout", "0"]) }
    let found = wait("Note", "--until", "title == 'Milk' AND stars > 2")
    #expect(found.code == .success, "\(found.error)")
    #expect(found.output.hasPrefix("Note/"))
    #expect(wait("Note", "--until", "title == 'Tea'").code == .timedOut)
    #expect(wait("Note", "--until", "title == 'Tea'").error.contains("the predicate accepts no Note"))
    #expect(wait("Tale").code == .notFound)
    #expect(wait("Note", "--until", "title ==").code == .usage)
    #expect(wait("Note", "--until", "other == 1").code == .usage)
    #expect(store.path == path)
  }

  @Test func aStoreThatIsNotMirroredIsWaitedFor() throws {
    let missing = cli.run("wait", "store", path, "--timeout", "0")
    #expect(missing.code == .timedOut)
    let store = try ObjectStore.ofNotes(path)
    try store.insertNotes("Milk")
    let unmirrored = cli.run("wait", "store", path, "--timeout", "0")
    #expect(unmirrored.code == .timedOut)
    #expect(unmirrored.error.contains("the store is not mirrored"))
    let user = try #require(cli.json("account", "show", "alice")["userRecordName"]?.string)
    try store.putState(StateKey.account, ["user": .string(user)])
    let waiting = cli.run("wait", "store", path, "--timeout", "0")
    #expect(waiting.error.contains("1 object waits to be sent"), "\(waiting.error)")
  }

  @Test func aStoreOfAnotherCloudIsRefused() throws {
    let store = try ObjectStore.ofNotes(path)
    try store.putState(StateKey.account, ["user": "_nobody"])
    let run = cli.run("wait", "store", path)
    #expect(run.code == .failure)
    #expect(run.error.contains("the user _nobody, whom this cloud does not have"), "\(run.error)")
  }
}
