import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@Suite("Waiting for a record, a push or an idle container") struct WaitTests {
  private let cloud: TestCloud
  private let container: CKContainer

  init() throws {
    cloud = try TestCloud()
    container = try cloud.container(of: "alice")
  }

  private var alice: CKDatabase { container.privateCloudDatabase }

  @Test("a wait for a record ends with the version that meets the condition, also in a zone that is made later")
  func waitForARecordEndsWithTheVersion() async throws {
    let milk = note("milk")
    let (container, recordID) = (container, milk.recordID)
    let waiting = Task {
      try await LocalCloud.wait(forRecord: recordID, container: container, timeout: 60) {
        $0["title"] as String? == "Three"
      }
    }
    try await alice.save(CKRecordZone(zoneID: testZoneID))
    var saved = milk
    for title in ["One", "Two", "Three"] {
      saved["title"] = title
      saved = try await alice.save(saved)
    }
    let found = try await waiting.value
    #expect(found["title"] as String? == "Three")
    #expect(found.recordChangeTag == saved.recordChangeTag)
  }

  @Test("a wait whose time is over throws, and one whose task is cancelled ends")
  func waitWhoseTimeIsOverThrows() async throws {
    let (container, recordID) = (container, note("milk").recordID)
    await #expect(throws: LocalCloud.TimedOut.self) {
      _ = try await LocalCloud.wait(forRecord: recordID, container: container, timeout: 0)
    }
    await #expect(throws: LocalCloud.TimedOut.self) {
      _ = try await LocalCloud.waitForPush(in: container, timeout: 0)
    }
    let waiting = Task { try await LocalCloud.wait(forRecord: recordID, container: container, timeout: 600) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
  }

  @Test("a wait takes a push once, whether it came before or comes later")
  func waitTakesAPushOnce() async throws {
    try await alice.save(CKRecordZone(zoneID: testZoneID))
    try await alice.save(CKDatabaseSubscription(subscriptionID: "all"))
    let root = cloud.cloud.path
    func change(_ name: String) async throws {
      try await LocalCloud.acting(as: "alice", device: "phone", root: root) {
        _ = try await CKContainer(identifier: "iCloud.test").privateCloudDatabase.save(note(name))
      }
    }
    try await change("before")
    let first = CKNotification(
      fromRemoteNotificationDictionary: try await LocalCloud.waitForPush(in: container, timeout: 60))
    #expect(first?.subscriptionID == "all")
    let container = container
    let waiting = Task {
      let userInfo = try await LocalCloud.waitForPush(in: container, timeout: 60)
      return CKNotification(fromRemoteNotificationDictionary: userInfo)?.subscriptionID
    }
    try await change("later")
    #expect(try await waiting.value == "all")
    await #expect(throws: LocalCloud.TimedOut.self) {
      _ = try await LocalCloud.waitForPush(in: container, timeout: 0)
    }
  }

  @Test("an idle container is reported, and a removed cloud is an error")
  func idleContainerIsReported() async throws {
    try await alice.save(CKRecordZone(zoneID: testZoneID))
    try await LocalCloud.waitUntilIdle(container: container, quietFor: 0.01)
    let container = container
    let missing = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let failure = await code {
      try await LocalCloud.acting(as: "alice", root: missing) {
        try await LocalCloud.waitUntilIdle(container: container, quietFor: 0.01)
      }
    }
    #expect(failure == .badContainer)
  }
}
