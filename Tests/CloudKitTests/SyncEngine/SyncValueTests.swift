import Foundation
import Testing

@testable import CloudKit

@Suite("Values of a sync engine")
struct SyncValueTests {
  private let recordID = note("a").recordID
  private let otherZoneID = CKRecordZone.ID(zoneName: "Other")

  private final class QuietDelegate: CKSyncEngineDelegate {
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {}

    func nextRecordZoneChangeBatch(
      _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? { nil }
  }

  // MARK: Configuration and delegate

  // [sync-value-1], [sync-value-11], [sync-5]
  @Test("a configuration syncs automatically unless the app says otherwise, and retains the delegate")
  func configuration() throws {
    let cloud = try TestCloud()
    let container = try cloud.container(of: "alice")
    weak var retained: QuietDelegate?
    func make() -> CKSyncEngine.Configuration {
      let delegate = QuietDelegate()
      retained = delegate
      return CKSyncEngine.Configuration(
        database: container.privateCloudDatabase, stateSerialization: nil, delegate: delegate)
    }
    var configuration = make()
    #expect(configuration.automaticallySync)
    #expect(configuration.subscriptionID == nil)
    #expect(configuration.stateSerialization == nil)
    #expect(retained != nil)
    #expect(configuration.delegate === retained)
    configuration.automaticallySync = false
    configuration.subscriptionID = "s"
    configuration.database = container.sharedCloudDatabase
    configuration.stateSerialization = CKSyncEngine.State.Serialization(SyncState())
    configuration.delegate = QuietDelegate()
    #expect(retained == nil)
    #expect(
      configuration.description
        == "<CKSyncEngine.Configuration: database=\(container.sharedCloudDatabase), hasState=true, "
        + "automaticallySync=false, subscriptionID=s>")
  }

  // [sync-value-10]
  @Test("a delegate without options for the next fetch continues with the present ones")
  func defaultOfTheDelegate() async throws {
    let cloud = try TestCloud()
    let delegate = QuietDelegate()
    var configuration = CKSyncEngine.Configuration(
      database: try cloud.container(of: "alice").privateCloudDatabase, stateSerialization: nil, delegate: delegate)
    configuration.automaticallySync = false
    let engine = CKSyncEngine(configuration)
    var options = CKSyncEngine.FetchChangesOptions(scope: .zoneIDs([testZoneID]))
    options.prioritizedZoneIDs = [testZoneID]
    let context = CKSyncEngine.FetchChangesContext(reason: .manual, options: options)
    let next = await delegate.nextFetchChangesOptions(context, syncEngine: engine)
    #expect(next.scope == options.scope)
    #expect(next.operationGroup === options.operationGroup)
    #expect(next.prioritizedZoneIDs == [testZoneID])
  }

  // MARK: Options

  // [sync-value-2], [sync-value-11]
  @Test("options have the scope of all and a group of their own unless they are given")
  func options() {
    let group = CKOperationGroup()
    var fetch = CKSyncEngine.FetchChangesOptions()
    #expect(fetch.scope == .all)
    #expect(fetch.prioritizedZoneIDs == [])
    #expect(fetch.operationGroup !== CKSyncEngine.FetchChangesOptions().operationGroup)
    fetch.scope = .allExcluding([testZoneID])
    fetch.operationGroup = group
    #expect(CKSyncEngine.FetchChangesOptions(operationGroup: group).operationGroup === group)
    #expect(fetch.description.contains("allExcluding([\"Home:__defaultOwner__\"])"))
    #expect(fetch.description.contains(group.operationGroupID))
    var send = CKSyncEngine.SendChangesOptions()
    #expect(send.scope == .all)
    #expect(send.operationGroup !== CKSyncEngine.SendChangesOptions().operationGroup)
    send.scope = .recordIDs([recordID])
    send.operationGroup = group
    #expect(CKSyncEngine.SendChangesOptions(scope: .all, operationGroup: group).operationGroup === group)
    #expect(send.description.contains("recordIDs([\"a:(Home:__defaultOwner__)\"])"))
    let fetchContext = CKSyncEngine.FetchChangesContext(reason: .scheduled, options: fetch)
    #expect(fetchContext.reason == .scheduled)
    #expect(fetchContext.options.operationGroup === group)
    #expect(fetchContext.description.contains("reason=scheduled"))
    let sendContext = CKSyncEngine.SendChangesContext(reason: .manual, options: send)
    #expect(sendContext.reason == .manual)
    #expect(sendContext.options.scope == .recordIDs([recordID]))
    #expect(sendContext.description.contains("reason=manual"))
    #expect(Set([CKSyncEngine.SyncReason.manual, .scheduled, .manual]).count == 2)
  }

  // [sync-value-3], [sync-value-11]
  @Test("scopes of a fetch include zones")
  func fetchScopes() {
    typealias Scope = CKSyncEngine.FetchChangesOptions.Scope
    let scopes: [Scope] = [.all, .allExcluding([testZoneID]), .zoneIDs([testZoneID]), .allExcluding([]), .zoneIDs([])]
    #expect(scopes.map { $0.contains(CKRecordZone.ID(zoneName: "Home")) } == [true, false, true, true, false])
    #expect(scopes.map { $0.contains(otherZoneID) } == [true, true, false, true, false])
    #expect(Scope.zoneIDs([testZoneID]) == .zoneIDs([CKRecordZone.ID(zoneName: "Home")]))
    #expect(Scope.zoneIDs([testZoneID]) != .allExcluding([testZoneID]))
    #expect("\(Scope.all)" == "all")
  }

  // [sync-value-4], [sync-value-11]
  @Test("scopes of a send include records by zone or by ID, and their pending changes")
  func sendScopes() {
    typealias Scope = CKSyncEngine.SendChangesOptions.Scope
    let scopes: [Scope] = [
      .all, .allExcluding([testZoneID]), .zoneIDs([testZoneID]), .recordIDs([recordID]), .recordIDs([]),
    ]
    let (sameZone, sameName) = (note("b").recordID, note("a", in: otherZoneID).recordID)
    let expected = [
      recordID: [true, false, true, true, false], sameZone: [true, false, true, false, false],
      sameName: [true, true, false, false, false],
    ]
    for (recordID, isContained) in expected {
      #expect(scopes.map { $0.contains(recordID) } == isContained)
      #expect(scopes.map { $0.contains(.saveRecord(recordID)) } == isContained)
      #expect(scopes.map { $0.contains(.deleteRecord(recordID)) } == isContained)
    }
    #expect(Scope.recordIDs([recordID]) != .recordIDs([sameZone]))
    #expect("\(Scope.zoneIDs([testZoneID]))" == "zoneIDs([\"Home:__defaultOwner__\"])")
  }

  // MARK: Pending changes

  // [sync-value-5], [sync-value-11]
  @Test("changes are equal by kind and ID")
  func pendingChanges() {
    typealias Database = CKSyncEngine.PendingDatabaseChange
    let save = Database.saveZone(CKRecordZone(zoneID: testZoneID))
    #expect(save == .saveZone(CKRecordZone(zoneName: "Home")))
    #expect(save != .saveZone(CKRecordZone(zoneID: otherZoneID)))
    #expect(save != .deleteZone(testZoneID))
    #expect(Set([save, .saveZone(CKRecordZone(zoneName: "Home")), .deleteZone(testZoneID)]).count == 2)
    #expect(save.description == "saveZone(Home:__defaultOwner__)")
    #expect(Database.deleteZone(testZoneID).description == "deleteZone(Home:__defaultOwner__)")
    typealias Record = CKSyncEngine.PendingRecordZoneChange
    #expect(Record.saveRecord(recordID) == .saveRecord(note("a").recordID))
    #expect(Record.saveRecord(recordID) != .deleteRecord(recordID))
    #expect(Set([Record.saveRecord(recordID), .saveRecord(note("a").recordID)]).count == 1)
    #expect(Record.saveRecord(recordID).description == "saveRecord(a:(Home:__defaultOwner__))")
    #expect(Record.deleteRecord(recordID).description == "deleteRecord(a:(Home:__defaultOwner__))")
  }

  // [sync-value-9]
  @Test("the C enumerations have Apple's numbers")
  func enumerations() {
    #expect(
      (-1...3).map { CKSyncEngineAccountChangeType(rawValue: $0) } == [nil, .signIn, .signOut, .switchAccounts, nil])
    let events: [CKSyncEngineEventType?] = [
      .stateUpdate, .accountChange, .fetchedDatabaseChanges, .fetchedRecordZoneChanges, .sentDatabaseChanges,
      .sentRecordZoneChanges, .willFetchChanges, .willFetchRecordZoneChanges, .didFetchRecordZoneChanges,
      .didFetchChanges, .willSendChanges, .didSendChanges, nil,
    ]
    #expect((0...12).map { CKSyncEngineEventType(rawValue: $0) } == events)
    #expect(
      (0...2).map { CKSyncEnginePendingRecordZoneChangeType(rawValue: $0) } == [.saveRecord, .deleteRecord, nil])
    #expect((0...2).map { CKSyncEnginePendingDatabaseChangeType(rawValue: $0) } == [.saveZone, .deleteZone, nil])
    #expect((0...2).map { CKSyncEngineSyncReason(rawValue: $0) } == [.scheduled, .manual, nil])
    #expect(
      (0...3).map { CKSyncEngineZoneDeletionReason(rawValue: $0) } == [.deleted, .purged, .encryptedDataReset, nil])
  }
}
