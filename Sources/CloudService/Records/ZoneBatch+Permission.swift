import CloudModel
import CloudStore
import Storage

/// Who may save what ([share-write-1], [record-public-1]).
extension ZoneBatch {
  func checkPermission(_ request: RecordSave, _ stored: StoredRecord?) throws {
    switch address.role {
    case .owner:
      return
    case .publicUser:
      try checkPublic(request, stored)
    case .participant:
      try checkParticipant(request, stored)
    }
  }

  /// What participants may save ([share-write-1] to [share-write-3]).
  ///
  /// - Assumption: taking a record out of the shared tree is `permissionFailure`, and so is a parent that the
  ///   participant cannot see.
  private func checkParticipant(_ request: RecordSave, _ stored: StoredRecord?) throws {
    guard let access else { return }
    if request.type == Record.shareType {
      guard let stored, access.mayRead(stored.name) else { throw ServiceError.notPermitted("CREATE") }
      let keepsParent = request.parent == .keep || request.parent == .clear && stored.parent == nil
      // All but administrators may only leave by the list, which is checked with the list.
      let isInReach = access.managed.contains(stored.name) || request.share != nil && request.fields.isEmpty
      guard isInReach, keepsParent else { throw ServiceError.notPermitted("WRITE") }
      return
    }
    if access.isZoneWide {
      guard access.mayWrite(Record.zoneWideShareName) else {
        throw ServiceError.notPermitted(stored == nil ? "CREATE" : "WRITE")
      }
      return
    }
    let current = try stored == nil ? nil : before.share(of: request.id.name)
    let isVisible = access.mayRead(current)
    if isVisible, !access.mayWrite(current) { throw ServiceError.notPermitted("WRITE") }
    if !isVisible {
      // Whether it is there or not, the person is told the same: but its name is taken.
      if request.changeTag != nil, policy == .ifServerRecordUnchanged {
        throw ServiceError.unknownItem(request.id.name)
      }
      if stored != nil { throw ServiceError.notPermitted("CREATE") }
    }
    switch request.parent {
    case .keep:
      if stored == nil { throw ServiceError.notPermitted("CREATE") }
    case .clear:
      // A root may have none; where it hangs outside is its owner's business. Everybody else would leave the tree.
      guard let stored else { throw ServiceError.notPermitted("CREATE") }
      if stored.parent != nil { throw ServiceError.notPermitted("WRITE") }
    case .set(let parent, _):
      if stored?.share != nil, stored?.parent == parent { return }
      let target = try participantShare(ofParent: parent, of: request.id.name)
      guard access.mayWrite(target), current == nil || current == target else {
        throw ServiceError.notPermitted(stored == nil ? "CREATE" : "WRITE")
      }
    }
  }

  /// The share that a parent is in, where the parent may be new in the same batch.
  private func participantShare(ofParent parent: ExactName, of child: ExactName) throws -> ExactName? {
    var passed: Set<ExactName> = [child]
    var next = parent
    while true {
      if let share = try before.share(of: next) { return share }
      // A record that is there, but in no share, stays where it is: this batch may not move it.
      guard let place = places[next], passed.insert(next).inserted, case .set(let above, _) = requests[place].parent,
        try transaction.view.record(next) == nil
      else { return nil }
      next = above
    }
  }
}
