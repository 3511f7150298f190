import FaultInjection
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Attacks: zones and records of other people")
struct AttackerZoneTests {
  let stage: AttackerStage

  init() throws { stage = try AttackerStage() }

  /// Every request that takes a zone.
  private static let requests: [(String, @Sendable (Person) throws -> Any)] = [
    ("fetch", { try $0.fetch("root") }),
    ("keys", { try $0.fetch("root", keys: []) }),
    ("save", { try $0.save($0.note("root", "x", tag: "1")) }),
    ("create", { try $0.save($0.note("new", "x", parent: .set("root", zone: nil)), policy: .allKeys) }),
    ("delete", { try $0.modify(delete: ["root"]).deletes[0].get() }),
    ("share", { try $0.modify(delete: ["Share-1"]).deletes[0].get() }),
    ("feed", { try $0.changes() }),
    ("zone", { try $0.service.zones.list([$0.zone], in: $0.scope, by: $0.caller)[0].get() }),
    (
      "query",
      {
        try $0.service.queries.queryRecords(
          QueryRecordsRequest(scope: $0.scope, zone: $0.zone, recordType: "Note"), by: $0.caller)
      }
    ),
    (
      "leave",
      {
        try $0.service.zones.modifyZones(ModifyZonesRequest(scope: $0.scope, deletes: [$0.zone]), by: $0.caller)
          .deletes[0]
          .get()
      }
    ),
  ]

  // [zone-owner-3]
  @Test("an unshared zone, a missing zone and an unknown owner give the same error")
  func unsharedZoneAMissingZone() throws {
    let owner = stage.bob.zone.owner ?? ""
    for (name, request) in Self.requests {
      for visitor in [stage.dora, stage.mallory] {
        try stage.refusedAlike(.zoneNotFound, "\(name) in", there: "Notes", missing: "Nowhere") { zone in
          var person = visitor
          person.zone = ZoneIdentifier(name: ExactName(zone), owner: owner)
          return try request(person)
        }
        try stage.refusedAlike(
          .zoneNotFound, "\(name) of", there: owner, missing: "_" + String(owner.dropFirst().reversed())
        ) {
          var person = visitor
          person.zone.owner = $0
          return try request(person)
        }
      }
    }
  }

  @Test("another person's default zone can't be seen, whether it was ever used or not", arguments: [false, true])
  func defaultZones(isUsed: Bool) throws {
    if isUsed {
      var alice = stage.alice
      alice.zone = .default
      try alice.save(alice.note("root", "mine"))
    }
    for (name, request) in Self.requests {
      for visitor in [stage.bob, stage.mallory] {
        let owners = [stage.bob.zone.owner ?? "", "_0123"]
        try stage.refusedAlike(.zoneNotFound, "\(name) in the default zone of", there: owners[0], missing: owners[1]) {
          var person = visitor
          person.zone = ZoneIdentifier(name: ZoneIdentifier.defaultName, owner: $0)
          return try request(person)
        }
      }
    }
  }

  // [zone-owner-2]
  @Test("own zone IDs in the shared database and foreign ones in the private database are refused")
  func wrongDatabases() throws {
    let own = try stage.service.accounts.userRecordName(by: stage.bob.caller)
    for (name, request) in Self.requests {
      for owner in [nil, ZoneIdentifier.currentUser, own] {
        var person = stage.bob
        person.zone.owner = owner
        try stage.refused(.invalidArguments, "\(name) of oneself in the shared database") { try request(person) }
      }
      for visitor in [stage.bob, stage.mallory] {
        var person = visitor
        person.scope = .private
        try stage.refusedAlike(
          .invalidArguments, "\(name) in the private database of", there: stage.bob.zone.owner ?? "", missing: "_nobody"
        ) {
          person.zone.owner = $0
          return try request(person)
        }
        person.scope = .public
        try stage.refused(.badDatabase, "\(name) in the public database") { try request(person) }
      }
    }
    for owner in [stage.bob.zone.owner ?? "", "_nobody"] {
      for visitor in [stage.bob, stage.mallory] {
        try stage.refused(.badDatabase, "make") {
          var person = visitor
          person.zone.owner = owner
          try person.makeZone()
        }
      }
    }
  }

  @Test(
    "records outside the shares give the same answers as missing records ([share-window-2])",
    arguments: ["bob", "carol"])
  func hiddenRecords(account: String) throws {
    let person = account == "bob" ? stage.bob : stage.carol
    for name in ["hidden", "secret", "own", "Share-own"] {
      func alike(
        _ expected: ServiceError.Code, _ attack: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (ExactName) throws -> some Any
      ) throws {
        try stage.refusedAlike(
          expected, "\(account) \(attack)", there: name, missing: "missing", sourceLocation: sourceLocation
        ) { try body(ExactName($0)) }
      }
      let tag = try stage.alice.fetch(ExactName(name)).changeTag
      try alike(.unknownItem, "fetches") { try person.fetch($0) }
      try alike(.unknownItem, "fetches without keys") { try person.fetch($0, keys: []) }
      for parent in [ParentEdit.keep, .clear, .set("root", zone: nil), .set("hidden", zone: nil)] {
        for tag in [tag, "1"] {
          try alike(.unknownItem, "saves with a tag") {
            try person.save(person.note($0, "x", tag: tag, parent: parent))
          }
        }
      }
      for parent in [ParentEdit.keep, .clear] {
        for policy in [SavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
          try alike(.permissionFailure, "takes the name of") {
            try person.save(person.note($0, "x", parent: parent), policy: policy)
          }
        }
      }
      try alike(.permissionFailure, "moves the child below") {
        try person.save(person.note("child", parent: .set($0, zone: nil)), policy: .changedKeys)
      }
      try alike(.permissionFailure, "makes one below") {
        try person.save(person.note("new", "x", parent: .set($0, zone: nil)))
      }
      try alike(.permissionFailure, "makes a chain below") {
        try person.modify([
          person.note("new", "x", parent: .set("newer", zone: nil)), person.note("newer", parent: .set($0, zone: nil)),
        ]).saves[0].get()
      }
      try alike(.permissionFailure, "moves the root below") {
        try person.save(person.note("root", parent: .set($0, zone: nil)), policy: .changedKeys)
      }
      // A deletion succeeds without any effect.
      let before = try FolderImage(of: stage.cloud.path).withoutLockNotes
      try person.modify(delete: [ExactName(name)]).deletes[0].get()
      try person.modify(delete: ["missing"]).deletes[0].get()
      #expect(try FolderImage(of: stage.cloud.path).withoutLockNotes.differences(from: before) == [])
    }
  }

  @Test("the error of a refused deletion names no record that the participant may not see ([share-window-5])")
  func namesInRefusals() throws {
    // `hidden` would be deleted with the child, and its own child `secret` prevents that.
    let reference = FieldValue.reference(ReferenceValue(record: "child", action: .deleteSelf))
    try stage.alice.save(
      RecordSave(
        id: stage.alice.id("hidden"), type: "Note", changeTag: stage.alice.fetch("hidden").changeTag,
        fields: ["of": reference]))
    let error = try stage.refused(.referenceViolation, "delete") {
      try stage.bob.modify(delete: ["child"]).deletes[0].get()
    }
    #expect(error.map { $0.message.contains("secret") || $0.message.contains("hidden") } == false)
  }

  @Test("a participant can't change the parent of a share's root")
  func rootsParent() throws {
    try stage.alice.save(stage.alice.note("root", parent: .set("hidden", zone: nil)), policy: .changedKeys)
    for person in [stage.bob, stage.carol] {
      try stage.refused(.permissionFailure, "cut off") {
        try person.save(person.note("root", parent: .clear), policy: .changedKeys)
      }
    }
    try stage.bob.save(stage.bob.note("root", "2", parent: .set("hidden", zone: nil)), policy: .changedKeys)
    #expect(try stage.alice.fetch("root").parent == "hidden")
    try stage.alice.save(stage.alice.note("root", parent: .clear), policy: .changedKeys)
    try stage.bob.save(stage.bob.note("root", "3", parent: .clear), policy: .changedKeys)
    #expect(try stage.alice.fetch("root").fields["text"] == .string("3"))
  }

  @Test("the end of a query's pages does not reveal records that the participant may not see")
  func endOfAQuerysPages() throws {
    func cursors(_ limit: Int) throws -> String? {
      try stage.service.queries.queryRecords(
        QueryRecordsRequest(scope: .shared, zone: stage.bob.zone, recordType: "Note", limit: limit),
        by: stage.bob.caller
      ).cursor
    }
    // `root` is Bob's last visible record; the record after it is not shared.
    try stage.alice.save(stage.alice.note("zzz", "hidden"))
    #expect(try cursors(1) != nil)
    #expect(try cursors(2) == nil)
  }
}
