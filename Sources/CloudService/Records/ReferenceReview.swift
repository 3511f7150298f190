import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Reviews the targets of the saves' references: parents, targets of validating references, and targets of `deleteSelf`
/// references.
struct ReferenceReview {
  private let access: ParticipantAccess?
  private let transaction: ZoneTransaction

  init(_ change: ZoneChange) { (access, transaction) = (change.access, change.transaction) }

  /// Fails each save with a parent or validated target that is neither on the server nor in the batch. The order within
  /// the batch does not matter ([record-parent-1], [record-reference-4]).
  func checkTargets(of plan: inout ModifyRecordsPlan) throws {
    var isStable = false
    while !isStable {
      isStable = true
      for index in plan.saves.indices {
        let save = plan.saves[index]
        guard case .success(let record) = save.result else { continue }
        if let error = try parentError(record, save, plan) ?? validationError(record, save, plan) {
          plan.saves[index].result = .failure(error)
          isStable = false
        }
      }
    }
  }

  /// - Assumption: parents that would form a circle are `invalidArguments`; Apple does not document this case.
  private func parentError(
    _ record: StoredRecord, _ save: ModifyRecordsPlan.Save, _ plan: ModifyRecordsPlan
  ) throws -> ServiceError? {
    guard let parent = record.parent, parent != save.stored?.parent || save.request.parent != .keep else { return nil }
    if try plan.chains.isCircle(record.name, parent: parent, { try plan.record($0, in: transaction.view) }) {
      return .invalid("The parents of record '\(record.name)' form a circle")
    }
    // A share with children could not be deleted, and participants could add children.
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
        // The parent failed because its own parent is missing ([record-parent-2]).
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

  /// Checks the validating references that the save adds. The targets of earlier ones still exist, as they can't be
  /// deleted.
  ///
  /// - Assumption: a reference with the action `VALIDATE`, an action that only the Web Services have, to a record that
  ///   does not exist is `referenceViolation` when it is saved, and so is deleting its target while the reference
  ///   exists.
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

  /// Fails saves that exceed the number of owning references to one record. Call this before ``checkTargets(of:)``, so
  /// that the children of a failed new record fail with it.
  func checkOwners(of plan: inout ModifyRecordsPlan) throws {
    var counts: [ExactName: Int] = [:]
    for index in plan.saves.indices {
      guard case .success(let record) = plan.saves[index].result else { continue }
      let (old, new) = (plan.saves[index].stored?.owners ?? [], record.owners)
      for target in new.symmetricDifference(old) where counts[target] == nil {
        counts[target] = try transaction.view.referrers(of: target).count
      }
      if let target = new.subtracting(old).first(where: { counts[$0, default: 0] >= NameRules.maximumOwners }) {
        plan.saves[index].result = .failure(
          .limitExceeded("Limit exceeded for number of owning references to single record: '\(target)'"))
        continue
      }
      for target in new.subtracting(old) { counts[target, default: 0] += 1 }
      for target in old.subtracting(new) { counts[target, default: 0] -= 1 }
    }
  }
}
