import CloudKit

/// A cloud with Alice's zone ``testZoneID``.
struct ZoneStage {
  let cloud: TestCloud
  let container: CKContainer

  init() async throws {
    cloud = try TestCloud()
    container = try cloud.container(of: "alice")
    try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
  }
}

/// A suite of tests that start with a `ZoneStage`.
protocol OnZoneStage {
  var stage: ZoneStage { get }
}

extension OnZoneStage {
  var cloud: TestCloud { stage.cloud }
  var container: CKContainer { stage.container }
  var database: CKDatabase { container.privateCloudDatabase }
}
