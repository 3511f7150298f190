import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Paging of feeds")
struct FeedPagingTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  @Test("a page has 200 changes by default, and at most 400 ([change-zone-7])")
  func pageHas200ChangesByDefault() throws {
    _ = try alice.modify((0..<400).map { alice.note(ExactName("n\($0)")) })
    try alice.save(alice.note("last"))
    for (limit, count) in [(0, 200), (7, 7), (400, 400), (1000, 400)] {
      let page = try alice.changes(limit: limit)
      #expect(page.changed.count == count, "\(limit)")
      #expect(page.moreComing, "\(limit)")
    }
  }

  @Test("the deletions of ended shares are reported in pages, each once", arguments: [1, 2, 3, 5])
  func deletionsOfEndedSharesAreReported(limit: Int) throws {
    for root in ["one", "two", "three"] as [ExactName] {
      try alice.save(alice.note(root))
      for item in 0..<3 {
        try alice.save(alice.note(ExactName("\(root)-\(item)"), parent: .set(root, zone: nil)))
      }
      try bob.accept(try alice.share(root, share: ExactName("share-\(root)"), with: ["bob"]))
    }
    var token = try bob.changes().token
    // One commit removes Bob from two shares and changes a record of the third share.
    let saves = try (["share-one", "share-two"] as [ExactName]).map { name in
      let share = try alice.fetch(name)
      return RecordSave(
        id: alice.id(name), type: Record.shareType, changeTag: share.changeTag,
        share: ShareSave(root: nil, participants: [try #require(share.shareDetails?.participants[0])]))
    }
    for save in try alice.modify([alice.note("three-1", "x", tag: try alice.fetch("three-1").changeTag)] + saves).saves
    {
      _ = try save.get()
    }
    var deleted: [ExactName] = []
    var changed: [ExactName] = []
    for _ in 0..<50 {
      let page = try bob.changes(since: token, limit: limit)
      #expect(page.deleted.count + page.changed.count <= limit)
      deleted += page.deleted.map(\.record.name)
      changed += page.changed.map(\.id.name)
      token = page.token
      if !page.moreComing { break }
    }
    #expect(changed == ["three-1"])
    #expect(
      deleted.sorted()
        == ["one", "one-0", "one-1", "one-2", "share-one", "share-two", "two", "two-0", "two-1", "two-2"])
    #expect(try bob.changes(since: token).deleted.isEmpty)
  }

  @Test("a zone deleted during a walk from nil hides no other zone ([change-database-4], [change-database-6])")
  func zoneGoesDuringWalk() throws {
    for item in 0..<6 {
      var person = alice
      person.zone = ZoneIdentifier(name: ExactName("Z\(item)"))
      try person.makeZone()
    }
    let first = try alice.databaseChanges(limit: 3)
    #expect(first.changed.map(\.name) == ["Notes", "Z0", "Z1"])
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [ZoneIdentifier(name: "Z0")]), by: alice.caller)
    var names: [ExactName] = []
    var gone: [ExactName] = []
    var token = first.token
    while true {
      let page = try alice.databaseChanges(since: token, limit: 3)
      names += page.changed.map(\.name)
      gone += page.deleted.map(\.zone.name)
      token = page.token
      if !page.moreComing { break }
    }
    gone += try alice.databaseChanges(since: token).deleted.map(\.zone.name)
    #expect(Set(names).isSuperset(of: ["Z2", "Z3", "Z4", "Z5"]))
    #expect(gone == ["Z0"])
  }
}
