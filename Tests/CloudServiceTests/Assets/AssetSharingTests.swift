import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Assets: permission follows the record")
struct AssetSharingTests {
  let stage: AssetStage
  let alice: Person

  /// Alice shares `root`, the parent of `shared`. `own` is not shared. Bob may write, Carol may read, Dora is invited.
  init() throws {
    stage = try AssetStage()
    alice = stage.alice
    for name in ["dora", "eve"] {
      var changes = AccountChanges()
      changes.emails = ["\(name)@example.com"]
      _ = try stage.cloud.service.accounts.addAccount(name, changes)
    }
    try alice.savePicture("root", "shared")
    try alice.savePicture("own", "private")
    let share = try alice.share("root", with: ["bob", "carol", "dora"])
    try alice.edit { details in
      for index in details.participants.indices
      where details.participants[index].identity.lookup == .email("carol@example.com") {
        details.participants[index].permission = .readOnly
      }
    }
    for name in ["bob", "carol"] { try person(name).accept(share) }
  }

  private func person(_ name: String) throws -> Person {
    try Person(stage.cloud, name).inShared(zoneOf: alice)
  }

  // [record-asset-4]
  @Test("participants can read the assets of shared records, and no others", arguments: ["bob", "carol"])
  func participantsCanReadTheAssetsOfShared(_ name: String) throws {
    #expect(try person(name).pictures("root") == ["shared"])
    #expect(try code { try person(name).pictures("own") } == .unknownItem)
    let feed = ZoneChangesRequest(scope: .shared, zone: try person(name).zone, withAssets: true)
    let changed = try alice.service.feeds.zoneChanges(feed, by: person(name).caller).changed
    #expect(
      try changed.flatMap { try $0.fields["picture"]?.assets.map { try $0.bytes() } ?? [] } == [Array("shared".utf8)])
  }

  @Test(
    "a pending invitee and a stranger can neither read nor write assets ([record-asset-4])", arguments: ["dora", "eve"])
  func pendingInviteeAndAStrangerCanNeither(_ name: String) throws {
    let code = try code { try person(name).pictures("root") }
    #expect(code == .zoneNotFound || code == .unknownItem)
    let file = try TemporaryFile("theirs")
    let save = try person(name).picture("root", file)
    #expect(try self.code { try person(name).save(save, policy: .allKeys) } != nil)
    // The file is not even opened.
    let missing = try person(name).picture("root", .asset(AssetValue(file: "/nowhere")))
    #expect(try self.code { try person(name).save(missing, policy: .allKeys) } != .assetFileNotFound)
    #expect(try stage.folders().uploads == [])
    #expect(try Set(stage.folders().assets) == [assetName("shared"), assetName("private")])
  }

  private func code(_ body: () throws -> some Any) rethrows -> ServiceError.Code? {
    do {
      _ = try body()
      return nil
    } catch let error as ServiceError {
      return error.code
    }
  }

  @Test("a participant with write permission uploads assets into the owner's zone; a read-only participant can't")
  func participantWithWritePermissionUploadsAssets() throws {
    let bob = try person("bob")
    try bob.savePicture("root", "Bob's")
    #expect(try alice.pictures("root") == ["Bob's"])
    #expect(try person("carol").pictures("root") == ["Bob's"])
    #expect(try Set(stage.folders().assets) == [assetName("Bob's"), assetName("private")])
    let carol = try person("carol")
    #expect(try code { try carol.savePicture("root", "Carol's") } == .permissionFailure)
    #expect(try stage.folders().uploads == [])
    #expect(try alice.service.checks.check() == [])
  }

  @Test("a participant can't use the name of an unshared asset of the owner")
  func participantCannotUseTheName() throws {
    let name = try #require(try alice.fetch("own").fields["picture"]?.assets.first?.name)
    let bob = try person("bob")
    let claim = bob.picture("root", .asset(AssetValue(name: name)))
    #expect(try code { try bob.save(claim, policy: .allKeys) } == .assetNotAvailable)
    // A participant who uploads the same bytes gets only a copy of their own.
    try bob.savePicture("root", "private")
    #expect(try bob.pictures("root") == ["private"])
    #expect(try code { try bob.pictures("own") } == .unknownItem)
  }

  @Test("a removed participant can't fetch assets any more, but can read those that were fetched before")
  func removedParticipantCannotFetchAssetsAnyMore() throws {
    let bob = try person("bob")
    let asset = try #require(try bob.fetchWithAssets("root").fields["picture"]?.assets.first)
    try alice.edit { $0.participants.removeAll { $0.identity.lookup == .email("bob@example.com") } }
    #expect(try code { try bob.pictures("root") } == .zoneNotFound)
    #expect(try asset.bytes() == Array("shared".utf8))
  }

  @Test("in the public database every user reads an asset, and only its creator writes it")
  func inThePublicDatabaseEveryUserReads() throws {
    var (owner, reader) = (alice, Person(stage.cloud, "bob"))
    owner.scope = .public
    owner.zone = .default
    reader.scope = .public
    reader.zone = .default
    try owner.savePicture("p", "public")
    #expect(try reader.pictures("p") == ["public"])
    #expect(try code { try reader.savePicture("p", "other") } == .permissionFailure)
  }
}
