import CloudKit
import LocalCloud
import TestSupport
import Testing

@Suite("Resets by LocalCloud")
struct ResetTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private func reset(_ scope: LocalCloud.ResetScope, accounts: Bool = false, schema: Bool = false) throws {
    try LocalCloud.acting(as: "alice", root: stage.cloud.cloud.path, container: "iCloud.test") {
      try LocalCloud.reset(scope, accounts: accounts, schema: schema)
    }
  }

  // [reset-scope-4]
  @Test("a program that runs fetches the zones of a reset scope as deleted, and can save them again")
  func runningProgram() async throws {
    for scope: LocalCloud.ResetScope in [.all, .container, .environment, .account("alice"), .zone(testZoneID.zoneName)]
    {
      let token = try await stage.mine.databaseChanges(since: nil).changeToken
      try reset(scope)
      #expect(try await stage.mine.databaseChanges(since: token).deletions.map(\.zoneID) == [testZoneID], "\(scope)")
      #expect(await code { _ = try await stage.record("item") } == .zoneNotFound, "\(scope)")
      try await stage.mine.save(CKRecordZone(zoneID: testZoneID))
      try await stage.mine.save(note("item"))
    }
  }

  // [reset-scope-5]
  @Test("flags that a scope does not have, and names that the cloud does not have, are errors")
  func errors() async throws {
    #expect(await code { try reset(.container, accounts: true) } == .invalidArguments)
    #expect(await code { try reset(.account("alice"), schema: true) } == .invalidArguments)
    #expect(await code { try reset(.account("dave")) } == .notAuthenticated)
    #expect(await code { try reset(.zone("None")) } == .zoneNotFound)
    _ = try await stage.record("item")
  }
}
