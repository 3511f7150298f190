import CloudKit
import Foundation
import LocalCloud
import LocalCloudDeviceStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// The shares and errors that a handler received. Waiting blocks no thread: the handlers need the pool's threads.
private final class Received: Sendable {
  private let state = Mutex((shares: [CKShare.Metadata](), errors: [any Error]()))

  func add(_ metadata: CKShare.Metadata) { state.withLock { $0.shares.append(metadata) } }

  func fail(_ error: any Error) { state.withLock { $0.errors.append(error) } }

  var count: Int { state.withLock { $0.shares.count } }
  var first: CKShare.Metadata? { state.withLock { $0.shares.first } }

  func titles(_ count: Int, within seconds: Double = 20) async -> [String]? {
    await soon(seconds) {
      let titles = self.state.withLock { $0.shares.map { $0.share[CKShare.SystemFieldKey.title] as? String ?? "" } }
      return titles.count >= count ? titles : nil
    }
  }

  func codes(_ count: Int) async -> [CKError.Code]? {
    await soon {
      let codes = self.state.withLock { $0.errors.compactMap { ($0 as? CKError)?.code } }
      return codes.count >= count ? codes : nil
    }
  }
}

/// Calls `body` until it returns a value, or until the time is over.
private func soon<Value>(_ seconds: Double = 20, _ body: () throws -> Value?) async rethrows -> Value? {
  for _ in 0..<Int(seconds / 0.02) {
    if let value = try body() { return value }
    try? await Task.sleep(nanoseconds: 20_000_000)
  }
  return try body()
}

@Suite("Delivery of opened shares to the listener on a device")
struct ShareListenerTests {
  private let cloud: TestCloud
  private let received = Received()

  init() throws { cloud = try TestCloud() }

  /// A link to a record that Alice shares publicly.
  private func link(_ title: String, container: String = "iCloud.test") async throws -> URL {
    try await LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
      let database = CKContainer(identifier: container).privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      let root = note(title)
      let share = CKShare(rootRecord: root)
      share[CKShare.SystemFieldKey.title] = title
      share.publicPermission = .readWrite
      _ = try await database.modifyRecords(saving: [root, share], deleting: [])
      return try #require(share.url)
    }
  }

  private func open(_ url: URL, as account: String = "bob", device: String? = nil) throws {
    try LocalCloud.acting(as: account, device: device, root: cloud.cloud.path) { try LocalCloud.open(url) }
  }

  private func listen(
    as account: String? = "bob", device: String? = nil, in container: String? = nil, to received: Received? = nil
  ) throws -> ShareListener {
    let received = received ?? self.received
    return try LocalCloud.acting(as: account, device: device, root: cloud.cloud.path) {
      try LocalCloud.onShareAccepted(in: container.map(CKContainer.init(identifier:)), failed: received.fail) {
        received.add($0)
      }
    }
  }

  private func waiting(_ device: String = "bob-device") throws -> Int {
    try Inbox(of: device, in: cloud.cloud.service.cloud).names().count
  }

  /// Waits for an empty inbox: the message is removed after the handler returns.
  private func isEmptySoon() async throws -> Bool { try await soon { try waiting() == 0 ? true : nil } ?? false }

  @Test("a handler gets the share's metadata, acts as the listener's account, and can accept immediately")
  func handlerGetsTheSharesMetadataActs() async throws {
    let url = try await link("Milk")
    let joined = Mutex<Result<String, any Error>?>(nil)
    let listener = try LocalCloud.acting(as: "bob", root: cloud.cloud.path) {
      try LocalCloud.onShareAccepted { metadata in
        let result: Result<String, any Error>
        do {
          let container = CKContainer(identifier: metadata.containerIdentifier)
          let share = try await container.accept(metadata)
          result = .success(share.recordID.zoneID.zoneName)
        } catch {
          result = .failure(error)
        }
        joined.withLock { $0 = result }
      }
    }
    try open(url)
    let result = await soon { joined.withLock { $0 } }
    #expect(try result?.get() == "Home")
    #expect(try await isEmptySoon())
    let zones = try await cloud.acting(as: "bob") { try await $0.sharedCloudDatabase.allRecordZones().count }
    #expect(zones == 1)
    withExtendedLifetime(listener) {}
  }

  @Test("shares that were opened before a listener starts are delivered at its start, in order and once")
  func coldStart() async throws {
    for title in ["1", "2", "3"] { try open(try await link(title)) }
    let listener = try listen()
    #expect(await received.titles(3) == ["1", "2", "3"])
    let metadata = try #require(received.first)
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantRole == .publicUser)
    #expect(metadata.containerIdentifier == "iCloud.test")
    #expect(metadata.hierarchicalRootRecordID?.recordName == "1")
    #expect(try await isEmptySoon())
    await listener.stop()
    let later = try listen()
    try open(try await link("4"))
    #expect(await received.titles(4) == ["1", "2", "3", "4"])
    withExtendedLifetime(later) {}
  }

  @Test("a share is delivered only on its device, in its container and environment")
  func shareIsDeliveredOnlyOnItsDevice() async throws {
    let others = Received()
    let listeners = try [
      listen(device: "laptop", to: others), listen(as: "carol", to: others), listen(in: "iCloud.other", to: others),
      listen(in: "iCloud.test"),
    ]
    try open(try await link("mine"))
    #expect(await received.titles(1) == ["mine"])
    try open(try await link("theirs", container: "iCloud.other"))
    #expect(await others.titles(1) == ["theirs"])
    try open(try await link("laptop's"), device: "laptop")
    #expect(await others.titles(2) == ["theirs", "laptop's"])
    #expect(received.count == 1)
    withExtendedLifetime(listeners) {}
  }

  @Test("one of several listeners gets each share")
  func oneOfSeveralListenersGetsEachShare() async throws {
    let listeners = try (0..<4).map { _ in try listen() }
    let url = try await link("many")
    for _ in 0..<20 { try open(url) }
    #expect(await received.titles(20)?.count == 20)
    #expect(try await isEmptySoon())
    #expect(received.count == 20)
    withExtendedLifetime(listeners) {}
  }

  @Test("a share whose process ends in the handler is delivered to the next listener")
  func dyingProgram() async throws {
    try open(try await link("kept"))
    let path = cloud.cloud.path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let listener = try LocalCloud.acting(as: "bob", root: path) {
        try LocalCloud.onShareAccepted { _ in HostProcess.exitNow(7) }
      }
      try await Task.sleep(nanoseconds: 60_000_000_000)
      withExtendedLifetime(listener) {}
    }
    #expect(try waiting() == 1)
    let listener = try listen()
    #expect(await received.titles(1) == ["kept"])
    #expect(try await isEmptySoon())
    withExtendedLifetime(listener) {}
  }

  @Test("a dead link and an invalid message are reported once, and later shares are delivered")
  func deadLinkAndAnInvalidMessage() async throws {
    let url = try await link("gone")
    try open(url)
    try await cloud.acting(as: "alice") { container in
      _ = try await container.privateCloudDatabase.deleteRecord(
        withID: CKRecord.ID(recordName: "gone", zoneID: testZoneID))
    }
    let inbox = try Directory.open(path: cloud.cloud.path + "/devices/bob-device/inbox", in: FileSystem())
    try inbox.writeStaged("0000000000000002-openURL.json", Array("{".utf8))
    try open(try await link("good"))
    let listener = try listen()
    #expect(await received.titles(1) == ["good"])
    #expect(await received.codes(2) == [.unknownItem, .internalError])
    try open(try await link("better"))
    #expect(await received.titles(2) == ["good", "better"])
    #expect(await received.codes(2)?.count == 2)
    #expect(try inbox.exists("0000000000000002-openURL.json"))
    withExtendedLifetime(listener) {}
  }

  @Test("shares of a temporarily unavailable account are delivered when the account is available again")
  func sharesOfATemporarilyUnavailableAccount() async throws {
    try open(try await link("later"))
    var changes = AccountChanges()
    changes.status = .temporarilyUnavailable
    _ = try cloud.cloud.service.accounts.setAccount("bob", changes)
    let listener = try listen()
    #expect(await received.codes(1) == [.accountTemporarilyUnavailable])
    changes.status = .available
    _ = try cloud.cloud.service.accounts.setAccount("bob", changes)
    #expect(await received.titles(1) == ["later"])
    withExtendedLifetime(listener) {}
  }

  @Test("a removed inbox folder is created again")
  func removedInbox() async throws {
    let listener = try listen()
    try Directory.open(path: cloud.cloud.path + "/devices/bob-device", in: FileSystem()).removeTree("inbox")
    let device = try Directory.open(path: cloud.cloud.path + "/devices/bob-device", in: FileSystem())
    #expect(try await soon { try device.exists("inbox") ? true : nil } == true)
    try open(try await link("again"))
    #expect(await received.titles(1) == ["again"])
    withExtendedLifetime(listener) {}
  }

  @Test("a stopped or released listener receives no shares")
  func stoppedOrReleasedListenerReceivesNoShares() async throws {
    let url = try await link("quiet")
    var listener: ShareListener? = try listen()
    await listener?.stop()
    try open(url)
    #expect(await received.titles(1, within: 0.3) == nil)
    #expect(try waiting() == 1)
    listener = nil
    listener = try listen()
    #expect(await received.titles(1) == ["quiet"])
    #expect(try await isEmptySoon())
    listener = nil
    try open(url)
    #expect(await received.titles(2, within: 0.3) == nil)
  }

  @Test("stop() waits until the current share is removed from the inbox, except inside its handler")
  func stoppingUnderWay() async throws {
    let url = try await link("slow")
    let held = Mutex<(began: Bool, mayEnd: Bool, listener: ShareListener?)>((false, false, nil))
    let listener = try LocalCloud.acting(as: "bob", root: cloud.cloud.path) {
      try LocalCloud.onShareAccepted { _ in
        held.withLock { $0.began = true }
        await held.withLock { $0.listener }?.stop()
        _ = await soon { held.withLock { $0.mayEnd } ? true : nil }
      }
    }
    held.withLock { $0.listener = listener }
    for _ in 0..<2 { try open(url) }
    _ = await soon { held.withLock { $0.began } ? true : nil }
    let stopping = Task { await listener.stop() }
    try await Task.sleep(nanoseconds: 50_000_000)
    #expect(try waiting() == 2)
    held.withLock { $0.mayEnd = true }
    await stopping.value
    #expect(try waiting() == 1)
    held.withLock { $0.listener = nil }
  }

  @Test("after another account signs in on the device, its opened shares are delivered and accepted as that account")
  func switchedDevice() async throws {
    let url = try await link("Milk")
    let errors = Received()
    let listener = try LocalCloud.acting(as: "bob", root: cloud.cloud.path) {
      try LocalCloud.onShareAccepted(failed: errors.fail) { metadata in
        _ = try? await CKContainer(identifier: metadata.containerIdentifier).accept(metadata)
      }
    }
    _ = try cloud.cloud.service.devices.signIn("carol", on: "bob-device")
    try open(url)
    #expect(try await isEmptySoon())
    for (account, count) in [("bob", 0), ("carol", 1)] {
      let caller = cloud.cloud.caller(account)
      #expect(try cloud.cloud.service.zones.list(nil, in: .shared, by: caller).count == count)
    }
    // Without an account on the device a share can't be opened.
    _ = try cloud.cloud.service.devices.signOut("bob-device")
    #expect(await code { try open(url) } == .notAuthenticated)
    #expect(try waiting() == 0)
    withExtendedLifetime(listener) {}
  }

  @Test("without an account or without a cloud, starting a listener fails")
  func withoutAnAccountOrWithoutACloud() async throws {
    let nowhere = try #require(URL(string: "https://www.icloud.com/share/nowhere"))
    #expect(await code { try open(nowhere) } == .unknownItem)
    #expect(await code { _ = try listen(as: nil) } == .notAuthenticated)
    #expect(await code { _ = try listen(as: "nobody") } == .notAuthenticated)
    #expect(
      await code {
        _ = try LocalCloud.acting(as: "bob", root: "/nowhere") { try LocalCloud.onShareAccepted { _ in } }
      } == .badContainer)
  }
}
