import FaultInjection
import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

/// Stored clouds of earlier versions can be opened, have no problems, and can be changed.
@Suite("Clouds of earlier versions")
struct FormerCloudTests {
  /// - Parameter name: `whole` for a cloud with accounts, an accepted share, an asset, an encrypted value, a
  ///   subscription and its pushes; `killed` for the same with a zone whose writers were all killed. Its journal has
  ///   entries that are not in the files yet, some of them planned upon unsynced entries.
  private func fixture(_ name: String) throws -> RecordedFolder {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try RecordedFolder(recordedIn: folder.appendingPathComponent("Fixtures/\(name).json").path)
  }

  private func opened<Result>(
    _ name: String, boot: String? = nil, _ body: (CloudService, String) throws -> Result
  ) throws -> Result {
    let fixture = try fixture(name)
    let path = ScratchFolder.newPath("former")
    try fixture.image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    let fileSystem = FileSystem(bootIdentifier: boot ?? fixture.boot)
    return try body(CloudService.open(root: path, fileSystem: fileSystem), path)
  }

  private func caller(_ account: String) -> Caller {
    Caller(account: account, device: nil, container: "iCloud.example", environment: .development)
  }

  private func text(_ record: Record) -> FieldValue? { record.fields["text"] }

  private func fetch(
    _ service: CloudService, _ names: [ExactName], _ zone: String, by account: String,
    _ scope: DatabaseScope = .private,
    owner: String? = nil
  ) throws -> [Record] {
    let zone = ZoneIdentifier(name: ExactName(zone), owner: owner)
    let request = FetchRecordsRequest(scope: scope, records: names.map { RecordIdentifier(name: $0, zone: zone) })
    return try service.records.fetchRecords(request, by: caller(account)).map { try $0.get() }
  }

  @Test("a complete cloud of an earlier version: its users can read their records and save new ones")
  func completeCloudOfAnEarlierVersion() throws {
    try opened("whole") { service, _ in
      #expect(try service.checks.check() == [])
      let alice = try service.accounts.account("alice").userRecordName
      let own = try fetch(service, ["ada", "child", "photo", "secret"], "Notes", by: "alice")
      #expect(own.map { text($0) } == [.string("Ada"), .string("again"), .string("photo"), nil])
      #expect(own[3].encryptedFields == ["code": .string("1234")] && own[2].fields["picture"] != nil)
      let seen = try fetch(service, ["ada", "child"], "Notes", by: "bob", .shared, owner: alice)
      #expect(seen.map { text($0) } == [.string("Ada"), .string("again")])
      let subscriptions = try service.subscriptions.list(nil, in: .private, by: caller("alice"))
      #expect(try subscriptions.map { try $0.get().id } == ["notes"])
      // The cloud accepts further changes.
      var change = RecordSave(id: RecordIdentifier(name: "new", zone: ZoneIdentifier(name: "Notes")), type: "Note")
      change.fields["text"] = .string("new")
      _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: [change]), by: caller("alice"))
      #expect(try text(fetch(service, ["new"], "Notes", by: "alice")[0]) == .string("new"))
      #expect(try service.checks.check() == [])
    }
  }

  @Test(
    "a cloud with killed writers: all committed records are complete, on the same boot and on another",
    arguments: [nil, "another boot"])
  func cloudWithKilledWriters(boot: String?) throws {
    try opened("killed", boot: boot) { service, path in
      let busy = path + "/containers/iCloud.example/development/private/alice/zones/Busy"
      let before = try fixture("killed").paths.count { $0.contains("/zones/Busy/records/") }
      #expect(try service.checks.check() == [])
      // The files now contain the journal's remaining entries.
      let after = try Directory.open(path: busy + "/records", in: FileSystem()).entries().map(\.name).sorted()
      #expect(after.count > before, "\(after)")
      let names = after.map { ExactName(String($0.dropLast(".json".count))) }
      for (name, record) in zip(names, try fetch(service, names, "Busy", by: "alice")) {
        #expect(text(record) == .string("t" + name.string.dropFirst()))
      }
    }
  }
}
