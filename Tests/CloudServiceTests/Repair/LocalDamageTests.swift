import FaultInjection
import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Local damage: a damaged cloud.json, account or record does not affect other data")
struct LocalDamageTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person

  init() throws {
    cloud = try TemporaryCloud()
    (alice, bob) = try cloud.shareNotes()
  }

  private func root() throws -> Directory { try Directory.open(path: cloud.path, in: FileSystem()) }

  // MARK: cloud.json

  @Test(
    "check reports a cloud.json that is empty, invalid or missing, and repair writes a new one",
    arguments: ["", "garbage", "{}", nil])
  func checkReportsACloudJson(text: String?) throws {
    let before = try #require(try root().contents("cloud.json"))
    if let text { try root().writeStaged("cloud.json", Array(text.utf8)) } else { try root().remove("cloud.json") }
    let token = try bob.databaseChanges().token
    let problem = try CloudService.markerProblem(root: cloud.path)
    #expect(problem?.path == "\(cloud.path)/cloud.json")
    #expect(problem?.isUnread == false)
    let refusal = error { try CloudService.open(root: cloud.path) }
    #expect(refusal?.cause == .damage)
    #expect(refusal?.hint?.contains("`localcloud repair`") == true)
    let settings = TemporaryCloud.settings(ids: "other")
    let done = try CloudService.restoreMarker(root: cloud.path, settings: settings)
    #expect(done?.path == "\(cloud.path)/cloud.json")
    #expect(try CloudService.restoreMarker(root: cloud.path, settings: settings) == nil)
    let service = try CloudService.open(root: cloud.path, settings: settings)
    #expect(try service.checks.check() == [])
    let again = Person(cloud, "alice", by: service)
    #expect(try again.fetch("b").fields["text"] == .string("1"))
    try again.save(again.note("later"))
    // The cloud has a new history now.
    let bobAgain = try Person(cloud, "bob", by: service).inShared(zoneOf: again)
    #expect(code { try bobAgain.databaseChanges(since: token) } == .changeTokenExpired)
    if let text { #expect(try cloud.aside().values.contains(Array(text.utf8))) }
    #expect(before != (try root().contents("cloud.json")))
  }

  @Test("repair writes no cloud.json into a folder that is not a cloud")
  func noCloud() throws {
    let path = ScratchFolder.newPath("none")
    try Directory.make(path: path + "/accounts", in: FileSystem())
    defer { try? ScratchFolder.remove(path) }
    #expect(try CloudService.markerProblem(root: path) == nil)
    #expect(try CloudService.restoreMarker(root: path) == nil)
    #expect(error { try CloudService.open(root: path) }?.cause == .noCloud)
  }

  // MARK: Accounts

  @Test("a damaged account does not affect other accounts, and can't be overwritten by a new account")
  func damagedAccountDoesNotAffectOtherAccounts() throws {
    try root().directory("accounts").writeStaged("carol.json", Array("{".utf8))
    let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
    let (accounts, failures) = try service.accounts.listAccounts()
    #expect(accounts.map(\.name) == ["alice", "bob"])
    #expect(failures.map(\.name) == ["carol"])
    #expect(failures.map(\.error.cause) == [.damage])
    var changes = AccountChanges()
    changes.emails = ["dave@example.com"]
    _ = try service.accounts.addAccount("dave", changes)
    changes.emails = ["alice@example.org"]
    _ = try service.accounts.setAccount("alice", changes)
    let found = try service.sharing.participants(for: [.email("bob@example.com")], by: cloud.caller("alice"))
    #expect(try found[0].get().identity.hasAccount)
    #expect(try service.accounts.discoverAll(by: cloud.caller("alice")).isEmpty)
    #expect(
      error { try service.accounts.addAccount("carol", AccountChanges()) }?.message
        == "There is an account carol already.")
    #expect(try root().directory("accounts").contents("carol.json") == Array("{".utf8))
    #expect(error { try service.accounts.account("carol") }?.cause == .damage)
  }

  @Test(
    "an unreadable account fails requests that depend on its addresses or existence, and no others"
  )
  func deniedAccount() throws {
    var changes = AccountChanges()
    changes.emails = ["carol@example.com"]
    let denied = FileSystemCall.openFile("\(cloud.path)/accounts/carol.json")
    let fileSystem = FileSystem(observing: .allCalls) { $0 == denied ? .fail(SystemError.accessDenied) : .proceed }
    let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    let (accounts, failures) = try service.accounts.listAccounts()
    #expect(accounts.map(\.name) == ["alice", "bob"])
    #expect(failures.map(\.name) == ["carol"])
    #expect(failures.map(\.error.cause) == [.storage])
    let caller = cloud.caller("alice")
    #expect(try service.sharing.participants(for: [.email("bob@example.com")], by: caller)[0].get().identity.hasAccount)
    for (text, refusal) in [
      ("somebody", error { try service.sharing.participants(for: [.email("carol@example.com")], by: caller)[0].get() }),
      ("everybody", error { try service.accounts.discoverAll(by: caller) }),
      ("another of that address", error { try service.accounts.addAccount("dave", changes) }),
    ] {
      #expect(refusal?.cause == .storage, "\(text)")
      #expect(refusal?.path == "\(cloud.path)/accounts/carol.json", "\(text)")
    }
    #expect(throws: Never.self) { try service.zones.list(nil, in: .private, by: caller) }
    // Repair restores a damaged account beside the unreadable one.
    try Person(cloud, "bob").makeZone()
    try root().directory("accounts").writeStaged("bob.json", Array("{".utf8))
    let report = try service.repairs.repair()
    #expect(report.done.map(\.path) == ["\(cloud.path)/accounts/bob.json"])
    #expect(report.left.map(\.path) == ["\(cloud.path)/accounts/carol.json"])
    #expect(report.left.allSatisfy { $0.isUnread })
  }

  @Test(
    "repair restores a damaged account with its user record name",
    arguments: ["", "{", #"{"name": "bob", "phones": ["555"]}"#])
  func repairedAccount(text: String) throws {
    try alice.makeSecret()
    for (name, person) in [("alice", alice), ("bob", bob)] {
      let before = try cloud.service.accounts.account(name)
      let phone = name == "bob" ? "555" : "556"
      // Bob's own database, or at least Alice's keychain, contains the user record name.
      if name == "bob" { try Person(cloud, "bob").makeZone() }
      try root().directory("accounts").writeStaged(
        "\(name).json", Array(text.replacing("bob", with: name).replacing("555", with: phone).utf8))
      let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
      #expect(try service.checks.check().map(\.path).contains("\(cloud.path)/accounts/\(name).json"))
      let report = try service.repairs.repair()
      #expect(report.left == [], "\(name) \(report.left)")
      #expect(report.done.map(\.path) == ["\(cloud.path)/accounts/\(name).json"])
      let after = try service.accounts.account(name)
      #expect(after.userRecordName == before.userRecordName)
      #expect(after.status == .available)
      #expect(after.keys == before.keys)
      #expect(after.phones == (text.hasSuffix("}") ? [phone] : []))
      #expect(try person.fetch("b").fields["text"] == .string("1"))
      #expect(try service.checks.check() == [])
    }
    #expect(try alice.fetch("sealed").encryptedFields["secret"] == .string("hidden"))
  }

  // MARK: Records

  private func damage(_ name: String) throws -> [UInt8] {
    let records = try cloud.zoneFolder().directory("records")
    let bytes = try #require(try records.contents("\(name).json"))
    try records.writeStaged("\(name).json", Array("{".utf8))
    return bytes
  }

  private func list(_ person: Person) throws -> (names: [ExactName], failed: [ExactName]) {
    let page = try person.service.queries.queryRecords(
      QueryRecordsRequest(scope: person.scope, zone: person.zone, recordType: "Note"), by: person.caller)
    return (page.records.map(\.id.name), page.failed.map(\.record.name))
  }

  @Test(
    "a damaged record is an error only by itself, in feeds, lists and queries of the owner and of participants",
    arguments: [false, true])
  func damagedRecordIsAnError(withoutIndex: Bool) throws {
    let token = try alice.changes().token
    try alice.save(alice.note("b", "2"), policy: .allKeys)
    let bytes = try damage("b")
    let path = try cloud.zoneFolder().directory("records").path(of: "b.json")
    if withoutIndex { try cloud.zoneFolder().directory(".index").remove("index") }
    let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
    let alice = Person(cloud, "alice", by: service)
    let bob = try Person(cloud, "bob", by: service).inShared(zoneOf: alice)
    for person in [alice, bob] {
      let own = person.scope == .private
      let changes = try person.changes()
      #expect(Set(changes.changed.map(\.id.name)) == (own ? ["a", "c", "Share-1"] : ["a", "Share-1"]))
      #expect(changes.failed.map(\.record.name) == ["b"])
      #expect(changes.failed.map(\.error.path) == [path])
      #expect(!changes.moreComing)
      let listed = try list(person)
      #expect(listed.names == (own ? ["a", "c"] : ["a"]))
      #expect(listed.failed == ["b"])
      let page = try service.records.listRecords(
        ListRecordsRequest(scope: person.scope, zone: person.zone), by: person.caller)
      #expect(page.failed.map(\.record.name) == ["b"])
    }
    let changes = try alice.changes(since: token)
    #expect(changes.changed.isEmpty)
    #expect(changes.failed.map(\.record.name) == ["b"])
    try alice.save(alice.note("d", "1"))
    #expect(try service.checks.check().map(\.path).contains(path))
    // With its original bytes the record has no problem.
    try cloud.zoneFolder().directory("records").writeStaged("b.json", bytes)
    #expect(try alice.fetch("b").fields["text"] == .string("2"))
    #expect(try list(alice).names == ["a", "b", "c", "d"])
    _ = try damage("b")
    let report = try service.repairs.repair()
    #expect(report.left == [])
    #expect(try list(alice).names == ["a", "c", "d"])
    #expect(try list(alice).failed == [])
  }

  @Test("a damaged record that a participant can't see is not reported to the participant")
  func damagedRecordThatAParticipantCannotSee() throws {
    _ = try damage("c")
    #expect(try bob.changes().failed.isEmpty)
    #expect(try list(bob).failed.isEmpty)
    #expect(code { try bob.fetch("c") } == .unknownItem)
    #expect(try alice.changes().failed.map(\.record.name) == ["c"])
  }
}

extension Person {
  fileprivate func makeSecret() throws {
    var sealed = note("sealed", "1")
    sealed.encryptedFields = ["secret": .string("hidden")]
    try save(sealed)
  }
}
