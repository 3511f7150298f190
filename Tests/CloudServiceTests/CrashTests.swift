import CloudService
import CloudStore
import Platform
import TestSupport
import Testing

/// A process that ends at any step of a commit leaves the cloud as it was before or as it is after, and the next
/// process goes on by itself.
@Suite("Stopped at every step")
struct CrashTests {
  /// What a kind of commit does, on a cloud with a shared tree.
  struct Work: Sendable, CustomTestStringConvertible {
    var name: String
    var run: @Sendable (CloudService) throws -> Void
    var testDescription: String { name }
  }

  static let zone = ZoneIdentifier(name: "Notes")

  static func id(_ name: ExactName) -> RecordIdentifier { RecordIdentifier(name: name, zone: zone) }

  static func caller(_ account: String) -> Caller { Caller(account: account, container: TemporaryCloud.container) }

  static func modify(
    _ service: CloudService, _ saves: [RecordSave], delete: [ExactName] = [], policy: SavePolicy = .allKeys
  ) throws {
    let response = try service.modifyRecords(
      ModifyRecordsRequest(scope: .private, saves: saves, deletes: delete.map(id), policy: policy), by: caller("alice"))
    for save in response.saves { _ = try save.get() }
    for delete in response.deletes { try delete.get() }
  }

  static func note(_ name: ExactName, _ text: String, parent: ParentEdit = .keep) -> RecordSave {
    RecordSave(id: id(name), type: "Note", fields: ["text": .string(text)], parent: parent)
  }

  static func url(_ service: CloudService) throws -> String {
    let share = try service.fetchRecords(
      FetchRecordsRequest(scope: .private, records: [id("share")]), by: caller("alice"))[0].get()
    return share.shareDetails?.url ?? ""
  }

  static let works: [Work] = [
    Work(name: "save") { try modify($0, [note("new", "1")]) },
    Work(name: "batch") { try modify($0, (0..<5).map { note(ExactName("n\($0)"), "1") }) },
    Work(name: "overwrite") { try modify($0, [note("child", "2"), note("root", "2")]) },
    Work(name: "delete with cascade") { try modify($0, [], delete: ["target"]) },
    Work(name: "move out of the share") { try modify($0, [note("child", "2", parent: .clear)]) },
    Work(name: "create zone") {
      _ = try $0.modifyZones(
        ModifyZonesRequest(scope: .private, saves: [ZoneIdentifier(name: "Second")]), by: caller("alice")
      ).saves[0].get()
    },
    Work(name: "delete zone") {
      try $0.modifyZones(ModifyZonesRequest(scope: .private, deletes: [zone]), by: caller("alice")).deletes[0].get()
    },
    Work(name: "accept") { _ = try $0.acceptShare(url: try url($0), by: caller("carol")) },
    Work(name: "leave") { service in
      let owner = try service.userRecordName(by: caller("alice"))
      let share = RecordIdentifier(name: "share", zone: ZoneIdentifier(name: "Notes", owner: owner))
      try service.modifyRecords(ModifyRecordsRequest(scope: .shared, deletes: [share]), by: caller("bob"))
        .deletes[0].get()
    },
    Work(name: "stop") { try modify($0, [], delete: ["share"]) },
    Work(name: "share") { service in
      let share = RecordSave(
        id: id("second share"), type: Record.shareType, share: ShareSave(root: "other"))
      try modify(service, [note("other", "1"), share])
    },
    Work(name: "account") { _ = try $0.addAccount("dora", AccountChanges()) },
  ]

  /// Alice shares a tree with Bob, who accepted, and Carol, who did not yet.
  static func stage() throws -> TemporaryCloud {
    let cloud = try TemporaryCloud()
    let service = cloud.service
    _ = try service.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: caller("alice")).saves[0].get()
    let people = try service.participants(
      for: [.email("bob@example.com"), .email("carol@example.com")], by: caller("alice")
    ).map { try $0.get() }
    let share = RecordSave(
      id: id("share"), type: Record.shareType, share: ShareSave(root: "root", participants: people))
    try modify(
      service, [note("root", "1"), note("child", "1", parent: .set("root", zone: nil)), share, note("target", "1")])
    let owned = RecordSave(
      id: id("owned"), type: "Note",
      fields: ["target": .reference(ReferenceValue(record: "target", action: .deleteSelf))])
    try modify(service, [owned])
    _ = try service.acceptShare(url: try url(service), by: caller("bob"))
    return cloud
  }

  /// Everything that people could see, as text.
  static func story(_ service: CloudService) throws -> String {
    var lines: [String] = []
    lines.append("accounts \(try service.accounts().map(\.name))")
    for (account, scope) in [("alice", DatabaseScope.private), ("bob", .shared), ("carol", .shared)] {
      for result in try service.zones(nil, in: scope, by: caller(account)) {
        let zone = try result.get().id
        lines.append("\(account) has \(zone.name)")
        if zone.name == ZoneIdentifier.defaultName { continue }
        let changes = try service.zoneChanges(ZoneChangesRequest(scope: scope, zone: zone), by: caller(account))
        for record in changes.changed.sorted(by: { $0.id.name < $1.id.name }) {
          var object = record.object
          for key in ["recordChangeTag", "modified", "created"] { object[key] = nil }
          // Ids that a second run draws anew.
          for key in ["shortGUID", "participants", "owner", "url"] { object[key] = nil }
          let people = record.shareDetails?.participants.map { "\($0.role) \($0.acceptance)" } ?? []
          lines.append("  " + String(decoding: JSONValue.object(object).compact(), as: UTF8.self) + " \(people)")
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A commit that nothing stops: what people saw before and see after, and the calls it took.
  static func undisturbed(
    _ work: Work, _ harness: CrashHarness
  ) throws -> (cloud: TemporaryCloud, before: String, after: String, calls: [TreeCall]) {
    let cloud = try stage()
    let before = try story(cloud.service)
    let calls = try harness.trace { fileSystem in
      try work.run(try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
    }
    return (cloud, before, try story(cloud.service), calls)
  }

  @Test("before or after, never between; check is clean; the next commit works", arguments: works)
  func everyStep(_ work: Work) throws {
    let harness = CrashHarness()
    let (plain, before, after, calls) = try Self.undisturbed(work, harness)
    #expect(before != after)
    #expect(try plain.service.check() == [])
    var (old, new) = (0, 0)
    for point in harness.points(calls) {
      let cloud = try Self.stage()
      do {
        let service = try CloudService.open(
          root: cloud.path, settings: cloud.service.settings, fileSystem: harness.fileSystem(stoppingAt: point))
        try work.run(service)
        // Wiping the note in the lock file is all that may fail unnoticed.
        #expect(point.text.hasSuffix("/lock to 0") && point.call == calls.count - 1, "the stop was swallowed: \(point)")
      } catch {}
      let next = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
      let problems = try next.check()
      #expect(problems == [], "\(point)")
      let story = try Self.story(next)
      if story == before {
        old += 1
      } else if story == after {
        new += 1
      } else {
        Issue.record("neither before nor after: \(point)\n\(story)\n--- before\n\(before)\n--- after\n\(after)")
      }
      if work.name != "delete zone" || story == before {
        try Self.modify(next, [Self.note("afterwards", "1")])
      }
      try #require(try next.check() == [], "\(point)")
    }
    #expect(old > 0 && new > 0)
  }

  @Test("a call that fails: an error and nothing done, or success and all of it", arguments: works)
  func everyFailure(_ work: Work) throws {
    let harness = CrashHarness()
    let (_, before, after, calls) = try Self.undisturbed(work, harness)
    for code in [SystemError.noSpace, SystemError.inputOutput, SystemError.accessDenied] {
      for point in harness.failures(calls, code) {
        let cloud = try Self.stage()
        var failure: ServiceError?
        do {
          try work.run(
            try CloudService.open(
              root: cloud.path, settings: cloud.service.settings, fileSystem: harness.fileSystem(stoppingAt: point)))
        } catch {
          failure = ServiceError(describing: error)
        }
        let next = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
        let story = try Self.story(next)
        if let failure {
          #expect(story == before, "\(failure) but done: \(point)")
          if code == SystemError.noSpace { #expect(failure.code == .quotaExceeded) }
        } else {
          #expect(story == after, "success but not done: \(point)")
        }
        let problems = try next.check()
        #expect(problems == [], "\(point)")
      }
    }
  }
}
