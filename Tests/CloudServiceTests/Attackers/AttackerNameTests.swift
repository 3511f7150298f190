import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Attacks: names that are paths or imitate other names")
struct AttackerNameTests {
  let stage: AttackerStage
  /// Paths beside and above the cloud's folder, where nothing may change.
  private let surroundings: Surroundings

  init() throws {
    stage = try AttackerStage()
    surroundings = try Surroundings(of: stage.cloud.path)
  }

  /// Expects only the folders and files of a cloud, and no name with the form of a path.
  private func isContained(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try surroundings.differences() == [], "\(what)", sourceLocation: sourceLocation)
    let root = try FolderImage(of: stage.cloud.path)
    #expect(
      Set(root.folders.keys) == ["accounts", "containers", "devices"], "\(what)", sourceLocation: sourceLocation)
    #expect(
      Set(root.files.keys) == [".boot", ".gate", ".lock", ".origin", "cloud.json"], "\(what)",
      sourceLocation: sourceLocation)
    func names(_ folder: FolderImage) -> [String] {
      folder.folders.flatMap { [$0.key] + names($0.value) } + folder.files.keys
    }
    for name in names(root) {
      let isPlain = name.utf8.allSatisfy { $0 > 0x1F && $0 != 0x7F }
      #expect(isPlain, "\(what): \(name)", sourceLocation: sourceLocation)
      #expect(name.utf8.count <= 255, "\(what): \(name)", sourceLocation: sourceLocation)
    }
    #expect(try stage.service.checks.check() == [], "\(what)", sourceLocation: sourceLocation)
  }

  // [record-name-1], [record-name-2]
  @Test("each record name is a separate record, stored and found under exactly that name")
  func eachRecordNameIsASeparateRecord() throws {
    for name in AttackerNames.impossible + ["_x", "__defaultOwner__", "_defaultZone"] {
      try stage.refused(.invalidArguments, "a record '\(name.prefix(40))'") {
        try stage.bob.save(stage.bob.note(ExactName(name), "x", parent: .set("root", zone: nil)))
      }
    }
    for name in AttackerNames.paths {
      try stage.bob.save(stage.bob.note(ExactName(name), name, parent: .set("root", zone: nil)))
    }
    for name in AttackerNames.paths {
      #expect(try stage.carol.fetch(ExactName(name)).fields["text"] == .string(name))
    }
    #expect(try stage.alice.fetch("root").fields["text"] == .string("1"))
    let names = try stage.alice.changes().changed.map(\.id.name).filter { AttackerNames.paths.contains($0.string) }
    #expect(Set(names) == Set(AttackerNames.paths.map { ExactName($0) }))
    try isContained("records")
    for name in AttackerNames.paths { try stage.bob.modify(delete: [ExactName(name)]).deletes[0].get() }
    #expect(try stage.alice.fetch("root").fields["text"] == .string("1"))
    try isContained("deleted records")
  }

  @Test("each zone name is a separate zone that can be created, filled and deleted ([zone-save-1])")
  func eachZoneNameIsASeparateZone() throws {
    var mallory = stage.mallory
    mallory.scope = .private
    for name in AttackerNames.impossible + ["_x"] {
      try stage.refused(.invalidArguments, "a zone '\(name.prefix(40))'") {
        mallory.zone = ZoneIdentifier(name: ExactName(name))
        try mallory.makeZone()
      }
    }
    for name in AttackerNames.paths {
      mallory.zone = ZoneIdentifier(name: ExactName(name))
      try mallory.makeZone()
      try mallory.save(mallory.note("a", name))
    }
    for name in AttackerNames.paths {
      mallory.zone = ZoneIdentifier(name: ExactName(name))
      #expect(try mallory.fetch("a").fields["text"] == .string(name))
      #expect(try mallory.changes().changed.count == 1)
    }
    #expect(try mallory.databaseChanges().changed.count == Set(AttackerNames.paths.map { ExactName($0) }).count)
    try isContained("zones")
    for name in AttackerNames.paths {
      let zone = ZoneIdentifier(name: ExactName(name))
      try stage.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [zone]), by: mallory.caller)
        .deletes[0].get()
    }
    #expect(try stage.bob.fetch("root").fields["text"] == .string("1"))
    try isContained("deleted zones")
  }

  @Test("requests with zones, owners, records, parents or references that do not exist find nothing and create nothing")
  func requestsWithZonesOwnersRecordsParents() throws {
    try stage.untouched("all") { for name in AttackerNames.all { try lookUp(name) } }
    for name in AttackerNames.impossible {
      try stage.refused(.invalidArguments, "a reference to '\(name.prefix(40))'") {
        try stage.bob.save(
          RecordSave(
            id: stage.bob.id("new"), type: "Note", fields: ["to": .reference(ReferenceValue(record: ExactName(name)))],
            parent: .set("root", zone: nil)))
      }
    }
  }

  private func lookUp(_ name: String) throws {
    let text = "'\(name.prefix(40))'"
    var person = stage.mallory
    person.zone = ZoneIdentifier(name: ExactName(name), owner: stage.bob.zone.owner)
    try stage.refused(.zoneNotFound, "the zone \(text)", looking: false) { try person.fetch("root") }
    try stage.refused(.zoneNotFound, "the feed of \(text)", looking: false) { try person.changes() }
    person.zone = ZoneIdentifier(name: "Notes", owner: name)
    try stage.refused(.zoneNotFound, "the owner \(text)", looking: false) { try person.fetch("root") }
    try stage.refused(.zoneNotFound, "leaving \(text)", looking: false) {
      try person.service.zones.modifyZones(
        ModifyZonesRequest(scope: .shared, deletes: [person.zone]), by: person.caller
      )
      .deletes[0].get()
    }
    if ExactName(name) != "root" {
      try stage.refused(.unknownItem, "the record \(text)", looking: false) { try stage.bob.fetch(ExactName(name)) }
      try stage.refused(.permissionFailure, "the parent \(text)", looking: false) {
        try stage.bob.save(stage.bob.note("new", parent: .set(ExactName(name), zone: nil)))
      }
      try stage.refused(.referenceViolation, "the owner's parent \(text)", looking: false) {
        try stage.alice.save(stage.alice.note("new", parent: .set(ExactName(name), zone: nil)))
      }
    }
    try stage.refused(.invalidArguments, "a parent in the zone \(text)", looking: false) {
      try stage.bob.save(
        stage.bob.note("new", parent: .set("root", zone: ZoneIdentifier(name: ExactName(name), owner: "_x"))))
    }
    try stage.refused(.invalidArguments, "a reference into the zone \(text)", looking: false) {
      let reference = ReferenceValue(record: "root", zone: ZoneIdentifier(name: ExactName(name), owner: "_x"))
      return try stage.bob.save(
        RecordSave(
          id: stage.bob.id("new"), type: "Note", fields: ["to": .reference(reference)],
          parent: .set("root", zone: nil)))
    }
    try stage.refused(.unknownItem, "the person \(text)", looking: false) {
      try stage.service.sharing.participants(for: [.userRecordName(name)], by: stage.mallory.caller)[0].get()
    }
    try stage.refused(.invalidArguments, "the address \(text)", looking: false) {
      try stage.service.sharing.participants(for: [.email(name)], by: stage.mallory.caller)[0].get()
    }
  }

  @Test("record types and field keys with anything but letters, digits and underscores are refused ([record-name-3])")
  func typesAndKeys() throws {
    let plain = ["con", "nul", "lock", "records", "Root", "ROOT", "rooT", String(repeating: "a", count: 255)]
    for name in AttackerNames.all where !plain.contains(name) {
      let text = "'\(name.prefix(40))'"
      try stage.refused(.invalidArguments, "the type \(text)") {
        try stage.alice.save(stage.alice.note("new", type: name))
      }
      try stage.refused(.invalidArguments, "the field \(text)") {
        try stage.alice.save(RecordSave(id: stage.alice.id("new"), type: "Note", fields: [name: .string("x")]))
      }
      try stage.refused(.invalidArguments, "a query for \(text)") {
        try stage.service.queries.queryRecords(
          QueryRecordsRequest(scope: .private, zone: stage.alice.zone, recordType: name), by: stage.alice.caller)
      }
    }
  }

  @Test("an account name can't be a path, and an unknown account can't sign in")
  func accountNameCannotBeAPath() throws {
    for name in AttackerNames.all where name != "alice" {
      let text = "'\(name.prefix(40))'"
      let caller = Caller(account: name, container: TemporaryCloud.container)
      try stage.refused(.notAuthenticated, "as \(text)") { try stage.service.accounts.userRecordName(by: caller) }
      try stage.refused(.notAuthenticated, "joining as \(text)") {
        try stage.service.sharing.acceptShare(url: stage.share.shareDetails?.url ?? "", by: caller)
      }
    }
    for name in AttackerNames.impossible + ["..", ".", "/", "a/b", "a,b", "_a", "-a", " ", "a b", "a\nb", "\u{1B}[m"] {
      try stage.refused(.invalidArguments, "an account '\(name.prefix(40))'") {
        try stage.service.accounts.addAccount(name, AccountChanges())
      }
    }
    let plain = ["~", "..%2f", "zone.json", "e\u{301}", "C:\\x", "%2e%2e", "Alice", "ALICE"].filter {
      !$0.hasPrefix(".")
    }
    for name in plain {
      _ = try stage.service.accounts.addAccount(name, AccountChanges())
      #expect(try stage.service.accounts.account(name).name.utf8.elementsEqual(name.utf8))
    }
    try isContained("accounts")
  }

  @Test("two accounts can't have names that look the same in different Unicode forms")
  func twoAccountsCannotHaveNamesThatLook() throws {
    var changes = AccountChanges()
    changes.emails = ["rene@example.com"]
    _ = try stage.service.accounts.addAccount("ren\u{E9}", changes)
    changes.emails = ["rene@example.com"]
    try stage.refused(.serverRejectedRequest, "the same letters") {
      try stage.service.accounts.addAccount("rene\u{301}", changes)
    }
    changes.emails = []
    try stage.refused(.serverRejectedRequest, "the same letters") {
      try stage.service.accounts.addAccount("rene\u{301}", changes)
    }
    try stage.refused(.notAuthenticated, "signing in by the other form") {
      try stage.service.accounts.userRecordName(by: Caller(account: "rene\u{301}", container: TemporaryCloud.container))
    }
  }

  @Test("device names and participant IDs with the form of paths are stored as they are, and lead to no other path")
  func devicesAndEntries() throws {
    for name in AttackerNames.impossible {
      let caller = Caller(account: "bob", device: name, container: TemporaryCloud.container)
      let save = stage.bob.note("new", parent: .set("root", zone: nil))
      try stage.refused(.invalidArguments, "the device '\(name.prefix(40))'") {
        try stage.service.records.modifyRecords(ModifyRecordsRequest(scope: .shared, saves: [save]), by: caller)
      }
    }
    for (index, name) in AttackerNames.paths.enumerated() {
      let caller = Caller(account: "bob", device: name, container: TemporaryCloud.container)
      let save = RecordSave(
        id: stage.bob.id(ExactName("by-\(index)")), type: "Note", parent: .set("root", zone: nil))
      let request = ModifyRecordsRequest(scope: .shared, saves: [save], clientChangeTokenData: Array("mine".utf8))
      _ = try stage.service.records.modifyRecords(request, by: caller).saves[0].get()
      let changes = try stage.service.feeds.zoneChanges(
        ZoneChangesRequest(scope: .shared, zone: stage.bob.zone), by: caller)
      #expect(changes.clientChangeTokenData == Array("mine".utf8))
    }
    let share = try stage.alice.fetch("Share-1")
    var people = try #require(share.shareDetails?.participants)
    for (index, name) in Set(AttackerNames.paths).sorted().prefix(90).enumerated() {
      var more = try stage.service.sharing.participants(for: [.email("x\(index)@example.com")], by: stage.alice.caller)[
        0
      ].get()
      more.participantID = name
      people.append(more)
    }
    try stage.alice.save(
      RecordSave(
        id: share.id, type: Record.shareType, changeTag: share.changeTag,
        share: ShareSave(root: nil, participants: people)))
    #expect(try stage.alice.fetch("Share-1").shareDetails?.participants.count == people.count)
    try isContained("devices")
  }
}

/// Paths around a cloud's folder that belong to the test and that the program may not touch.
private struct Surroundings {
  private let folder: String
  private let before: FolderImage

  init(of cloud: String) throws {
    folder = cloud
    before = try Self.look(cloud)
  }

  func differences() throws -> [String] { try Self.look(folder).differences(from: before) }

  /// The names, in the folders above, that an attack of this suite would create.
  private static func look(_ cloud: String) throws -> FolderImage {
    var image = FolderImage()
    var parts = cloud.split(separator: "/").map(String.init)
    while parts.popLast() != nil {
      let directory = try Directory.open(path: "/" + parts.joined(separator: "/"), in: FileSystem())
      for name in ["x", "x.json", "b", "..x", "cloud.json", "zone.json", "records"] where try directory.exists(name) {
        image.files["\(parts.count)/\(name)"] = FolderImage.FileImage(bytes: [])
      }
    }
    return image
  }
}
