import Foundation
import LocalCloudObjectStore
import LocalCloudStorage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Where tests stop a mirroring, as a kill would.
enum MirroringStep: Sendable, CaseIterable {
  /// Records have names, and are not sent yet.
  case assigned
  /// The cloud has answered, and the answer is not stored yet.
  case sent
  case stored
  case fetched
  case imported
  case zoneMade
  case shareMade
  case shared
  /// What was known of another person's cloud is gone; the objects are there still.
  case forgotten
}

/// A store and the database that it is mirrored to: what all parts of the mirroring need.
struct MirroredStore: Sendable {
  let store: ObjectStore
  let mapping: RecordMapping
  let scope: CKDatabase.Scope
  let cloud: BlockingCloud
  /// Called after each commit of the mirroring that changed objects or a share.
  let didCommit: @Sendable (StoreCommit) -> Void
  /// Called at each step. What it throws ends the mirroring at once.
  let step: (@Sendable (MirroringStep) throws -> Void)?

  var database: CKDatabase { cloud.container.database(with: scope) }

  func pass(_ step: MirroringStep) throws {
    do {
      try self.step?(step)
    } catch {
      throw MirroringStopped()
    }
  }

  /// One transaction of the mirroring. It is in the history if it changes objects. Throws ``MirroringStopped`` once the
  /// mirroring is stopped: the store may be removed from its coordinator.
  func edit<Result>(
    author: String = MirrorAuthor.import, _ body: (StoreEdits) throws -> Result
  ) throws -> Result {
    if cloud.isStopped { throw MirroringStopped() }
    let (result, commit) = try store.write { transaction in
      transaction.author = author
      let edits = StoreEdits(transaction)
      let result = try body(edits)
      try edits.finish()
      return (result, edits.objects.hasChanges || edits.changesShare)
    }
    if let commit, result.1 { didCommit(commit) }
    return result.0
  }

  func read<Result>(_ body: (StoreView) throws -> Result) throws -> Result { try store.read(body) }

  /// The account and the place that the store is mirrored for, as it says itself.
  func account() throws -> JSONObject? { try read { try $0.mirrorRow(key: StateKey.account, in: .state)?.values } }

  func zone(_ home: ZoneHome) throws -> ZoneEntry? {
    try read { ZoneEntry(try $0.mirrorRow(key: home.key, in: .zones)) }
  }

  /// The zones that the store knows of.
  func zones() throws -> [ZoneEntry] { try read { try $0.rows(prefix: "", in: .zones).compactMap { ZoneEntry($0) } } }

  /// The zones of which everything has to be fetched anew.
  func zonesToWalkAnew() throws -> [ZoneHome] { try zones().filter(\.isWalkedAnew).map(\.home) }

  /// Leaves no byte in the store's files of objects that went with their zone or their account ([mirror-20]). Where that
  /// is not possible now, the wish stays, and the next import or start tries again.
  func scrub() throws {
    func wish() throws -> JSONValue? { try read { try $0.mirrorRow(key: StateKey.scrub, in: .state)?.values["since"] } }
    guard let since = try wish() else { return }
    guard try store.scrub() else { return }
    // Something else may have gone meanwhile.
    try edit { if try $0.row(key: StateKey.scrub, in: .state)?.values["since"] == since { try $0.clearScrub() } }
  }

  /// The zone of that ID, as the store names it: a program may call its own user by name.
  func home(_ zoneID: CKRecordZone.ID) throws -> ZoneHome {
    ZoneHome(zoneID, ofAccount: try read { try $0.mirrorRow(key: StateKey.account, in: .state) })
  }

  /// What the store keeps of a record: its text and, of the public database, the user record name of whoever made it. That
  /// stays when somebody else signs in, so that nobody is kept as the current user there.
  func kept(_ record: CKRecord) throws -> (archive: String, creator: String?) {
    guard scope == .public else { return (RecordArchive.text(of: record), nil) }
    let isOwn = [record.creatorUserRecordID, record.lastModifiedUserRecordID].contains {
      $0?.recordName == CKCurrentUserDefaultName
    }
    guard isOwn else { return (RecordArchive.text(of: record), record.creatorUserRecordID?.recordName) }
    let user = try account()?["user"]?.string
    let named = record.renamingUsers { $0 == CKCurrentUserDefaultName ? user ?? $0 : $0 }
    let creator = named.creatorUserRecordID?.recordName
    return (RecordArchive.text(of: named), creator == CKCurrentUserDefaultName ? nil : creator)
  }

  /// What a record says of its object; nil if the model has none such. In the public database nobody moves records: who
  /// says so in a record of theirs gets no other's object by it.
  func imported(_ record: CKRecord) throws -> ImportedRecord? {
    guard var object = try ImportedRecord(record, mapping) else { return nil }
    (object.archive, object.creator) = try kept(record)
    if scope == .public { (object.receipt, object.unconfirmed) = (MoveReceipt(), MoveReceipt()) }
    return object
  }

  /// Fetches records as the cloud has them; `keys`: those whose values are wanted, nil for all.
  func records(
    _ recordIDs: [CKRecord.ID], keys: [CKRecord.FieldKey]? = nil
  ) throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
    try cloud.wait { done in
      database.fetch(withRecordIDs: recordIDs, desiredKeys: keys, completionHandler: done)
    }
  }

  /// Makes a zone in the cloud; returns it as the cloud names it.
  func makeZone(_ home: ZoneHome) throws -> ZoneHome {
    let zone: CKRecordZone = try cloud.value { done in
      database.save(CKRecordZone(zoneID: home.zoneID), completionHandler: done)
    }
    try pass(.zoneMade)
    return ZoneHome(zone.zoneID)
  }

  /// Makes the zone of what is not shared, if there is to be one and it is not known to be there.
  func ensurePrivateZone() throws {
    guard scope == .private, try zone(.private)?.isMade != true else { return }
    let made = try makeZone(.private)
    try edit { try $0.editZone(made) { $0.isMade = true } }
  }
}

extension StoreEdits {
  /// The entry of a zone, with those changes.
  func editZone(_ home: ZoneHome, _ change: (inout ZoneEntry) -> Void) throws {
    var entry =
      ZoneEntry(try row(key: home.key, in: .zones)) ?? ZoneEntry(number: transaction.newNumber(), home: home)
    change(&entry)
    put(entry.row, in: .zones)
  }

  /// A row of the table `state`; nil removes it.
  func setState(_ key: String, _ name: String, _ value: JSONValue?) throws {
    let known = try row(key: key, in: .state)
    guard let value else {
      if let known { remove(known.id, from: .state) }
      return
    }
    try setState(key, [name: value])
  }

  func setState(_ key: String, _ values: JSONObject) throws {
    let known = try row(key: key, in: .state)
    guard known?.values != values else { return }
    put(MirrorRow(id: known?.id ?? transaction.newNumber(), key: key, values: values), in: .state)
  }

  /// Notes that the files hold what must not stay in them, with the change that took it out of the store.
  func wantScrub() throws { try setState(StateKey.scrub, "since", .integer(transaction.newNumber())) }

  func clearScrub() throws { try setState(StateKey.scrub, "since", nil) }

  /// Whether an object is looked at by the next export, whatever the history says.
  func setPending(_ number: Int64, _ isPending: Bool) throws {
    if isPending { wantsExport = true }
    try setState(StateKey.pending(number), "object", isPending ? .integer(number) : nil)
  }
}
