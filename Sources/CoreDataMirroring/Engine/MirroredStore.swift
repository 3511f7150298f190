import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudStorage

/// The steps where tests stop a mirroring, as if the process were killed.
package enum MirroringStep: Sendable, CaseIterable {
  /// The records have names, but are not sent yet.
  case assigned
  /// The cloud has answered, and the answer is not stored yet.
  case sent
  case stored
  case fetched
  case imported
  case zoneMade
  case shareMade
  case shared
  /// The mirroring rows of the previous account or container are deleted. The objects may still exist.
  case forgotten
}

/// A store and the database that it is mirrored to. All parts of the mirroring use this value.
struct MirroredStore: Sendable {
  let store: ObjectStore
  let mapping: RecordMapping
  let scope: CKDatabase.Scope
  let cloud: BlockingCloud
  /// Called after each commit of the mirroring that changed objects or a share.
  let didCommit: @Sendable (StoreCommit) -> Void
  /// Returns an error of the store in the form that events report.
  let reportedError: @Sendable (ObjectStoreError) -> any Error
  /// Called at each step. An error that it throws ends the mirroring at once.
  let step: (@Sendable (MirroringStep) throws -> Void)?

  var database: CKDatabase { cloud.container.database(with: scope) }

  func pass(_ step: MirroringStep) throws {
    do {
      try self.step?(step)
    } catch {
      throw MirroringStopped()
    }
  }

  /// Runs one transaction of the mirroring. The transaction is in the history if it changes objects.
  ///
  /// - Throws: ``MirroringStopped`` once the mirroring is stopped: the store may then be removed from its coordinator.
  func edit<Result>(
    author: String = MirrorAuthor.import, _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    if cloud.isStopped { throw MirroringStopped() }
    let (result, commit) = try store.write { transaction in
      transaction.author = author
      return (try body(transaction), transaction.changesShare)
    }
    if let commit, !commit.isEmpty || result.1 { didCommit(commit) }
    return result.0
  }

  func read<Result>(_ body: (StoreView) throws -> Result) throws -> Result { try store.read(body) }

  /// The account that the store is mirrored for, as stored in the store; nil before the first setup.
  func account() throws -> MirroredAccount? {
    try read { MirroredAccount(try $0.row(key: StateKey.account, in: .state)) }
  }

  func zone(_ location: ZoneLocation) throws -> ZoneEntry? {
    try read { ZoneEntry(try $0.row(key: location.key, in: .zones)) }
  }

  /// The zones that have an entry in the store.
  func zones() throws -> [ZoneEntry] { try read { try $0.rows(prefix: "", in: .zones).compactMap { ZoneEntry($0) } } }

  /// The zones that the next import fetches again completely.
  func zonesToWalkAnew() throws -> [ZoneLocation] { try zones().filter(\.isWalkedAnew).map(\.location) }

  /// The request for an erasure that has not finished; nil if there is none.
  func pendingErasure() throws -> JSONValue? {
    try read { try $0.row(key: StateKey.erasure, in: .state)?.values["since"] }
  }

  /// Erases objects that were deleted with their zone or account from the store's files ([mirror-20]). If the erasure
  /// cannot finish now, the next import or start retries it.
  func eraseDeletedObjects() throws {
    guard let since = try pendingErasure() else { return }
    guard try store.scrub() else { return }
    // Another transaction may have requested an erasure since then.
    try edit { if try $0.row(key: StateKey.erasure, in: .state)?.values["since"] == since { try $0.clearErasure() } }
  }

  /// The zone with this ID, as the store names it. A program may name its own user as the zone's owner by record name.
  func location(_ zoneID: CKRecordZone.ID) throws -> ZoneLocation {
    ZoneLocation(zoneID, ofAccount: try account())
  }

  /// Returns the text to store for a record and, in the public database, the user record name of its creator. There
  /// both have the user's actual name instead of `CKCurrentUserDefaultName`, because another account may sign in later.
  func archived(_ record: CKRecord) throws -> (archive: String, creator: String?) {
    guard scope == .public else { return (RecordArchive.text(of: record), nil) }
    let isOwn = [record.creatorUserRecordID, record.lastModifiedUserRecordID].contains {
      $0?.recordName == CKCurrentUserDefaultName
    }
    guard isOwn else { return (RecordArchive.text(of: record), record.creatorUserRecordID?.recordName) }
    let user = try account()?.user
    let named = record.renamingUsers { $0 == CKCurrentUserDefaultName ? user ?? $0 : $0 }
    let creator = named.creatorUserRecordID?.recordName
    return (RecordArchive.text(of: named), creator == CKCurrentUserDefaultName ? nil : creator)
  }

  /// Converts a record to the values of its object; nil if the model has no entity for it. Records do not move in the
  /// public database. Their move receipts are ignored, so that no user gains another user's object with a forged
  /// receipt.
  func imported(_ record: CKRecord) throws -> ImportedObject? {
    guard var object = try ImportedObject(record, mapping) else { return nil }
    (object.archive, object.creator) = try archived(record)
    if scope == .public { (object.receipt, object.unconfirmed) = (MoveReceipt(), MoveReceipt()) }
    return object
  }

  /// Fetches records from the cloud. `keys`: the fields to fetch; nil for all.
  func records(
    _ recordIDs: [CKRecord.ID], keys: [CKRecord.FieldKey]? = nil
  ) throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
    try cloud.wait { done in
      database.fetch(withRecordIDs: recordIDs, desiredKeys: keys, completionHandler: done)
    }
  }

  /// Creates a zone in the cloud; returns it with the name that the cloud reports.
  func makeZone(_ location: ZoneLocation) throws -> ZoneLocation {
    let zone: CKRecordZone = try cloud.value { done in
      database.save(CKRecordZone(zoneID: location.zoneID), completionHandler: done)
    }
    try pass(.zoneMade)
    return ZoneLocation(zone.zoneID)
  }

  /// Deletes a zone in the cloud, unless it is deleted already.
  func deleteZone(_ location: ZoneLocation) throws {
    do {
      let _: CKRecordZone.ID = try cloud.value { done in
        database.delete(withRecordZoneID: location.zoneID, completionHandler: done)
      }
    } catch let error as CKError where error.code == .zoneNotFound {}
  }

  /// Creates the zone for objects that are not shared, in the private database only, unless the store knows that it
  /// exists.
  func ensurePrivateZone() throws {
    guard scope == .private, try zone(.private)?.isMade != true else { return }
    let made = try makeZone(.private)
    try edit { try $0.editZone(made) { $0.isMade = true } }
  }
}

extension StoreTransaction {
  /// Changes the entry of a zone; creates the entry if there is none.
  func editZone(_ location: ZoneLocation, _ change: (inout ZoneEntry) -> Void) throws {
    var entry =
      ZoneEntry(try row(key: location.key, in: .zones))
      ?? ZoneEntry(number: newNumber(), location: location)
    change(&entry)
    put(entry.row, in: .zones)
  }

  /// Sets a row of the table `state`; nil removes the row.
  func setState(_ key: String, _ name: String, _ value: JSONValue?) throws {
    let known = try row(key: key, in: .state)
    guard let value else {
      if let known { remove(known.id, from: .state) }
      return
    }
    try setState(key, [name: value])
  }

  func setState(_ key: String, _ values: JSONObject, of objects: [RowID] = []) throws {
    let known = try row(key: key, in: .state)
    guard known?.values != values else { return }
    put(MirrorRow(id: known?.id ?? newNumber(), key: key, objects: objects, values: values), in: .state)
  }

  func setAccount(_ account: MirroredAccount) throws { try setState(StateKey.account, account.values) }

  /// Requests that deleted objects are erased from the files, in the same transaction that deletes them.
  func requestErasure() throws { try setState(StateKey.erasure, "since", .integer(newNumber())) }

  func clearErasure() throws { try setState(StateKey.erasure, "since", nil) }

  /// Sets whether the next export examines an object, regardless of the history.
  func setPending(_ id: RowID, _ isPending: Bool) throws {
    let key = StateKey.pending(id)
    if !isPending { return try setState(key, "object", nil) }
    wantsExport = true
    try setState(key, ["object": .integer(id.number)], of: [id])
  }
}
