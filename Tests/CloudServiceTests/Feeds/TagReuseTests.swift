import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// A change tag names one record state for ever, also in a zone that was restored to an earlier state.
@Suite("Change tags after a zone was restored")
struct TagReuseTests {
  /// Reports the ledger's problems after a zone's folder is restored from a copy and then written to.
  private static func restore(branching: Bool) throws -> [String] {
    let cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dora", "frank", "gina"])
    let people = FaultRunPeople(cloud.service)
    try people.makeZone()
    try people.modify([people.note("a", "kept")])
    var ledger = TagLedger()
    ledger.add(try FaultRunScenario(people))
    let zone = cloud.zonePath()
    let saved = try FolderImage(of: zone)
    try people.modify([people.note("a", "lost by the restore")])
    ledger.add(try FaultRunScenario(people))

    try ScratchFolder.remove(zone)
    try saved.write(to: zone)
    if branching {
      let path = ZonePath(
        database: DatabasePath(
          container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"]),
        zone: FaultRunPeople.zone.name)
      let zone = try #require(try cloud.service.cloud.zone(path))
      let head = try zone.read(LockWaitPolicy()) { try $0.head() }
      var properties = try zone.properties()
      properties.branch("restored", after: head)
      let file = try zone.directory.file("zone.json", .readWrite)
      try file.truncate(to: 0)
      try file.write(properties.bytes, at: 0)
    }
    let next = FaultRunPeople(try CloudService.open(root: cloud.path, settings: cloud.service.settings))
    ledger.add(try FaultRunScenario(next))
    #expect(ledger.problems == [])
    try next.modify([next.note("a", "after the restore")])
    ledger.add(try FaultRunScenario(next))
    #expect(try next.service.checks.check() == [])
    return ledger.problems
  }

  @Test("a restored zone with a new history gives no change tag to two different record states")
  func restoredZoneWithANewHistoryGives() throws { #expect(try Self.restore(branching: true) == []) }

  @Test("a restored zone that continues its old history (a planted fault) gives one change tag to two record states")
  func restoredZoneThatContinuesItsOldHistory() throws {
    let problems = try Self.restore(branching: false)
    #expect(problems.count == 1)
    #expect(problems.first?.contains("lost by the restore") == true, "\(problems)")
    #expect(problems.first?.contains("after the restore") == true, "\(problems)")
  }
}
