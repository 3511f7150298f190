import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("A participant with the permission .none has no access")
struct NoPermissionTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.secret("root", "hidden"))
    try alice.save(alice.note("child", "1", parent: .set("root", zone: nil)))
  }

  private func set(_ permission: SharePermission, role: ParticipantRole? = nil) throws {
    try alice.edit { details in
      details.participants[1].permission = permission
      if let role { details.participants[1].role = role }
    }
  }

  private func query(_ person: Person) throws -> [ExactName] {
    let request = QueryRecordsRequest(scope: person.scope, zone: person.zone, recordType: "Note")
    return try cloud.service.queries.queryRecords(request, by: person.caller).records.map(\.id.name)
  }

  /// Expects that Bob has no access by any kind of request.
  private func expectShutOut(_ what: Comment, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(code { try bob.fetch("root") } == .zoneNotFound, what, sourceLocation: sourceLocation)
    #expect(code { try bob.fetch("Share-1") } == .zoneNotFound, what, sourceLocation: sourceLocation)
    #expect(code { try query(bob) } == .zoneNotFound, what, sourceLocation: sourceLocation)
    #expect(code { try bob.changes() } == .zoneNotFound, what, sourceLocation: sourceLocation)
    #expect(code { try bob.save(bob.note("x", parent: .set("root", zone: nil))) } == .zoneNotFound, what)
    #expect(code { try bob.modify(delete: ["child"]).deletes[0].get() } == .zoneNotFound, what)
    #expect(try bob.databaseChanges().changed == [], what, sourceLocation: sourceLocation)
    #expect(
      try cloud.service.zones.list(nil, in: .shared, by: bob.caller).isEmpty, what, sourceLocation: sourceLocation)
    #expect(
      code { try cloud.service.zones.list([bob.zone], in: .shared, by: bob.caller)[0].get() } == .zoneNotFound, what,
      sourceLocation: sourceLocation)
    #expect(try cloud.service.checks.check() == [], what, sourceLocation: sourceLocation)
  }

  private func keyHolders() throws -> Set<String> {
    let folder = try cloud.directory(alice.folder() + "/keys/shares")
    let file = try folder.contents("Share-1.json").map { try JSONValue(parsing: $0) }
    return Set(file?["people"]?.array?.compactMap { $0["userRecordName"]?.string } ?? [])
  }

  // [share-join-5]
  @Test("an invitation with the permission .none shows no root and can't be accepted until the permission is raised")
  func invitationWithThePermissionNoneShows() throws {
    let share = try alice.share("root", with: ["bob"], permission: .none)
    let bobs = try cloud.service.accounts.userRecordName(by: bob.caller)
    let request = ShareMetadataRequest(url: share.shareDetails?.url ?? "", fetchesRootRecord: true)
    let metadata = try cloud.service.sharing.shareMetadata(request, by: bob.caller)
    #expect(metadata.permission == .none)
    #expect(metadata.status == .pending)
    #expect(metadata.rootRecord == nil)
    #expect(try !keyHolders().contains(bobs))
    #expect(code { try bob.accept(share) } == .permissionFailure)
    #expect(try alice.fetch("Share-1").shareDetails?.participants[1].acceptance == .pending)
    try expectShutOut("invited")
    try set(.readOnly)
    #expect(try cloud.service.sharing.shareMetadata(request, by: bob.caller).rootRecord != nil)
    try bob.accept(share)
    #expect(try bob.read("root") == "hidden" && query(bob).count == 2)
    #expect(try cloud.service.checks.check() == [])
  }

  // [share-window-4]
  @Test(
    "lowering a participant to .none acts like a removal from the share; raising the permission restores all access")
  func loweringAParticipantToNoneActsLike() throws {
    let share = try alice.share("root", with: ["bob", "carol"])
    for person in [bob, carol] { try person.accept(share) }
    try bob.subscribeToDatabase()
    let bobs = try cloud.service.accounts.userRecordName(by: bob.caller)
    for round in 0..<2 {
      let (database, zone) = (try bob.databaseChanges().token, try bob.changes().token)
      let pushes = try bob.pushes().count
      try set(.none)
      try expectShutOut("lowered")
      let gone = try bob.databaseChanges(since: database)
      #expect(gone.changed == [])
      #expect(gone.deleted.map(\.zone) == [bob.zone])
      #expect(gone.deleted.map(\.reason) == [.deleted])
      #expect(code { try bob.changes(since: zone) } == .zoneNotFound)
      // One push about the loss of the zone, and none about later changes.
      #expect(try bob.pushes().count == pushes + 1)
      try alice.save(alice.note("child", "later \(round)"), policy: .changedKeys)
      #expect(try bob.pushes().count == pushes + 1)
      #expect(try bob.databaseChanges(since: gone.token).changed == [])
      #expect(try !keyHolders().contains(bobs))
      #expect(code { try bob.accept(share) } == .permissionFailure)
      let list = try #require(alice.fetch("Share-1").shareDetails?.participants)
      #expect(list[1].acceptance == .accepted)
      #expect(list[1].permission == .none)
      #expect(try carol.read("root") == "hidden")

      try set(round == 0 ? .readOnly : .readWrite)
      let back = try bob.databaseChanges(since: gone.token)
      #expect(back.changed == [bob.zone])
      #expect(back.deleted.isEmpty)
      #expect(code { try bob.changes(since: zone) } == .changeTokenExpired)
      #expect(try Set(bob.changes().changed.map(\.id.name)) == ["root", "child", "Share-1"])
      #expect(try bob.read("root") == "hidden" && bob.fetch("child").fields["text"] == .string("later \(round)"))
      #expect(try keyHolders().contains(bobs))
      #expect(try bob.pushes().count == pushes + 2)
      #expect(try cloud.service.checks.check() == [])
    }
  }

  @Test(
    "with .none in one of two shares a participant gets its records as deletions, and after raising as modifications"
  )
  func oneOfTwo() throws {
    try alice.save(alice.note("second", "1"))
    try bob.accept(try alice.share("root", with: ["bob"]))
    try bob.accept(try alice.share("second", share: "Share-2", with: ["bob"]))
    let first = try bob.changes()
    try set(.none)
    let gone = try bob.changes(since: first.token)
    #expect(Set(gone.deleted.map(\.record.name)) == ["root", "child", "Share-1"])
    #expect(gone.changed.isEmpty)
    #expect(code { try bob.fetch("child") } == .unknownItem)
    #expect(try query(bob) == ["second"])
    try set(.readOnly)
    let back = try bob.changes(since: gone.token)
    #expect(Set(back.changed.map(\.id.name)) == ["root", "child", "Share-1"])
    #expect(back.deleted.isEmpty)
    #expect(try bob.read("root") == "hidden")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a participant who is lowered to .none can fetch no assets, and can again after the permission is raised")
  func participantWhoIsLoweredToNone() throws {
    try alice.savePicture("photo", "a beach")
    let share = try alice.share("photo", with: ["bob", "carol"])
    for person in [bob, carol] { try person.accept(share) }
    func feed() throws -> [Record] {
      let request = ZoneChangesRequest(scope: .shared, zone: bob.zone, withAssets: true)
      return try cloud.service.feeds.zoneChanges(request, by: bob.caller).changed
    }
    func found() throws -> [Record] {
      let request = QueryRecordsRequest(scope: .shared, zone: bob.zone, recordType: "Picture", withAssets: true)
      return try cloud.service.queries.queryRecords(request, by: bob.caller).records
    }
    func bytes(_ records: [Record]) throws -> [[UInt8]] {
      try records.flatMap { try $0.fields["picture"]?.assets.map { try $0.bytes() } ?? [] }
    }
    let beach = Array("a beach".utf8)
    #expect(try bob.pictures("photo") == ["a beach"] && bytes(feed()) == [beach] && bytes(found()) == [beach])
    let name = try #require(try bob.fetch("photo").fields["picture"]?.assets.first?.name)

    try set(.none)
    #expect(code { try bob.pictures("photo") } == .zoneNotFound)
    #expect(code { try feed() } == .zoneNotFound)
    #expect(code { try found() } == .zoneNotFound)
    // The asset's name gives no access either.
    let claim = bob.picture("mine", .asset(AssetValue(name: name)))
    #expect(code { try bob.save(claim) } == .zoneNotFound)
    #expect(try carol.pictures("photo") == ["a beach"])

    try set(.readOnly)
    #expect(try bob.pictures("photo") == ["a beach"] && bytes(feed()) == [beach] && bytes(found()) == [beach])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("an administrator who is lowered to .none can't manage the share any more")
  func administratorWhoIsLoweredToNoneCannot() throws {
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    try set(.readWrite, role: .administrator)
    try set(.none)
    try expectShutOut("administrator")
    #expect(code { try bob.edit { $0.participants.removeLast() } } == .zoneNotFound)
    #expect(try bob.metadata(share.shareDetails?.url).share.shareDetails?.participants[0].identity.lookup == nil)
  }

  @Test("in a zone shared as a whole the larger of the personal and the public permission applies")
  func wholeZone() throws {
    let share = try alice.save(
      RecordSave(
        id: alice.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(root: nil, participants: [try alice.invitation("bob")])))
    try bob.accept(share)
    func set(_ permission: SharePermission, everybody: SharePermission) throws {
      try alice.edit(Record.zoneWideShareName) { details in
        details.publicPermission = everybody
        if details.participants.count > 1 { details.participants[1].permission = permission }
      }
    }
    try set(.none, everybody: .none)
    #expect(code { try bob.fetch("child") } == .zoneNotFound)
    #expect(try bob.databaseChanges().changed == [])
    try set(.none, everybody: .readOnly)
    #expect(try bob.fetch("child").fields["text"] == .string("1") && bob.read("root") == "hidden")
    #expect(code { try bob.save(bob.note("x")) } == .permissionFailure)
    try set(.none, everybody: .none)
    #expect(code { try bob.fetch("child") } == .zoneNotFound)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "an accepted share with .none of an earlier version gives no access, and repair removes its pointer"
  )
  func fromBefore() throws {
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    let records = try cloud.directory(alice.folder() + "/records")
    let bytes = try #require(try records.contents("Share-1.json"))
    let pieces = String(decoding: bytes, as: UTF8.self).split(
      separator: "\"READ_WRITE\"", omittingEmptySubsequences: false)
    // The permission at the last position is Bob's. The owner's entry and the owner's copy precede it.
    let text = pieces.dropLast().joined(separator: "\"READ_WRITE\"") + "\"NONE\"" + (pieces.last ?? "")
    try records.writeStaged("Share-1.json", Array(text.utf8))
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(code { try bob.changes() } == .zoneNotFound)
    #expect(code { try query(bob) } == .zoneNotFound)
    #expect(try !cloud.service.checks.check().isEmpty)
    _ = try cloud.service.repairs.repair()
    #expect(try bob.databaseChanges().changed == [])
    #expect(try cloud.service.checks.check() == [])
  }
}
