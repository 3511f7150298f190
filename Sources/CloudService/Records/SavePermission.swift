import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Decides whether the caller may save or delete a record ([share-write-1], [record-public-1]).
struct SavePermission {
  private let change: ZoneChange
  private let policy: SavePolicy
  private let schema: Schema

  init(_ change: ZoneChange, _ policy: SavePolicy, _ schema: Schema) {
    (self.change, self.policy, self.schema) = (change, policy, schema)
  }

  func check(_ request: RecordSave, _ stored: StoredRecord?, _ plan: ModifyRecordsPlan) throws {
    switch change.address.role {
    case .owner: return
    case .publicUser: try checkPublic(request, stored)
    case .participant: if let access = change.access { try checkParticipant(request, stored, access, plan) }
    }
  }

  // MARK: The public database

  /// Checks the grants of the public database ([record-public-1] and following).
  ///
  /// - Assumption: a parent is `invalidArguments` there: hierarchies are for sharing.
  private func checkPublic(_ request: RecordSave, _ stored: StoredRecord?) throws {
    if request.type == Record.shareType {
      throw ServiceError.shareInPublicDatabase
    }
    let permission: SchemaRecordType.Permission = stored == nil ? .create : .write
    let type = stored?.type ?? request.type
    guard schema.allows(permission, type: type, to: change.account, change.caller, on: stored) else {
      throw ServiceError.notPermitted(permission.rawValue)
    }
    if case .set = request.parent {
      throw ServiceError.invalid("Record '\(request.id.name)' can't have a parent in the public database")
    }
  }

  /// Deleting a record needs the permission to write it.
  func mayDeletePublic(_ stored: StoredRecord) -> Bool {
    schema.allows(.write, type: stored.type, to: change.account, change.caller, on: stored)
  }

  // MARK: Participants

  /// Checks a participant's save ([share-write-1] to [share-write-3]).
  ///
  /// - Assumption: taking a record out of the shared tree is `permissionFailure`, and so is a parent that the
  ///   participant cannot see.
  private func checkParticipant(
    _ request: RecordSave, _ stored: StoredRecord?, _ access: ParticipantAccess, _ plan: ModifyRecordsPlan
  ) throws {
    if request.type == Record.shareType { return try checkShare(request, stored, access) }
    if access.isZoneWide {
      guard access.mayWrite(Record.zoneWideShareName) else {
        throw ServiceError.notPermitted(stored == nil ? "CREATE" : "WRITE")
      }
      return
    }
    let current = try stored == nil ? nil : change.before.share(of: request.id.name)
    let isVisible = access.mayRead(current)
    if isVisible, !access.mayWrite(current) { throw ServiceError.notPermitted("WRITE") }
    if !isVisible {
      // The participant gets the same error whether or not the record exists. Only a save that would create the record
      // reveals that its name is taken.
      if request.changeTag != nil, policy == .ifServerRecordUnchanged {
        throw ServiceError.unknownItem(request.id.name)
      }
      if stored != nil { throw ServiceError.notPermitted("CREATE") }
    }
    switch request.parent {
    case .keep:
      if stored == nil { throw ServiceError.notPermitted("CREATE") }
    case .clear:
      // Only a record without a parent may be saved without one. Only the owner may change the parent of a shared root,
      // as it is outside the share; any other record without its parent would leave the shared tree.
      guard let stored else { throw ServiceError.notPermitted("CREATE") }
      if stored.parent != nil { throw ServiceError.notPermitted("WRITE") }
    case .set(let parent, _):
      if stored?.share != nil, stored?.parent == parent { return }
      let target = try share(ofParent: parent, of: request.id.name, plan)
      guard access.mayWrite(target), current == nil || current == target else {
        throw ServiceError.notPermitted(stored == nil ? "CREATE" : "WRITE")
      }
    }
  }

  private func checkShare(_ request: RecordSave, _ stored: StoredRecord?, _ access: ParticipantAccess) throws {
    guard let stored, access.mayRead(stored.name) else { throw ServiceError.notPermitted("CREATE") }
    let keepsParent = request.parent == .keep || request.parent == .clear && stored.parent == nil
    // Participants other than administrators may change the list only to leave. The review of the list checks that.
    let isInReach = access.managed.contains(stored.name) || request.share != nil && request.fields.isEmpty
    guard isInReach, keepsParent else { throw ServiceError.notPermitted("WRITE") }
  }

  /// The share that the parent is in. The parent may be a new record of the same batch.
  private func share(
    ofParent parent: ExactName, of child: ExactName, _ plan: ModifyRecordsPlan
  ) throws -> ExactName? {
    var passed: Set<ExactName> = [child]
    var next = parent
    while true {
      if let share = try change.before.share(of: next) { return share }
      // An existing record in no share stays outside: this batch can't move it into one.
      guard let index = plan.indexes[next], passed.insert(next).inserted,
        case .set(let above, _) = plan.requests[index].parent, try change.transaction.view.record(next) == nil
      else { return nil }
      next = above
    }
  }
}
