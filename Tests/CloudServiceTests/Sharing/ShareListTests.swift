import LocalCloudModel
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("The list of participants: refused edits, roles and visibility")
struct ShareListTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person

  /// Bob is on the list and has not accepted.
  init() throws {
    cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dave"])
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.makeZone()
    try alice.save(alice.note("root", "1"))
    try alice.share("root", with: ["bob"])
  }

  private func expectRefusal(_ message: String, _ change: (inout ShareDetails) throws -> Void) throws {
    let before = try alice.fetch("Share-1")
    let failure = error { try alice.edit { try change(&$0) } }
    #expect(failure?.message == message)
    #expect(failure?.code == .invalidArguments)
    #expect(failure?.internalCode == 2006)
    #expect(try alice.fetch("Share-1") == before)
  }

  private func list() throws -> [Participant] {
    try #require(try alice.fetch("Share-1").shareDetails).participants
  }

  @Test("each forbidden edit of a share is refused with the service's words and changes nothing")
  func eachForbiddenEditOfAShare() throws {
    try expectRefusal("The owner can't be removed from a share") { $0.participants.removeFirst() }
    try expectRefusal("A share's public permission can't be unknown") { $0.publicPermission = .unknown }
    try expectRefusal("A participant's permission can't be unknown") { $0.participants[1].permission = .unknown }
    try expectRefusal("Two participants of a share have the same ID") { $0.participants.append($0.participants[1]) }
    for role in [ParticipantRole.owner, .publicUser] {
      try expectRefusal("The role of a participant can't be changed to \(role.rawValue)") {
        $0.participants[1].role = role
      }
    }
    try expectRefusal("Public users join by themselves") {
      $0.participants.append(try alice.invitation("carol", role: .publicUser))
    }
    try expectRefusal("A share has one owner") { $0.participants.append(try alice.invitation("carol", role: .owner)) }
    try expectRefusal("A participant's permission can't be unknown") {
      $0.participants.append(try alice.invitation("carol", .unknown))
    }
    try expectRefusal("The person is on the share's list already") {
      $0.participants.append(try alice.invitation("bob"))
    }
    try expectRefusal("The person is on the share's list already") { details in
      for _ in 0..<2 { details.participants.append(try alice.invitation("carol")) }
    }
    try expectRefusal("Participants can't be added to a share with a public permission") {
      $0.publicPermission = .readOnly
      $0.participants.append(try alice.invitation("carol"))
    }
    try expectRefusal("Only the people themselves can ask for access") {
      $0.accessRequests.requesters = [try alice.invitation("carol").identity]
    }
    try expectRefusal("The owner can't be blocked") { $0.accessRequests.blocked = [$0.participants[0].identity] }
    try expectRefusal("Only people who asked for access can be blocked") {
      $0.accessRequests.blocked = [UserIdentity(lookup: .email("nobody@example.com"))]
    }
    try expectRefusal("Only people who asked for access can be blocked") {
      $0.accessRequests.blocked = [UserIdentity()]
    }
  }

  @Test("an unknown role leaves the role unchanged, or makes a new entry a private user")
  func unknownRoleLeavesTheRoleUnchanged() throws {
    try alice.edit { details in
      details.participants.append(try alice.invitation("carol", role: .unknown))
      details.participants.append(try alice.invitation("dave", .readOnly, role: .administrator))
    }
    #expect(try list().map(\.role) == [.owner, .privateUser, .privateUser, .administrator])
    #expect(try list().map(\.acceptance) == [.accepted, .pending, .pending, .pending])
    try alice.edit { details in
      for index in details.participants.indices { details.participants[index].role = .unknown }
      details.participants[0].role = .owner
      details.participants[1].permission = .readOnly
    }
    #expect(try list().map(\.role) == [.owner, .privateUser, .privateUser, .administrator])
    #expect(try list().map(\.permission) == [.readWrite, .readOnly, .readWrite, .readOnly])
    try alice.edit { $0.participants[3].role = .privateUser }
    #expect(try list()[3].role == .privateUser)
    // An entry for the owner's own address is the owner's existing entry.
    try alice.edit { $0.participants.append(try alice.invitation("alice", role: .owner)) }
    #expect(try list().map(\.identity.name?.given) == ["Alice", "Bob", "Carol", "Dave"])
  }

  @Test("the owner's entry is always the first one and can't be changed") func ownEntry() throws {
    let before = try list()
    try alice.edit { details in
      details.participants[0].permission = .readOnly
      details.participants[0].acceptance = .pending
      details.participants.reverse()
    }
    #expect(try list() == before && before[0].permission == .readWrite && before[0].added != nil)
  }

  @Test("a person who is blocked by record name is stored with an address or a phone number")
  func personWhoIsBlockedByRecordName() throws {
    var changes = AccountChanges()
    (changes.emails, changes.phones) = ([], ["+1 555 0100"])
    _ = try cloud.service.accounts.setAccount("dave", changes)
    let (carol, dave) = (try cloud.service.accounts.account("carol"), try cloud.service.accounts.account("dave"))
    try alice.edit {
      $0.accessRequests.blocked = [
        UserIdentity(userRecordName: carol.userRecordName), UserIdentity(userRecordName: dave.userRecordName),
      ]
    }
    let blocked = try #require(try alice.fetch("Share-1").shareDetails).accessRequests.blocked
    #expect(blocked.map(\.lookup) == [.email("carol@example.com"), .phone("+15550100")])
    #expect(blocked.map(\.name?.given) == ["Carol", "Dave"])
    try alice.edit { $0.accessRequests.blocked.removeFirst() }
    #expect(try alice.fetch("Share-1").shareDetails?.accessRequests.blocked.map(\.name?.given) == ["Dave"])
    #expect(try list().count == 2)
  }

  // MARK: Values

  private func participant(
    _ user: String?, _ role: ParticipantRole = .privateUser, _ acceptance: AcceptanceStatus = .accepted,
    _ permission: SharePermission = .readWrite
  ) -> Participant {
    Participant(
      participantID: user ?? "", identity: UserIdentity(userRecordName: user, lookup: .email("\(user ?? "")@x")),
      role: role, acceptance: acceptance, permission: permission)
  }

  @Test(
    "a change of the public permission decides which participants stay, and with which permission ([share-public-1])")
  func publicPermission() {
    let list = [
      participant("o", .owner), participant("a"), participant("p", .privateUser, .pending),
      participant("u", .publicUser, .accepted, .readOnly),
    ]
    func after(_ permission: SharePermission, from: SharePermission = .readOnly) -> [String] {
      var details = ShareDetails(publicPermission: from, participants: list)
      details.setPublicPermission(permission)
      #expect(details.publicPermission == permission)
      return details.participants.map { "\($0.participantID) \($0.permission.rawValue)" }
    }
    #expect(after(.readOnly) == ["o READ_WRITE", "a READ_WRITE", "p READ_WRITE", "u READ_ONLY"])
    #expect(after(.readWrite) == ["o READ_WRITE", "a READ_WRITE", "u READ_WRITE"])
    #expect(after(.none) == ["o READ_WRITE"])
    #expect(after(.readOnly, from: .none) == ["o READ_WRITE", "a READ_WRITE", "u READ_ONLY"])
  }

  @Test("after leaving, an invited person is pending again, and a public user is removed")
  func afterLeavingAnInvitedPersonIsPending() {
    let details = ShareDetails(participants: [
      participant("o", .owner), participant("a"), participant("u", .publicUser),
    ])
    #expect(details.leaving("a").participants.map(\.acceptance) == [.accepted, .pending, .accepted])
    #expect(details.leaving("u").participants.map(\.participantID) == ["o", "a"])
    #expect(details.leaving("x") == details)
  }

  @Test(
    "the larger of the personal and the public permission applies; without any there is no access ([share-write-5])")
  func largerOfThePersonalAndThePublic() {
    for own in SharePermission.allCases {
      for everybody in SharePermission.allCases {
        let guest = participant("a", .privateUser, .accepted, own)
        let details = ShareDetails(
          publicPermission: everybody, participants: [participant("o", .owner, .accepted, .none), guest])
        let larger = own.number >= everybody.number ? own : everybody
        #expect(details.effectivePermission(guest) == larger)
        #expect(details.effectivePermission(details.participants[0]) == .readWrite)
        let isIn = larger == .readOnly || larger == .readWrite
        #expect(details.mayLookIn(guest) == isIn)
        #expect(details.letsIn(guest) == isIn)
        #expect(details.joined.map(\.participantID) == (isIn ? ["a"] : []))
        #expect(!details.letsIn(participant("a", .privateUser, .pending, .readWrite)))
      }
    }
  }

  @Test("managers see the whole list; participants see no links, requests or foreign addresses ([share-people-4])")
  func managersSeeTheWholeList() {
    var link = participant(nil, .privateUser, .pending)
    (link.shortGUID, link.identity.lookup) = ("0link", nil)
    var details = ShareDetails(
      participants: [
        participant("o", .owner), participant("a"), participant("m", .administrator), link,
        participant(nil, .privateUser, .pending),
      ])
    details.accessRequests.areAllowed = true
    details.accessRequests.requesters = [UserIdentity(userRecordName: "r")]
    details.accessRequests.blocked = [UserIdentity(userRecordName: "b")]
    func seen(by user: String?) -> ShareDetails {
      details.presented(to: user.map { Account(name: $0, userRecordName: $0, created: 0) })
    }
    for manager in ["o", "m"] { #expect(seen(by: manager) == details) }
    for user in ["a", "x", nil] {
      let view = seen(by: user)
      #expect(view.accessRequests.areAllowed)
      #expect(view.accessRequests.requesters == [])
      #expect(view.accessRequests.blocked == [])
      #expect(view.participants.count == 5)
      #expect(view.participants.compactMap(\.shortGUID) == [])
      #expect(view.participants.filter { $0.identity.lookup != nil }.map(\.participantID) == (user == "a" ? ["a"] : []))
    }
    details.publicPermission = .readOnly
    #expect(seen(by: "a").participants.map(\.participantID) == ["o", "a"])
    #expect(seen(by: "x").participants.map(\.participantID) == ["o"])
    #expect(seen(by: "m").participants.count == 5)
    // A pending administrator has no manager's view.
    details.participants[2].acceptance = .pending
    #expect(seen(by: "m").participants.map(\.participantID) == ["o", "m"])
  }
}
