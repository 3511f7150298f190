import Foundation
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Rules that a mutation test found untested")
struct UnnoticedFaultTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("root", "1"))
  }

  private func under(_ parent: ExactName) -> ParentEdit { .set(parent, zone: nil) }

  // [share-write-3]
  @Test("a participant can't move a record from one share to another, even with write permission in both")
  func betweenShares() throws {
    try alice.save(alice.note("second", "1"))
    try alice.save(alice.note("child", "1", parent: under("root")))
    try bob.accept(try alice.share("root", with: ["bob"]))
    try bob.accept(try alice.share("second", share: "Share-2", with: ["bob"]))
    let before = try alice.fetch("child")
    let moved = bob.note("child", "2", tag: try bob.fetch("child").changeTag, parent: under("second"))
    #expect(code { try bob.save(moved) } == .permissionFailure)
    #expect(code { try bob.save(moved, policy: .changedKeys) } == .permissionFailure)
    #expect(try alice.fetch("child") == before && before.parent == "root")
    // A participant may add a new record to either share, and then can't move it.
    try bob.save(bob.note("new", "1", parent: under("second")))
    #expect(
      code { try bob.save(bob.note("new", "1", parent: under("root")), policy: .changedKeys) } == .permissionFailure)
  }

  // [share-create-7]
  @Test("100 people can join by a public link; the 101st gets tooManyParticipants, and the share does not change")
  func hundredAndFirst() throws {
    let share = try alice.share("root", publicPermission: .readOnly)
    for number in 1...101 { _ = try cloud.service.accounts.addAccount("guest\(number)", AccountChanges()) }
    for number in 1...100 { try Person(cloud, "guest\(number)").accept(share) }
    let before = try alice.fetch("Share-1")
    #expect(before.shareDetails?.participants.count == 101)
    let last = try Person(cloud, "guest101").inShared(zoneOf: alice)
    #expect(code { try last.accept(share) } == .tooManyParticipants)
    #expect(try alice.fetch("Share-1") == before)
    #expect(code { try last.fetch("root") } == .zoneNotFound)
    // An existing participant may accept again.
    try Person(cloud, "guest100").accept(share)
  }

  private func object(_ token: String) throws -> JSONObject {
    let plain = token.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)
    let bytes = try #require(Data(base64Encoded: padded))
    return try #require(try JSONValue(parsing: [UInt8](bytes)).object)
  }

  private func text(_ object: JSONObject) -> String {
    Data(JSONValue.object(object).compact()).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  // [change-token-3]
  @Test("a token with a sequence beyond the history's end expires, in zone and database feeds")
  func beyondTheHead() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    for person in [alice, bob] {
      let zone = try object(try person.changes().token)
      let head = try #require(zone["sequence"]?.integer)
      #expect(try person.changes(since: text(zone)).changed.isEmpty)
      let database = try object(try person.databaseChanges().token)
      let last = try #require(database["sequence"]?.integer)
      #expect(try person.databaseChanges(since: text(database)).changed.isEmpty)
      for step in [1, 2, 1000] as [Int64] {
        var (zone, database) = (zone, database)
        zone["sequence"] = .integer(head + step)
        database["sequence"] = .integer(last + step)
        #expect(code { try person.changes(since: text(zone)) } == .changeTokenExpired, "zone + \(step)")
        #expect(code { try person.databaseChanges(since: text(database)) } == .changeTokenExpired, "database + \(step)")
      }
    }
  }

  @Test("a link is valid only in its environment, even if the other one has a share with the same link")
  func linkIsValidOnlyInItsEnvironment() throws {
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    var settings = cloud.service.settings
    // Both shares get the same link, so that either environment has a share for it.
    settings.identifiers = { Array(repeating: 7, count: $0) }
    let same = CloudService(cloud: cloud.service.cloud, settings: settings)
    var urls: Set<String> = []
    for environment in [CloudEnvironment.development, .production] {
      let owner = Person(cloud, "alice", environment: environment)
      if environment == .production {
        try owner.makeZone()
        try owner.save(owner.note("root", environment.rawValue))
      }
      let sharing = Person(cloud, "alice", environment: environment, by: same)
      let invitation = try owner.invitation("bob")
      let share = RecordSave(
        id: owner.id("Share-1"), type: Record.shareType,
        share: ShareSave(root: "root", participants: [invitation]))
      let root = owner.note("root", tag: try owner.fetch("root").changeTag)
      let saved = try sharing.modify([root, share]).saves[1].get()
      urls.insert(saved.shareDetails?.url ?? "")
      // Production accepts the type after development has it.
      if environment == .development { _ = try cloud.service.schemas.deploySchema(by: alice.caller) }
    }
    let url = try #require(urls.first)
    #expect(urls.count == 1)
    // The link's file was last written for production, and contains that environment.
    let there = Person(cloud, "bob", environment: .production)
    #expect(try there.metadata(url).environment == .production)
    let here = Person(cloud, "bob")
    #expect(code { try here.metadata(url) } == .unknownItem)
    #expect(code { try here.accept(url) } == .unknownItem)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    try there.accept(url)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
  }

  @Test(
    "if a share is closed, or a one-person link removed, before its first use, the link's sealed key is removed too"
  )
  func closedUnused() throws {
    try alice.save(alice.secret("root", "hidden", tag: try alice.fetch("root").changeTag))
    func file() throws -> JSONValue {
      let folder = try cloud.directory(alice.folder() + "/keys/shares")
      let bytes = try #require(try folder.contents("Share-1.json"))
      return try JSONValue(parsing: bytes)
    }
    try alice.share("root", publicPermission: .readOnly)
    let open = try file()
    #expect(open["links"]?.array?.count == 1)
    try alice.edit { $0.publicPermission = .none }
    let closed = try file()
    #expect(closed["links"] == [])
    #expect(closed["opens"] != open["opens"])
    try alice.edit { $0.participants.append(cloud.service.sharing.participantByLink()) }
    let single = try file()
    #expect(single["links"]?.array?.count == 1)
    try alice.edit { $0.participants.removeLast() }
    #expect(try file()["links"] == [] && file()["opens"] != single["opens"])
  }

  @Test("when a public share is closed, the key for its link is removed, and the share gets a new key")
  func closedLink() throws {
    try alice.save(alice.secret("root", "hidden", tag: try alice.fetch("root").changeTag))
    try bob.accept(try alice.share("root", publicPermission: .readOnly))
    #expect(try bob.read("root") == "hidden")
    let folder = try cloud.directory(alice.folder() + "/keys/shares")
    func file() throws -> JSONValue {
      let bytes = try #require(try folder.contents("Share-1.json"))
      return try JSONValue(parsing: bytes)
    }
    let open = try file()
    let guid = try #require(alice.fetch("Share-1").shortGUID)
    #expect(open["links"]?.array?.map { $0["shortGUID"] } == [.string(guid)])
    try alice.edit { $0.publicPermission = .none }
    let closed = try file()
    #expect(closed["links"] == [])
    #expect(closed["opens"] != open["opens"])
    #expect(closed["isStale"] == nil)
    let owner = try cloud.service.accounts.userRecordName(by: alice.caller)
    #expect(closed["people"]?.array?.map { $0["userRecordName"] } == [.string(owner)])
    #expect(try alice.read("root") == "hidden")
  }
}
