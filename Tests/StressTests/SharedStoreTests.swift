import FaultInjection
import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import TestSupport
import Testing

/// An app, its extension and a tool: processes of one device with the same stores.
@Suite(
  "Several processes that mirror one store", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
final class SharedStoreTests {
  private let cloud: TemporaryCloud
  private let folder: String

  init() throws {
    cloud = try TemporaryCloud()
    folder = cloud.path + "-devices"
    try Directory.make(path: folder, in: FileSystem())
  }

  deinit { try? ScratchFolder.remove(folder) }

  /// A process that executes requests on the stores of a device. A request is a line of JSON.
  private final class Program {
    let process: ChildProcess

    init(_ cloud: TemporaryCloud, _ folder: String, device: String) throws {
      process = try ChildProcess(
        StressProgram.path, ["sync-worker", "alice", "\(folder)/\(device)", "on"],
        environment: [
          "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": "alice", "LOCALCLOUD_DEVICE": device,
          "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
        ], hasInput: true)
      let line = process.nextLine(seconds: 60)
      try #require(line == "ready", "\(process.errors)")
    }

    deinit { end() }

    func send(_ request: String, _ members: [String: Any] = [:]) throws {
      let line = try JSONSerialization.data(withJSONObject: [request: members])
      try #require(process.send(String(decoding: line, as: UTF8.self)))
    }

    @discardableResult
    func answer() throws -> [String: Any] {
      let line = try #require(process.nextLine(seconds: 120), "\(process.errors)")
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(answer["trouble"] == nil, "\(answer)")
      #expect((answer["errors"] as? [String] ?? []).isEmpty, "\(answer)")
      return answer
    }

    func ask(_ request: String, _ members: [String: Any] = [:]) throws {
      try send(request, members)
      let answer = try answer()
      #expect(answer["isDone"] as? Bool == true, "\(request) \(members)")
    }

    func insert(_ key: String) throws { try ask("insert", ["key": key, "entity": "Post", "text": "of \(key)"]) }

    /// The texts of all objects with records.
    func texts() throws -> [String: String] {
      try send("look")
      let zones = try answer()["observations"] as? [[String: Any]] ?? []
      var texts: [String: String] = [:]
      for case let objects as [String: [String: Any]] in zones.map({ $0["objects"] }) {
        for (key, object) in objects { texts[key] = (object["values"] as? [String: String])?["text"] }
      }
      return texts
    }

    func kill() {
      process.kill()
      process.hangUp()
      _ = process.wait()
    }

    /// Lets the process end without a kill.
    func end() {
      process.hangUp()
      _ = process.wait(seconds: 60)
    }
  }

  private func program(_ device: String = "phone") throws -> Program { try Program(cloud, folder, device: device) }

  /// The keys and texts of the posts in the cloud, sorted: one for each record.
  private func records() throws -> [String] {
    let zone = ZoneIdentifier(name: "com.apple.coredata.cloudkit.zone")
    var request = ZoneChangesRequest(scope: .private, zone: zone)
    var found: [String] = []
    while true {
      let changes = try cloud.service.feeds.zoneChanges(request, by: cloud.caller("alice"))
      for record in changes.changed {
        guard case .string(let key)? = record.fields["CD_key"], case .string(let text)? = record.fields["CD_text"]
        else { continue }
        found.append("\(key): \(text)")
      }
      request.since = changes.token
      if !changes.moreComing { return found.sorted() }
    }
  }

  private func lines(_ keys: [String]) -> [String] { keys.map { "\($0): of \($0)" }.sorted() }

  /// Waits until a condition is true, at most a minute. A correct run needs much less.
  private func eventually(_ what: String, _ isSo: () throws -> Bool) throws {
    for _ in 0..<3000 {
      if try isSo() { return }
      pause(microseconds: 20_000)
    }
    Issue.record("never so: \(what)")
  }

  @Test(
    "objects that two processes save concurrently are exported once, and both processes have all of them [mirror-33]")
  func objectsThatTwoProcessesSaveConcurrently() throws {
    let (app, tool) = (try program(), try program())
    var keys: [String] = []
    for number in 0..<20 {
      for (program, name) in [(app, "a"), (tool, "t")] {
        keys.append("\(name)\(number)")
        try program.send("insert", ["key": keys.last!, "entity": "Post", "text": "of \(keys.last!)"])
      }
      try app.answer()
      try tool.answer()
      if number == 10 {
        for program in [app, tool] { try program.send("drain") }
        for program in [app, tool] { try program.answer() }
      }
    }
    for program in [app, tool] { try program.ask("drain") }
    #expect(try records() == lines(keys))
    let tablet = try program("tablet")
    for program in [app, tool, tablet] {
      try eventually("a program has all") { try program.texts().count == keys.count }
    }
    // Each process exports its changes of the other's objects.
    try app.ask("set", ["key": "t0", "name": "text", "text": "changed by the app"])
    try tool.ask("set", ["key": "a0", "name": "text", "text": "changed by the tool"])
    try eventually("the tablet has the changes") {
      let texts = try tablet.texts()
      return texts["t0"] == "changed by the app" && texts["a0"] == "changed by the tool"
    }
    // Both processes get remote changes, also the one that did not take the push.
    try tablet.insert("x")
    for program in [app, tool] { try eventually("it arrives") { try program.texts()["x"] == "of x" } }
    #expect(try records().count == keys.count + 1)
  }

  @Test("objects that a process saves before it is killed or ends are exported by another process [mirror-33]")
  func objectsThatAProcessSaves() throws {
    let app = try program()
    try app.ask("drain")
    let (killed, ending) = (try program(), try program())
    try killed.insert("k")
    killed.kill()
    try eventually("it is sent") { try records() == lines(["k"]) }
    try ending.insert("e")
    ending.end()
    try eventually("it is sent") { try records() == lines(["e", "k"]) }
    try eventually("the app knows of both records") { try app.texts().count == 2 }
  }

  @Test("processes that are killed repeatedly leave every object exported exactly once [mirror-33]")
  func processesThatAreKilledRepeatedlyLeave() throws {
    let seed = TestSeed.value(31)
    var random = SeededGenerator(seed: seed)
    var programs = [try program(), try program()]
    var keys: [String] = []
    for number in 0..<24 {
      let index = Int.random(in: 0...1, using: &random)
      keys.append("p\(number)")
      try programs[index].insert(keys.last ?? "")
      if Int.random(in: 0..<3, using: &random) > 0 { continue }
      let victim = Int.random(in: 0...1, using: &random)
      // The process may be in any activity that followed from the saves.
      pause(microseconds: UInt64.random(in: 0..<30_000, using: &random))
      programs[victim].kill()
      if Bool.random(using: &random) { try programs[1 - victim].ask("drain") }
      programs[victim] = try program()
    }
    programs[0].kill()
    try programs[1].ask("drain")
    #expect(try records() == lines(keys), "seed \(seed)")
    let tablet = try program("tablet")
    try tablet.ask("drain")
    #expect(try tablet.texts().count == keys.count, "seed \(seed)")
    let problems = try cloud.service.checks.check()
    #expect(problems.isEmpty, "seed \(seed): \(problems)")
  }

  @Test("each of two processes can share an object, and the other one has the share [mirror-33]")
  func eachOfTwoProcessesCanShare() throws {
    let (app, tool) = (try program(), try program())
    for number in 0..<6 {
      let (one, other) = number % 2 == 0 ? (app, tool) : (tool, app)
      try one.insert("p\(number)")
      try other.insert("q\(number)")
      try other.send("share", ["key": "p\(number)"])
      try one.insert("r\(number)")
      let zone = try #require(try other.answer()["zone"] as? String)
      try one.ask("invite", ["zone": zone, "account": "bob", "mayWrite": true])
    }
    for program in [app, tool] { try program.ask("drain") }
    #expect(try records().count == 12)
    #expect(try app.texts().count == 18 && tool.texts().count == 18)
  }
}
