import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

@Suite("Attacks: forged shares")
struct AttackerShareTests {
  let stage: AttackerStage

  init() throws { stage = try AttackerStage() }

  /// Saves an altered copy of the share as `person` fetches it.
  private func edit(
    _ person: Person, fields: [String: FieldValue?] = [:], parent: ParentEdit = .keep, root: ExactName? = nil,
    policy: SavePolicy = .ifServerRecordUnchanged, _ change: (inout ShareDetails) throws -> Void = { _ in }
  ) throws {
    let record = try (try? person.fetch("Share-1")) ?? stage.alice.fetch("Share-1")
    var details = record.shareDetails ?? ShareDetails()
    try change(&details)
    try person.save(
      RecordSave(
        id: person.id("Share-1"), type: Record.shareType, changeTag: record.changeTag, fields: fields, parent: parent,
        share: ShareSave(root: root, publicPermission: details.publicPermission, participants: details.participants)),
      policy: policy)
  }

  private func user(_ person: Person) throws -> String { try stage.service.accounts.userRecordName(by: person.caller) }

  /// People with each role in the share, and the error that each gets. For Dora and Mallory the zone does not exist.
  private var people: [(Person, ServiceError.Code)] {
    [
      (stage.bob, .permissionFailure), (stage.carol, .permissionFailure), (stage.dora, .zoneNotFound),
      (stage.mallory, .zoneNotFound),
    ]
  }

  @Test("only the owner can change the participants and their roles, in any detail ([share-manage-2])")
  func forgedLists() throws {
    let mallory = try stage.service.sharing.participants(
      for: [.email("mallory@example.com")], by: stage.mallory.caller)[0].get()
    for (person, code) in people {
      let own = try user(person)
      func each(_ details: inout ShareDetails, _ change: (inout Participant) -> Void) {
        for index in details.participants.indices { change(&details.participants[index]) }
      }
      let forgeries: [(String, (inout ShareDetails) throws -> Void)] = [
        ("the owner", { each(&$0) { if $0.identity.userRecordName == own { $0.role = .owner } } }),
        ("an administrator", { each(&$0) { if $0.identity.userRecordName == own { $0.role = .administrator } } }),
        ("more permission", { each(&$0) { $0.permission = $0.permission == .readWrite ? .readOnly : .readWrite } }),
        ("no permission for the owner", { $0.participants[0].permission = .none }),
        ("accepted for others", { each(&$0) { if $0.acceptance == .pending { $0.acceptance = .accepted } } }),
        ("others thrown out", { each(&$0) { if $0.role != .owner { $0.acceptance = .removed } } }),
        ("open to all", { $0.publicPermission = .readWrite }),
        ("unknown", { $0.publicPermission = .unknown }),
        ("somebody more", { $0.participants.append(mallory) }),
        (
          "somebody accepted more",
          {
            var more = mallory
            more.acceptance = .accepted
            $0.participants.append(more)
          }
        ),
        (
          "in the owner's place",
          {
            var more = mallory
            more.participantID = $0.participants[0].participantID
            more.role = .owner
            $0.participants[0] = more
            $0.participants.removeLast()
          }
        ),
        (
          "one's own entry with the owner's ID",
          { details in
            let owner = details.participants[0].participantID
            each(&details) { if $0.identity.userRecordName == own { $0.participantID = owner } }
          }
        ),
        ("an ID twice", { $0.participants.append($0.participants[0]) }),
        ("nobody", { $0.participants = [] }),
        ("only oneself", { $0.participants.removeAll { $0.identity.userRecordName != own } }),
        ("without the owner", { $0.participants.removeAll { $0.role == .owner } }),
      ]
      for (name, forgery) in forgeries {
        let attack = "\(person.caller.account ?? "") \(name)"
        try stage.untouched(attack) {
          for policy in [SavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
            try stage.refused(code, attack, looking: false) { try edit(person, policy: policy, forgery) }
          }
        }
      }
      try stage.refused(code, "a title") { try edit(person, fields: ["cloudkit.title": .string("Mine")]) }
      try stage.refused(code, "a field") { try edit(person, fields: ["shortGUID": .string("0mine")]) }
      try stage.refused(code, "another root") { try edit(person, root: "hidden") }
      try stage.refused(code, "a parent") { try edit(person, parent: .set("root", zone: nil)) }
      try stage.refused(code, "no list") {
        try person.save(
          RecordSave(
            id: person.id("Share-1"), type: Record.shareType, changeTag: stage.alice.fetch("Share-1").changeTag))
      }
    }
    #expect(try stage.service.checks.check() == [])
  }

  @Test("only the owner can create a share of a record, under any share name ([share-create-6])")
  func foreignShares() throws {
    for (person, code) in people {
      for root in ["root", "child", "hidden", "secret", "own", "missing", "Share-1"] as [ExactName] {
        try stage.untouched("shares of \(root)") {
          for name in ["mine", "Share-own", "child", "hidden", "cloudkit.zoneshare"] as [ExactName]
          where name != root {
            let tag = try? person.fetch(root).changeTag
            let share = RecordSave(
              id: person.id(name), type: Record.shareType,
              share: ShareSave(root: root, publicPermission: .readWrite))
            try stage.refused(code, "\(person.caller.account ?? "") shares \(root) as \(name)", looking: false) {
              let response = try person.modify([person.note(root, tag: tag), share], policy: .changedKeys)
              return try response.saves[1].get()
            }
          }
        }
      }
      let whole = RecordSave(
        id: person.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(root: nil, publicPermission: .readWrite))
      try stage.refused(code, "the whole zone") { try person.save(whole) }
    }
  }

  @Test("an ordinary record is not a share, whatever its name, fields and save request contain")
  func ordinaryRecordIsNotAShareWhatever() throws {
    let fields: [String: FieldValue?] = [
      "share": .reference(ReferenceValue(record: "Share-own")), "shortGUID": .string("0forged"),
      "url": .string("https://www.icloud.com/share/0forged"), "publicPermission": .string("READ_WRITE"),
      "participants": .list(.string, [.string("mallory")]), "recordType": .string(Record.shareType),
      "recordChangeTag": .string("zz"), "created": .timestamp(Moment(milliseconds: 0)), "parent": .string("hidden"),
    ]
    let saved = try stage.bob.save(
      RecordSave(
        id: stage.bob.id("mimic"), type: "Note", fields: fields, parent: .set("root", zone: nil),
        share: ShareSave(root: "hidden", publicPermission: .readWrite)))
    for record in [saved, try stage.alice.fetch("mimic"), try stage.carol.fetch("mimic")] {
      #expect(record.share == nil)
      #expect(record.shortGUID == nil)
      #expect(record.shareDetails == nil)
      #expect(record.parent == "root")
      #expect(record.created.userRecordName == (try user(stage.bob)))
      #expect(record.created.timestamp > 0)
    }
    #expect(try stage.alice.fetch("mimic").fields.count == fields.count)
    try stage.refused(.unknownItem, "its link") {
      try stage.service.sharing.acceptShare(url: "https://www.icloud.com/share/0forged", by: stage.mallory.caller)
    }
    for key in ["x-local", "___share", "cloudkit.title", "share.root", "_share", "", "a\u{0}", "é"] {
      try stage.refused(.invalidArguments, "a field \(key)") {
        try stage.bob.save(
          RecordSave(
            id: stage.bob.id("more"), type: "Note", fields: [key: .string("x")], parent: .set("root", zone: nil)))
      }
    }
    for type in [
      "Cloudkit.share", "cloudkit.share2", "cloudkit.share ", "cloudkit.zoneshare", "_share", "", "a/b",
      "..", "Sh\u{E9}", "a\u{0}",
    ] {
      try stage.refused(.invalidArguments, "a type \(type)") {
        try stage.bob.save(stage.bob.note("more", parent: .set("root", zone: nil), type: type))
      }
    }
    try stage.refused(.permissionFailure, "a user") {
      try stage.bob.save(stage.bob.note("more", parent: .set("root", zone: nil), type: Record.userType))
    }
    #expect(try stage.service.checks.check() == [])
  }

  @Test("a share can't become a record, nor a record a share")
  func otherTypes() throws {
    for policy in [SavePolicy.changedKeys, .allKeys] {
      try stage.refused(.invalidArguments, "the share as a note") {
        try stage.bob.save(stage.bob.note("Share-1", "x"), policy: policy)
      }
      try stage.refused(.permissionFailure, "the share as a note, by who only reads") {
        try stage.carol.save(stage.carol.note("Share-1", "x"), policy: policy)
      }
      try stage.refused(.invalidArguments, "the share as a note, by the owner") {
        try stage.alice.save(stage.alice.note("Share-1", "x"), policy: policy)
      }
    }
    try stage.refused(.permissionFailure, "a note as a share") {
      try stage.bob.save(
        RecordSave(
          id: stage.bob.id("child"), type: Record.shareType, changeTag: stage.bob.fetch("child").changeTag,
          share: ShareSave(root: nil)))
    }
    try stage.refused(.invalidArguments, "a note below the share") {
      try stage.bob.save(stage.bob.note("below", parent: .set("Share-1", zone: nil)))
    }
  }

  // [share-list-3], [share-manage-4]
  @Test("the owner, too, can't give two entries one person or one ID, nor change a share's root or link")
  func ownersMistakes() throws {
    func person(_ name: String) throws -> Participant {
      try stage.service.sharing.participants(for: [.email("\(name)@example.com")], by: stage.alice.caller)[0].get()
    }
    try stage.refused(.invalidArguments, "one ID for two") {
      try edit(stage.alice) {
        for name in ["mallory", "later"] {
          var more = try person(name)
          more.participantID = "one"
          $0.participants.append(more)
        }
      }
    }
    try stage.refused(.invalidArguments, "one person twice") {
      try edit(stage.alice) { $0.participants += [try person("mallory"), try person("mallory")] }
    }
    try stage.refused(.invalidArguments, "one address twice") {
      try edit(stage.alice) { details in
        for spelling in ["new@example.com", "NEW@example.com"] {
          var more = try person("later")
          more.identity.lookup = .email(spelling)
          details.participants.append(more)
        }
      }
    }
    try stage.refused(.invalidArguments, "another root") { try edit(stage.alice, root: "hidden") }
    try edit(stage.alice, fields: ["shortGUID": .string("0forged"), "url": .string("x")], root: "root")
    #expect(try stage.alice.fetch("Share-1").shareDetails?.url == stage.url)
    // A different spelling of an address is the same address.
    try edit(stage.alice) {
      var more = try person("later")
      more.identity.lookup = .email("LATER@example.com")
      $0.participants.append(more)
    }
    var changes = AccountChanges()
    changes.emails = ["mallory@example.com", "later@example.com"]
    _ = try stage.service.accounts.setAccount("mallory", changes)
    try stage.mallory.accept(stage.share)
    #expect(try stage.mallory.fetch("child").fields["text"] == .string("1"))
    #expect(try stage.service.checks.check() == [])
  }
}
