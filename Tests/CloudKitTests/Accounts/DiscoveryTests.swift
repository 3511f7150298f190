import CloudKit
import LocalCloud
import LocalCloudModel
import LocalCloudService
import Testing

@Suite("Application permission and discovery")
struct DiscoveryTests {
  private let cloud: TestCloud

  init() throws {
    cloud = try TestCloud()
    var changes = AccountChanges()
    (changes.phones, changes.familyName) = (["+15550100"], "Builder")
    _ = try cloud.cloud.service.accounts.setAccount("bob", changes)
  }

  @available(*, deprecated)
  private typealias Answer = (status: CKContainer.ApplicationPermissionStatus, code: CKError.Code?)

  @available(*, deprecated)
  private func status(
    _ container: CKContainer, _ permissions: CKContainer.ApplicationPermissions = .userDiscoverability
  ) async -> Answer {
    await withCheckedContinuation { done in
      container.status(forApplicationPermission: permissions) {
        done.resume(returning: ($0, ($1 as? CKError)?.code))
      }
    }
  }

  @available(*, deprecated)
  private func request(_ container: CKContainer) async -> Answer {
    await withCheckedContinuation { done in
      container.requestApplicationPermission(.userDiscoverability) {
        done.resume(returning: ($0, ($1 as? CKError)?.code))
      }
    }
  }

  @available(*, deprecated)
  private func grant(_ accounts: String...) async throws {
    for account in accounts {
      let answer = await request(try cloud.container(of: account))
      #expect(answer == (.granted, nil))
    }
  }

  private func userID(_ account: String) throws -> CKRecord.ID {
    CKRecord.ID(recordName: try cloud.cloud.service.accounts.account(account).userRecordName)
  }

  @available(*, deprecated)
  @Test func rawValues() {
    #expect(CKContainer.ApplicationPermissions.userDiscoverability.rawValue == 1)
    let all: [CKContainer.ApplicationPermissionStatus] = [.initialState, .couldNotComplete, .denied, .granted]
    #expect(all.map(\.rawValue) == [0, 1, 2, 3])
    #expect(CKContainer.Application.PermissionStatus(rawValue: 3) == .granted)
    #expect(CKContainer.Application.Permissions(rawValue: 1) == .userDiscoverability)
    let block: CKContainer.Application.PermissionBlock = { _, _ in }
    block(.granted, nil)
    #expect(CKContainer.ApplicationPermissionStatus(rawValue: 4) == nil)
  }

  // [account-find-2]
  @available(*, deprecated)
  @Test("a person is asked once for each container on all devices, and grants the permission by default")
  func personIsAskedOnceForEachContainer() async throws {
    let container = try cloud.container(of: "bob")
    #expect(await status(container) == (.initialState, nil))
    #expect(await request(container) == (.granted, nil))
    #expect(await status(container) == (.granted, nil))
    let tablet = try LocalCloud.acting(as: "bob", device: "tablet", root: cloud.cloud.path) { cloud.container() }
    #expect(await status(tablet) == (.granted, nil))
    let elsewhere = try LocalCloud.acting(as: "bob", root: cloud.cloud.path) { cloud.container("iCloud.other") }
    #expect(await status(elsewhere) == (.initialState, nil))

    let service = cloud.cloud.service
    _ = try service.accounts.setDiscoverability(
      of: "carol", in: "iCloud.test", Discoverability(isGranted: false, wasAsked: false))
    let carol = try cloud.container(of: "carol")
    #expect(await status(carol) == (.initialState, nil))
    #expect(await request(carol) == (.denied, nil))
    #expect(await status(carol) == (.denied, nil))
    // After a change in Settings a further request returns the new answer.
    _ = try service.accounts.setDiscoverability(
      of: "bob", in: "iCloud.test", Discoverability(isGranted: false, wasAsked: true))
    #expect(await request(container) == (.denied, nil))
    _ = try service.accounts.setDiscoverability(of: "bob", in: "iCloud.test", nil)
    #expect(await status(container) == (.initialState, nil))
    #expect(try service.accounts.account("bob").permissions.isEmpty)
    #expect(try service.checks.check() == [])
  }

  @available(*, deprecated)
  @Test("without an account, or for another permission than userDiscoverability, a request fails")
  func withoutAnAccountOrForAnotherPermission() async throws {
    let nobody = try cloud.container(of: nil)
    #expect(await status(nobody) == (.couldNotComplete, .notAuthenticated))
    #expect(await request(nobody) == (.couldNotComplete, .notAuthenticated))
    let alice = try cloud.container(of: "alice")
    #expect(await status(alice, []) == (.couldNotComplete, .invalidArguments))
    #expect(await status(alice, .init(rawValue: 2)) == (.couldNotComplete, .invalidArguments))
    try LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
      try LocalCloud.setStatus(.temporarilyUnavailable, of: "alice")
    }
    #expect(await request(alice) == (.couldNotComplete, .accountTemporarilyUnavailable))
    #expect(await code { _ = try await alice.userIdentities(forEmailAddresses: []) } == .accountTemporarilyUnavailable)
    #expect(await code { _ = try await nobody.userIdentities(forUserRecordIDs: []) } == .notAuthenticated)
  }

  @available(*, deprecated)
  @Test(
    "discovery by address, number or record ID finds people who granted it; others give no error ([account-find-1])"
  )
  func discoveryByAddressNumberOrRecordID() async throws {
    let alice = try cloud.container(of: "alice")
    #expect(try await alice.userIdentities(forEmailAddresses: ["bob@example.com"]).isEmpty)
    try await grant("bob")
    let emails = ["BOB@example.com", "carol@example.com", "nobody@example.com", "nonsense"]
    let byEmail = try await alice.userIdentities(forEmailAddresses: emails)
    #expect(Array(byEmail.keys) == ["BOB@example.com"])
    let bob = try #require(byEmail.values.first)
    #expect(bob.userRecordID == (try userID("bob")))
    #expect(bob.hasiCloudAccount)
    #expect(bob.nameComponents?.givenName == "Bob")
    #expect(bob.nameComponents?.familyName == "Builder")
    #expect(bob.lookupInfo?.emailAddress == "bob@example.com")
    #expect(bob.contactIdentifiers == [])
    let byPhone = try await alice.userIdentities(forPhoneNumbers: ["+1 (555) 0100", "12345"])
    #expect(byPhone.mapValues(\.userRecordID) == ["+1 (555) 0100": try userID("bob")])
    let carol = try userID("carol")
    let byID = try await alice.userIdentities(forUserRecordIDs: [try userID("bob"), carol])
    #expect(Array(byID.keys) == [try userID("bob")])

    func one(_ ask: (@escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) -> Void) async -> (String?, Bool) {
      await withCheckedContinuation { done in
        ask { done.resume(returning: ($0?.userRecordID?.recordName, $1 == nil)) }
      }
    }
    let name = try userID("bob").recordName
    #expect(
      await one { alice.discoverUserIdentity(withEmailAddress: "bob@example.com", completionHandler: $0) }
        == (name, true))
    #expect(
      await one { alice.discoverUserIdentity(withPhoneNumber: "+15550100", completionHandler: $0) } == (name, true))
    #expect(await one { alice.discoverUserIdentity(withUserRecordID: carol, completionHandler: $0) } == (nil, true))
    #expect(
      await one { alice.discoverUserIdentity(withEmailAddress: "nonsense", completionHandler: $0) } == (nil, true))
    let nobody = try cloud.container(of: nil)
    #expect(await one { nobody.discoverUserIdentity(withPhoneNumber: "1", completionHandler: $0) } == (nil, false))

    let results = await withCheckedContinuation { done in
      alice.discoverUserIdentities(forEmailAddresses: emails) { done.resume(returning: $0.map { Array($0.keys) }) }
    }
    #expect(results.value == ["BOB@example.com"])
    let phones = await withCheckedContinuation { done in
      alice.discoverUserIdentities(forPhoneNumbers: ["+15550100"]) { done.resume(returning: $0.map(\.count)) }
    }
    #expect(phones.value == 1)
    let users = await withCheckedContinuation { done in
      nobody.discoverUserIdentities(forUserRecordIDs: [carol]) { done.resume(returning: $0.map(\.count)) }
    }
    #expect(users.code == .notAuthenticated)
    // The permission does not apply in another container.
    let elsewhere = try LocalCloud.acting(as: "alice", root: cloud.cloud.path) { cloud.container("iCloud.other") }
    #expect(try await elsewhere.userIdentities(forEmailAddresses: emails).isEmpty)
  }

  @available(*, deprecated)
  @Test("the async forms of completion-handler functions return the same values and errors")
  func importedAsyncForms() async throws {
    let (alice, nobody) = (try cloud.container(of: "alice"), try cloud.container(of: nil))
    #expect(try await alice.applicationPermissionStatus(for: .userDiscoverability) == .initialState)
    #expect(try await alice.requestApplicationPermission(.userDiscoverability) == .granted)
    #expect(try await alice.applicationPermissionStatus(for: .userDiscoverability) == .granted)
    #expect(await code { try await alice.applicationPermissionStatus(for: []) } == .invalidArguments)
    #expect(await code { try await nobody.requestApplicationPermission(.userDiscoverability) } == .notAuthenticated)
    let bob = try userID("bob")
    #expect(try await alice.userIdentity(forEmailAddress: "bob@example.com") == nil)
    try await grant("bob")
    #expect(try await alice.userIdentity(forEmailAddress: "bob@example.com")?.userRecordID == bob)
    #expect(try await alice.userIdentity(forPhoneNumber: "+15550100")?.userRecordID == bob)
    #expect(try await alice.userIdentity(forUserRecordID: bob)?.nameComponents?.givenName == "Bob")
    #expect(try await alice.userIdentity(forUserRecordID: try userID("carol")) == nil)
    #expect(await code { _ = try await nobody.userIdentity(forEmailAddress: "bob@example.com") } == .notAuthenticated)
    #expect(try await alice.allUserIdentitiesFromContacts().map(\.userRecordID) == [bob])
    #expect(await code { try await nobody.allUserIdentitiesFromContacts() } == .notAuthenticated)

    let database = alice.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.save(note("n", "a"))
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title == 'a'"))
    #expect(try await database.perform(query, inZoneWith: testZoneID).map(\.recordID) == [note("n").recordID])
    let none = CKRecordZone.ID(zoneName: "None")
    #expect(await code { try await database.perform(query, inZoneWith: none) } == .zoneNotFound)
  }

  @available(*, deprecated)
  @Test("discoverAllIdentities finds all others; the caller's own identity has the default name ([account-find-3])")
  func findingAll() async throws {
    let alice = try cloud.container(of: "alice")
    func all() async -> [String]? {
      await withCheckedContinuation { done in
        alice.discoverAllIdentities { identities, error in
          done.resume(returning: error == nil ? identities?.map { $0.userRecordID?.recordName ?? "" } : nil)
        }
      }
    }
    #expect(await all() == [])
    try await grant("carol", "alice", "bob")
    #expect(await all() == [try userID("bob").recordName, try userID("carol").recordName])
    let own = try await alice.userIdentities(forEmailAddresses: ["alice@example.com"])
    #expect(own.values.first?.userRecordID?.recordName == CKCurrentUserDefaultName)
    let nobody = try cloud.container(of: nil)
    let error = await withCheckedContinuation { done in
      nobody.discoverAllIdentities { done.resume(returning: ($0 == nil, ($1 as? CKError)?.code)) }
    }
    #expect(error == (true, .notAuthenticated))
  }

  @available(*, deprecated)
  @Test("discovery operations call their blocks in order, the deprecated block last, with the operation's error")
  func discoveryOperationsCallTheirBlocksInOrder() async throws {
    try await grant("bob", "carol")
    let alice = try cloud.container(of: "alice")
    func run(_ operation: CKOperation, in container: CKContainer) async {
      await withCheckedContinuation { done in
        operation.completionBlock = { done.resume() }
        container.add(operation)
      }
    }
    for (container, expected) in [
      (alice, ["bob@example.com", "result true", "completion true"]),
      (try cloud.container(of: nil), ["result false", "completion false"]),
    ] {
      let lines = Collector<String>()
      let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: [
        CKUserIdentity.LookupInfo(emailAddress: "bob@example.com"),
        CKUserIdentity.LookupInfo(emailAddress: "nobody@example.com"),
      ])
      operation.userIdentityDiscoveredBlock = { _, info in lines.append(info.emailAddress ?? "") }
      operation.discoverUserIdentitiesResultBlock = { lines.append("result \($0.value != nil)") }
      operation.discoverUserIdentitiesCompletionBlock = { lines.append("completion \($0 == nil)") }
      await run(operation, in: container)
      #expect(lines.values == expected)
    }
    for (container, expected) in [
      (alice, ["Bob", "Carol", "result true", "completion true"]),
      (try cloud.container(of: nil), ["result false", "completion false"]),
    ] {
      let lines = Collector<String>()
      let operation = CKDiscoverAllUserIdentitiesOperation()
      operation.userIdentityDiscoveredBlock = { lines.append($0.nameComponents?.givenName ?? "") }
      operation.discoverAllUserIdentitiesResultBlock = { lines.append("result \($0.value != nil)") }
      operation.discoverAllUserIdentitiesCompletionBlock = { lines.append("completion \($0 == nil)") }
      await run(operation, in: container)
      #expect(lines.values == expected)
    }
    let empty = CKDiscoverUserIdentitiesOperation()
    #expect(empty.userIdentityLookupInfos.isEmpty)
    let cancelled = Collector<CKError.Code?>()
    empty.discoverUserIdentitiesResultBlock = { cancelled.append($0.code) }
    empty.cancel()
    await run(empty, in: alice)
    #expect(cancelled.values == [.operationCancelled])
  }
}
