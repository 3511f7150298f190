import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Limits of participants")
struct ParticipantLimitTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("root", "R"))
    try alice.save(alice.note("child", "C", parent: .set("root", zone: nil)))
    try alice.save(alice.note("hidden", "H"))
  }

  private func pointing(_ name: ExactName, at target: ExactName, parent: ParentEdit, tag: String? = nil) -> RecordSave {
    RecordSave(
      id: bob.id(name), type: "Note", changeTag: tag,
      fields: ["target": .reference(ReferenceValue(record: target, action: .deleteSelf))], parent: parent)
  }

  @Test(
    "a participant can't use a hidden record as parent by moving it into the tree in the same batch ([share-write-2])")
  func pretendedParent() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    let response = try bob.modify(
      [
        bob.note("hidden", "x", parent: .set("root", zone: nil)),
        bob.note("intruder", "x", parent: .set("hidden", zone: nil)),
      ], atomic: false)
    #expect(response.saves.map { save in code { try save.get() } } == [.permissionFailure, .permissionFailure])
    #expect(code { try alice.fetch("intruder") } == .unknownItem)
  }

  @Test("a participant can't change a share's fields or parent, with any form of request")
  func shareFields() throws {
    try bob.accept(try alice.share("root", with: ["bob"], permission: .readOnly))
    let share = try bob.fetch("Share-1")
    let title = RecordSave(
      id: bob.id("Share-1"), type: Record.shareType, changeTag: share.changeTag,
      fields: ["cloudkit.title": .string("Bob's")])
    #expect(code { try bob.save(title) } == .permissionFailure)
    let parent = RecordSave(
      id: bob.id("Share-1"), type: Record.shareType, changeTag: share.changeTag, parent: .set("hidden", zone: nil),
      share: ShareSave(root: nil, participants: share.shareDetails?.participants ?? []))
    #expect(code { try bob.save(parent) } == .permissionFailure)
    #expect(try alice.fetch("Share-1").fields["cloudkit.title"] == .string("Title"))
    _ = try alice.modify(delete: ["hidden"]).deletes[0].get()
  }

  @Test("a participant's cascading deletion never deletes the root or the share ([share-write-7])")
  func cascadeToRoot() throws {
    let share = try alice.share("root", with: ["bob", "carol"])
    try bob.accept(share)
    try carol.accept(share)
    try bob.save(bob.note("bait", "b", parent: .set("root", zone: nil)))
    let tag = try bob.fetch("root").changeTag
    try bob.save(pointing("root", at: "bait", parent: .keep, tag: tag))
    #expect(code { try bob.modify(delete: ["bait", "child"]).deletes[0].get() } == .permissionFailure)
    #expect(try carol.fetch("root").fields["text"] == .string("R"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a participant's reference to a hidden record does not change that record's tag")
  func hiddenTarget() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    let tag = try alice.fetch("hidden").changeTag
    try bob.save(pointing("new", at: "hidden", parent: .set("root", zone: nil)))
    #expect(try alice.fetch("hidden").changeTag == tag)
  }

  // [record-parent-6]
  @Test("a share can be neither a parent nor a root, so that a participant can't block the owner from ending it")
  func belowTheShare() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    #expect(code { try bob.save(bob.note("hook", parent: .set("Share-1", zone: nil))) } == .invalidArguments)
    let itself = RecordSave(id: alice.id("self"), type: Record.shareType, share: ShareSave(root: "self"))
    #expect(code { try alice.modify([itself]).saves[0].get() } == .invalidArguments)
    _ = try alice.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(try cloud.service.checks.check() == [])
  }
}
