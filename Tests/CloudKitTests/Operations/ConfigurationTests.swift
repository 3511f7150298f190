import CloudKit
import Foundation
import LocalCloud
import LocalCloudStorage
import Testing

@Suite("Settings of operations: the operation's own value, then the group's, then the default")
struct ConfigurationTests: OnZoneStage {
  let stage: ZoneStage

  init() async throws { stage = try await ZoneStage() }

  private func group(_ change: (CKOperation.Configuration) -> Void) -> CKOperationGroup {
    let group = CKOperationGroup()
    change(group.defaultConfiguration)
    return group
  }

  /// The errors of a save while another process has the zone's lock, and the duration.
  private func waiting(
    _ set: (CKModifyRecordsOperation) -> Void
  ) async throws -> (item: CKError.Code?, whole: CKError.Code?, seconds: Double) {
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    defer { lock.release() }
    let operation = CKModifyRecordsOperation(recordsToSave: [note("n")])
    set(operation)
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    operation.perRecordSaveBlock = reported.item
    operation.modifyRecordsResultBlock = reported.end
    let begun = Date()
    await reported.run(operation, database)
    return (reported.items[note("n").recordID]?.code, reported.whole?.code, Date().timeIntervalSince(begun))
  }

  @Test("timeoutIntervalForRequest limits the wait for another process, and each item then fails with zoneBusy")
  func requestTimeout() async throws {
    let own = try await waiting { $0.configuration.timeoutIntervalForRequest = 0.2 }
    #expect(own.item == .zoneBusy)
    #expect(own.whole == nil)
    #expect(own.seconds < 10)
    let ofGroup = try await waiting { $0.group = group { $0.timeoutIntervalForRequest = 0.2 } }
    #expect(ofGroup.item == .zoneBusy)
    #expect(ofGroup.seconds < 10)
    // An explicit value of the operation has precedence over the group's, also if it equals the default.
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let operation = CKModifyRecordsOperation(recordsToSave: [note("m")])
    operation.group = group { $0.timeoutIntervalForRequest = 0.1 }
    operation.configuration.timeoutIntervalForRequest = 60
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    operation.perRecordSaveBlock = reported.item
    operation.modifyRecordsResultBlock = reported.end
    async let over: Void = reported.run(operation, database)
    try await Task.sleep(for: .milliseconds(600))
    #expect(reported.whole == nil)
    lock.release()
    await over
    #expect(reported.items[note("m").recordID]?.value != nil)
    // The setting applies to functions with a configuration too.
    let configuration = CKOperation.Configuration()
    configuration.timeoutIntervalForRequest = 0.2
    let again = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let code = await code {
      _ = try await database.configuredWith(configuration: configuration) { try await $0.save(note("x")) }
    }
    again.release()
    #expect(code == .zoneBusy)
  }

  @Test("timeoutIntervalForResource ends the whole operation with networkFailure and without results for its items")
  func resourceTimeout() async throws {
    let own = try await waiting { $0.configuration.timeoutIntervalForResource = 0.2 }
    #expect(own.whole == .networkFailure)
    #expect(own.item == nil)
    #expect(own.seconds < 10)
    let ofGroup = try await waiting { $0.group = group { $0.timeoutIntervalForResource = 0.2 } }
    #expect(ofGroup.whole == .networkFailure)
    let both = try await waiting { operation in
      operation.group = group { $0.timeoutIntervalForResource = 0.01 }
      operation.configuration.timeoutIntervalForResource = -1
      operation.configuration.timeoutIntervalForRequest = 0.3
    }
    #expect(both.item == .zoneBusy)
    #expect(both.whole == nil)
  }

  @Test("a group's isLongLived makes an operation long-lived, unless the operation sets false itself")
  func longLived() async throws {
    for (own, isKept) in [(nil, true), (false, false), (true, true)] as [(Bool?, Bool)] {
      let journal = Journal()
      let operation = CKFetchRecordsOperation(recordIDs: [])
      operation.group = group { $0.isLongLived = true }
      if let own { operation.configuration.isLongLived = own }
      operation.longLivedOperationWasPersistedBlock = { journal.write("persisted") }
      await run(operation, on: database)
      #expect(journal.lines == (isKept ? ["persisted"] : []))
    }
  }

  @Test("an operation uses its own container, or its group's, or the default container")
  func operationUsesItsOwnContainer() async throws {
    let names = try await LocalCloud.acting(as: "bob", root: cloud.cloud.path, container: "iCloud.default") {
      var names: [String] = []
      for (own, ofGroup) in [(nil, nil), (nil, "iCloud.group"), ("iCloud.own", "iCloud.group")] as [(String?, String?)]
      {
        let operation = CKModifyRecordZonesOperation(recordZonesToSave: [
          CKRecordZone(zoneName: own ?? ofGroup ?? "none")
        ])
        operation.group = group { $0.container = ofGroup.map(CKContainer.init(identifier:)) }
        if let own { operation.configuration.container = CKContainer(identifier: own) }
        await withCheckedContinuation { done in
          operation.completionBlock = { done.resume() }
          OperationQueue().addOperation(operation)
        }
        let container = own ?? ofGroup ?? "iCloud.default"
        let zones = try await CKContainer(identifier: container).privateCloudDatabase.allRecordZones()
        names.append(contentsOf: zones.map(\.zoneID.zoneName).filter { $0 != "_defaultZone" })
      }
      return names
    }
    #expect(names == ["none", "iCloud.group", "iCloud.own"])
  }

  @Test("a configuration is copied when it is set, and nil restores the defaults")
  func configurationIsCopiedWhenItIsSet() {
    let operation = CKFetchRecordsOperation()
    let configuration = CKOperation.Configuration()
    configuration.allowsCellularAccess = false
    operation.configuration = configuration
    configuration.allowsCellularAccess = true
    #expect(!operation.configuration.allowsCellularAccess)
    operation.configuration = nil
    #expect(operation.configuration.allowsCellularAccess)
    #expect(!operation.configuration.isLongLived)
    #expect(operation.configuration.timeoutIntervalForRequest == 60)
    #expect(operation.configuration.container == nil)
    let copy = configuration.copy() as? CKOperation.Configuration
    #expect(copy?.allowsCellularAccess == true)
    #expect(copy !== configuration)
    let group = CKOperationGroup()
    group.defaultConfiguration = configuration
    #expect(group.defaultConfiguration !== configuration)
    group.defaultConfiguration = nil
    #expect(group.defaultConfiguration.qualityOfService == .default)
    #expect(group.quantity == 0)
    #expect(group.name == nil)
    #expect(group.expectedSendSize == .unknown)
  }

  @available(*, deprecated)
  @Test("the deprecated settings of an operation are the properties of its configuration")
  func deprecatedSettings() {
    let operation = CKFetchRecordsOperation()
    let container = CKContainer(identifier: "iCloud.test")
    operation.container = container
    operation.allowsCellularAccess = false
    operation.isLongLived = true
    operation.timeoutIntervalForRequest = 5
    operation.timeoutIntervalForResource = 6
    let configuration: CKOperation.Configuration = operation.configuration
    #expect(configuration.container === container)
    #expect(!configuration.allowsCellularAccess)
    #expect(configuration.isLongLived)
    #expect(configuration.timeoutIntervalForRequest == 5)
    #expect(configuration.timeoutIntervalForResource == 6)
    #expect(operation.container === container)
    #expect(!operation.allowsCellularAccess)
    #expect(operation.isLongLived)
    #expect(operation.timeoutIntervalForRequest == 5)
    #expect(operation.timeoutIntervalForResource == 6)
  }
}
