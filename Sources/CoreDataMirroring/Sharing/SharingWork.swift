import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudPlatform

/// Operations on the shares of a store: to create, change, accept and delete them.
struct SharingWork {
  let mirrored: MirroredStore

  // MARK: Sharing objects

  /// Assigns the objects, and all that can be reached from them, to the zone of a share; all or nothing ([mirror-14]).
  ///
  /// - Assumption: objects that were shared once, and are shared again after their share was ended, stay in their zone
  ///   if the zone holds the same objects and no others.
  func share(_ ids: [RowID], to share: CKShare?) throws -> (Set<RowID>, CKShare) {
    if mirrored.scope == .shared, share == nil {
      throw MirroringError.refused("Objects of others can't be shared: there has to be a share of this store.")
    }
    if let share {
      let zone = try mirrored.location(share.recordID.zoneID)
      try requireOpen(zone)
      let reached = try mirrored.edit { try move(ids, to: zone, $0) }
      try mirrored.pass(.shared)
      return (reached, share)
    }
    // Checked first: a request that is refused creates nothing in the cloud.
    let reused: ZoneLocation? = try mirrored.read { view in
      let reached = try check(ids, in: view, target: nil)
      return try zone(ofExactly: reached, in: view)
    }
    if let reused {
      let saved = try save(CKShare(recordZoneID: reused.zoneID))
      return (try assign(ids, to: reused, of: saved), saved)
    }
    let new = ZoneLocation(zone: RecordNames.shareZonePrefix + RecordAssignment.newName())
    let unfinished = UnfinishedShare(mirrored: mirrored, zone: new)
    try unfinished.begin()
    do {
      let made = try mirrored.makeZone(new)
      let saved = try save(CKShare(recordZoneID: made.zoneID))
      try mirrored.pass(.shareMade)
      return (try assign(ids, to: made, of: saved), saved)
    } catch let error where !(error is MirroringStopped) {
      // If the cloud can't be reached, the next setup deletes the zone.
      try? unfinished.undo()
      throw error
    }
  }

  /// Throws unless the store has the share of the zone, and the user may write to it.
  private func requireOpen(_ zone: ZoneLocation) throws {
    guard let share = try mirrored.zone(zone)?.shareRecord else {
      throw MirroringError.refused("The store has no share in the zone '\(zone.zone)'.")
    }
    if mirrored.scope == .shared, share.currentUserParticipant?.permission != .readWrite {
      throw MirroringError.refused("The share in the zone '\(zone.zone)' may only be read.")
    }
  }

  /// Stores a new share and assigns the objects to its zone, in one transaction.
  private func assign(_ ids: [RowID], to zone: ZoneLocation, of share: CKShare) throws -> Set<RowID> {
    let archive = RecordArchive.text(of: share)
    let reached = try mirrored.edit { edits in
      edits.changesShare = true
      try edits.editZone(zone) { ($0.share, $0.isMade) = (archive, true) }
      try UnfinishedShare(mirrored: mirrored, zone: zone).end(edits)
      return try move(ids, to: zone, edits)
    }
    try mirrored.pass(.shared)
    return reached
  }

  private func move(_ ids: [RowID], to zone: ZoneLocation, _ edits: StoreTransaction) throws -> Set<RowID> {
    let reached = try check(ids, in: edits, target: zone)
    let assignment = RecordAssignment(edits: edits, scope: mirrored.scope)
    let move = ObjectMove(edits: edits, zone: zone)
    for id in reached.sorted() { try move.move(id, assignment) }
    return reached
  }

  /// The objects and all that can be reached from them. Throws if one of them can't be shared.
  ///
  /// - Assumption: objects that are in the share's zone already may be named again, and stay there. Apple says that
  ///   objects that are shared already are refused, and reports show it for those of another share.
  private func check(_ ids: [RowID], in view: StoreView, target: ZoneLocation?) throws -> Set<RowID> {
    for id in ids where try !view.exists(id) {
      throw MirroringError.refused("Objects have to be saved before they are shared.")
    }
    let reached = try GraphWalk(view: view).reached(from: ids)
    for id in reached {
      guard let zone = try view.record(of: id)?.location.zone, zone != target,
        zone != .private
      else { continue }
      // The zone of an ended share holds objects that may be shared again.
      let isShared = try ZoneEntry(view.row(key: zone.key, in: .zones))?.share != nil
      if isShared || mirrored.scope == .shared {
        throw MirroringError.refused(
          "An object of '\(view.schema.entities[Int(id.entity)].name)' already belongs to another share.")
      }
    }
    return reached
  }

  /// The zone without a share that holds exactly those objects; nil if there is none.
  private func zone(ofExactly reached: Set<RowID>, in view: StoreView) throws -> ZoneLocation? {
    guard let first = reached.first,
      let zone = try view.record(of: first)?.location.zone, zone != .private
    else { return nil }
    let members = try view.rows(prefix: zone.key + "|", in: .records).flatMap(\.objects)
    return Set(members) == reached ? zone : nil
  }

  // MARK: Shares

  private func save(_ share: CKShare) throws -> CKShare {
    let saved: CKRecord = try mirrored.cloud.value { mirrored.database.save(share, completionHandler: $0) }
    guard let saved = saved as? CKShare else { throw CKError(.internalError) }
    return saved
  }

  private func store(_ share: CKShare) throws {
    let archive = RecordArchive.text(of: share)
    let zone = try mirrored.location(share.recordID.zoneID)
    try mirrored.edit { edits in
      edits.changesShare = true
      try edits.editZone(zone) { ($0.share, $0.isMade) = (archive, true) }
    }
  }

  private func requireMirrored(_ zone: ZoneLocation) throws {
    guard RecordNames.isMirrored(zone: zone.zone) else {
      throw MirroringError.refused("The zone '\(zone.zone)' is not one of those that the store mirrors.")
    }
  }

  /// Saves a changed share in the cloud, then in the store. If the cloud's share has changed since then, for example
  /// because a participant accepted it, the program's changes are applied to the cloud's version.
  func persist(_ share: CKShare) throws -> CKShare {
    let zone = try mirrored.location(share.recordID.zoneID)
    try requireMirrored(zone)
    let saved: CKShare
    do {
      saved = try save(share)
    } catch let error as CKError where error.code == .serverRecordChanged {
      guard let current = error.serverRecord as? CKShare,
        let base = try error.ancestorRecord as? CKShare ?? mirrored.zone(zone)?.shareRecord,
        ShareRebase(changed: share, base: base).apply(to: current)
      else { throw error }
      saved = try save(current)
    }
    try store(saved)
    return saved
  }

  /// Accepts invitations; returns the accepted ones, and the first error of the others.
  func accept(_ metadatas: [CKShare.Metadata]) throws -> (accepted: [CKShare.Metadata], failure: (any Error)?) {
    guard mirrored.scope == .shared else {
      throw MirroringError.refused("Invitations are accepted into a store of the shared database.")
    }
    for metadata in metadatas {
      let recordID = metadata.share.recordID
      try requireMirrored(ZoneLocation(recordID.zoneID))
      guard recordID.recordName == CKRecordNameZoneWideShare else {
        throw MirroringError.refused("Only shares of whole zones are accepted into a store.")
      }
    }
    let results = try mirrored.cloud.wait { mirrored.cloud.container.accept(metadatas, completionHandler: $0) }
    var accepted: [CKShare.Metadata] = []
    var failure: (any Error)?
    for metadata in metadatas {
      switch results[metadata] ?? .failure(CKError(.internalError)) {
      case .success: accepted.append(metadata)
      case .failure(let error): failure = failure ?? error
      }
    }
    return (accepted, failure)
  }

  /// Looks up participants. Throws if an info matches no user: the error of a single info, or one error for all
  /// failures.
  func participants(_ infos: [CKUserIdentity.LookupInfo]) throws -> [CKShare.Participant] {
    let found = ThreadCondition<[CKShare.Participant]>([])
    let failures = ThreadCondition<[(info: CKUserIdentity.LookupInfo, error: any Error)]>([])
    try mirrored.cloud.wait { (done: @escaping @Sendable (Result<Void, any Error>) -> Void) in
      let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
      operation.perShareParticipantResultBlock = { info, result in
        switch result {
        case .success(let participant): found.change { $0.append(participant) }
        case .failure(let error): failures.change { $0.append((info, error)) }
        }
      }
      operation.fetchShareParticipantsResultBlock = done
      mirrored.cloud.container.add(operation)
    }
    let failed = failures.change { $0 }
    if infos.count == 1, let error = failed.first?.error { throw error }
    if !failed.isEmpty {
      throw MirroringError.partial("Failed to find some people", failed.map { ($0.info, $0.error) })
    }
    return found.change { $0 }
  }

  /// Deletes a zone in the cloud, or leaves the share of another owner's zone, and removes its objects from the store.
  /// Ignores a zone that can't be in the store's database: it belongs to another store.
  func purge(_ zoneID: CKRecordZone.ID) throws {
    let zone = try mirrored.location(zoneID)
    try requireMirrored(zone)
    guard (zone.owner == ZoneLocation.ownOwner) == (mirrored.scope == .private) else { return }
    // If the zone was deleted before, its objects are still removed from the store.
    try mirrored.deleteZone(zone)
    try mirrored.edit { edits in
      if zone == .private { try assignUnsent(edits) }
      try ZoneRemoval(pass: ImportPass(edits, mirrored.mapping)).remove(zone, withUnsent: true)
    }
  }

  /// Assigns unsent objects to the zone that an export would choose: they are removed or stay with that zone.
  private func assignUnsent(_ edits: StoreTransaction) throws {
    let assignment = RecordAssignment(edits: edits, scope: mirrored.scope)
    for id in try ExportCandidates(edits).present {
      do { _ = try assignment.entry(of: id) } catch  where MirroringError.isOfGraph(error) {}
    }
  }
}
