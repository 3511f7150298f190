import FaultInjection
import LocalCloudDeviceStore
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Devices and their signed-in accounts")
struct DeviceTests {
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  private var service: CloudService { cloud.service }

  private func session(_ account: String?, _ device: String? = nil, as role: SessionRole = .program) throws -> Session {
    var acting = ActingIdentity()
    (acting.root, acting.device) = (cloud.path, device)
    acting.container = TemporaryCloud.container
    if let account { acting.who = .account(account) }
    return try Session(acting, as: role)
  }

  /// The account that a session acts as; `-` without an account.
  private func actor(_ account: String?, _ device: String? = nil, as role: SessionRole = .program) throws -> String {
    try session(account, device, as: role).caller.account ?? "-"
  }

  private var list: [String] {
    get throws { try service.devices.list().map { "\($0.name) \($0.account ?? "-")" } }
  }

  @Test("each account has a device of its own; other devices are created by their first sign-in")
  func eachAccountHasADevice() throws {
    #expect(try list == ["alice-device alice", "bob-device bob", "carol-device carol"])
    #expect(try service.devices.device("phone") == nil)
    _ = try service.devices.signIn("bob", on: "phone")
    _ = try service.devices.signOut("alice-device")
    _ = try service.devices.signIn("bob", on: "carol-device")
    #expect(try list == ["alice-device -", "bob-device bob", "carol-device bob", "phone bob"])
    _ = try service.devices.signIn("alice", on: "phone")
    _ = try service.devices.signIn("alice", on: "alice-device")
    _ = try service.devices.signOut("carol-device")
    #expect(try list == ["alice-device alice", "bob-device bob", "carol-device -", "phone alice"])
    #expect(try service.checks.check() == [])
  }

  @Test("an unchanged sign-in writes no file; device names with the form of paths stay inside the devices' folder")
  func unchangedSignInWritesNoFile() throws {
    let before = try FolderImage(of: cloud.path).fingerprint
    _ = try service.devices.signIn("alice", on: "alice-device")
    #expect(code { try service.devices.signOut("phone") } == .unknownItem)
    #expect(code { try service.devices.signIn("nobody", on: "phone") } == .notAuthenticated)
    #expect(code { try service.devices.signIn("alice", on: "") } == .invalidArguments)
    #expect(code { try service.devices.signIn("alice", on: String(repeating: "x", count: 256)) } == .invalidArguments)
    #expect(code { try service.devices.signOut("a\u{0}b") } == .invalidArguments)
    // The accounts' lock exists from the start, the devices' lock since the first change of a device.
    try Directory.open(path: cloud.path + "/devices", in: FileSystem()).remove(".lock")
    #expect(try FolderImage(of: cloud.path).fingerprint == before)
    for name in AttackerNames.all where !name.isEmpty && name.utf16.count <= 255 && !name.utf8.contains(0) {
      #expect(try service.devices.signIn("bob", on: name) == Device(name: name, account: "bob"))
      #expect(try service.devices.device(name)?.account == "bob")
      #expect(try service.devices.signOut(name).account == nil)
      #expect(try service.devices.device(name) == Device(name: name))
    }
    #expect(try service.checks.check() == [])
  }

  @Test("a command needs its own account signed in on the device; a program acts as the account of its device")
  func whoActs() throws {
    #expect(try actor("alice") == "alice")
    #expect(try actor("alice", "phone") == "alice")
    #expect(try actor(nil, "phone") == "alice")
    #expect(code { try actor("bob", "phone") } == .serverRejectedRequest)
    #expect(code { try actor("bob", "phone", as: .command) } == .serverRejectedRequest)
    _ = try service.devices.signIn("bob", on: "phone")
    #expect(try actor("alice", "phone") == "bob")
    #expect(try session("alice", "phone").caller.device == "phone")
    #expect(code { try actor("alice", "phone", as: .command) } == .serverRejectedRequest)
    #expect(try actor(nil, "phone", as: .command) == "bob")
    _ = try service.devices.signIn("carol", on: "alice-device")
    #expect(try actor("alice") == "carol")
    #expect(try session("alice").caller.device == "alice-device")
    #expect(code { try actor("alice", as: .command) } == .serverRejectedRequest)
    for role in [SessionRole.program, .command, .onlooker] {
      _ = try service.devices.signOut("alice-device")
      #expect(try actor("alice", as: role) == "-")
      #expect(try actor(nil, "alice-device", as: role) == "-")
      _ = try service.devices.signIn("alice", on: "alice-device")
      #expect(try actor("alice", as: role) == "alice")
    }
    #expect(try actor("alice", "phone", as: .administrator) == "-")
    // A session that is explicitly signed out has no account on any device.
    var acting = ActingIdentity()
    (acting.root, acting.device, acting.who) = (cloud.path, "phone", .signedOut)
    #expect(try Session(acting).caller.account == nil)
  }

  @Test("if several accounts use a new device at the same time, exactly one of them is signed in on it")
  func firstSignIn() async throws {
    for round in 0..<20 {
      let names = ["alice", "bob", "carol"]
      let signedIn = await withTaskGroup(of: String?.self) { group in
        for name in names { group.addTask { try? actor(name, "tablet-\(round)") } }
        return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
      }
      #expect(signedIn.count == 1)
      #expect(try service.devices.device("tablet-\(round)")?.account == signedIn.first)
    }
  }

  @Test("a removed account is signed out on every device; other accounts stay, and none is signed in instead")
  func removedAccount() throws {
    #expect(try actor("bob") == "bob")
    _ = try service.devices.signIn("bob", on: "phone")
    _ = try service.devices.signIn("bob", on: "alice-device")
    _ = try service.devices.signIn("carol", on: "bob-device")
    let waiting = Inbox(of: "bob-device", in: service.cloud)
    try waiting.deliver([:], kind: "test", LockWaitPolicy())
    try service.accounts.removeAccount("bob")
    #expect(try list == ["alice-device -", "bob-device carol", "carol-device carol", "phone -"])
    #expect(try waiting.names().count == 1)
    // A program that ran as Bob is signed out. A command that starts as Bob gets an error that the account is unknown.
    _ = try service.devices.signOut("bob-device")
    #expect(try actor("bob") == "-")
    #expect(try actor("bob", as: .command) == "-")
    #expect(try service.checks.check() == [])
    // A new account of that name is signed in on its own device only.
    _ = try service.accounts.addAccount("bob", AccountChanges())
    #expect(try list == ["alice-device -", "bob-device bob", "carol-device carol", "phone -"])
    try service.accounts.removeAccount("bob")
    #expect(try service.devices.device("bob-device") == nil)
    #expect(try actor("bob") == "-")
    // A command accepts the name like any other unknown name.
    #expect(try actor("bob", as: .command) == "bob")
    #expect(code { try service.accounts.userRecordName(by: session("bob", as: .command).caller) } == .notAuthenticated)
  }

  @Test("a damaged device file is an error and a problem of check, and repair sets it aside")
  func damagedDeviceFileIsAnError() throws {
    let devices = try Directory.open(path: cloud.path + "/devices", in: FileSystem())
    for (index, text) in [
      "", "{", "[]", "{}", "{\"name\": 5}", "{\"name\": \"phone\", \"account\": 5}",
      "{\"name\": \"phone\", \"account\": null}", "{\"name\": \"other\", \"account\": \"alice\"}",
    ].enumerated() {
      _ = try service.devices.signIn("alice", on: "phone")
      let folder = try devices.directory("phone")
      try folder.writeStaged("device.json", Array(text.utf8))
      #expect(code { try actor(nil, "phone") } == .internalError, "\(text)")
      #expect(code { try actor("alice", "phone") } == .internalError)
      #expect(code { try service.devices.signOut("phone") } == .internalError)
      #expect(try actor("bob") == "bob")
      #expect(try service.checks.check().map(\.path) == [folder.path(of: "device.json")])
      let report = try service.repairs.repair()
      #expect(report.done.count == 1, "\(index)")
      #expect(report.left == [], "\(index)")
      #expect(try service.devices.device("phone") == nil)
    }
    // The file of the device's account was removed by hand.
    _ = try service.devices.signIn("carol", on: "phone")
    try Directory.open(path: cloud.path + "/accounts", in: FileSystem()).remove("carol.json")
    #expect(try actor(nil, "phone") == "-")
    #expect(try service.checks.check() == [])
  }

  @Test("the client token data of one account on a device is not returned to another account there ([change-zone-10])")
  func clientData() throws {
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("root", "1"))
    let link = try alice.share("root", publicPermission: .readWrite).shareDetails?.url ?? ""
    let (bob, carol) = (
      try Person(cloud, "bob", device: "tablet").inShared(zoneOf: alice),
      try Person(cloud, "carol", device: "tablet").inShared(zoneOf: alice)
    )
    for person in [bob, carol] { try person.accept(link) }
    let save = bob.note("child", "1", parent: .set("root", zone: nil))
    let request = ModifyRecordsRequest(scope: .shared, saves: [save], clientChangeTokenData: [7])
    _ = try service.records.modifyRecords(request, by: bob.caller).saves[0].get()
    #expect(try bob.changes().clientChangeTokenData == [7])
    #expect(try carol.changes().clientChangeTokenData == nil)
    #expect(try alice.changes().clientChangeTokenData == nil)
  }
}
