import LocalCloud
import LocalCloudService
import Testing

@testable import CloudKit

@Suite("CKSyncEngine and the account", .timeLimit(.minutes(2)))
struct SyncAccountTests {
  private let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  private func signIn(_ account: String) throws {
    _ = try cloud.cloud.service.devices.signIn(account, on: "alice-device")
  }

  private func signOut() throws { _ = try cloud.cloud.service.devices.signOut("alice-device") }

  private func user(_ account: String) throws -> CKRecord.ID {
    CKRecord.ID(recordName: try cloud.cloud.service.accounts.account(account).userRecordName)
  }

  private func changes(_ app: SyncApp) async -> [CKSyncEngine.Event.AccountChange.ChangeType] {
    await app.events.compactMap { event in
      if case .accountChange(let event) = event { event.changeType } else { nil }
    }
  }

  // [sync-account-1] [sync-account-2] [sync-state-11]
  @Test("without a state a sign-in is the first event, with an empty state")
  func firstSignIn() async throws {
    // The account is not looked up before the call.
    try cloud.holdSyncEngines()
    let left = Collector<Int>()
    let device = try SyncDevice(
      cloud,
      SyncApp(handler: { event, engine, _ in
        if case .accountChange = event { left.append(engine.state.pendingDatabaseChanges.count) }
      }))
    device.addZone()
    try await device.engine.fetchChanges()
    #expect(await changes(device.app) == [.signIn(currentUser: try user("alice"))])
    #expect(await device.calls() == ["signIn", "willFetch", "didFetch"])
    #expect(left.values == [0])
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    // The same account is no change, for a new engine with the state neither.
    try await device.engine.sendChanges()
    #expect(await device.calls() == ["willSend", "didSend"])
    let serialization: CKSyncEngine.State.Serialization = try #require(await device.app.serialization)
    let restored = try SyncDevice(cloud, state: serialization)
    try await restored.engine.fetchChanges()
    #expect(await restored.calls() == ["willFetch", "didFetch"])
  }

  // [sync-account-3] [sync-account-4]
  @Test("a sign-out, no account, and the next account")
  func signOutAndIn() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    try signOut()
    #expect(await code { try await device.engine.fetchChanges() } == .notAuthenticated)
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    #expect(await code { try await device.engine.sendChanges() } == .notAuthenticated)
    #expect(await code { try await device.engine.fetchChanges() } == .notAuthenticated)
    #expect(await changes(device.app) == [.signOut(previousUser: try user("alice"))])
    #expect(await device.calls() == ["signOut"])
    try signIn("bob")
    try await device.engine.fetchChanges()
    #expect(await changes(device.app) == [.signIn(currentUser: try user("bob"))])
  }

  // [sync-account-1] [sync-account-3]
  @Test("another account since the last state is one switch, and its database is fetched anew")
  func switchedAccounts() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    await device.add(note("one"))
    try await device.engine.sendChanges()
    await device.add(note("two"))
    try await device.engine.fetchChanges()
    let state = try #require(await device.app.serialization)
    let bob = try SyncDevice(cloud, as: "bob", named: "tablet")
    try await bob.database.save(CKRecordZone(zoneID: testZoneID))
    try await bob.database.save(note("bobs"))
    try signOut()
    try signIn("carol")
    try signIn("bob")
    let restored = try SyncDevice(cloud, state: state)
    try await restored.engine.fetchChanges()
    #expect(
      await changes(restored.app) == [
        .switchAccounts(previousUser: try user("alice"), currentUser: try user("bob"))
      ])
    #expect(await restored.app.records.keys.map(\.recordName) == ["bobs"])
    #expect(restored.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-account-6]
  @Test("an account that is unavailable for a time is no change")
  func unavailableAccount() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    func set(_ status: CKAccountStatus) throws {
      try device.acting { try LocalCloud.setStatus(status, of: "alice") }
    }
    try set(.temporarilyUnavailable)
    #expect(await code { try await device.engine.sendChanges() } == .accountTemporarilyUnavailable)
    #expect(await device.calls() == [])
    #expect(device.state.pendingDatabaseChanges.count == 1)
    try set(.available)
    try await device.engine.sendChanges()
    #expect(await device.calls() == ["willSend", "sentDatabase", "didSend"])
  }

  // [sync-account-6]
  @Test("an automatic engine sends pending changes when its account is available again")
  func availableAgain() async throws {
    try cloud.holdSyncEngines()
    let device = try SyncDevice(cloud, automatically: true)
    try await cloud.runSyncEngines()
    try device.acting { try LocalCloud.setStatus(.temporarilyUnavailable, of: "alice") }
    device.addZone()
    try await cloud.runSyncEngines()
    #expect(device.state.pendingDatabaseChanges.count == 1)
    try device.acting { try LocalCloud.setStatus(.available, of: "alice") }
    try await cloud.runSyncEngines()
    #expect(device.state.pendingDatabaseChanges.isEmpty)
  }

  // [sync-account-7] [sync-schedule-2]
  @Test("an engine that does not sync automatically still follows the account")
  func accountWithoutCalls() async throws {
    let device = try SyncDevice(cloud)
    await device.app.wait(for: "signIn")
    try signOut()
    await device.app.wait(for: "signOut")
    try signIn("bob")
    let bob = try user("bob")
    await device.app.wait { event in
      guard case .accountChange(let change) = event else { return false }
      return change.changeType == .signIn(currentUser: bob)
    }
    #expect(await device.calls() == ["signIn", "signOut", "signIn"])
  }

  // [sync-account-5]
  @Test("a fetch that waits for the network is cancelled when another account signs in")
  func cancelledPass() async throws {
    let device = try await SyncDevice(cloud).started()
    try device.acting { try LocalCloud.setNetwork(.offline) }
    let group = CKOperationGroup()
    group.defaultConfiguration.qualityOfService = .utility
    let fetch = Task { await code { try await device.engine.fetchChanges(.init(operationGroup: group)) } }
    await device.app.wait(for: "willFetch")
    try signIn("bob")
    #expect(await fetch.value == .operationCancelled)
    await device.app.wait(for: "switchAccounts")
    #expect(await device.calls() == ["willFetch", "didFetch", "switchAccounts"])
  }

  // [sync-account-5]
  @Test(
    "changes are not sent to an account that signs in between the look-up and the request", arguments: [true, false])
  func switchBeforeRequest(ofZones: Bool) async throws {
    try cloud.holdSyncEngines()
    let service = cloud.cloud.service
    let device = try await SyncDevice(
      cloud,
      SyncApp(handler: { event, _, _ in
        guard case .willSendChanges = event else { return }
        _ = try? service.devices.signIn("bob", on: "alice-device")
      })
    ).started()
    let bob = try cloud.container(of: "bob").privateCloudDatabase
    if ofZones {
      device.addZone()
    } else {
      for database in [device.database, bob] { try await database.save(CKRecordZone(zoneID: testZoneID)) }
      await device.add(note("one"))
    }
    #expect(await code { try await device.engine.sendChanges() } == .operationCancelled)
    let zones = try await bob.allRecordZones().map(\.zoneID)
    #expect(zones.contains(testZoneID) == !ofZones)
    if !ofZones { #expect(await code { try await bob.record(for: .note("one")) } == .unknownItem) }
    await device.app.clear()
    try await device.engine.fetchChanges()
    #expect(await device.app.calls.first == "switchAccounts")
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-account-5] [sync-account-6]
  @Test(
    "an automatic engine sends a change again whose request was refused while its account was away",
    arguments: ["bob", nil])
  func accountThatIsBack(other: String?) async throws {
    try cloud.holdSyncEngines()
    let devices = cloud.cloud.service.devices
    let switches = Collector<String?>()
    let device = try SyncDevice(
      cloud,
      SyncApp(handler: { event, _, _ in
        switch event {
        case .willSendChanges where switches.values.isEmpty:
          switches.append(other)
          _ = try? devices.signOut("alice-device")
          if let other { _ = try? devices.signIn(other, on: "alice-device") }
        case .sentRecordZoneChanges where switches.values.count == 1:
          switches.append("alice")
          _ = try? devices.signIn("alice", on: "alice-device")
        default: return
        }
      }), automatically: true)
    try await cloud.runSyncEngines()
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    await device.app.clear()
    await device.add(note("one"))
    try await cloud.runSyncEngines()
    #expect(switches.values == [other, "alice"])
    let failed = await device.app.events.compactMap { $0.sentRecords }.flatMap(\.failedRecordSaves)
    let expected: CKError.Code = other == nil ? .notAuthenticated : .operationCancelled
    #expect(failed.map(\.error.code) == [expected])
    #expect(await changes(device.app).isEmpty)
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    #expect(try await device.database.record(for: .note("one")).recordID == .note("one"))
  }

  // [sync-schedule-5]
  @Test("cancelOperations does not cancel an account check that waits")
  func cancelledOperations() async throws {
    try cloud.holdSyncEngines()
    let gate = SyncGate()
    let device = try await SyncDevice(
      cloud, SyncApp(at: gate, in: "willFetch")
    ).started()
    await gate.close()
    let fetch = Task { await code { try await device.engine.fetchChanges() } }
    await gate.isReached()
    try signIn("bob")
    let check = await device.engine.work.enqueueAccountCheck()
    await device.engine.cancelOperations()
    await gate.open()
    #expect(await fetch.value == .operationCancelled)
    try await check.value
    #expect(await device.calls() == ["willFetch", "didFetch", "switchAccounts"])
  }
}
