import LocalCloudModel
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Administrators of a share")
struct AdministratorTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let carol: Person
  let dave: Person

  /// Bob is the administrator and Carol a participant. Both have accepted.
  init() throws {
    cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dave"])
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    carol = try Person(cloud, "carol").inShared(zoneOf: alice)
    dave = try Person(cloud, "dave").inShared(zoneOf: alice)
    try alice.makeZone()
    try alice.save(alice.note("root", "1"))
    let share = try alice.share("root", with: ["carol"])
    try alice.edit { $0.participants.append(try alice.invitation("bob", role: .administrator)) }
    try bob.accept(share)
    try carol.accept(share)
  }

  private func list(_ person: Person) throws -> [Participant] {
    try person.fetch("Share-1").shareDetails?.participants ?? []
  }

  private func index(of name: String, in details: ShareDetails) throws -> Int {
    try #require(details.participants.firstIndex { $0.identity.name?.given == name })
  }

  @Test("an administrator can add people and change permissions and title; a participant can't ([share-manage-1])")
  func administratorCanAddPeopleAndChange() throws {
    #expect(try list(alice).map(\.role) == [.owner, .privateUser, .administrator])
    try bob.edit(fields: ["cloudkit.title": .string("Bob's title")]) { details in
      details.participants.append(try bob.invitation("dave", .readOnly))
      details.participants[try index(of: "Carol", in: details)].permission = .readOnly
    }
    let seen = try alice.fetch("Share-1")
    #expect(seen.fields["cloudkit.title"] == .string("Bob's title"))
    #expect(seen.shareDetails?.participants.map(\.acceptance) == [.accepted, .accepted, .accepted, .pending])
    #expect(seen.shareDetails?.participants.map(\.permission) == [.readWrite, .readOnly, .readWrite, .readOnly])
    #expect(
      code { try carol.save(carol.note("root", "2", tag: try carol.fetch("root").changeTag)) } == .permissionFailure)
    try dave.accept(seen)
    #expect(try dave.fetch("root").fields["text"] == .string("1"))

    #expect(code { try carol.edit { $0.participants.append(try carol.invitation("dave")) } } == .permissionFailure)
    #expect(code { try carol.edit(fields: ["cloudkit.title": .string("C")]) { _ in } } == .permissionFailure)
    #expect(code { try carol.edit { $0.publicPermission = .readOnly } } == .permissionFailure)
    try bob.edit { $0.publicPermission = .readOnly }
    #expect(try alice.fetch("Share-1").shareDetails?.publicPermission == .readOnly)
    // The four earlier participants are still on the list of the public share. Administrators see them.
    #expect(try list(bob).count == 4)
    #expect(try list(carol).count == 2)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("an administrator can remove people, who lose the zone, but can't change the owner's entry")
  func administratorCanRemovePeopleWhoLose() throws {
    let token = try carol.databaseChanges().token
    try bob.edit { details in details.participants.remove(at: try index(of: "Carol", in: details)) }
    #expect(code { try carol.fetch("root") } == .zoneNotFound)
    #expect(try carol.databaseChanges(since: token).deleted.map(\.zone) == [carol.zone])
    #expect(code { try bob.edit { $0.participants.removeAll { $0.role == .owner } } } == .invalidArguments)
    try bob.edit { details in
      details.participants[0].permission = .readOnly
      details.participants[0].acceptance = .pending
    }
    #expect(try list(alice)[0].permission == .readWrite)
    #expect(try list(alice)[0].acceptance == .accepted)
    #expect(try cloud.service.checks.check() == [])
  }

  // [share-people-5]
  @Test("an administrator sees every address, a participant only their own")
  func administratorSeesEveryAddressAParticipant() throws {
    #expect(try list(bob).map { $0.identity.lookup != nil } == [false, true, true])
    #expect(try list(carol).map { $0.identity.lookup != nil } == [false, true, false])
  }

  @Test(
    "an administrator who deletes the share, or removes themselves together with other edits, leaves ([share-leave-4])")
  func leaves() throws {
    try bob.edit { details in
      details.participants.append(try bob.invitation("dave"))
      details.participants.remove(at: try index(of: "Bob", in: details))
    }
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try list(alice).map(\.acceptance) == [.accepted, .accepted, .pending, .pending])
    #expect(try list(alice).map(\.identity.name?.given) == ["Alice", "Carol", "Bob", "Dave"])
    #expect(try list(alice).map(\.role) == [.owner, .privateUser, .administrator, .privateUser])

    try bob.accept(try alice.fetch("Share-1"))
    _ = try bob.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try carol.fetch("root").fields["text"] == .string("1"))
    #expect(try cloud.service.checks.check() == [])
  }

  // [share-manage-3]
  @Test(
    "the administrator role gives no write permission for records, and no rights before acceptance"
  )
  func administratorRoleGivesNoWritePermission() throws {
    try alice.edit { details in details.participants[try index(of: "Bob", in: details)].permission = .readOnly }
    #expect(code { try bob.save(bob.note("root", "2", tag: try bob.fetch("root").changeTag)) } == .permissionFailure)
    try bob.edit(fields: ["cloudkit.title": .string("still")]) { _ in }

    try bob.edit { $0.participants.append(try bob.invitation("dave", role: .administrator)) }
    #expect(code { try dave.edit(fields: ["cloudkit.title": .string("early")]) { _ in } } == .zoneNotFound)
    try dave.accept(try alice.fetch("Share-1"))
    try dave.edit { details in details.participants[try index(of: "Bob", in: details)].role = .privateUser }
    #expect(code { try bob.edit(fields: ["cloudkit.title": .string("late")]) { _ in } } == .permissionFailure)
    #expect(code { try bob.edit { $0.participants.remove(at: 1) } } == .permissionFailure)
    #expect(try alice.fetch("Share-1").fields["cloudkit.title"] == .string("still"))
  }

  // [share-list-4]
  @Test("a save can't make an owner, a link user can't become administrator, and no person can have two entries")
  func forbiddenRoles() throws {
    for role in [ParticipantRole.owner, .publicUser] {
      #expect(code { try bob.edit { $0.participants[1].role = role } } == .invalidArguments, "\(role)")
    }
    #expect(code { try alice.edit { $0.participants.append($0.participants[1]) } } == .invalidArguments)
    let impostor = try bob.invitation("dave", role: .owner)
    #expect(code { try bob.edit { $0.participants.append(impostor) } } == .invalidArguments)
    // An entry for the owner's own address is the owner's existing entry.
    try alice.edit { $0.participants.append(try alice.invitation("alice", role: .owner)) }
    #expect(try list(alice).map(\.role) == [.owner, .privateUser, .administrator])
    try alice.edit { $0.publicPermission = .readWrite }
    try dave.accept(try alice.fetch("Share-1"))
    #expect(code { try alice.edit { $0.participants[3].role = .administrator } } == .invalidArguments)
    #expect(try cloud.service.checks.check() == [])
  }
}
