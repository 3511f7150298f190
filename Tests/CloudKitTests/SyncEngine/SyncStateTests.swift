import Foundation
import Synchronization
import Testing

@testable import CloudKit

/// A change that counts how often the ID of an item is hashed.
private struct CountedChange: PendingChange {
  struct ItemID: Hashable {
    var number: Int

    func hash(into hasher: inout Hasher) {
      CountedChange.hashes.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  static let hashes = Mutex(0)
  var itemID: ItemID
}

@Suite("The state of a sync engine")
struct SyncStateTests {
  private let a = note("a").recordID
  private let b = note("b").recordID
  private let c = note("c").recordID
  private let otherZoneID = CKRecordZone.ID(zoneName: "Other")

  // MARK: The lists

  // [sync-state-2], [sync-state-3]
  @Test("a record has one change: a repeated one keeps its position, and the newer kind replaces the older")
  func recordChanges() {
    let state = CKSyncEngine.State(SyncState())
    state.add(pendingRecordZoneChanges: [.saveRecord(a), .saveRecord(b)])
    state.add(pendingRecordZoneChanges: [.saveRecord(a)])
    #expect(state.pendingRecordZoneChanges == [.saveRecord(a), .saveRecord(b)])
    state.add(pendingRecordZoneChanges: [.deleteRecord(a), .saveRecord(c)])
    #expect(state.pendingRecordZoneChanges == [.deleteRecord(a), .saveRecord(b), .saveRecord(c)])
    state.add(pendingRecordZoneChanges: [.saveRecord(a)])
    #expect(state.pendingRecordZoneChanges == [.saveRecord(a), .saveRecord(b), .saveRecord(c)])
    #expect(state.pendingDatabaseChanges == [])
  }

  // [sync-state-2], [sync-state-3]
  @Test("a zone has one change, with the zone that was added last")
  func databaseChanges() {
    let state = CKSyncEngine.State(SyncState())
    let (first, second) = (CKRecordZone(zoneID: testZoneID), CKRecordZone(zoneID: testZoneID))
    state.add(pendingDatabaseChanges: [.saveZone(first), .deleteZone(otherZoneID), .saveZone(second)])
    #expect(state.pendingDatabaseChanges == [.saveZone(first), .deleteZone(otherZoneID)])
    guard case .saveZone(let zone)? = state.pendingDatabaseChanges.first else {
      Issue.record("the save is missing")
      return
    }
    #expect(zone === second)
    state.add(pendingDatabaseChanges: [.deleteZone(testZoneID)])
    #expect(state.pendingDatabaseChanges == [.deleteZone(testZoneID), .deleteZone(otherZoneID)])
    state.remove(pendingDatabaseChanges: [.deleteZone(testZoneID), .saveZone(CKRecordZone(zoneID: otherZoneID))])
    #expect(state.pendingDatabaseChanges == [.deleteZone(otherZoneID)])
  }

  // [sync-state-4]
  @Test("only a pending change of the same kind is removed")
  func removing() {
    let state = CKSyncEngine.State(SyncState())
    state.add(pendingRecordZoneChanges: [.saveRecord(a), .saveRecord(b), .saveRecord(c)])
    state.remove(pendingRecordZoneChanges: [.deleteRecord(a), .saveRecord(b), .saveRecord(note("x").recordID)])
    #expect(state.pendingRecordZoneChanges == [.saveRecord(a), .saveRecord(c)])
    state.takeOff([.saveRecord(c)])
    state.remove(pendingRecordZoneChanges: [.saveRecord(c)])
    #expect(state.read { $0.recordChangesInFlight } == [.saveRecord(c)])
  }

  @Test("positions are right after many additions and removals")
  func manyChanges() {
    let recordIDs = (0..<200).map { note("\($0)").recordID }
    var changes = PendingChanges(recordIDs.map { CKSyncEngine.PendingRecordZoneChange.saveRecord($0) })
    for recordID in recordIDs.dropLast(2) { changes.remove([.saveRecord(recordID)]) }
    changes.add([.saveRecord(recordIDs[0]), .deleteRecord(recordIDs[198])])
    #expect(changes.list == [.deleteRecord(recordIDs[198]), .saveRecord(recordIDs[199]), .saveRecord(recordIDs[0])])
    #expect(!changes.isEmpty)
    changes.removeAll { _ in true }
    #expect(changes.isEmpty)
    #expect(changes == PendingChanges<CKSyncEngine.PendingRecordZoneChange>())
  }

  @Test("sending a batch costs as much as the batch, whatever the number of pending changes")
  func costOfBatches() {
    let all = (0..<10_000).map { CountedChange(itemID: CountedChange.ItemID(number: $0)) }
    var changes = PendingChanges(all)
    let (first, second) = (Array(all[0..<400]), Array(all[400..<800]))
    let failed = Set(first.map(\.itemID))
    CountedChange.hashes.withLock { $0 = 0 }
    changes.remove(first)
    changes.putBack([])
    #expect(changes.contains(otherThan: failed))
    changes.remove(second)
    changes.removeAll { _ in false }
    #expect(CountedChange.hashes.withLock { $0 } < 8_000)
    #expect(changes.list.count == 9_200)
    #expect(!PendingChanges(first).contains(otherThan: failed))
    #expect(PendingChanges(second).contains(otherThan: failed))
  }

  // [sync-state-12]
  @Test("each change has an origin, and is reported once as a state to be stored, without the lock")
  func changes() {
    let state = CKSyncEngine.State(SyncState())
    #expect(state.takeDirtyState() == nil)
    let origins = Collector<Bool>()
    let counts = Collector<Int>()
    state.changed = { [weak state] byApp in
      origins.append(byApp)
      counts.append(state?.pendingRecordZoneChanges.count ?? -1)
    }
    state.add(pendingRecordZoneChanges: [.saveRecord(a)])
    state.hasPendingUntrackedChanges = true
    state.change { $0.markUnfetched([testZoneID, otherZoneID, testZoneID]) }
    #expect(origins.values == [true, true, false])
    #expect(counts.values == [1, 1, 1])
    #expect(state.hasPendingUntrackedChanges)
    #expect(state.zoneIDsWithUnfetchedServerChanges == [testZoneID, otherZoneID])
    #expect(state.changed != nil)
    #expect(state.takeDirtyState()?.state == state.read { $0 })
    #expect(state.takeDirtyState() == nil)
  }

  // MARK: Flight

  // [sync-state-5], [sync-state-6]
  @Test("an answer ends the flight: retryable changes are pending again before the others")
  func landing() {
    var state = SyncState()
    state.add([.saveRecord(a), .deleteRecord(b), .saveRecord(c)] as [CKSyncEngine.PendingRecordZoneChange])
    let d = note("d").recordID
    state.takeOff([.saveRecord(c), .saveRecord(a), .deleteRecord(b)])
    state.add([.saveRecord(d)])
    #expect(state.recordChanges.list == [.saveRecord(d)])
    #expect(state.recordChangesInFlight == [.saveRecord(c), .saveRecord(a), .deleteRecord(b)])
    state.landRecordChanges(retryable: [.deleteRecord(b), .saveRecord(c)])
    #expect(state.recordChanges.list == [.saveRecord(c), .deleteRecord(b), .saveRecord(d)])
    #expect(state.recordChangesInFlight == [])
    state.takeOff([.saveRecord(c)])
    state.landRecordChanges(retryable: [])
    #expect(state.recordChanges.list == [.deleteRecord(b), .saveRecord(d)])
    #expect(!state.hasPendingUntrackedChanges)
  }

  // [sync-send-13]
  @Test(
    "of a batch, those changes stay pending that were added once more, or removed and added, since the app was asked")
  func addedAgain() {
    let state = CKSyncEngine.State(SyncState())
    let (d, e) = (note("d").recordID, note("e").recordID)
    state.add(pendingRecordZoneChanges: [.saveRecord(a), .saveRecord(b), .saveRecord(d), .saveRecord(e)])
    state.add(pendingRecordZoneChanges: [.saveRecord(a)])
    state.beginBatch()
    // The delegate adds a change of its batch.
    SyncWork.$isInCallback.withValue(true) {
      state.add(pendingRecordZoneChanges: [.saveRecord(b), .saveRecord(c)])
    }
    state.remove(pendingRecordZoneChanges: [.saveRecord(d), .saveRecord(e)])
    state.add(pendingRecordZoneChanges: [.saveRecord(d)])
    state.takeOff([.saveRecord(a), .saveRecord(b), .saveRecord(c), .saveRecord(d), .saveRecord(e)])
    // The removed change is untracked.
    #expect(state.pendingRecordZoneChanges == [.saveRecord(b), .saveRecord(d)])
    let inFlight = state.read { $0.recordChangesInFlight }
    #expect(inFlight == [.saveRecord(a), .saveRecord(b), .saveRecord(c), .saveRecord(d)])
    state.add(pendingRecordZoneChanges: [.saveRecord(b)])
    state.takeOff([.saveRecord(b), .saveRecord(d)])
    #expect(state.pendingRecordZoneChanges.isEmpty)
    // The app is asked, and makes no batch.
    state.add(pendingRecordZoneChanges: [.saveRecord(a)])
    state.beginBatch()
    state.endBatch()
    state.add(pendingRecordZoneChanges: [.saveRecord(a)])
    state.takeOff([.saveRecord(a)])
    #expect(state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-state-5], [sync-state-6]
  @Test("a change that is added during its flight survives each answer, and replaces the retryable one")
  func addedInFlight() {
    for retryable: Set<CKSyncEngine.PendingRecordZoneChange> in [[], [.saveRecord(a)]] {
      var state = SyncState()
      state.add([.saveRecord(a)])
      state.takeOff([.saveRecord(a)])
      state.add([.saveRecord(b), .deleteRecord(a)])
      state.landRecordChanges(retryable: retryable)
      #expect(state.recordChanges.list == [.saveRecord(b), .deleteRecord(a)])
      #expect(state.recordChangesInFlight == [])
    }
  }

  // [sync-send-14]
  @Test("the changes of busy zones follow those of other zones, in their order")
  func postponing() {
    var state = SyncState()
    let (x, y) = (note("x", in: otherZoneID).recordID, note("y", in: otherZoneID).recordID)
    state.add([.saveRecord(a), .saveRecord(x), .deleteRecord(b), .saveRecord(c), .saveRecord(y)])
    state.takeOff([.saveRecord(a), .saveRecord(x)])
    state.landRecordChanges(retryable: [.saveRecord(a)])
    state.postpone([])
    #expect(state.recordChanges.list == [.saveRecord(a), .deleteRecord(b), .saveRecord(c), .saveRecord(y)])
    state.postpone([testZoneID])
    #expect(state.recordChanges.list == [.saveRecord(y), .saveRecord(a), .deleteRecord(b), .saveRecord(c)])
  }

  // [sync-state-6]
  @Test("changes of zones fly as changes of records do")
  func zonesInFlight() {
    var state = SyncState()
    let zone = CKRecordZone(zoneID: testZoneID)
    state.add([.saveZone(zone), .deleteZone(otherZoneID)])
    state.takeOff([.saveZone(zone), .deleteZone(otherZoneID)])
    #expect(state.databaseChanges.isEmpty)
    #expect(state.databaseChangesInFlight == [.saveZone(zone), .deleteZone(otherZoneID)])
    state.landDatabaseChanges(retryable: [.saveZone(zone)])
    #expect(state.databaseChangesInFlight == [])
    #expect(state.databaseChanges.list == [.saveZone(zone)])
    state.remove([.saveZone(zone)])
    #expect(state == SyncState())
  }

  // [sync-state-4] [sync-state-5]
  @Test("a zone's change that the app removed or replaced before its flight is not sent as it was")
  func zonesBeforeTheFlight() throws {
    var state = SyncState()
    let replacement = CKRecordZone(zoneID: testZoneID)
    let listed: [CKSyncEngine.PendingDatabaseChange] = [
      .saveZone(CKRecordZone(zoneID: testZoneID)), .deleteZone(otherZoneID),
    ]
    state.add(listed)
    state.remove([.deleteZone(otherZoneID)] as [CKSyncEngine.PendingDatabaseChange])
    state.add([.saveZone(replacement)] as [CKSyncEngine.PendingDatabaseChange])
    let taken = state.takeOff(listed)
    #expect(taken.count == 1)
    guard case .saveZone(let zone) = try #require(taken.first) else {
      Issue.record("The save of the zone is missing.")
      return
    }
    #expect(zone === replacement)
    #expect(state.databaseChanges.isEmpty)
  }

  // [sync-state-9]
  @Test("a retryable failure of an untracked change sets the flag and adds nothing")
  func untracked() {
    var state = SyncState()
    state.takeOff([.saveRecord(a)])
    state.landRecordChanges(retryable: [])
    #expect(state == SyncState())
    state.landRecordChanges(retryable: [.saveRecord(a)])
    #expect(state.hasPendingUntrackedChanges)
    #expect(state.recordChanges.isEmpty)
  }

  // MARK: Zones and accounts

  private var fullState: SyncState {
    var state = SyncState()
    let inOther = CKRecord.ID(recordName: "x", zoneID: otherZoneID)
    state.add([.saveRecord(a), .saveRecord(inOther), .deleteRecord(b)])
    let zone = CKRecordZone(zoneID: testZoneID)
    zone.encryptionScope = .perZone
    state.add([.saveZone(zone), .deleteZone(otherZoneID)])
    state.hasPendingUntrackedChanges = true
    state.databaseToken = CKServerChangeToken(data: Data([1, 2]))
    state.zoneTokens = [
      testZoneID: CKServerChangeToken(data: Data([3])), otherZoneID: CKServerChangeToken(data: Data()),
    ]
    state.markUnfetched([otherZoneID, testZoneID])
    state.lastUser = CKRecord.ID(recordName: "_abc")
    state.subscriptionID = "s"
    return state
  }

  // [sync-state-10]
  @Test("a deleted zone leaves no trace")
  func forgetZone() {
    var state = fullState
    state.forgetZone(otherZoneID)
    #expect(state.recordChanges.list == [.saveRecord(a), .deleteRecord(b)])
    #expect(state.databaseChanges.list == [.saveZone(CKRecordZone(zoneID: testZoneID))])
    #expect(Array(state.zoneTokens.keys) == [testZoneID])
    #expect(state.zonesWithUnfetchedChanges == [testZoneID])
    #expect(state.databaseToken != nil)
    // The app is about to save this zone again.
    state.forgetZone(testZoneID)
    #expect(state.recordChanges.list == [.saveRecord(a), .deleteRecord(b)])
    #expect(state.databaseChanges.list == [.saveZone(CKRecordZone(zoneID: testZoneID))])
    #expect(state.zoneTokens.isEmpty)
    #expect(state.zonesWithUnfetchedChanges.isEmpty)
  }

  // [sync-fetch-14]
  @Test("a push marks a zone that was fetched, once, and no deleted or unknown one")
  func pushedZones() {
    var state = SyncState()
    state.zoneTokens[testZoneID] = CKServerChangeToken(data: Data())
    for zoneID in [otherZoneID, testZoneID, testZoneID] { state.markPushed(zoneID) }
    #expect(state.zonesWithUnfetchedChanges == [testZoneID])
    state.forgetZone(testZoneID)
    state.markPushed(testZoneID)
    #expect(state.zonesWithUnfetchedChanges == [])
  }

  // [sync-state-11]
  @Test("an account change leaves nothing")
  func empty() {
    var state = fullState
    state.takeOff([.saveRecord(a)])
    state.empty()
    #expect(state == SyncState())
    #expect(state != fullState)
  }

  // MARK: Coding

  private struct AppState: Codable {
    var name: String
    var sync: CKSyncEngine.State.Serialization?
  }

  /// The state after a round trip through each coder, as a part of an app's own value.
  private func coded(_ state: SyncState) throws -> [SyncState?] {
    let app = AppState(name: "App", sync: CKSyncEngine.State.Serialization(state))
    let xml = PropertyListEncoder()
    xml.outputFormat = .xml
    return [
      try JSONDecoder().decode(AppState.self, from: JSONEncoder().encode(app)).sync?.state,
      try PropertyListDecoder().decode(AppState.self, from: PropertyListEncoder().encode(app)).sync?.state,
      try PropertyListDecoder().decode(AppState.self, from: xml.encode(app)).sync?.state,
    ]
  }

  // [sync-state-1], [sync-state-8]
  @Test("a state survives JSON and property lists")
  func coding() throws {
    let (full, empty) = (fullState, SyncState())
    #expect(try coded(full) == [full, full, full])
    #expect(try coded(empty) == [empty, empty, empty])
    for state in try coded(full) {
      guard case .saveZone(let zone)? = state?.databaseChanges.list.first else {
        Issue.record("the save is missing")
        continue
      }
      #expect(zone.encryptionScope == .perZone)
    }
  }

  // [sync-state-7]
  @Test("changes in flight are stored as pending, at the front")
  func codingInFlight() throws {
    var state = SyncState()
    state.add([.saveRecord(a), .saveRecord(b)])
    let zone = CKRecordZone(zoneID: testZoneID)
    state.add([.deleteZone(otherZoneID), .saveZone(zone)])
    state.takeOff([.saveRecord(b), .saveRecord(a)])
    state.takeOff([.saveZone(zone)])
    state.add([.saveRecord(c), .deleteRecord(a)])
    for read in try coded(state) {
      #expect(read?.recordChanges.list == [.saveRecord(b), .deleteRecord(a), .saveRecord(c)])
      #expect(read?.databaseChanges.list == [.saveZone(zone), .deleteZone(otherZoneID)])
      #expect(read?.recordChangesInFlight == [])
      #expect(read?.databaseChangesInFlight == [])
    }
  }

  // [sync-state-7]
  @Test("an engine that gets a state with changes in flight, without coding, has them pending")
  func landedState() {
    var state = SyncState()
    state.add([.saveRecord(a), .saveRecord(b)])
    state.takeOff([.saveRecord(b)])
    state.hasPendingUntrackedChanges = true
    let first = state.takeOffUntrackedChanges()
    let second = state.takeOffUntrackedChanges()
    #expect(first)
    #expect(!second)
    #expect(!state.hasPendingUntrackedChanges)
    #expect(state.landed.recordChanges.list == [.saveRecord(b), .saveRecord(a)])
    #expect(state.landed.recordChangesInFlight == [])
    #expect(state.landed.hasPendingUntrackedChanges)
    state.landUntrackedChanges(wereSent: true)
    #expect(!state.landed.hasPendingUntrackedChanges)
  }

  private static let zone = #"{"zoneName":"z","ownerName":"o"}"#
  private static let badZone = #"{"zoneName":"","ownerName":"o"}"#
  private static let record = #"{"recordName":"n","zoneID":\#(zone)}"#
  private static let badRecord = #"{"recordName":"\#(String(repeating: "n", count: 256))","zoneID":\#(zone)}"#

  private static func text(
    version: String = "1", records: String = "", zones: String = "", tokens: String = "", unfetched: String = "",
    user: String = "null"
  ) -> String {
    #"{"version":\#(version),"recordChanges":[\#(records)],"databaseChanges":[\#(zones)],"lastUser":\#(user),"#
      + #""hasPendingUntrackedChanges":false,"zoneTokens":[\#(tokens)],"zonesWithUnfetchedChanges":[\#(unfetched)]}"#
  }

  private func read(_ text: String) throws -> SyncState {
    try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: Data(text.utf8)).state
  }

  @Test("a stored state may hold changes twice: the lists hold one for each record and zone")
  func repeatedChangesInData() throws {
    #expect(try read(Self.text()) == SyncState())
    let state = try read(
      Self.text(
        records: #"{"saved":\#(Self.record)},{"deleted":\#(Self.record)}"#,
        unfetched: "\(Self.zone),\(Self.zone)", user: Self.record))
    let zoneID = CKRecordZone.ID(zoneName: "z", ownerName: "o")
    let recordID = CKRecord.ID(recordName: "n", zoneID: zoneID)
    #expect(state.recordChanges.list == [.deleteRecord(recordID)])
    #expect(state.zonesWithUnfetchedChanges == [zoneID])
    #expect(state.lastUser == recordID)
  }

  private static let invalidTexts: [String] = [
    "", "1", "null", "[]", "{}", #"{"version":1}"#, text(version: "2"), text(version: #""1""#), text(version: "-1"),
    text(version: "1e99"), text(records: "{}"), text(records: "1"), text(records: #"{"saved":\#(badRecord)}"#),
    text(records: #"{"deleted":\#(badRecord)}"#), text(zones: "{}"), text(zones: #"{"deleted":\#(badZone)}"#),
    text(zones: #"{"saved":{"zoneID":\#(zone),"capabilities":0,"encryptionScope":7}}"#),
    text(zones: #"{"saved":{"zoneID":\#(zone),"capabilities":-1,"encryptionScope":0}}"#),
    text(zones: #"{"saved":{"zoneID":\#(badZone),"capabilities":0,"encryptionScope":0}}"#),
    text(tokens: #"{"zoneID":\#(badZone),"token":"AQ=="}"#), text(tokens: #"{"zoneID":\#(zone),"token":"?"}"#),
    text(unfetched: badZone), text(user: badRecord), text(user: "1"),
    // A nesting that no reader follows.
    text(user: String(repeating: "[", count: 100_000)),
  ]

  // [sync-state-8]
  @Test("the error for a state of a later version names both versions and the next step")
  func laterVersion() {
    let error = #expect(throws: DecodingError.self) { _ = try read(Self.text(version: "2")) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    for part in ["the format 2", "reads 1", "without a state"] {
      #expect(context.debugDescription.contains(part), "\(context.debugDescription)")
    }
  }

  // [sync-state-8]
  @Test("data that are no state are a decoding error")
  func hostileData() {
    for text in Self.invalidTexts {
      #expect(throws: DecodingError.self, "\(text.prefix(300))") { _ = try read(text) }
    }
  }
}
