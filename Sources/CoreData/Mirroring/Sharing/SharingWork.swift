import Foundation
import ObjectStore
import Platform

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Shares of a store: making them, and what is done to them in the cloud.
struct SharingWork {
  let mirrored: MirroredStore

  // MARK: Sharing objects

  /// Assigns the objects, and all that can be reached from them, to the zone of a share; all or nothing ([mirror-14]).
  ///
  /// - Assumption: what was shared once and is shared again, after its share was ended, keeps its zone if the zone holds
  ///   the same objects and no others.
  func share(_ ids: [RowID], to share: CKShare?) throws -> (Set<RowID>, CKShare) {
    if mirrored.scope == .shared, share == nil {
      throw MirroringError.refused("Objects of others can't be shared: there has to be a share of this store.")
    }
    if let share {
      let zone = ZoneHome(share.recordID.zoneID)
      guard try mirrored.zone(zone) != nil else {
        throw MirroringError.refused("The store has no share in the zone '\(zone.zone)'.")
      }
      return (try move(ids, to: zone), share)
    }
    // What can't be shared leaves nothing in the cloud.
    let reused: ZoneHome? = try mirrored.read { view in
      let reached = try check(ids, in: view, target: nil)
      return try zone(ofExactly: reached, in: view)
    }
    let name = RecordNames.shareZonePrefix + RecordAssignment.newName()
    let made = try reused ?? mirrored.makeZone(ZoneHome(zone: name))
    let saved = try save(CKShare(recordZoneID: made.zoneID))
    try mirrored.pass(.shareMade)
    try keep(saved)
    return (try move(ids, to: made), saved)
  }

  private func move(_ ids: [RowID], to zone: ZoneHome) throws -> Set<RowID> {
    let reached = try mirrored.edit { edits in
      let reached = try check(ids, in: edits.transaction, target: zone)
      let assignment = RecordAssignment(edits: edits, scope: mirrored.scope)
      let move = ObjectMove(edits: edits, zone: zone)
      for id in reached.sorted() { try move.move(id, assignment) }
      return reached
    }
    try mirrored.pass(.shared)
    return reached
  }

  /// The objects and all that they reach. Throws if one of them can't be shared.
  private func check(_ ids: [RowID], in view: StoreView, target: ZoneHome?) throws -> Set<RowID> {
    for id in ids where try view.version(of: id) == nil {
      throw MirroringError.refused("Objects have to be saved before they are shared.")
    }
    let reached = try GraphWalk(view: view).reached(from: ids)
    for id in reached {
      guard let zone = RecordEntry(try view.mirrorRow(id.number, in: .records))?.home.zone, zone != target,
        zone != .private
      else { continue }
      // A zone whose share was ended holds objects that may be shared again.
      let isShared = try ZoneEntry(view.mirrorRow(key: zone.key, in: .zones))?.share != nil
      if isShared || mirrored.scope == .shared {
        throw MirroringError.refused(
          "An object of '\(view.schema.entities[Int(id.entity)].name)' already belongs to another share.")
      }
    }
    return reached
  }

  /// The zone, without a share, that holds those objects and no others.
  private func zone(ofExactly reached: Set<RowID>, in view: StoreView) throws -> ZoneHome? {
    guard let first = reached.first,
      let zone = RecordEntry(try view.mirrorRow(first.number, in: .records))?.home.zone, zone != .private
    else { return nil }
    var numbers: Set<Int64> = []
    try view.forEachMirrorRow(keyPrefix: zone.key + "|", in: .records) { row in
      numbers.insert(row.id)
      return true
    }
    return numbers == Set(reached.map(\.number)) ? zone : nil
  }

  // MARK: Shares

  private func save(_ share: CKShare) throws -> CKShare {
    let saved: CKRecord = try mirrored.cloud.value { mirrored.database.save(share, completionHandler: $0) }
    guard let saved = saved as? CKShare else { throw CKError(.internalError) }
    return saved
  }

  private func keep(_ share: CKShare) throws {
    let archive = RecordArchive.text(of: share)
    try mirrored.edit { edits in
      edits.changesShare = true
      try edits.editZone(ZoneHome(share.recordID.zoneID)) { ($0.share, $0.isMade) = (archive, true) }
    }
  }

  /// Saves a changed share in the cloud, then in the store.
  func persist(_ share: CKShare) throws -> CKShare {
    let zone = ZoneHome(share.recordID.zoneID)
    guard RecordNames.isMirrored(zone: zone.zone) else {
      throw MirroringError.refused("The share is in the zone '\(zone.zone)', which the store does not mirror.")
    }
    let saved = try save(share)
    try keep(saved)
    return saved
  }

  func accept(_ metadatas: [CKShare.Metadata]) throws -> [CKShare.Metadata] {
    guard mirrored.scope == .shared else {
      throw MirroringError.refused("Invitations are accepted into a store of the shared database.")
    }
    let results = try mirrored.cloud.wait { mirrored.cloud.container.accept(metadatas, completionHandler: $0) }
    return try metadatas.map { metadata in
      _ = try results[metadata]?.get()
      return metadata
    }
  }

  func participants(_ infos: [CKUserIdentity.LookupInfo]) throws -> [CKShare.Participant] {
    let found = Condition<[CKShare.Participant]>([])
    try mirrored.cloud.wait { (done: @escaping @Sendable (Result<Void, any Error>) -> Void) in
      let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
      operation.perShareParticipantResultBlock = { _, result in
        if let participant = try? result.get() { found.change { $0.append(participant) } }
      }
      operation.fetchShareParticipantsResultBlock = done
      mirrored.cloud.container.add(operation)
    }
    return found.change { $0 }
  }

  /// Deletes a zone in the cloud, which for somebody else's means leaving its share, and what the store has of it.
  func purge(_ zone: ZoneHome) throws {
    do {
      let _: CKRecordZone.ID = try mirrored.cloud.value { done in
        mirrored.database.delete(withRecordZoneID: zone.zoneID, completionHandler: done)
      }
    } catch let error as CKError where error.code == .zoneNotFound {
      // It is gone already; what the store has of it goes as well.
    }
    try mirrored.edit { try ZoneRemoval(pass: ImportPass($0, mirrored.mapping)).remove(zone, withUnsent: true) }
    try? mirrored.scrub()
  }
}
