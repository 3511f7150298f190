import CloudKit
import FaultInjection
import LocalCloud
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import TestSupport
import Testing

@Suite("CKAccountChanged, and the account that requests use afterwards")
struct AccountChangeTests {
  private let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  private var service: CloudService { cloud.cloud.service }

  private func set(_ status: AccountStatus, of account: String = "alice") throws {
    var changes = AccountChanges()
    changes.status = status
    _ = try service.accounts.setAccount(account, changes)
  }

  @Test(
    "CKAccountChanged is posted only for changes that concern the program's account ([account-change-1])"
  )
  func ckAccountChangedIsPostedOnlyForChanges() async throws {
    #expect(Notification.Name.CKAccountChanged.rawValue == "CKAccountChangedNotification")
    let events = AccountEvents(cloud)
    let container = try cloud.container(of: "alice")
    #expect(try await container.accountStatus() == .available)
    var expected = 0
    func becomes(_ status: CKAccountStatus, _ what: String, _ change: () throws -> Void) async throws {
      try change()
      expected += 1
      #expect(try await events.posted(expected) == expected, "\(what)")
      #expect(try await container.accountStatus() == status, "\(what)")
    }
    try await becomes(.temporarilyUnavailable, "a status") { try set(.temporarilyUnavailable) }
    try await becomes(.restricted, "another one") { try set(.restricted) }
    try await becomes(.available, "back") { try set(.available) }
    try await becomes(.noAccount, "signed out") { _ = try service.devices.signOut("alice-device") }
    try await becomes(.available, "signed in") { _ = try service.devices.signIn("alice", on: "alice-device") }
    try await becomes(.available, "switched") { _ = try service.devices.signIn("bob", on: "alice-device") }
    #expect(try await container.userRecordID().recordName == service.accounts.account("bob").userRecordName)
    try await becomes(.noAccount, "removed") {
      try service.accounts.removeAccount("bob")
      #expect(try service.devices.device("alice-device")?.account == nil)
    }
    try await becomes(.available, "signed in again") { _ = try service.devices.signIn("alice", on: "alice-device") }
    // None of these changes concerns the program's account.
    var addresses = AccountChanges()
    addresses.emails = ["new@example.com"]
    _ = try service.accounts.setAccount("alice", addresses)
    _ = try service.devices.signIn("alice", on: "alice-device")
    try set(.available)
    try set(.restricted, of: "carol")
    _ = try service.devices.signIn("carol", on: "phone")
    _ = try service.devices.signOut("phone")
    _ = try service.accounts.addAccount("dora", AccountChanges())
    try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
    try await Task.sleep(for: .milliseconds(300))
    #expect(events.posted == expected)
    // The observation continues.
    try await becomes(.restricted, "at last") { try set(.restricted) }
    #expect(try service.checks.check() == [])
  }

  @Test("signed out by the account's status or on the device is the same state, and the second one posts nothing")
  func twoWaysOut() async throws {
    let events = AccountEvents(cloud)
    let container = try cloud.container(of: "alice")
    #expect(try await container.accountStatus() == .available)
    try set(.noAccount)
    #expect(try await events.posted(1) == 1)
    _ = try service.devices.signOut("alice-device")
    try set(.available)
    try await Task.sleep(for: .milliseconds(300))
    #expect(events.posted == 1)
    #expect(try await container.accountStatus() == .noAccount)
  }

  @Test("CKAccountChanged is posted while a container exists, once for all containers of a scope ([account-change-1])")
  func whileAContainerExists() async throws {
    let events = AccountEvents(cloud)
    var containers = [try cloud.container(of: "alice"), try cloud.container(of: "alice")]
    let elsewhere = try cloud.container(of: "carol")
    for container in containers + [elsewhere] { _ = try await container.accountStatus() }
    try set(.restricted)
    #expect(try await events.posted(1) == 1)
    containers.removeFirst()
    try set(.available)
    #expect(try await events.posted(2) == 2)
    containers = []
    try set(.restricted)
    try await Task.sleep(for: .milliseconds(300))
    #expect(events.posted == 2)
    // A new container does not post changes from before its creation.
    let container = try cloud.container(of: "alice")
    #expect(try await container.accountStatus() == .restricted)
    #expect(events.posted == 2)
    try set(.available)
    #expect(try await events.posted(3) == 3)
    _ = elsewhere
  }

  @Test("a request inside the notification's handler uses the account that is signed in now")
  func requestInsideTheHandler() async throws {
    let names = Collector<String>()
    let events = AccountEvents(cloud) {
      Task { names.append((try? await CKContainer.default().userRecordID().recordName) ?? "nobody") }
    }
    let container = try cloud.container(of: "alice")
    _ = try await container.accountStatus()
    _ = try service.devices.signIn("carol", on: "alice-device")
    #expect(try await events.posted(1) == 1)
    for _ in 0..<500 where names.values.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(names.values == [try service.accounts.account("carol").userRecordName])
  }

  @Test(
    "a session with a device only follows the device's account; one with an account must match the device at its start")
  func sessionWithADeviceOnlyFollows() async throws {
    _ = try service.devices.signIn("alice", on: "tablet")
    var tablet = ActingIdentity()
    (tablet.root, tablet.device) = (cloud.cloud.path, "tablet")
    try await ActingIdentity.$current.withValue(tablet) {
      let container = CKContainer(identifier: "iCloud.test")
      #expect(try await container.userRecordID().recordName == service.accounts.account("alice").userRecordName)
      try LocalCloud.signIn(as: "bob")
      #expect(try await container.userRecordID().recordName == service.accounts.account("bob").userRecordName)
      try LocalCloud.signOut()
      #expect(await code { _ = try await container.userRecordID() } == .notAuthenticated)
    }
    // A program that starts as Carol must not act as Bob by mistake.
    _ = try service.devices.signIn("bob", on: "tablet")
    func status() async throws -> CKAccountStatus {
      try await LocalCloud.acting(as: "carol", device: "tablet", root: cloud.cloud.path) {
        try await CKContainer(identifier: "iCloud.test").accountStatus()
      }
    }
    #expect(await code { _ = try await status() } == .serverRejectedRequest)
    _ = try service.devices.signIn("carol", on: "tablet")
    #expect(try await status() == .available)
    _ = try service.devices.signIn("bob", on: "tablet")
    #expect(try await status() == .available)
    // A signed-out device stays signed out, also for a session with an account.
    _ = try service.devices.signOut("tablet")
    let nobody = try await LocalCloud.acting(as: "alice", device: "tablet", root: cloud.cloud.path) {
      try await CKContainer(identifier: "iCloud.test").accountStatus()
    }
    #expect(nobody == .noAccount)
  }

  @Test("observing changes signs no account in and does not change the tree")
  func lookingLeavesNothing() async throws {
    let before = try FolderImage(of: cloud.cloud.path).fingerprint
    let events = AccountEvents(cloud)
    let container = try LocalCloud.acting(as: "alice", device: "tablet", root: cloud.cloud.path) {
      CKContainer(identifier: "iCloud.test")
    }
    try await Task.sleep(for: .milliseconds(200))
    #expect(try FolderImage(of: cloud.cloud.path).fingerprint == before)
    #expect(try await container.accountStatus() == .available)
    #expect(try service.devices.device("tablet")?.account == "alice")
    _ = try service.devices.signOut("tablet")
    #expect(try await events.posted(1) == 1)
  }

  @Test("a damaged account file makes accountStatus fail, and posts CKAccountChanged")
  func damagedAccountFileMakesAccountStatusFail() async throws {
    let events = AccountEvents(cloud)
    let container = try cloud.container(of: "alice")
    _ = try await container.accountStatus()
    let accounts = try Directory.open(path: cloud.cloud.path + "/accounts", in: FileSystem())
    let whole = try #require(try accounts.contents("alice.json"))
    for (index, garbage) in ["", "{", "[]", "{\"name\": 5}"].enumerated() {
      try accounts.writeStaged(".alice.json.new", Array(garbage.utf8))
      try accounts.rename(".alice.json.new", to: accounts, as: "alice.json")
      #expect(await code { _ = try await container.accountStatus() } != nil)
      #expect(try await events.posted(2 * index + 1) == 2 * index + 1)
      try accounts.writeStaged(".alice.json.new", whole)
      try accounts.rename(".alice.json.new", to: accounts, as: "alice.json")
      #expect(try await events.posted(2 * index + 2) == 2 * index + 2)
      #expect(try await container.accountStatus() == .available)
    }
    // A damaged device file does the same.
    _ = try service.devices.signOut("alice-device")
    #expect(try await events.posted(9) == 9)
    _ = try service.devices.signIn("alice", on: "alice-device")
    #expect(try await events.posted(10) == 10)
    let device = try Directory.open(path: cloud.cloud.path + "/devices/alice-device", in: FileSystem())
    try device.writeStaged(".device.json.new", Array("{\"account\": 7, \"name\": \"alice-device\"}".utf8))
    try device.rename(".device.json.new", to: device, as: "device.json")
    #expect(try await events.posted(11) == 11)
    #expect(await code { _ = try await container.accountStatus() } == .internalError)
    #expect(try service.checks.check().count == 1)
    #expect(try service.repairs.repair().left == [])
    #expect(try await events.posted(12) == 12)
    #expect(try await container.accountStatus() == .available)
  }

  @Test("tokens stay valid after signing out and in again; another account's tokens are invalid ([change-token-5])")
  func tokensStayValidAfterSigningOut() async throws {
    let container = try cloud.container(of: "alice")
    let database = container.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.save(note("one"))
    let zone = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil).changeToken
    let whole = try await database.databaseChanges(since: nil).changeToken
    _ = try service.devices.signOut("alice-device")
    #expect(await code { _ = try await database.databaseChanges(since: whole) } == .notAuthenticated)
    _ = try service.devices.signIn("alice", on: "alice-device")
    try await database.save(note("two"))
    let changes = try await database.recordZoneChanges(inZoneWith: testZoneID, since: zone)
    #expect(changes.modificationResultsByID.keys.map(\.recordName) == ["two"])
    #expect(try await database.databaseChanges(since: whole).modifications.map(\.zoneID) == [testZoneID])
    _ = try service.devices.signIn("bob", on: "alice-device")
    try await database.save(CKRecordZone(zoneID: testZoneID))
    #expect(await code { _ = try await database.databaseChanges(since: whole) } == .changeTokenExpired)
    #expect(
      await code { _ = try await database.recordZoneChanges(inZoneWith: testZoneID, since: zone) }
        == .changeTokenExpired)
  }
}
