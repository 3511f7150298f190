import LocalCloudDeviceStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("A device's inbox")
struct InboxTests {
  private let cloud: TemporaryCloud
  private let inbox: Inbox
  private let waitPolicy = LockWaitPolicy()

  init() throws {
    cloud = try TemporaryCloud()
    inbox = try cloud.service.devices.inbox(of: cloud.caller("bob"))
  }

  private var folder: Directory {
    get throws { try Directory.open(path: cloud.path + "/devices/bob-device/inbox", in: FileSystem()) }
  }

  @discardableResult
  private func deliver(_ text: String, kind: String = "test") throws -> MessageName {
    try inbox.deliver(["text": .string(text)], kind: kind, waitPolicy)
  }

  @Test("messages wait in the order of their arrival")
  func messagesWaitInTheOrder() throws {
    #expect(try inbox.names() == [])
    for number in 1...12 { try deliver("\(number)", kind: number % 2 == 0 ? "test" : "other") }
    let texts = try inbox.names().map { try inbox.message($0)?["text"]?.string }
    #expect(texts == (1...12).map { "\($0)" })
    #expect(try folder.entries().map(\.name).first == "0000000000000001-other.json")
    // Messages after a removed one keep their numbers.
    for name in try inbox.names().dropLast() { try inbox.hold(name)?.remove(waitPolicy) }
    #expect(try deliver("13").number == 13)
  }

  @Test("one holder has a message at a time; the next holder gets it unless the first removed it")
  func oneHolderHasAMessage() throws {
    let name = try deliver("a")
    var first = try inbox.hold(name)
    #expect(first?.object == ["kind": "test", "text": "a"])
    let second = ThreadCondition<HeldMessage??>(nil)
    let inbox = inbox
    startThread {
      let held = (try? inbox.hold(name)) ?? nil
      second.change { $0 = .some(held) }
    }
    #expect(second.wait(seconds: 0.1) { $0.map { _ in true } } == nil)
    // As when the holder's process ends.
    first = nil
    let held = try #require(second.wait(seconds: 10) { $0 } ?? nil)
    try held.remove(waitPolicy)
    #expect(try inbox.names() == [])
    #expect(try inbox.hold(name) == nil)
    #expect(try inbox.message(name) == nil)
    try held.remove(waitPolicy)
  }

  @Test("a caller that waits for a message that is then removed does not get a later message with the same name")
  func takenMeanwhile() throws {
    let waits = ThreadCondition(0)
    let cloud = try TemporaryCloud(
      fileSystem: FileSystem(observing: .allCalls) { call in
        if case .waitForLock(let path) = call, path.contains("/inbox/") { waits.change { $0 += 1 } }
        return .proceed
      })
    let inbox = try cloud.service.devices.inbox(of: cloud.caller("bob"))
    let name = try inbox.deliver(["text": "a"], kind: "test", waitPolicy)
    var first = try inbox.hold(name)
    let second = ThreadCondition<HeldMessage??>(nil)
    startThread {
      let held = (try? inbox.hold(name)) ?? nil
      second.change { $0 = .some(held) }
    }
    #expect(waits.wait(seconds: 10) { $0 == 2 ? true : nil } == true)
    try first?.remove(waitPolicy)
    #expect(try inbox.deliver(["text": "b"], kind: "test", waitPolicy) == name)
    first = nil
    let isNothing = second.wait(seconds: 10) { result in result.map { $0 == nil } }
    #expect(isNothing == true)
    #expect(try inbox.message(name)?["text"] == "b")
  }

  @Test(
    "names of messages",
    arguments: [
      ("0000000000000001-openURL.json", true), ("0999999999999999-push.json", true),
      ("1000000000000000-push.json", false), ("9999999999999999-push.json", false), ("1-push.json", false),
      ("0000000000000000-push.json", false), ("0000000000000001.json", false), ("0000000000000001-.json", false),
      ("0000000000000001-push", false), ("0000000000000001-pu sh.json", false), ("0000000000000001-pü.json", false),
      ("-000000000000001-push.json", false), ("+000000000000001-push.json", false), ("", false),
      ("0000000000000001-../x.json", false), (".0000000000000001-push.json.new", false),
      ("٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠١-push.json", false),
    ])
  func namesOfMessages(_ name: String, isMessage: Bool) {
    #expect((MessageName(name) != nil) == isMessage)
    if let message = MessageName(name) { #expect(message.fileName == name) }
  }

  @Test("files that are not messages are skipped, reported by check, and set aside by repair")
  func filesThatAreNotMessagesAreSkipped() throws {
    try deliver("good")
    try folder.writeStaged("0000000000000002-test.json", Array("{".utf8))
    try folder.writeStaged("0000000000000003-test.json", Array(#"{"kind":"other"}"#.utf8))
    try folder.writeStaged("0000000000000004-openURL.json", Array(#"{"kind":"openURL","url":"file:///x"}"#.utf8))
    try folder.writeStaged("9999999999999999-test.json", Array("{}".utf8))
    try folder.writeStaged("notes.txt", [])
    try folder.writeStaged(".0000000000000009-test.json.new", [])
    try folder.makeDirectory("0000000000000005-test.json")
    try LinkMaker.link("0000000000000006-test.json", in: folder, to: "/etc/passwd")
    #expect(try inbox.names().map(\.number) == [1, 2, 3, 4])
    for name in try inbox.names()[1...2] {
      #expect(throws: StorageError.self) { try inbox.hold(name) }
      #expect(throws: StorageError.self) { try inbox.message(name) }
    }
    #expect(try deliver("next").number == 7)
    let wrong = Set(try cloud.service.checks.check().map { $0.path.split(separator: "/").last.map(String.init) ?? "" })
    let expected: Set = [
      "0000000000000002-test.json", "0000000000000003-test.json", "0000000000000004-openURL.json",
      "9999999999999999-test.json", "notes.txt", "0000000000000005-test.json", "0000000000000006-test.json",
    ]
    #expect(wrong == expected)
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try inbox.names().map(\.number) == [1, 7])
  }

  @Test("an inbox that is a symbolic link is damage, and is not followed")
  func inboxOfAnotherKind() throws {
    let devices = try Directory.open(path: cloud.path + "/devices", in: FileSystem())
    try devices.makeDirectory("bob-device")
    try LinkMaker.link("inbox", in: devices.directory("bob-device"), to: "/tmp")
    #expect(throws: SystemError.self) { try deliver("a") }
    #expect(throws: SystemError.self) { try inbox.names() }
    #expect(try cloud.service.checks.check().count == 1)
    #expect(try cloud.service.repairs.repair().left == [])
    try deliver("a")
  }

  @Test("removing an account removes the messages of its devices and signs them out")
  func removedAccount() throws {
    try deliver("a")
    try cloud.service.cloud.withFolder("devices", waitPolicy) { folder in
      try folder.write(["account": "bob", "name": "phone"], "phone", "device.json")
      try folder.write(["account": "carol", "name": "watch"], "watch", "device.json")
      try folder.write(["drawn": 3], "phone", "identifiers.json")
    }
    let phone = Inbox(of: "phone", in: cloud.service.cloud)
    let watch = Inbox(of: "watch", in: cloud.service.cloud)
    for inbox in [phone, watch] { try inbox.deliver([:], kind: "test", waitPolicy) }
    try cloud.service.accounts.removeAccount("bob")
    #expect(try inbox.names() + phone.names() == [])
    #expect(try watch.names().count == 1)
    let devices = try cloud.service.cloud.folder("devices")
    #expect(try devices.read("phone", "device.json") == ["name": "phone"])
    #expect(try devices.read("phone", "identifiers.json") != nil)
    #expect(try devices.read("watch", "device.json") != nil)
    #expect(try cloud.service.checks.check() == [])
  }
}

/// Symbolic links. The program itself never creates any.
enum LinkMaker {
  static func link(_ name: String, in folder: Directory, to target: String) throws {
    let status = try ChildProcess("/bin/ln", ["-s", target, folder.path(of: name)]).wait()
    if status != 0 { throw SystemError(code: status, call: "ln", path: name) }
  }
}
