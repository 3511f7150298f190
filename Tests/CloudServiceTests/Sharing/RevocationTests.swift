import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Deletions in participants' feeds after a share ends")
struct RevocationTests {
  enum Ending: CaseIterable { case left, removed, stopped }

  @Test(
    "after a share ends, unfetched earlier removals of its records are reported as deletions too",
    arguments: Ending.allCases)
  func goneBefore(_ ending: Ending) throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.makeZone()
    for name in ["root", "second"] as [ExactName] { try alice.save(alice.note(name)) }
    for name in ["early", "deleted", "moved", "between", "kept"] as [ExactName] {
      try alice.save(alice.note(name, "1", parent: .set("second", zone: nil)))
    }
    try bob.accept(try alice.share("root", with: ["bob"]))
    let share = try alice.share("second", share: "Share-2", with: ["bob"])
    // Bob never sees this record.
    _ = try alice.modify(delete: ["early"]).deletes[0].get()
    try bob.accept(share)
    let token = try bob.changes().token

    _ = try alice.modify(delete: ["deleted"]).deletes[0].get()
    try alice.save(alice.note("moved", parent: .clear), policy: .changedKeys)
    try alice.save(alice.note("between", parent: .set("root", zone: nil)), policy: .changedKeys)
    switch ending {
    case .left: _ = try bob.modify(delete: ["Share-2"]).deletes[0].get()
    case .stopped: _ = try alice.modify(delete: ["Share-2"]).deletes[0].get()
    case .removed:
      let now = try alice.fetch("Share-2")
      let owner = (now.shareDetails?.participants ?? []).filter { $0.role == .owner }
      try alice.save(
        RecordSave(
          id: now.id, type: Record.shareType, changeTag: now.changeTag,
          share: ShareSave(root: nil, participants: owner)))
    }
    for limit in [1, 2, 100] {
      var (removed, next): ([ExactName], String) = ([], token)
      while true {
        let page = try bob.changes(since: next, limit: limit)
        removed += page.deleted.map(\.record.name)
        next = page.token
        if !page.moreComing { break }
      }
      #expect(Set(removed) == ["second", "deleted", "moved", "kept", "Share-2"])
      #expect(removed.count == 5)
    }
    #expect(try bob.fetch("between").parent == "root")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a feed with records that left and returned ends after a limited number of pages", arguments: 1...8)
  func feedWithRecordsThatLeftAndReturned(limit: Int) throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.makeZone()
    var shares: [Record] = []
    for root in ["a", "b", "c"] {
      try alice.save(alice.note(ExactName(root), "1"))
      for child in ["\(root)1", "\(root)2"] {
        try alice.save(alice.note(ExactName(child), "1", parent: .set(ExactName(root), zone: nil)))
      }
      shares.append(try alice.share(ExactName(root), share: ExactName("Share-\(root)"), with: ["bob"]))
    }
    for share in shares { try bob.accept(share) }
    let token = try bob.changes().token
    for share in ["Share-b", "Share-c"] as [ExactName] { _ = try bob.modify(delete: [share]).deletes[0].get() }
    try bob.accept(shares[2])
    for start in [nil, token] {
      var seen: Set<ExactName> = start == nil ? [] : ["a", "a1", "a2", "b", "b1", "b2", "c", "c1", "c2"]
      var (next, pages, more) = (start, 0, true)
      while more, pages < 40 {
        let page = try bob.changes(since: next, limit: limit)
        seen.formUnion(page.changed.map(\.id.name))
        seen.subtract(page.deleted.map(\.record.name))
        (next, more) = (page.token, page.moreComing)
        pages += 1
      }
      #expect(pages < 40)
      #expect(seen.subtracting(["Share-a", "Share-c"]) == ["a", "a1", "a2", "c", "c1", "c2"])
    }
  }
}
