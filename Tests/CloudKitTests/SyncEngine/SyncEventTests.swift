import Foundation
import Testing

@testable import CloudKit

@Suite("Events of a sync engine")
struct SyncEventTests {
  private typealias Event = CKSyncEngine.Event

  private let record = note("a")
  private let zone = CKRecordZone(zoneID: testZoneID)
  private let zoneText = "Home:__defaultOwner__"
  private let recordText = "a:(Home:__defaultOwner__)"
  private let fetch = CKSyncEngine.FetchChangesContext(reason: .manual, options: .init())
  private let send = CKSyncEngine.SendChangesContext(reason: .scheduled, options: .init())

  // [sync-value-11]
  @Test("an event of an account change has the users' IDs")
  func accountChange() {
    let (ann, bob) = (CKRecord.ID(recordName: "_ann"), CKRecord.ID(recordName: "_bob"))
    let changes: [Event.AccountChange.ChangeType] = [
      .signIn(currentUser: ann), .signOut(previousUser: ann), .switchAccounts(previousUser: ann, currentUser: bob),
    ]
    #expect(changes[0] == .signIn(currentUser: CKRecord.ID(recordName: "_ann")))
    #expect(changes[0] != .signIn(currentUser: bob))
    #expect(changes[0] != changes[1])
    let events = changes.map { Event.AccountChange(changeType: $0) }
    #expect(events.map(\.changeType) == changes)
    #expect(
      events.map { Event.accountChange($0).description } == [
        "<CKSyncEngine.Event.AccountChange: changeType=signIn, currentUser=_ann>",
        "<CKSyncEngine.Event.AccountChange: changeType=signOut, previousUser=_ann>",
        "<CKSyncEngine.Event.AccountChange: changeType=switchAccounts, previousUser=_ann, currentUser=_bob>",
      ])
  }

  // [sync-value-11]
  @Test("events of a fetch have the pages and the zones")
  func fetching() {
    let zones = Event.FetchedDatabaseChanges(
      modifications: [CKDatabase.DatabaseChange.Modification(zoneID: testZoneID)],
      deletions: [CKDatabase.DatabaseChange.Deletion(zoneID: .default, reason: .purged)])
    #expect(zones.modifications.map(\.zoneID) == [testZoneID])
    #expect(zones.deletions.map(\.reason) == [.purged])
    #expect(Event.fetchedDatabaseChanges(zones).description.contains("[\"\(zoneText)\"]"))
    let records = Event.FetchedRecordZoneChanges(
      modifications: [CKDatabase.RecordZoneChange.Modification(record: record)],
      deletions: [CKDatabase.RecordZoneChange.Deletion(recordID: note("b").recordID, recordType: "Note")])
    #expect(records.modifications.map(\.record) == [record])
    #expect(records.deletions.map(\.recordType) == ["Note"])
    #expect(Event.fetchedRecordZoneChanges(records).description.contains("[\"\(recordText)\"]"))
    let begin = Event.WillFetchRecordZoneChanges(zoneID: testZoneID)
    #expect(begin.zoneID == testZoneID)
    #expect(
      Event.willFetchRecordZoneChanges(begin).description
        == "<CKSyncEngine.Event.WillFetchRecordZoneChanges: zoneID=\(zoneText)>")
    let end = Event.DidFetchRecordZoneChanges(zoneID: testZoneID, error: nil)
    #expect(end.error == nil)
    #expect(end.description.hasSuffix("error=nil>"))
    let failed = Event.DidFetchRecordZoneChanges(zoneID: testZoneID, error: CKError(.zoneNotFound))
    #expect(failed.zoneID == testZoneID)
    #expect(failed.error?.code == .zoneNotFound)
    #expect(Event.didFetchRecordZoneChanges(failed).description.hasSuffix("error=26>"))
  }

  // [sync-value-11]
  @Test("events of a send have the saved, the deleted and the failed items")
  func sending() {
    let error = CKError(.serverRecordChanged)
    let zones = Event.SentDatabaseChanges(
      savedZones: [zone], failedZoneSaves: [Event.SentDatabaseChanges.FailedZoneSave(zone: zone, error: error)],
      deletedZoneIDs: [testZoneID], failedZoneDeletes: [testZoneID: error])
    #expect(zones.savedZones == [zone])
    #expect(zones.failedZoneSaves.map(\.zone) == [zone])
    #expect(zones.failedZoneSaves.map(\.error.code) == [.serverRecordChanged])
    #expect(zones.deletedZoneIDs == [testZoneID])
    #expect(zones.failedZoneDeletes[testZoneID]?.code == .serverRecordChanged)
    #expect(
      Event.sentDatabaseChanges(zones).description
        == "<CKSyncEngine.Event.SentDatabaseChanges: savedZones=[\"\(zoneText)\"], "
        + "failedZoneSaves=[\(zoneText): 14], deletedZoneIDs=[\"\(zoneText)\"], failedZoneDeletes=[\"\(zoneText)\"]>")
    let records = Event.SentRecordZoneChanges(
      savedRecords: [record],
      failedRecordSaves: [Event.SentRecordZoneChanges.FailedRecordSave(record: record, error: error)],
      deletedRecordIDs: [record.recordID], failedRecordDeletes: [record.recordID: error])
    #expect(records.savedRecords == [record])
    #expect(records.failedRecordSaves.map(\.record) == [record])
    #expect(records.failedRecordSaves.map(\.error.code) == [.serverRecordChanged])
    #expect(records.deletedRecordIDs == [record.recordID])
    #expect(records.failedRecordDeletes[record.recordID]?.code == .serverRecordChanged)
    #expect(
      Event.sentRecordZoneChanges(records).description
        == "<CKSyncEngine.Event.SentRecordZoneChanges: savedRecords=[\"\(recordText)\"], "
        + "failedRecordSaves=[\(recordText): 14], deletedRecordIDs=[\"\(recordText)\"], "
        + "failedRecordDeletes=[\"\(recordText)\"]>")
  }

  // [sync-value-11]
  @Test("events at the begin and the end of a pass have its context, and an update has the state")
  func passes() {
    let (willFetch, didFetch) = (Event.WillFetchChanges(context: fetch), Event.DidFetchChanges(context: fetch))
    #expect([willFetch.context.reason, didFetch.context.reason] == [.manual, .manual])
    let (willSend, didSend) = (Event.WillSendChanges(context: send), Event.DidSendChanges(context: send))
    #expect([willSend.context.reason, didSend.context.reason] == [.scheduled, .scheduled])
    var state = SyncState()
    state.hasPendingUntrackedChanges = true
    let update = Event.StateUpdate(stateSerialization: CKSyncEngine.State.Serialization(state))
    #expect(update.stateSerialization.state == state)
    let events: [Event] = [
      .willFetchChanges(willFetch), .didFetchChanges(didFetch), .willSendChanges(willSend), .didSendChanges(didSend),
      .stateUpdate(update),
    ]
    let names = ["WillFetchChanges: ", "DidFetchChanges: ", "WillSendChanges: ", "DidSendChanges: ", "StateUpdate>"]
    for (event, name) in zip(events, names) {
      #expect(event.description.hasPrefix("<CKSyncEngine.Event.\(name)"))
    }
  }
}
