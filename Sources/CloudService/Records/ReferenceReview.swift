import CloudModel
import CloudStore
import Storage

/// Looks at what the saves refer to: parents, records that are to be validated, owners.
struct ReferenceReview {
  private let access: ParticipantAccess?
  private let transaction: ZoneTransaction

  init(_ change: ZoneChange) { (access, transaction) = (change.access, change.transaction) }

  /// Each parent, and each target that is to be validated, must be on the server or in the batch; the order in the batch
  /// does not matter ([record-parent-1], [record-reference-4]).
  func checkTargets(of plan: inout ModifyRecordsPlan) throws {
    var settled = false
    while !settled {
      settled = true
      for place in plan.saves.indices {
        let save = plan.saves[place]
        guard case .success(let record) = save.result else { continue }
        if let error = try parentError(record, save, plan) ?? validationError(record, save, plan) {
          plan.saves[place].result = .failure(error)
          settled = false
        }
      }
    }
  }

  /// - Assumption: parents that would form a circle are `invalidArguments`; Apple does not speak of them.
  private func parentError(
    _ record: StoredRecord, _ save: ModifyRecordsPlan.Save, _ plan: ModifyRecordsPlan
  ) throws -> ServiceError? {
    guard let parent = record.parent, parent != save.stored?.parent || save.request.parent != .keep else { return nil }
    if try plan.chains.isCircle(record.name, parent: parent, { try plan.record($0, in: transaction.view) }) {
      return .invalid("The parents of record '\(record.name)' form a circle")
    }
    // A share can't be deleted while something is below it, and participants could put it there.
    let parentType = try plan.save(of: parent)?.request.type ?? transaction.view.record(parent)?.type
    if parentType == Record.shareType {
      return .invalid("The parent of record '\(record.name)' is a share")
    }
    if let above = plan.save(of: parent) {
      switch above.result {
      case .success:
        return nil
      case .failure(let error):
        if above.stored != nil { return nil }
        // A child of a child that failed for want of its parent ([record-parent-2]).
        if error.code == .referenceViolation || error.code == .internalError {
          return ServiceError(.internalError, "The parent '\(parent)' could not be saved", internalCode: 2000)
        }
      }
    } else if try transaction.view.record(parent) != nil {
      return nil
    }
    return ServiceError(
      .referenceViolation, "Record '\(record.name)' has the parent '\(parent)', which does not exist",
      internalCode: 2025)
  }

  /// Of references that the save brings. Those that were there have their target, which nobody could delete.
  ///
  /// - Assumption: a reference with the action `VALIDATE`, which only the Web Services have, to a record that does not exist
  ///   is `referenceViolation` when it is saved, and so is deleting its target while it is there.
  private func validationError(
    _ record: StoredRecord, _ save: ModifyRecordsPlan.Save, _ plan: ModifyRecordsPlan
  ) throws -> ServiceError? {
    let brought = save.request.fields.values.compactMap { $0 }.reduce(into: Set<ExactName>()) {
      $0.formUnion($1.validated)
    }
    for target in brought.intersection(record.validated).sorted() where target != record.name {
      if let other = plan.save(of: target) {
        if !other.result.isFailure || other.stored != nil { continue }
      } else if try transaction.view.record(target) != nil, try access?.shows(target, transaction) ?? true {
        continue
      }
      return ServiceError(
        .referenceViolation, "Record '\(record.name)' has a validating reference to '\(target)', which does not exist",
        internalCode: 2025)
    }
    return nil
  }

  /// Before the parents are looked at: what a record that is too much would have been the parent of must fail with it.
  func checkOwners(of plan: inout ModifyRecordsPlan) throws {
    var counts: [ExactName: Int] = [:]
    for place in plan.saves.indices {
      guard case .success(let record) = plan.saves[place].result else { continue }
      let (old, new) = (plan.saves[place].stored?.owners ?? [], record.owners)
      for target in new.symmetricDifference(old) where counts[target] == nil {
        counts[target] = try transaction.view.referrers(of: target).count
      }
      if let target = new.subtracting(old).first(where: { counts[$0, default: 0] >= NameRules.maximumOwners }) {
        plan.saves[place].result = .failure(
          .limitExceeded("Limit exceeded for number of owning references to single record: '\(target)'"))
        continue
      }
      for target in new.subtracting(old) { counts[target, default: 0] += 1 }
      for target in old.subtracting(new) { counts[target, default: 0] -= 1 }
    }
  }
}
