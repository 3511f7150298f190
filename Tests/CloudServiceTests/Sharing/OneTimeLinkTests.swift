import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Links that admit one person")
struct OneTimeLinkTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("root", "1"))
    try alice.share("root")
  }

  /// Adds an entry without an address. Returns its link.
  private func addLink(_ permission: SharePermission = .readWrite, id: String = "once") throws -> String {
    let share = try alice.edit { details in
      details.participants.append(
        Participant(
          participantID: id, identity: UserIdentity(), role: .privateUser, acceptance: .unknown,
          permission: permission))
    }
    return try #require(url(id, in: share))
  }

  private func url(_ id: String, in share: Record) -> String? {
    guard let details = share.shareDetails else { return nil }
    return details.participants.first { $0.participantID == id }.flatMap { details.oneTimeURL(of: $0) }
  }

  private func links() throws -> [String] {
    try cloud.service.cloud.containerEntries(ExactName(TemporaryCloud.container), "shares").sorted()
  }

  @Test(
    "the first user of a one-person link joins, and later it acts like the share's own link ([share-request-1])"
  )
  func firstUserOfAOnePersonLink() throws {
    let link = try addLink(.readOnly)
    let share = try alice.fetch("Share-1")
    let own = try #require(share.shareDetails?.url)
    #expect(link != own)
    #expect(link.hasSuffix("#Title"))
    let entry = try #require(share.shareDetails?.participants.last)
    #expect(entry.acceptance == .pending)
    #expect(entry.identity == UserIdentity())
    #expect(entry.added != nil)

    #expect(code { try carol.metadata(own) } == .unknownItem)
    let metadata = try bob.metadata(link)
    #expect(metadata.status == .pending)
    #expect(metadata.role == .privateUser)
    #expect(metadata.permission == .readOnly)
    #expect(metadata.url == own)
    #expect(metadata.link == link)
    try bob.accept(link)
    #expect(try bob.fetch("root").fields["text"] == .string("1"))
    #expect(code { try bob.save(bob.note("root", "2", tag: try bob.fetch("root").changeTag)) } == .permissionFailure)
    let claimed = try #require(alice.fetch("Share-1").shareDetails?.participants.last)
    #expect(claimed.participantID == "once")
    #expect(claimed.acceptance == .accepted)
    #expect(claimed.identity.lookup == nil)
    #expect(claimed.identity.userRecordName == (try bob.service.accounts.userRecordName(by: bob.caller)))
    #expect(claimed.identity.name?.given == "Bob")

    // The same person may accept again by either link. Other people are refused.
    try bob.accept(link)
    #expect(try bob.metadata(own).status == .accepted && bob.metadata(link).status == .accepted)
    #expect(code { try carol.metadata(link) } == .unknownItem)
    #expect(code { try carol.accept(link) } == .permissionFailure)
    #expect(url("once", in: try alice.fetch("Share-1")) == link)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a person who is invited by address does not use up a one-person link")
  func personWhoIsInvitedByAddress() throws {
    let link = try addLink()
    try alice.edit { $0.participants.append(try alice.invitation("bob")) }
    try bob.accept(link)
    #expect(
      try alice.fetch("Share-1").shareDetails?.participants.map(\.acceptance) == [.accepted, .pending, .accepted])
    #expect(code { try carol.metadata(try alice.fetch("Share-1").shareDetails?.url) } == .unknownItem)
    try carol.accept(link)
    #expect(try carol.fetch("root").fields["text"] == .string("1"))
  }

  @Test("only the owner and administrators see one-person links ([share-request-2])")
  func onlyTheOwnerAndAdministratorsSee() throws {
    let link = try addLink()
    let share = try alice.edit { details in
      details.participants.append(try alice.invitation("bob"))
      details.participants.append(try alice.invitation("carol", role: .administrator))
    }
    try bob.accept(share)
    try carol.accept(share)
    #expect(url("once", in: try carol.fetch("Share-1")) == link)
    let seen = try bob.fetch("Share-1")
    #expect(seen.shareDetails?.participants.count == 4)
    #expect(seen.shareDetails?.participants.allSatisfy { $0.shortGUID == nil } == true)
    #expect(
      try bob.metadata(share.shareDetails?.url).share.shareDetails?.participants.allSatisfy { $0.shortGUID == nil }
        == true)
  }

  @Test("a one-person link ends with its entry, a public permission, the share or the zone ([share-request-2])")
  func onePersonLinkEndsWithItsEntry() throws {
    let own = try links()
    #expect(own.count == 1)
    func expectDead(_ link: String, _ what: Comment) throws {
      #expect(code { try bob.metadata(link) } == .unknownItem, what)
      #expect(code { try bob.accept(link) } == .unknownItem, what)
      #expect(try cloud.service.checks.check() == [], what)
    }
    var link = try addLink()
    #expect(try links().count == 2)
    try alice.edit { details in details.participants.removeAll { $0.participantID == "once" } }
    #expect(try links() == own)
    try expectDead(link, "removed")

    link = try addLink()
    try alice.edit { $0.publicPermission = .readOnly }
    #expect(try links() == own)
    try expectDead(link, "opened")

    try alice.edit { $0.publicPermission = .none }
    link = try addLink()
    _ = try alice.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(try links() == [])
    try expectDead(link, "stopped")

    try alice.share("root")
    #expect(try links() == own)
    link = try addLink()
    try alice.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
      .deletes[0].get()
    #expect(try links() == [])
    try expectDead(link, "zone deleted")
  }

  @Test("an entry for one person can't be added to a public share ([share-public-3])")
  func openShare() throws {
    try alice.edit { $0.publicPermission = .readOnly }
    #expect(code { try addLink() } == .invalidArguments)
  }

  @Test("of two people who use a one-person link concurrently, one is accepted and the other refused")
  func ofTwoPeopleWhoUse() throws {
    for round in 0..<10 {
      let link = try addLink(id: "once-\(round)")
      let codes = Mutex<[ServiceError.Code?]>([])
      let line = [bob, carol].map { person in
        let jobs = SerialWorker()
        jobs.add {
          let result = code { try person.accept(link) }
          codes.withLock { $0.append(result) }
        }
        return jobs
      }
      for jobs in line { try jobs.finish() }
      #expect(codes.withLock { Set($0) } == [nil, .permissionFailure])
      try alice.edit { $0.participants.removeAll { $0.role != .owner } }
    }
  }

  @Test("check reports a link file that is missing or has no share, and repair restores the missing one")
  func checkReportsALinkFile() throws {
    let link = try addLink()
    let guid = try #require(ShareDetails.shortGUID(inURL: link))
    let folder = "\(cloud.path)/containers/\(TemporaryCloud.container)/shares"
    let directory = try Directory.open(path: folder, in: FileSystem())
    let contents = try #require(try directory.contents("\(guid).json"))
    _ = try directory.remove("\(guid).json")
    #expect(try cloud.service.checks.check().map(\.text) == ["its link leads nowhere"])
    #expect(code { try bob.accept(link) } == .unknownItem)
    _ = try cloud.service.repairs.repair()
    #expect(try directory.contents("\(guid).json") == contents)
    #expect(try cloud.service.checks.check() == [])

    // A copy of the file under another name is no valid link.
    try directory.writeStaged("0forged.json", contents)
    #expect(code { try bob.accept(ShareDetails.urlPrefix + "0forged") } == .unknownItem)
    #expect(code { try bob.metadata(ShareDetails.urlPrefix + "0forged") } == .unknownItem)
    #expect(try cloud.service.checks.check().map(\.text) == ["the link leads to no share"])
  }
}
