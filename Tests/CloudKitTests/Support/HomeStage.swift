import CloudKit

/// A cloud with Alice's zone ``home``.
struct HomeStage {
  let cloud: TestCloud
  let container: CKContainer

  init() async throws {
    cloud = try TestCloud()
    container = try cloud.container(of: "alice")
    try await container.privateCloudDatabase.save(CKRecordZone(zoneID: home))
  }
}

/// A suite of tests that start with a `HomeStage`.
protocol OnHomeStage {
  var stage: HomeStage { get }
}

extension OnHomeStage {
  var cloud: TestCloud { stage.cloud }
  var container: CKContainer { stage.container }
  var database: CKDatabase { container.privateCloudDatabase }
}
