import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudDeviceStore
@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Effects of commits on devices and subscriptions")
struct DeviceObserverTests {
  private let observer = DeviceObserver(pushes: .test)
  private static let file = StorePath(.container, ["e", "public", "subscriptions", "s.json"])

  @Test("an entry lists pushes and withdrawals in their order, with the commit's mark")
  func entryListsPushesAndWithdrawals() throws {
    let subscription = SubscriptionReference(file: Self.file, token: "t")
    var effects = ObserverEffects()
    #expect(effects.members(of: CommitMark(history: "h", sequence: 1)) == [:])
    effects.push(PlannedPush(devices: ["d\"1"], line: ["zone": "Z"], once: subscription))
    effects.withdraw(subscription)
    let members = effects.members(of: CommitMark(history: "h", sequence: 7))
    let text =
      #"{"pushes":[{"devices":["d\"1"],"line":{"commit":{"history":"h","part":1,"sequence":7},"zone":"Z"},"#
      + #""once":{"file":"container/e/public/subscriptions/s.json","token":"t"}}],"#
      + #""withdrawals":[{"file":"container/e/public/subscriptions/s.json","token":"t"}]}"#
    #expect(JSONValue.object(members).compact() == Array(text.utf8))
    #expect(observer.understands(members))
    #expect(!observer.isJoinable(members))
    #expect(observer.understands(["mentions": [1]]))
    #expect(observer.isJoinable(["pushes": [1]]))
    for key in ["pushes", "withdrawals"] { #expect(!observer.understands([key: [[:]]]), "\(key)") }
  }

  @Test("a push may name a subscription that ends with it, and a subscription must be a container's file in its folder")
  func pushMayNameASubscriptionThatEnds() throws {
    let push = try #require(PlannedPush(["devices": ["d", "e"], "line": ["a": 1]]))
    #expect(push.devices == ["d", "e"])
    #expect(push.line == ["a": 1])
    #expect(push.once == nil)
    let once: JSONValue = ["file": "container/e/public/subscriptions/s.json", "token": "t"]
    let ending = try #require(PlannedPush(["devices": [], "line": [:], "once": once]))
    #expect(ending.once?.token == "t")
    #expect(ending.once?.value == once)
    for item in [[:], ["devices": []], ["line": [:]], ["devices": "d", "line": [:]], ["devices": [], "line": []]]
      as [JSONValue]
    { #expect(PlannedPush(item) == nil, "\(item)") }
    let wrong: [JSONValue] = [
      [:], ["file": "container/e/public/subscriptions/s.json"], ["token": "t"],
      ["file": "zone/e/subscriptions/s.json", "token": "t"],
      ["file": "container/subscriptions/a/s.json", "token": "t"],
      ["file": "container/s.json", "token": "t"], ["file": "container/subscriptions", "token": "t"],
    ]
    for item in wrong {
      #expect(SubscriptionReference(item) == nil, "\(item)")
      #expect(PlannedPush(["devices": [], "line": [:], "once": item]) == nil, "\(item)")
    }
  }

  @Test("a push's mark is read only with a history, a valid sequence and a part of at least 1")
  func pushsMarkIsRead() throws {
    func mark(_ history: String, _ sequence: Int64, _ part: Int64) -> PushMark? {
      PushMark(["history": .string(history), "sequence": .integer(sequence), "part": .integer(part)])
    }
    let first = try #require(mark("h", 0, 1))
    #expect(PushMark(first.value) == first)
    #expect(mark("h", 1 << 60, 1) != nil)
    #expect(mark("h", -1, 1) == nil)
    #expect(mark("h", 1 << 60 + 1, 1) == nil)
    #expect(mark("h", 1, 0) == nil)
    #expect(PushMark(nil) == nil)
    #expect(PushMark(["history": "h", "sequence": 1]) == nil)
    #expect(PushMark(["sequence": 1]) == nil)
    func follows(_ one: PushMark?, _ other: PushMark?) throws -> Bool {
      let (one, other) = (try #require(one), try #require(other))
      return one.follows(other)
    }
    #expect(try follows(mark("h", 2, 1), mark("h", 1, 9)) && follows(mark("h", 2, 2), mark("h", 2, 1)))
    #expect(try !follows(mark("h", 2, 1), mark("h", 2, 1)) && !follows(mark("h", 1, 9), mark("h", 2, 1)))
    var effects = ObserverEffects()
    effects.push(PlannedPush(devices: ["d"], line: ["a": 1]))
    effects.push(PlannedPush(devices: [], line: [:]))
    let members = effects.members(of: CommitMark(history: "h", sequence: 5))
    let pushes = try #require(members.items(of: "pushes", PlannedPush.init))
    #expect(pushes.map(\.mark) == [mark("h", 5, 1), mark("h", 5, 2)])
    #expect(pushes.map(\.devices) == [["d"], []])
    #expect(pushes[0].line["a"] == 1)
  }

  // MARK: Delivery

  private func context(_ root: Directory) throws -> CommitContext {
    CommitContext(root: root, container: try root.makingDirectory(at: ["containers", "c"]), limits: StorageLimits())
  }

  @Test("a replay appends only missing pushes, and a subscription for one push fires once, also after a kill")
  func replayAppendsOnlyMissingPushes() throws {
    let path = ScratchFolder.newPath("device-observer")
    try Directory.make(path: path, in: FileSystem())
    let root = try Directory.open(path: path, in: FileSystem())
    try root.makeDirectory("devices")
    let context = try context(root)
    let folder = try context.container.makingDirectory(at: ["e", "public", "subscriptions"])
    try folder.writeStaged("s.json", Array(#"{"x-local":{"token":"t"}}"#.utf8))
    var effects = ObserverEffects()
    let subscription = SubscriptionReference(file: Self.file, token: "t")
    effects.push(PlannedPush(devices: ["d", "e"], line: ["content": "once"], once: subscription))
    effects.push(PlannedPush(devices: ["d"], line: ["content": "always"]))
    func received(_ device: String) throws -> [String?] {
      var found: [String?] = []
      try PushLog(file: device, in: root.directory("devices"), .test, limits: StorageLimits()).forEach(after: 0) {
        found.append($0["content"]?.string)
        return true
      }
      return found
    }
    for (sequence, isReplay) in [(1, false), (1, true), (2, false), (2, true)] as [(Int64, Bool)] {
      let members = effects.members(of: CommitMark(history: "h", sequence: sequence))
      try observer.didCommit(members, in: context, isReplay: isReplay, LockWaitPolicy())
      #expect(try folder.entries().map(\.name).filter { $0 != ".lock" } == [], "\(sequence)")
      #expect(try received("d") == ["once", "always"] + (sequence == 2 ? ["always"] : []), "\(sequence) \(isReplay)")
      #expect(try received("e") == ["once"])
    }
    // A claimed subscription. The process died before it appended the pushes.
    try folder.writeStaged(".fired-h-3-1", Array(#"{"x-local":{"token":"t"}}"#.utf8))
    try observer.didCommit(
      effects.members(of: CommitMark(history: "h", sequence: 3)), in: context, isReplay: true, LockWaitPolicy())
    #expect(try received("e") == ["once", "once"] && folder.entries().map(\.name) == [".lock"])
    // A subscription that was saved again is another one.
    try folder.writeStaged("s.json", Array(#"{"x-local":{"token":"u"}}"#.utf8))
    var ending = ObserverEffects()
    ending.withdraw(subscription)
    let members = ending.members(of: CommitMark(history: "h", sequence: 4))
    try observer.didCommit(members, in: context, isReplay: false, LockWaitPolicy())
    #expect(try folder.exists("s.json"))
    try ScratchFolder.remove(path)
  }

  // MARK: Tree

  @Test(
    "files and folders of devices must be of the right kind",
    arguments: [
      ("devices", .directory), ("devices/.lock", .file), ("devices/d", .directory), ("devices/d/device.json", .file),
      ("devices/d/inbox", .directory), ("devices/d/operations", .directory), ("devices/d/pushes", .directory),
      ("devices/d/sharing", .directory), ("devices/d/inbox/m.json", .file), ("devices/d/operations/o.json", .file),
      ("devices/d/pushes/p", .file), ("devices/d/sharing/e", .file), ("devices/d/other/x", nil),
      ("devices/d/pushes/p/q", nil), ("other", nil), ("subscriptions", nil),
    ] as [(String, Directory.Kind?)])
  func filesAndFoldersOfDevicesMust(path: String, kind: Directory.Kind?) {
    #expect(observer.kind(at: path.split(separator: "/").map(String.init)) == kind)
  }

  @Test(
    "files and folders of subscriptions in a database's folder must be of the right kind",
    arguments: [
      ("subscriptions", .directory), ("subscriptions/s.json", .file), ("subscriptions/.lock", .file),
      ("subscriptions/.x", nil), ("subscriptions/s/t", nil), ("other", nil), ("devices", nil),
    ] as [(String, Directory.Kind?)])
  func kindsInDatabase(path: String, kind: Directory.Kind?) {
    #expect(observer.kind(inDatabase: path.split(separator: "/").map(String.init)) == kind)
  }
}

extension PushSchema {
  /// A schema of no particular app. It counts a value that any store could have.
  static let test = PushSchema(content: "content", count: "count", countedBy: "counter") { count, line in
    line["double"] = .integer(2 * count)
  }
}
