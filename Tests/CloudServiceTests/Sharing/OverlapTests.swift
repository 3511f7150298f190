import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Overlapping shares in one batch")
struct OverlapTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    for name in ["a", "b", "c"] as [ExactName] { try alice.save(alice.note(name)) }
  }

  private func share(_ name: ExactName, _ root: ExactName) -> RecordSave {
    RecordSave(id: alice.id(name), type: Record.shareType, share: ShareSave(root: root))
  }

  private func saved(_ name: ExactName, below parent: ExactName? = nil) throws -> RecordSave {
    alice.note(name, tag: try alice.fetch(name).changeTag, parent: parent.map { .set($0, zone: nil) } ?? .keep)
  }

  private func codes(_ saves: [RecordSave]) throws -> [ServiceError.Code?] {
    try alice.modify(saves).saves.map { save in code { try save.get() } }
  }

  @Test("a shared record can't move below a new record that the same batch puts into a shared tree ([share-tree-7])")
  func moveByWayOfANewParent() throws {
    try alice.share("a", share: "sa")
    try alice.share("b", share: "sb")
    let new = alice.note("new", parent: .set("a", zone: nil))
    #expect(try codes([new, saved("b", below: "new")]) == [.batchRequestFailed, .alreadyShared])
  }

  @Test("a record can't be shared below a new record in a shared tree")
  func shareByWayOfANewParent() throws {
    try alice.share("a", share: "sa")
    let new = alice.note("new", parent: .set("a", zone: nil))
    #expect(
      try codes([new, saved("b", below: "new"), share("sb", "b")])
        == [.batchRequestFailed, .batchRequestFailed, .alreadyShared])
  }

  @Test("a shared record can't move below a record that the same batch shares")
  func moveBelowANewShare() throws {
    try alice.share("b", share: "sb")
    #expect(
      try codes([saved("a"), share("sa", "a"), saved("b", below: "a")])
        == [.batchRequestFailed, .batchRequestFailed, .alreadyShared])
  }

  @Test("a batch can't share two records of which one is an indirect child of the other", arguments: [false, true])
  func twoNewShares(upperFirst: Bool) throws {
    try alice.save(alice.note("middle", parent: .set("a", zone: nil)))
    try alice.save(alice.note("leaf", parent: .set("middle", zone: nil)))
    let upper = [try saved("a"), share("sa", "a")]
    let lower = [try saved("leaf"), share("sl", "leaf")]
    #expect(try codes(upperFirst ? upper + lower : lower + upper).contains(.alreadyShared))
    #expect(try alice.fetch("a").share == nil)
  }
}
