import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Parents and references")
struct ReferenceTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func child(_ name: ExactName, of parent: ExactName) -> RecordSave {
    alice.note(name, "text", parent: .set(parent, zone: nil))
  }

  private func pointing(_ name: ExactName, at target: ExactName, _ action: ReferenceValue.Action) -> RecordSave {
    RecordSave(
      id: alice.id(name), type: "Note", fields: ["target": .reference(ReferenceValue(record: target, action: action))])
  }

  private func codes(_ results: [Result<some Any, ServiceError>]) -> [ServiceError.Code?] {
    results.map { result in code { try result.get() } }
  }

  @Test("a child without its parent is referenceViolation; within a batch any order is allowed ([record-parent-1])")
  func parentMustExist() throws {
    #expect(code { try alice.save(child("c", of: "p")) } == .referenceViolation)
    #expect(codes(try alice.modify([child("c", of: "p"), alice.note("p")]).saves) == [nil, nil])
    #expect(try alice.fetch("c").parent == "p")
  }

  @Test("a child whose parent failed with referenceViolation fails with internalError ([record-parent-2])")
  func childWhoseParentFailedWithReferenceViolation() throws {
    let response = try alice.modify([child("c", of: "none"), child("g", of: "c")], atomic: false)
    #expect(codes(response.saves) == [.referenceViolation, .internalError])
  }

  @Test("a cycle of parents is refused with invalidArguments ([record-parent-3])")
  func cycleOfParentsIsRefusedWithInvalidArguments() throws {
    #expect(
      codes(try alice.modify([child("a", of: "b"), child("b", of: "a")], atomic: false).saves).contains(
        .invalidArguments))
    #expect(code { try alice.save(child("self", of: "self")) } == .invalidArguments)
    try alice.save(alice.note("top"))
    try alice.save(child("below", of: "top"))
    let top = try alice.fetch("top")
    #expect(
      code { try alice.save(alice.note("top", tag: top.changeTag, parent: .set("below", zone: nil))) }
        == .invalidArguments)
  }

  @Test("a parent can only be deleted together with all of its children, in any order ([record-parent-4])")
  func deletingParents() throws {
    _ = try alice.modify([alice.note("p"), child("c", of: "p"), child("d", of: "p")])
    #expect(codes(try alice.modify(delete: ["p"]).deletes) == [.referenceViolation])
    #expect(codes(try alice.modify(delete: ["p", "c"]).deletes) == [.referenceViolation, .batchRequestFailed])
    #expect(codes(try alice.modify(delete: ["d", "p", "c"]).deletes) == [nil, nil, nil])
    #expect(try alice.changes().changed.isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-delete-2], [record-reference-3], [record-parent-5]
  @Test("deleteSelf cascades through several levels, and includes children that refer to the parent with it")
  func deleteSelfCascadesThroughSeveralLevels() throws {
    try alice.save(alice.note("target"))
    try alice.save(pointing("one", at: "target", .deleteSelf))
    try alice.save(pointing("two", at: "one", .deleteSelf))
    try alice.save(pointing("free", at: "target", .none))
    var both = pointing("child", at: "target", .deleteSelf)
    both.parent = .set("target", zone: nil)
    try alice.save(both)
    let token = try alice.changes().token
    let response = try alice.modify(delete: ["target"])
    #expect(codes(response.deletes) == [nil])
    let changes = try alice.changes(since: token)
    #expect(Set(changes.deleted.map(\.record.name)) == ["target", "one", "two", "child"])
    #expect(try alice.fetch("free").fields["target"] != nil)
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-reference-2], [record-reference-3]
  @Test("owning references may form a cycle, and their targets may be missing")
  func owningCircle() throws {
    try alice.save(pointing("a", at: "b", .deleteSelf))
    try alice.save(pointing("b", at: "a", .deleteSelf))
    #expect(codes(try alice.modify(delete: ["a"]).deletes) == [nil])
    #expect(try alice.changes().changed.isEmpty)
  }

  // [record-reference-4]
  @Test("VALIDATE: the target must exist when the reference is saved, in the cloud or in the same batch")
  func validatedMustExist() throws {
    let error = failure { try alice.save(pointing("v", at: "t", .validate)) }
    #expect(error?.code == .referenceViolation, "\(error?.message ?? "saved")")
    #expect(error?.internalCode == 2025, "\(error?.message ?? "saved")")
    #expect(error?.message.contains("'t'") == true)
    #expect(code { try alice.fetch("v") } == .unknownItem)
    let list = RecordSave(
      id: alice.id("v"), type: "Note",
      fields: [
        "targets": .list(
          .reference,
          [.reference(ReferenceValue(record: "t")), .reference(ReferenceValue(record: "u", action: .validate))])
      ])
    #expect(codes(try alice.modify([list, alice.note("t")]).saves) == [.referenceViolation, .batchRequestFailed])
    #expect(codes(try alice.modify([pointing("v", at: "t", .validate), alice.note("t")]).saves) == [nil, nil])
    // A reference to a record that fails, fails. A record may refer to itself.
    let response = try alice.modify(
      [pointing("a", at: "b", .validate), pointing("b", at: "none", .validate)], atomic: false)
    #expect(codes(response.saves) == [.referenceViolation, .referenceViolation])
    try alice.save(pointing("self", at: "self", .validate))
    #expect(codes(try alice.modify(delete: ["self"]).deletes) == [nil])
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-reference-2], [record-reference-4]
  @Test("VALIDATE: a target can't be deleted before its references, but together with them; NONE allows it")
  func validatedStays() throws {
    try alice.save(alice.note("t"))
    for (name, action) in [("v", .validate), ("n", .none)] as [(ExactName, ReferenceValue.Action)] {
      try alice.save(pointing(name, at: "t", action))
    }
    let error = try alice.modify(delete: ["t"]).deletes.first.flatMap { result in failure { try result.get() } }
    #expect(error?.code == .referenceViolation)
    #expect(error?.internalCode == 2025)
    #expect(error?.message.contains("record 'v'") == true)
    #expect(try alice.fetch("t").id.name == "t")
    // A cascade can't delete the target either.
    try alice.save(alice.note("top"))
    var owned = alice.note("t", tag: try alice.fetch("t").changeTag)
    owned.fields["owner"] = .reference(ReferenceValue(record: "top", action: .deleteSelf))
    try alice.save(owned)
    #expect(codes(try alice.modify(delete: ["top"]).deletes) == [.referenceViolation])
    // The batch that saves the reference can't delete the target.
    try alice.save(alice.note("u"))
    let both = try alice.modify([pointing("w", at: "u", .validate)], delete: ["u"])
    #expect(codes(both.saves) == [.batchRequestFailed])
    #expect(codes(both.deletes) == [.referenceViolation])
    #expect(codes(try alice.modify(delete: ["t", "v"]).deletes) == [nil, nil])
    #expect(try alice.fetch("n").fields["target"] == .reference(ReferenceValue(record: "t", action: .none)))
    // After a reference changes to another record, its former target can be deleted.
    try alice.save(pointing("x", at: "u", .validate))
    var changed = pointing("x", at: "top", .validate)
    changed.changeTag = try alice.fetch("x").changeTag
    #expect(codes(try alice.modify([changed], delete: ["u"]).deletes) == [nil])
    #expect(try cloud.service.checks.check() == [])
    // A rebuilt index knows the references too.
    _ = try alice.zoneFolder().directory(".index").remove("index")
    #expect(codes(try alice.modify(delete: ["top"]).deletes) == [.referenceViolation])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("VALIDATE: a participant gets the same error for an unshared target as for a missing one")
  func validatedUnseen() throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.save(alice.note("root"))
    try bob.accept(try alice.share("root", with: ["bob"]))
    try alice.save(alice.note("hidden"))
    func attempt(_ target: ExactName) -> String? {
      var save = bob.note("by-bob", parent: .set("root", zone: nil))
      save.fields["target"] = .reference(ReferenceValue(record: target, action: .validate))
      return failure { try bob.save(save) }?.message.replacing(target.string, with: "?")
    }
    #expect(attempt("hidden") == attempt("absent"))
    #expect(attempt("hidden") != nil)
  }

  // [record-system-3]
  @Test("saving a child changes its parent's tag without a feed entry or new dates; a save with the old tag conflicts")
  func savingAChildChangesItsParentsTag() throws {
    let parent = try alice.save(alice.note("p", "1"))
    let token = try alice.changes().token
    try alice.save(child("c", of: "p"))
    let touched = try alice.fetch("p")
    #expect(touched.changeTag != parent.changeTag)
    #expect(touched.modified == parent.modified)
    #expect(try alice.changes(since: token).changed.map(\.id.name) == ["c"])
    #expect(code { try alice.save(alice.note("p", "2", tag: parent.changeTag)) } == .serverRecordChanged)
    // The tags of grandparents do not change, nor those of parents in the same batch.
    let before = try alice.fetch("p").changeTag
    try alice.save(child("g", of: "c"))
    #expect(try alice.fetch("p").changeTag == before)
    let target = try alice.fetch("g").changeTag
    try alice.save(pointing("r", at: "g", .none))
    #expect(try alice.fetch("g").changeTag != target)
  }

  @Test("a reference or a parent in another zone is refused with invalidArguments ([record-reference-1])")
  func otherZone() throws {
    let elsewhere = ZoneIdentifier(name: "Other")
    #expect(code { try alice.save(alice.note("a", parent: .set("p", zone: elsewhere))) } == .invalidArguments)
    let save = RecordSave(
      id: alice.id("a"), type: "Note", fields: ["r": .reference(ReferenceValue(record: "x", zone: elsewhere))])
    #expect(code { try alice.save(save) } == .invalidArguments)
  }

  @Test("a record can be the target of 750 owning references and no more ([record-limit-4])")
  func ownerLimit() throws {
    try alice.save(alice.note("target"))
    for start in stride(from: 0, to: 750, by: 250) {
      let saves = (start..<(start + 250)).map { pointing(ExactName("r\($0)"), at: "target", .deleteSelf) }
      for result in try alice.modify(saves).saves { _ = try result.get() }
    }
    #expect(code { try alice.save(pointing("one more", at: "target", .deleteSelf)) } == .limitExceeded)
    _ = try alice.modify(delete: ["r0"]).deletes[0].get()
    try alice.save(pointing("one more", at: "target", .deleteSelf))
  }

  @Test("a new parent that exceeds the limit of owning references fails together with its child")
  func ownerLimitOfAParent() throws {
    try alice.save(alice.note("target"))
    for start in stride(from: 0, to: 750, by: 250) {
      _ = try alice.modify((start..<(start + 250)).map { pointing(ExactName("r\($0)"), at: "target", .deleteSelf) })
    }
    let response = try alice.modify(
      [child("c", of: "p"), pointing("p", at: "target", .deleteSelf)], atomic: false)
    #expect(codes(response.saves) == [.referenceViolation, .limitExceeded])
    #expect(try cloud.service.checks.check() == [])
  }
}
