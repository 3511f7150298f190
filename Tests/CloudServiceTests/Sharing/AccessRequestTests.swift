import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Requests for access to a share")
struct AccessRequestTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let carol: Person
  let url: String

  /// Bob is a participant. Carol requests access.
  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    carol = try Person(cloud, "carol").inShared(zoneOf: alice)
    try alice.makeZone()
    try alice.save(alice.note("root", "1"))
    let share = try alice.share("root", with: ["bob"])
    url = try #require(share.shareDetails?.url)
    try bob.accept(share)
  }

  private func ask(_ person: Person) throws {
    try person.service.sharing.requestAccess(url: url, by: person.caller)
  }

  private func allow() throws { try alice.edit { $0.accessRequests.areAllowed = true } }

  private func requests(_ person: Person) throws -> AccessRequests {
    try #require(person.fetch("Share-1").shareDetails?.accessRequests)
  }

  /// Expects success without any change of the tree.
  private func expectNothing(_ what: Comment, _ body: () throws -> Void) throws {
    let before = try FolderImage(of: cloud.path)
    try body()
    #expect(try FolderImage(of: cloud.path).differences(from: before) == [], what)
  }

  // [share-request-3]
  @Test(
    "a request succeeds without a change for unknown links and shares that allow no requests, and so reveals nothing")
  func nothingLearned() throws {
    try expectNothing("requests are not allowed") { try ask(carol) }
    try expectNothing("no share") {
      try carol.service.sharing.requestAccess(url: ShareDetails.urlPrefix + "0unknown", by: carol.caller)
      try carol.service.sharing.requestAccess(url: "https://example.com/../x", by: carol.caller)
    }
    #expect(code { try cloud.service.sharing.requestAccess(url: url, by: cloud.caller(nil)) } == .notAuthenticated)
    try allow()
    try alice.edit { $0.publicPermission = .readOnly }
    try expectNothing("everybody may join anyhow") { try ask(carol) }
  }

  // [share-request-4]
  @Test("the owner sees a request once, with name and address; participants see only that requests are allowed")
  func ownerSeesARequestOnceWithName() throws {
    try allow()
    let token = try alice.changes().token
    try ask(carol)
    #expect(try alice.changes(since: token).changed.map(\.id.name) == ["Share-1"])
    let waiting = try #require(requests(alice).requesters.first)
    #expect(waiting.name?.given == "Carol")
    #expect(waiting.lookup == .email("carol@example.com"))
    try expectNothing("asked already") { try ask(carol) }
    #expect(try requests(alice).requesters.count == 1)
    #expect(try requests(bob).areAllowed && requests(bob).requesters.isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("an approved requester is added by the address of the request, and marked as approved ([share-request-4])")
  func approvedRequesterIsAddedByTheAddress() throws {
    try allow()
    try ask(carol)
    let share = try alice.edit { details in
      let lookup = try #require(details.accessRequests.requesters[0].lookup)
      details.participants.append(try alice.service.sharing.participants(for: [lookup], by: alice.caller)[0].get())
    }
    #expect(share.shareDetails?.participants.map(\.isApprovedRequester) == [false, false, true])
    #expect(share.shareDetails?.participants[2].acceptance == .pending)
    #expect(share.shareDetails?.accessRequests.requesters == [])
    #expect(try carol.metadata(url).status == .pending)
    #expect(code { try ask(carol) } == .participantAlreadyInvited)
    try carol.accept(url)
    #expect(try carol.fetch("root").fields["text"] == .string("1"))
    #expect(try alice.fetch("Share-1").shareDetails?.participants[2].isApprovedRequester == true)
    for person in [alice, bob, carol] { #expect(code { try ask(person) } == .participantAlreadyInvited) }
  }

  @Test("a person who joins by another way is removed from the requesters")
  func joinedOtherwise() throws {
    try allow()
    try ask(carol)
    try alice.edit { $0.publicPermission = .readOnly }
    try carol.accept(url)
    #expect(try requests(alice).requesters == [])
  }

  @Test(
    "a denied person may ask again; a blocked person's requests have no effect until unblocking ([share-request-5])")
  func denyingAndBlocking() throws {
    try allow()
    try ask(carol)
    try alice.edit { $0.accessRequests.requesters = [] }
    try ask(carol)
    #expect(try requests(alice).requesters.count == 1)

    try alice.edit { $0.accessRequests.blocked = $0.accessRequests.requesters }
    #expect(try requests(alice).requesters == [])
    #expect(try requests(alice).blocked.map(\.name?.given) == ["Carol"])
    #expect(try requests(bob).blocked == [])
    try expectNothing("blocked") { try ask(carol) }

    try alice.edit { $0.accessRequests.blocked = [] }
    try ask(carol)
    #expect(try requests(alice).requesters.count == 1)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("blocking removes a participant from the share; the owner can't be blocked ([share-request-5])")
  func blockingParticipants() throws {
    let token = try bob.databaseChanges().token
    try alice.edit { $0.accessRequests.blocked = [$0.participants[1].identity] }
    #expect(try alice.fetch("Share-1").shareDetails?.participants.map(\.role) == [.owner])
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try bob.databaseChanges(since: token).deleted.map(\.zone) == [bob.zone])
    #expect(
      code { try alice.edit { $0.accessRequests.blocked.append($0.participants[0].identity) } } == .invalidArguments)
    // A blocked person can still be invited and accept.
    try alice.edit { $0.participants.append(try alice.invitation("bob")) }
    try bob.accept(url)
    #expect(try bob.fetch("root").fields["text"] == .string("1"))
  }

  @Test("the lists of requesters and blocked people can't be forged or changed by participants ([share-request-7])")
  func listsOfRequestersAndBlockedPeopleCannot() throws {
    let person = try alice.invitation("carol").identity
    #expect(code { try alice.edit { $0.accessRequests.requesters = [person] } } == .invalidArguments)
    let stranger = UserIdentity(userRecordName: nil, name: nil, lookup: .email("nobody@example.com"))
    #expect(code { try alice.edit { $0.accessRequests.blocked = [stranger] } } == .invalidArguments)
    #expect(code { try bob.edit { $0.accessRequests.areAllowed = true } } == .permissionFailure)
    #expect(code { try bob.edit { $0.accessRequests.blocked = [person] } } == .permissionFailure)
    try bob.edit { _ in }
    try alice.edit { $0.participants[1].role = .administrator }
    try bob.edit { $0.accessRequests.areAllowed = true }
    try ask(carol)
    try bob.edit { $0.accessRequests.blocked = $0.accessRequests.requesters }
    #expect(try requests(alice).blocked.map(\.name?.given) == ["Carol"])
  }

  @Test("after the last request is removed, the share's file has no request keys")
  func afterTheLastRequestIsRemoved() throws {
    try allow()
    try ask(carol)
    let records = try cloud.zoneFolder().directory("records")
    func keys() throws -> Set<String> {
      let bytes = try #require(try records.contents("Share-1.json"))
      return Set(try JSONValue(parsing: bytes).object?.keys.map { $0 } ?? [])
    }
    #expect(try keys().isSuperset(of: ["requesters", "denyAccessRequests"]))
    try alice.edit { details in
      details.accessRequests.requesters = []
      details.accessRequests.areAllowed = false
    }
    #expect(try keys().isDisjoint(with: ["requesters", "denyAccessRequests", "blocked"]))
  }
}
