import LocalCloudModel
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Accounts: permitted requests for each status, and discovery of people")
struct AccountStatusTests {
  let cloud: TemporaryCloud
  var service: CloudService { cloud.service }

  init() throws { cloud = try TemporaryCloud() }

  private func change(_ status: AccountStatus, of name: String = "alice") throws {
    var changes = AccountChanges()
    changes.status = status
    _ = try service.accounts.setAccount(name, changes)
  }

  // [account-state-1]
  @Test("each account status has its own status answer and its own error for requests")
  func eachAccountStatusHasItsOwnStatus() throws {
    let caller = cloud.caller("alice")
    let own = try service.accounts.userRecordName(by: caller)
    let zones = FetchRecordsRequest(scope: .private, records: [RecordIdentifier(name: "n")])
    for status in AccountStatus.allCases {
      try change(status)
      let isThere = status != .noAccount
      #expect(try service.accounts.accountStatus(by: caller) == status)
      #expect(
        try service.accounts.accountState(of: caller)
          == (isThere ? AccountState(userRecordName: own, status: status) : AccountState()))
      let failure = error { try service.records.fetchRecords(zones, by: caller) }
      switch status {
      case .available: #expect(failure == nil)
      case .temporarilyUnavailable:
        #expect(
          failure
            == ServiceError(
              .accountTemporarilyUnavailable, "Account temporarily unavailable", internalCode: 1002))
      case .restricted, .noAccount, .couldNotDetermine:
        #expect(
          failure
            == ServiceError(
              .notAuthenticated, "This request requires an authenticated account (status: \(status.name))",
              internalCode: 1002))
      }
      // The account's own record name is known only if its data may be read.
      let isReader = status == .available || status == .temporarilyUnavailable
      #expect(service.accounts.ownName(of: caller) == (isReader ? own : nil))
    }
  }

  @Test("without an account a request fails with a hint on how to choose one, with and without a named device")
  func withoutAnAccountARequestFails() throws {
    let nobody = cloud.caller(nil)
    #expect(try service.accounts.accountStatus(by: nobody) == .noAccount)
    #expect(try service.accounts.accountState(of: nobody) == AccountState())
    #expect(service.accounts.ownName(of: nobody) == nil)
    #expect(service.accounts.ownName(of: cloud.caller("stranger")) == nil)
    func refusal(_ caller: Caller) -> ServiceError? { error { try service.accounts.userRecordName(by: caller) } }
    let message = "This request requires an authenticated account"
    #expect(
      refusal(nobody)
        == ServiceError(
          .notAuthenticated, message, internalCode: 1002, hint: "Set LOCALCLOUD_ACCOUNT, or give --account."))
    #expect(
      refusal(cloud.caller(nil, device: "phone"))
        == ServiceError(
          .notAuthenticated, message, internalCode: 1002,
          hint: "Nobody is signed in on phone: `localcloud device sign-in phone ACCOUNT` signs somebody in."))
    #expect(refusal(cloud.caller("alice", device: ""))?.message == "A device's name must not be empty")
    #expect(code { try service.accounts.accountState(of: cloud.caller("stranger")) } == .notAuthenticated)
    var elsewhere = cloud.caller("alice")
    for container in ["", "iCloud.", "iCloud..a", "test", "iCloud.a b", "iCloud." + String(repeating: "a", count: 249)]
    {
      elsewhere.container = container
      #expect(refusal(elsewhere)?.code == .badContainer, "\(container)")
    }
    for container in ["iCloud.a", "iCloud.A-b_c.9", "iCloud." + String(repeating: "a", count: 248)] {
      elsewhere.container = container
      #expect(refusal(elsewhere) == nil, "\(container)")
    }
  }

  private func answer(_ name: String, _ isGranted: Bool, wasAsked: Bool = true) throws {
    let answer = Discoverability(isGranted: isGranted, wasAsked: wasAsked)
    _ = try service.accounts.setDiscoverability(of: name, in: TemporaryCloud.container, answer)
  }

  // [account-find-1]
  @Test("a discoverability request grants by default, or gives the answer that was configured for the account")
  func discoverabilityRequestGrantsByDefaultOrGives() throws {
    let (alice, bob) = (cloud.caller("alice"), cloud.caller("bob"))
    #expect(try service.accounts.permissionStatus(by: alice) == .initialState)
    #expect(try service.accounts.requestPermission(by: alice) == .granted)
    #expect(try service.accounts.permissionStatus(by: alice) == .granted)
    // An answer that is configured before the request does not show in the status yet.
    try answer("bob", false, wasAsked: false)
    #expect(try service.accounts.permissionStatus(by: bob) == .initialState)
    #expect(try service.accounts.requestPermission(by: bob) == .denied)
    #expect(try service.accounts.permissionStatus(by: bob) == .denied)
    try answer("bob", true)
    #expect(try service.accounts.requestPermission(by: bob) == .granted)
    var other = alice
    other.container = "iCloud.other"
    #expect(try service.accounts.permissionStatus(by: other) == .initialState)
    #expect(code { try service.accounts.setDiscoverability(of: "bob", in: "other", nil) } == .badContainer)
    #expect(code { try service.accounts.setDiscoverability(of: "dave", in: "iCloud.other", nil) } == .notAuthenticated)
  }

  // [account-find-1]
  @Test("discovery finds people who allowed it by each of their addresses; discovery of all leaves the caller out")
  func discoveryFindsPeopleWhoAllowed() throws {
    var changes = AccountChanges()
    changes.phones = ["+15550100"]
    let carol = try service.accounts.setAccount("carol", changes)
    let alice = cloud.caller("alice")
    let bob = try service.accounts.userRecordName(by: cloud.caller("bob"))
    let lookups: [LookupInfo] = [
      .email("BOB@example.com"), .phone("+1 (555) 0100"), .userRecordName(bob), .email("nobody@example.com"),
      .email("nonsense"), .phone("1"), .userRecordName("_nobody"),
    ]
    #expect(try service.accounts.discover(lookups, by: alice) == [nil, nil, nil, nil, nil, nil, nil])
    #expect(try service.accounts.discoverAll(by: alice) == [])
    try answer("carol", true)
    try answer("bob", false)
    try answer("alice", true)
    let found = try service.accounts.discover(lookups, by: alice)
    #expect(found[1]?.lookup == .phone("+15550100"))
    #expect(found[1]?.userRecordName == carol.userRecordName)
    #expect(found.compactMap { $0 }.count == 1)
    try answer("bob", true)
    #expect(
      try service.accounts.discover(lookups, by: alice).map { $0?.name?.given } == [
        "Bob", "Carol", "Bob", nil, nil, nil, nil,
      ])
    #expect(try service.accounts.discover(lookups, by: alice)[0]?.lookup == .email("bob@example.com"))
    #expect(try service.accounts.discover(lookups, by: alice)[2]?.lookup == .userRecordName(bob))
    let all = try service.accounts.discoverAll(by: alice)
    #expect(all.map(\.name?.given) == ["Bob", "Carol"])
    #expect(all.map(\.lookup) == [nil, nil])
    #expect(try service.accounts.discoverAll(by: cloud.caller("bob")).map(\.name?.given) == ["Alice", "Carol"])
    try answer("bob", true, wasAsked: false)
    #expect(try service.accounts.discoverAll(by: alice).map(\.name?.given) == ["Carol"])
    var other = alice
    other.container = "iCloud.other"
    #expect(try service.accounts.discoverAll(by: other) == [])
    #expect(code { try service.accounts.discoverAll(by: cloud.caller(nil)) } == .notAuthenticated)
  }
}
