import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Accounts: names, addresses, changes and removal")
struct AccountRuleTests {
  let cloud: TemporaryCloud
  var service: CloudService { cloud.service }

  init() throws { cloud = try TemporaryCloud() }

  private func change(_ change: (inout AccountChanges) -> Void) throws -> Account {
    var changes = AccountChanges()
    change(&changes)
    return try service.accounts.setAccount("carol", changes)
  }

  private func stored() throws -> JSONValue {
    let folder = try Directory.open(path: cloud.path + "/accounts", in: FileSystem())
    return try JSONValue(parsing: try #require(try folder.contents("carol.json")))
  }

  @Test("an account name has 1 to 64 bytes and only characters that file names, lists and commands accept")

  func accountNameHas1To64Bytes() throws {
    for name in ["x", "!", "~", "a.b-c_d@e", "ä", String(repeating: "x", count: 64)] {
      #expect(try service.accounts.addAccount(name, AccountChanges()).name == name)
    }
    for name in [
      "", String(repeating: "x", count: 65), String(repeating: "ä", count: 33), "a b", "a/b", "a,b", "a\u{7F}",
      "a\u{1F}", ".a", "_a", "-a",
    ] {
      let failure = error { try service.accounts.addAccount(name, AccountChanges()) }
      #expect(failure?.code == .invalidArguments, "\(name)")
      #expect(failure?.internalCode == 2006, "\(name)")
      #expect(
        failure?.message
          == "'\(name)' can't be an account's name: 1 to 64 bytes, no spaces, no slash or comma, not starting with "
          + "'.', '_' or '-'")
    }
    let failure = error { try service.accounts.addAccount("x", AccountChanges()) }
    #expect(failure == ServiceError(.serverRejectedRequest, "There is an account x already."))
    #expect(try service.accounts.listAccounts().accounts.count == 9)
  }

  @Test("an e-mail address has one @ with text on both sides, at most 254 bytes, and is stored in lower case")
  func eMailAddressHasOneWithText()
    throws
  {
    let longest = String(repeating: "a", count: 252) + "@b"
    let changed = try change { $0.emails = ["CAROL@Example.COM", "!@b", longest] }
    #expect(changed.emails == ["carol@example.com", "!@b", longest])
    for email in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a,b@c", "a@b\u{7F}", "a" + longest] {
      let failure = error { try change { $0.emails = [email] } }
      #expect(failure == ServiceError.invalid("'\(email)' is no e-mail address"))
    }
    #expect(try service.accounts.account("carol") == changed)
  }

  @Test("a phone number has 3 to 15 digits in any notation, and is stored as a plus sign and digits")
  func phoneNumberHas3To15Digits()
    throws
  {
    let changed = try change { $0.phones = ["123", "+1 (415) 555-01.00/1", "123456789012345"] }
    #expect(changed.phones == ["123", "+141555501001", "123456789012345"])
    for phone in ["", "12", "1234567890123456", "1+234", "++1234", "12a34", "١٢٣٤"] {
      let failure = error { try change { $0.phones = [phone] } }
      #expect(failure == ServiceError.invalid("'\(phone)' is no phone number"))
    }
    #expect(try service.accounts.account("carol") == changed)
  }

  @Test("an address or a number of another account is refused; an account may give its own again")

  func addressOrANumberOfAnotherAccount() throws {
    _ = try change { $0.phones = ["123"] }
    var changes = AccountChanges()
    changes.phones = ["1 2 3"]
    #expect(
      error { try service.accounts.setAccount("bob", changes) }
        == ServiceError(.serverRejectedRequest, "123 belongs to the account carol."))
    #expect(error { try service.accounts.addAccount("dave", changes) }?.code == .serverRejectedRequest)
    changes = AccountChanges()
    changes.emails = ["Carol@example.com"]
    #expect(
      error { try service.accounts.setAccount("bob", changes) }
        == ServiceError(.serverRejectedRequest, "carol@example.com belongs to the account carol."))
    #expect(try service.accounts.account("bob").phones == [])
    #expect(try service.accounts.account("bob").emails == ["bob@example.com"])
    #expect(code { try service.accounts.account("dave") } == .notAuthenticated)
    #expect(try change { $0.emails = ["carol@example.com", "c@example.com"] }.emails.count == 2)
    #expect(try service.checks.check() == [])
  }

  @Test("a change leaves fields it does not name and unknown file keys as they are; an empty name removes the name")
  func changeLeavesFieldsItDoesNotName() throws {
    let token = try service.accounts.webAuthToken(apiToken: "key", by: cloud.caller("carol"))
    let answer = Discoverability(isGranted: false, wasAsked: true)
    _ = try service.accounts.setDiscoverability(of: "carol", in: TemporaryCloud.container, answer)
    #expect(try stored()["permissions"] == ["iCloud.test": ["asked": true, "userDiscoverability": "denied"]])
    #expect(try change { $0.familyName = "Doe" }.person.text == "Carol Doe")
    #expect(try change { $0.givenName = "" }.person.text == "Doe")
    #expect(try stored()["nameComponents"] == ["familyName": "Doe"])
    #expect(try change { $0.familyName = "" }.person == PersonName())
    #expect(try stored()["nameComponents"] == nil)
    #expect(try service.accounts.setDiscoverability(of: "carol", in: TemporaryCloud.container, nil).permissions == [:])
    #expect(try stored()["permissions"] == nil)
    _ = try change { $0.status = .restricted }
    _ = try change { $0.storage = .full }
    let carol = try service.accounts.account("carol")
    #expect(carol.status == .restricted)
    #expect(carol.storage == .full)
    #expect(carol.emails == ["carol@example.com"])
    _ = try change { $0.status = .available }
    #expect(try service.accounts.webAuthToken(apiToken: "key", by: cloud.caller("carol")) == token)
    #expect(try service.accounts.account(forWebAuthToken: token, by: cloud.caller(nil))?.name == "carol")
    #expect(try service.accounts.account(forWebAuthToken: "x" + token, by: cloud.caller(nil)) == nil)
    let refusal = error { try service.accounts.webAuthToken(apiToken: "", by: cloud.caller("carol")) }
    #expect(refusal == ServiceError.invalid("An API token is needed"))
  }

  // MARK: Removal

  private func refusal(_ name: String) -> ServiceError? { error { try service.accounts.removeAccount(name) } }

  @Test(
    "an account with a zone, a default-zone record or a joined share can't be removed; reading creates no data")
  func accountWithAZoneADefaultZone() throws {
    func expectData(_ name: String, _ environment: String, _ scope: String) {
      let failure = refusal(name)
      #expect(failure?.code == .serverRejectedRequest)
      #expect(failure?.message == "The account \(name) has data in iCloud.test, \(environment), \(scope).")
      #expect(failure?.hint == "Delete its zones and leave its shares first.")
      #expect(failure?.path?.hasSuffix("/containers/iCloud.test/\(environment)/\(scope)/\(name)") == true)
    }
    let (_, bob) = try cloud.shareNotes()
    expectData("alice", "development", "private")
    expectData("bob", "development", "shared")
    _ = try bob.modify(delete: ["Share-1"]).deletes[0].get()
    try service.accounts.removeAccount("bob")
    #expect(
      error { try service.accounts.account("bob") }
        == ServiceError(
          .notAuthenticated, "There is no account bob in this cloud.", cause: .unknownAccount,
          hint: "Add it with `localcloud account add bob --email ADDRESS`; `localcloud account list` shows the others.")
    )

    var carol = Person(cloud, "carol", environment: .production)
    try carol.makeZone()
    expectData("carol", "production", "private")
    let zones = ModifyZonesRequest(scope: .private, deletes: [carol.zone])
    _ = try service.zones.modifyZones(zones, by: carol.caller).deletes[0].get()
    carol = Person(cloud, "carol")
    carol.zone = .default
    try carol.save(carol.note("n", "1"))
    expectData("carol", "development", "private")
    _ = try carol.modify(delete: ["n"]).deletes[0].get()
    // The first read of the account's own user record creates it.
    let user = try ExactName(service.accounts.userRecordName(by: carol.caller))
    #expect(try carol.fetch(user).type == Record.userType)
    try service.accounts.removeAccount("carol")
    #expect(refusal("carol")?.cause == .unknownAccount)
    #expect(try service.accounts.listAccounts().accounts.map(\.name) == ["alice"])
  }

  // MARK: Files

  @Test("an account's file contains every property, and is read back as the same account")
  func accountsFileContainsEveryProperty() throws {
    var account = Account(name: "dave", userRecordName: "_d", created: 1_800_000_000_000)
    #expect(account.object["keys"] == nil)
    #expect(account.object["permissions"] == nil)
    #expect(account.object["roles"] == nil)
    #expect(account.object["nameComponents"] == nil)
    account.emails = ["d@example.com"]
    account.phones = ["123"]
    (account.person.given, account.person.family, account.person.middle) = ("D", "F", "M")
    (account.person.prefix, account.person.suffix, account.person.nickname) = ("P", "S", "N")
    account.storage = .full
    account.permissions = ["iCloud.test": Discoverability(isGranted: false, wasAsked: true)]
    account.roles = ["iCloud.test": [.development: ["A", "B"], .production: ["A"]]]
    account.keys = ["iCloud.test": AccountKey(generation: 2, publicKey: [UInt8](repeating: 9, count: 32))]
    for status in AccountStatus.allCases {
      account.status = status
      #expect(Account(account.object) == account)
    }
    let good = account.object
    func isRead(_ key: String, _ value: JSONValue?) -> Bool {
      var object = good
      object[key] = value
      return Account(object) != nil
    }
    for key in ["name", "userRecordName", "status", "created"] {
      #expect(!isRead(key, nil), "\(key)")
      #expect(!isRead(key, 1), "\(key)")
      #expect(isRead("emails", nil), "\(key)")
      #expect(isRead("phones", nil), "\(key)")
    }
    #expect(!isRead("status", "unknown"))
    #expect(!isRead("created", "yesterday"))
    #expect(isRead("storage", nil))
    #expect(!isRead("storage", "half"))
    #expect(!isRead("storage", 1))
    #expect(isRead("permissions", nil))
    #expect(!isRead("permissions", ["c": 1]))
    #expect(!isRead("permissions", ["c": ["asked": true]]))
    #expect(!isRead("permissions", ["c": ["userDiscoverability": "granted"]]))
    #expect(!isRead("permissions", ["c": ["asked": true, "userDiscoverability": "initialState"]]))
    #expect(isRead("permissions", ["c": ["asked": false, "userDiscoverability": "granted"]]))
    #expect(isRead("roles", nil))
    #expect(isRead("roles", ["c": ["development": ["A"]]]))
    #expect(!isRead("roles", 1))
    #expect(!isRead("roles", ["c": 1]))
    #expect(!isRead("roles", ["c": ["test": ["A"]]]))
    #expect(!isRead("roles", ["c": ["production": "A"]]))
    #expect(!isRead("roles", ["c": ["production": [1]]]))
    #expect(isRead("keys", nil))
    #expect(!isRead("keys", 1))
    #expect(!isRead("keys", ["c": 1]))
    #expect(!isRead("keys", ["c": [:]]))
    #expect(isRead("keys", ["c": ["generation": 1]]))
    #expect(!isRead("keys", ["c": ["generation": 0]]))
    #expect(isRead("keys", ["c": ["generation": .integer(1 << 50)]]))
    #expect(!isRead("keys", ["c": ["generation": .integer((1 << 50) + 1)]]))
    for key: JSONValue in [1, "?", "AQI="] { #expect(!isRead("keys", ["c": ["generation": 1, "publicKey": key]])) }
  }

  @Test("a person's name as text, and the address or number that other people use to find the person")
  func personsNameAsTextAndTheAddress() {
    #expect(PersonName(given: "Ada", family: "Lovelace").text == "Ada Lovelace")
    #expect(PersonName(given: "Ada", family: "").text == "Ada")
    #expect(PersonName(family: "Lovelace").text == "Lovelace")
    var name = PersonName(given: "")
    #expect(name.text == nil)
    name.nickname = "Countess"
    #expect(name.text == "Countess")
    name.given = "Ada"
    #expect(name.text == "Ada")

    var account = Account(name: "ada", userRecordName: "_a", created: 0)
    #expect(account.contact.lookup == .userRecordName("_a"))
    #expect(account.identity.lookup == nil)
    account.phones = ["123", "456"]
    #expect(account.contact.lookup == .phone("123"))
    account.emails = ["a@b", "c@d"]
    #expect(account.contact.lookup == .email("a@b"))
    for own in [LookupInfo.email("c@d"), .phone("456"), .userRecordName("_a")] { #expect(account.answers(to: own)) }
    for other in [LookupInfo.email("456"), .phone("c@d"), .userRecordName("a@b"), .userRecordName("ada")] {
      #expect(!account.answers(to: other))
    }
    #expect([LookupInfo.email("a@b"), .phone("1"), .userRecordName("_a")].map(\.text) == ["a@b", "1", "_a"])
  }

  @Test("check reports accounts that share an address, or with a file that has another account's name")

  func checkReportsAccountsThatShareAnAddress() throws {
    let folder = try Directory.open(path: cloud.path + "/accounts", in: FileSystem())
    try folder.edit("carol.json") { $0.replacing("carol@example.com", with: "bob@example.com") }
    let path = cloud.path + "/accounts/"
    #expect(
      try service.checks.check() == [Problem(path: path + "carol.json", text: "bob@example.com belongs to bob too")])
    try folder.edit("carol.json") { $0.replacing("bob@example.com", with: "carol@example.com") }
    try folder.writeStaged("dave.json", try #require(try folder.contents("carol.json")))
    #expect(try service.checks.check() == [Problem(path: path + "dave.json", text: "not an account")])
    #expect(
      error { try service.accounts.account("dave") }?.message.hasSuffix("dave.json: not the account dave.") == true)
  }
}
