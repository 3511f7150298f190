import CloudModel
import CloudStore
import Storage

/// Looks at what is to be deleted: what that means for the caller, whether they may, and whether anything depends on it.
/// To be asked once the transaction has the saves.
struct DeletionReview {
  typealias Delete = ModifyRecordsPlan.Delete

  let change: ZoneChange
  let permission: SavePermission

  private var transaction: ZoneTransaction { change.transaction }

  func reviewed(_ deletes: [Delete]) throws -> [Delete] {
    var deletes = deletes
    for place in deletes.indices { try prepare(&deletes[place]) }
    if change.address.role == .participant { try checkReach(&deletes) }
    try checkDependants(&deletes)
    return deletes
  }

  /// What a deletion means for this caller, and whether it may be.
  ///
  /// - Assumption: whoever may write may delete any record but the root, whoever made it; a sample of Apple's lets
  ///   people delete only what they added.
  private func prepare(_ delete: inout Delete) throws {
    guard let stored = try transaction.record(delete.name) else { return }
    delete.effect = .delete
    switch change.address.role {
    case .owner:
      break
    case .publicUser:
      if !permission.mayDeletePublic(stored) { delete.result = .failure(.notPermitted("WRITE")) }
    case .participant:
      guard let access = change.access else { break }
      let share = try change.before.share(of: delete.name)
      if !access.mayRead(share) {
        delete.effect = .nothing
      } else if let left = stored.type == Record.shareType ? delete.name : stored.share {
        delete.effect = .leave(left)
      } else if !access.mayWrite(share) {
        delete.result = .failure(.notPermitted("WRITE"))
      }
    }
    if stored.type == Record.userType { delete.result = .failure(.notPermitted("WRITE")) }
  }

  /// How far a participant's deletions may go.
  private func checkReach(_ deletes: inout [Delete]) throws {
    // Whoever leaves a share in the same batch has no access to its records any more ([share-leave-3]).
    for place in deletes.indices where deletes[place].effect == .delete {
      let share = try change.before.share(of: deletes[place].name)
      if let share, deletes.contains(where: { $0.effect == .leave(share) }) {
        deletes[place].result = .failure(.notPermitted("WRITE"))
      }
    }
    // Roots and shares are the owner's; they must not be reached by way of references either.
    for place in deletes.indices where deletes[place].effect == .delete && !deletes[place].result.isFailure {
      let reached = try change.removal.closure(of: [deletes[place].name]).compactMap { try transaction.record($0) }
      if reached.contains(where: { $0.share != nil || $0.type == Record.shareType }) {
        deletes[place].result = .failure(.notPermitted("WRITE"))
      }
    }
  }

  /// A parent goes only together with its children ([record-parent-4]), and what is validated with those that refer to it;
  /// those that `deleteSelf` references take along count.
  private func checkDependants(_ deletes: inout [Delete]) throws {
    while true {
      let closures = try deletes.map { delete in
        try delete.result.isFailure || delete.effect != .delete ? [] : change.removal.closure(of: [delete.name])
      }
      let all = closures.reduce(into: Set<ExactName>()) { $0.formUnion($1) }
      var isSettled = true
      for (place, closure) in closures.enumerated() {
        guard let reason = try reasonToStay(closure, without: all) else { continue }
        deletes[place].result = .failure(
          ServiceError(
            .referenceViolation, "Record '\(deletes[place].name)' can't be deleted: \(reason)", internalCode: 2025))
        isSettled = false
      }
      if isSettled { return }
    }
  }

  private func reasonToStay(_ closure: [ExactName], without all: Set<ExactName>) throws -> String? {
    for name in closure {
      for (dependants, how) in [
        (try transaction.children(of: name), "has it as parent"),
        (try transaction.validators(of: name), "has a validating reference to it"),
      ] {
        guard let dependant = dependants.first(where: { !all.contains($0) }) else { continue }
        // Records that the person doesn't see may go with it; they are not named to them.
        return try change.access?.shows(dependant, transaction) ?? true
          ? "record '\(dependant)' \(how)" : "others depend on it"
      }
    }
    return nil
  }
}
