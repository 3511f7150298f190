import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudStorage

/// Fetches the cloud's changes zone by zone. Each page is one transaction of the store.
struct FeedImporter: Importing {
  let run: MirroringRun
  var errors: [CKRecord.ID: any Error] = [:]
  /// Whether a zone was deleted. If all zones are deleted, so is the subscription: it is created again.
  private var hasLostZone = false

  init(_ run: MirroringRun) { self.run = run }

  mutating func importChanges() throws {
    let changes = try databaseChanges()
    for zone in changes.deleted { try remove(zone) }
    for zone in changes.unreadable { try restart(zone) }
    try fetchUnread()
    var failure: CKError?
    // A moved record is imported into its new zone before it disappears from the old one.
    let zones = changes.modified.union(try mirrored.zonesToWalkAnew())
    for zone in zones.sorted(by: { ($0.isOfShare ? 0 : 1, $0) < ($1.isOfShare ? 0 : 1, $1) }) {
      do { try fetch(zone) } catch let error as CKError {
        // The other zones are fetched nevertheless.
        failure = failure ?? error
      }
    }
    if try mirrored.read({ try !$0.rows(prefix: StateKey.moved, in: .state).isEmpty }) {
      try run.store()
      try run.edit { try MovedNeighbours(edits: $0).moveReachable() }
    }
    if hasLostZone { try MirroringSetup(mirrored: mirrored).makeSubscription() }
    if let failure { throw failure }
    run.later { try $0.setState(StateKey.database, "token", .string(changes.token)) }
  }

  // MARK: The database

  private struct DatabaseChanges {
    var modified: Set<ZoneLocation> = []
    var deleted: Set<ZoneLocation> = []
    /// The zones with reset encryption keys.
    var unreadable: Set<ZoneLocation> = []
    var token: String
  }

  private func databaseChanges() throws -> DatabaseChanges {
    let text = try mirrored.read { try $0.row(key: StateKey.database, in: .state)?.values["token"]?.string }
    let token = text.map { CKServerChangeToken(text: $0) }
    do {
      return try databaseChanges(since: token)
    } catch let error as CKError where error.code == .changeTokenExpired && token != nil {
      var changes = try databaseChanges(since: nil)
      // Without a token, earlier deletions of zones and their reasons are not reported: each known zone is fetched.
      changes.modified.formUnion(try mirrored.zones().map(\.location))
      return changes
    }
  }

  private func databaseChanges(since token: CKServerChangeToken?) throws -> DatabaseChanges {
    var changes = DatabaseChanges(token: "")
    var token = token
    while true {
      let since = token
      let page = try mirrored.cloud.wait { done in
        mirrored.database.fetchDatabaseChanges(since: since, completionHandler: done)
      }
      for zone in page.modifications.map({ ZoneLocation($0.zoneID) }) where RecordNames.isMirrored(zone: zone.zone) {
        changes.modified.insert(zone)
        changes.deleted.remove(zone)
      }
      for deletion in page.deletions where RecordNames.isMirrored(zone: deletion.zoneID.zoneName) {
        let zone = ZoneLocation(deletion.zoneID)
        if deletion.reason == .encryptedDataReset {
          changes.unreadable.insert(zone)
        } else {
          changes.deleted.insert(zone)
        }
        changes.modified.remove(zone)
      }
      token = page.changeToken
      changes.token = page.changeToken.text
      if !page.moreComing { return changes }
    }
  }

  // MARK: A zone

  private typealias Page = (
    modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
    deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
  )

  /// Fetches the changes of a zone.
  ///
  /// - Assumption: when a zone is fetched again completely because its token expired, records that it lacks count as
  ///   deleted since then, and their objects are removed. Reports say that Apple's mirroring sends them again.
  private mutating func fetch(_ zone: ZoneLocation) throws {
    try run.store()
    let entry = try mirrored.zone(zone)
    var token = entry?.token.map { CKServerChangeToken(text: $0) }
    var isWalkedAnew = entry?.isWalkedAnew ?? false
    /// The names of all records, if the zone is fetched completely.
    var names: Set<String> = []
    while true {
      let page: Page
      do {
        let since = token
        page = try mirrored.cloud.wait { done in
          mirrored.database.fetchRecordZoneChanges(
            inZoneWith: zone.zoneID, since: since, completionHandler: done)
        }
      } catch let error as CKError where error.code == .changeTokenExpired && token != nil {
        (token, isWalkedAnew, names) = (nil, !error.isKeyReset, [])
        if error.isKeyReset {
          // Another device has begun to send everything again.
          try restart(zone)
        } else {
          try run.edit { edits in try edits.editZone(zone) { ($0.token, $0.isWalkedAnew) = (nil, true) } }
        }
        continue
      } catch let error as CKError where [.zoneNotFound, .userDeletedZone].contains(error.code) {
        return try error.isKeyReset ? restart(zone) : remove(zone)
      }
      try mirrored.pass(.fetched)
      if zone == .private, try tellsOfLoss(page.deletions) { try fetchShareZones() }
      let content = try content(of: page)
      if isWalkedAnew { names.formUnion(page.modificationResultsByID.keys.map(\.recordName)) }
      let isLast = !page.moreComing
      let text = page.changeToken.text
      run.later { [unowned run, isWalkedAnew, names] edits in
        let pass = try run.importPass(edits)
        try content.apply(pass)
        if isWalkedAnew, isLast { try pass.removeAll(except: names, of: zone) }
        try edits.editZone(zone) { entry in
          entry.isMade = true
          // An interrupted complete fetch starts again: its token is stored only with the last page.
          if !isWalkedAnew || isLast { (entry.token, entry.isWalkedAnew) = (text, false) }
        }
      }
      if !isLast || content.movesObjects { try run.store() }
      if isLast { return }
      token = page.changeToken
    }
  }

  /// Whether the page deletes records that the store has entries for.
  private func tellsOfLoss(_ deletions: [CKDatabase.RecordZoneChange.Deletion]) throws -> Bool {
    if deletions.isEmpty { return false }
    return try mirrored.read { view in
      try deletions.contains { try view.row(key: RecordLocation($0.recordID).key, in: .records) != nil }
    }
  }

  /// Fetches the zones of shares once more: a record that was deleted in the private zone may have moved to one of them
  /// after the last request for the database's changes ([mirror-14]).
  private mutating func fetchShareZones() throws {
    for zone in try databaseChanges().modified.sorted() where zone.isOfShare { try fetch(zone) }
    try run.store()
  }

  private mutating func remove(_ zone: ZoneLocation) throws {
    hasLostZone = true
    try run.edit { try ZoneRemoval(pass: run.importPass($0)).remove(zone) }
    try mirrored.pass(.imported)
  }

  private mutating func restart(_ zone: ZoneLocation) throws {
    try run.edit { try ZoneRestart(pass: run.importPass($0)).restart(zone) }
    try mirrored.pass(.imported)
  }

  // MARK: A page

  private mutating func content(of page: Page) throws -> PageContent {
    var content = try PageContent(page.modificationResultsByID.mapValues { $0.map(\.record) }, of: mirrored)
    content.deletions = page.deletions.map { RecordLocation($0.recordID) }
    errors.merge(content.errors) { $1 }
    return content
  }
}

extension CKError {
  /// Whether the zone's records can no longer be read, because the encryption keys were reset.
  fileprivate var isKeyReset: Bool { userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool ?? false }
}

extension CKServerChangeToken {
  /// The token as `localcloud changes` prints it, and as the store's tables store it.
  fileprivate var text: String { String(decoding: data, as: UTF8.self) }

  fileprivate convenience init(text: String) { self.init(data: Data(text.utf8)) }
}
