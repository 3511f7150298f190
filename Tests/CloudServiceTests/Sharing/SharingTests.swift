import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Sharing a hierarchy, from creation to its end")
struct SharingTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  @Test("a share is created, joined, read, written and ended")
  func wholePath() throws {
    try alice.save(alice.note("folder", "F"))
    try alice.save(alice.note("file", "1", parent: .set("folder", zone: nil)))
    try alice.save(alice.note("outside", "O"))
    let share = try alice.share("folder", with: ["bob"])
    #expect(share.shareDetails?.participants.map(\.role) == [.owner, .privateUser])
    #expect(share.shareDetails?.participants.map(\.acceptance) == [.accepted, .pending])
    #expect(share.shareDetails?.url?.hasSuffix("#Title") == true)

    #expect(code { try bob.fetch("file") } == .zoneNotFound)
    #expect(try bob.databaseChanges().changed.isEmpty)
    try bob.accept(share)
    #expect(try bob.databaseChanges().changed == [bob.zone])
    let first = try bob.changes()
    #expect(Set(first.changed.map(\.id.name)) == ["folder", "file", "Share-1"])
    #expect(first.deleted.isEmpty)
    #expect(code { try bob.fetch("outside") } == .unknownItem)

    let file = try bob.fetch("file")
    let changed = try bob.save(bob.note("file", "2", tag: file.changeTag))
    #expect(try alice.fetch("file").fields["text"] == .string("2"))
    #expect(try alice.fetch("file").changeTag == changed.changeTag)
    try bob.save(bob.note("new", "n", parent: .set("folder", zone: nil)))
    #expect(code { try bob.save(bob.note("stray", "s")) } == .permissionFailure)
    #expect(code { try bob.save(bob.note("stray", "s", parent: .set("outside", zone: nil))) } == .permissionFailure)
    #expect(try alice.fetch("new").parent == "folder")

    #expect(try cloud.service.checks.check() == [])
    let second = try bob.changes(since: first.token)
    #expect(Set(second.changed.map(\.id.name)) == ["file", "new"])

    try alice.save(alice.note("file", tag: try alice.fetch("file").changeTag, parent: .clear))
    let third = try bob.changes(since: second.token)
    #expect(third.changed.isEmpty)
    #expect(third.deleted.map(\.record.name) == ["file"])

    let token = try bob.databaseChanges().token
    _ = try alice.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(code { try bob.changes(since: third.token) } == .zoneNotFound)
    let gone = try bob.databaseChanges(since: token)
    #expect(gone.deleted.map(\.zone) == [bob.zone])
    #expect(try alice.fetch("folder").share == nil)
    #expect(try alice.fetch("folder").shortGUID != nil)
    #expect(code { try bob.accept(share) } == .unknownItem)
    #expect(try cloud.service.checks.check() == [])
  }
}
