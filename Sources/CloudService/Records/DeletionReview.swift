import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Reviews the deletions: their effect for the caller, the caller's permission, and records that depend on the deleted
/// ones. Call it after the saves are in the transaction.
struct DeletionReview {
  typealias Delete = ModifyRecordsPlan.Delete

  let change: ZoneChange
  let permission: SavePermission
  let faults: RequestFaults

  private var transaction: ZoneTransaction { change.transaction }

  func reviewed(_ deletes: [Delete]) throws -> [Delete] {
    var deletes = deletes
    for index in deletes.indices { try prepare(&deletes[index]) }
    if change.address.role == .participant { try checkReach(&deletes) }
    try checkDependants(&deletes)
    return deletes
  }

  /// Sets the effect of a deletion for this caller, and refuses it if the caller may not delete the record.
  ///
  /// - Assumption: participants with write access may delete any record but the root, with any creator; a sample of
  ///   Apple's lets people delete only their own additions.
  private func prepare(_ delete: inout Delete) throws {
    if let fault = faults.error(of: RecordIdentifier(name: delete.name, zone: change.address.identifier)) {
      delete.result = .failure(fault)
      return
    }
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

  /// Refuses deletions that a participant may not make.
  private func checkReach(_ deletes: inout [Delete]) throws {
    // A participant that leaves a share in the same batch no longer has access to its records ([share-leave-3]).
    for index in deletes.indices where deletes[index].effect == .delete {
      let share = try change.before.share(of: deletes[index].name)
      if let share, deletes.contains(where: { $0.effect == .leave(share) }) {
        deletes[index].result = .failure(.notPermitted("WRITE"))
      }
    }
    // Only the owner may delete roots and shares, so a participant's deletion must not reach them through references
    // either.
    for index in deletes.indices where deletes[index].effect == .delete && !deletes[index].result.isFailure {
      let reached = try change.removal.closure(of: [deletes[index].name]).compactMap { try transaction.record($0) }
      if reached.contains(where: { $0.share != nil || $0.type == Record.shareType }) {
        deletes[index].result = .failure(.notPermitted("WRITE"))
      }
    }
  }

  /// Refuses to delete a parent without its children ([record-parent-4]), and a validated target without the records
  /// that refer to it. Records that would be deleted through `deleteSelf` references are checked as well, and count as
  /// deleted.
  private func checkDependants(_ deletes: inout [Delete]) throws {
    while true {
      let closures = try deletes.map { delete in
        try delete.result.isFailure || delete.effect != .delete ? [] : change.removal.closure(of: [delete.name])
      }
      let all = closures.reduce(into: Set<ExactName>()) { $0.formUnion($1) }
      var isStable = true
      for (index, closure) in closures.enumerated() {
        guard let reason = try reasonToStay(closure, without: all) else { continue }
        deletes[index].result = .failure(
          ServiceError(
            .referenceViolation, "Record '\(deletes[index].name)' can't be deleted: \(reason)", internalCode: 2025))
        isStable = false
      }
      if isStable { return }
    }
  }

  private func reasonToStay(_ closure: [ExactName], without all: Set<ExactName>) throws -> String? {
    for name in closure {
      for (dependants, how) in [
        (try transaction.children(of: name), "has it as parent"),
        (try transaction.validators(of: name), "has a validating reference to it"),
      ] {
        guard let dependant = dependants.first(where: { !all.contains($0) }) else { continue }
        // A dependent record that the participant may not see may be deleted as well, but the error doesn't name it.
        return try change.access?.shows(dependant, transaction) ?? true
          ? "record '\(dependant)' \(how)" : "others depend on it"
      }
    }
    return nil
  }
}
