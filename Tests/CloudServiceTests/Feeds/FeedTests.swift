import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Zone and database feeds")
struct FeedTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  // [change-token-2], [change-zone-1], [change-zone-7]
  @Test("each record is reported once in its latest state, in order of its last change; any page's token continues")
  func eachRecordIsReportedOnce() throws {
    for round in 0..<3 {
      for item in 0..<10 {
        try alice.save(alice.note(ExactName("n\(item)"), "\(round)"), policy: .changedKeys)
      }
    }
    var names: [ExactName] = []
    var token: String?
    var pages = 0
    while true {
      let page = try alice.changes(since: token, limit: 3)
      #expect(page.changed.count <= 3)
      #expect(page.changed.allSatisfy { $0.fields["text"] == .string("2") })
      names += page.changed.map(\.id.name)
      token = page.token
      pages += 1
      if !page.moreComing { break }
    }
    #expect(names == (0..<10).map { ExactName("n\($0)") })
    #expect(pages == 4)
    let again = try alice.changes(since: token)
    #expect(again.changed.isEmpty)
    #expect(!again.moreComing)
  }

  // [change-zone-2]
  @Test("a fetch without a token reports deletions only of records that the fetching device created")
  func fetchWithoutATokenReportsDeletions() throws {
    let phone = Person(cloud, "alice", device: "phone")
    try alice.save(alice.note("mine"))
    try phone.save(phone.note("theirs"))
    _ = try alice.modify(delete: ["mine", "theirs"])
    #expect(try alice.changes().deleted.map(\.record.name) == ["mine"])
    #expect(try phone.changes().deleted.map(\.record.name) == ["theirs"])
  }

  // [change-zone-4]
  @Test(
    "since a token, a created and deleted record is a deletion; one that was deleted and created again is one change")
  func createdAndDeleted() throws {
    try alice.save(alice.note("a"))
    let token = try alice.changes().token
    let phone = Person(cloud, "alice", device: "phone")
    try phone.save(phone.note("brief"))
    _ = try alice.modify(delete: ["brief", "a"])
    try alice.save(alice.note("a", "again"))
    let changes = try alice.changes(since: token)
    #expect(changes.deleted.map(\.record.name) == ["brief"])
    #expect(changes.changed.map(\.id.name) == ["a"])
  }

  @Test("a record deleted while a walk from nil is under way is reported to every device ([change-zone-3])")
  func deletedDuringWalk() throws {
    let phone = Person(cloud, "alice", device: "phone")
    for item in 0..<6 { try phone.save(phone.note(ExactName("n\(item)"))) }
    let first = try alice.changes(limit: 3)
    #expect(first.changed.map(\.id.name) == ["n0", "n1", "n2"])
    _ = try phone.modify(delete: ["n0"])
    let second = try alice.changes(since: first.token)
    #expect(second.deleted.map(\.record.name) == ["n0"])
    #expect(second.changed.map(\.id.name) == ["n3", "n4", "n5"])
  }

  // [change-token-1], [change-token-3]
  @Test("a token of another kind, zone, user, container or incarnation, or garbage, fails with changeTokenExpired")
  func foreignTokens() throws {
    try alice.save(alice.note("a"))
    let token = try alice.changes().token
    var second = alice
    second.zone = ZoneIdentifier(name: "Second")
    try second.makeZone()
    #expect(code { try second.changes(since: token) } == .changeTokenExpired)
    #expect(code { try alice.changes(since: try alice.databaseChanges().token) } == .changeTokenExpired)
    #expect(code { try alice.databaseChanges(since: token) } == .changeTokenExpired)
    for garbage in ["", "x", "eyJ9", String(repeating: "A", count: 100_000), "é"] {
      #expect(code { try alice.changes(since: garbage) } == .changeTokenExpired)
      #expect(code { try alice.databaseChanges(since: garbage) } == .changeTokenExpired)
    }
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
    try alice.makeZone()
    #expect(code { try alice.changes(since: token) } == .changeTokenExpired)
  }

  // [change-zone-6], [change-database-5]
  @Test("the default zone and the public database have no zone feed, and the public database has no database feed")
  func noFeed() throws {
    var person = alice
    person.zone = .default
    #expect(code { try person.changes() } == .serverRejectedRequest)
    person.scope = .public
    #expect(code { try person.changes() } == .serverRejectedRequest)
    #expect(code { try person.databaseChanges() } == .badDatabase)
  }

  // [change-database-1], [change-database-2]
  @Test("a database feed reports each zone once: deleted as a deletion, recreated as a change, never the default zone")
  func databaseFeedReportsEachZoneOnce() throws {
    let first = try alice.databaseChanges()
    #expect(first.changed.map(\.name) == ["Notes"])
    var second = alice
    second.zone = ZoneIdentifier(name: "Second")
    try second.makeZone()
    try second.save(second.note("a"))
    try second.save(second.note("b"))
    var ordinary = alice
    ordinary.zone = .default
    try ordinary.save(ordinary.note("d"))
    let changed = try alice.databaseChanges(since: first.token)
    #expect(changed.changed.map(\.name) == ["Second"])
    #expect(try alice.databaseChanges(since: changed.token).changed.isEmpty)
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [second.zone]), by: alice.caller)
    let deleted = try alice.databaseChanges(since: changed.token)
    #expect(deleted.changed.isEmpty)
    #expect(deleted.deleted.map(\.zone.name) == ["Second"])
    try second.makeZone()
    let again = try alice.databaseChanges(since: changed.token)
    #expect(again.changed.map(\.name) == ["Second"])
    #expect(again.deleted.isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a database feed in pages reports every zone ([change-database-6])")
  func databasePages() throws {
    for item in 0..<7 {
      var person = alice
      person.zone = ZoneIdentifier(name: ExactName("Z\(item)"))
      try person.makeZone()
    }
    for start in [nil, try alice.databaseChanges().token] {
      if start != nil {
        for item in 0..<7 {
          var person = alice
          person.zone = ZoneIdentifier(name: ExactName("Z\(item)"))
          try person.save(person.note("a"))
        }
      }
      var token = start
      var names: [ExactName] = []
      while true {
        let page = try alice.databaseChanges(since: token, limit: 3)
        names += page.changed.map(\.name)
        token = page.token
        if !page.moreComing { break }
      }
      #expect(names.filter { $0 != "Notes" } == (0..<7).map { ExactName("Z\($0)") })
    }
  }

  @Test("a zone that is created again never uses a change tag of the deleted zone ([zone-delete-3])")
  func tagsAfterDeletion() throws {
    let old = try alice.save(alice.note("a", "old"))
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
    #expect(code { try alice.fetch("a") } == .zoneNotFound)
    try alice.makeZone()
    #expect(try alice.changes().changed.isEmpty)
    #expect(code { try alice.save(alice.note("a", "x", tag: old.changeTag)) } == .unknownItem)
    let new = try alice.save(alice.note("a", "new"))
    #expect(new.changeTag != old.changeTag)
    #expect(code { try alice.save(alice.note("a", "x", tag: old.changeTag)) } == .serverRecordChanged)
  }

  @Test("the first database feed after a reboot reports every zone except the default zone ([change-database-2])")
  func afterBoot() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    let user = RecordIdentifier(name: ExactName(try cloud.service.accounts.userRecordName(by: alice.caller)))
    _ = try cloud.service.records.fetchRecords(FetchRecordsRequest(scope: .private, records: [user]), by: alice.caller)
    let token = try alice.databaseChanges().token
    let again = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings, fileSystem: FileSystem(bootIdentifier: "another boot"))
    let changes = try again.feeds.databaseChanges(
      DatabaseChangesRequest(scope: .private, since: token), by: alice.caller)
    #expect(changes.changed.map(\.name) == ["Notes"])
  }
}
