import CloudModel
import CloudStore
import Storage

/// Parents, references, deletions.
extension ZoneBatch {
  // MARK: Parents

  /// Each parent, and each target that is to be validated, must be on the server or in the batch; the order in the batch
  /// does not matter ([record-parent-1], [record-reference-4]).
  func checkTargets() throws {
    var settled = false
    while !settled {
      settled = true
      for place in saves.indices {
        guard case .success(let record) = saves[place].result else { continue }
        if let error = try parentError(record, saves[place]) ?? validationError(record, saves[place]) {
          saves[place].result = .failure(error)
          settled = false
        }
      }
    }
  }

  /// - Assumption: parents that would form a circle are `invalidArguments`; Apple does not speak of them.
  private func parentError(_ record: StoredRecord, _ save: Save) throws -> ServiceError? {
    guard let parent = record.parent, parent != save.stored?.parent || save.request.parent != .keep else { return nil }
    if try plannedChains.isCircle(record.name, parent: parent, planned) {
      return .invalid("The parents of record '\(record.name)' form a circle")
    }
    // A share can't be deleted while something is below it, and participants could put it there.
    if try places[parent].map({ saves[$0].request.type }) ?? transaction.view.record(parent)?.type == Record.shareType {
      return .invalid("The parent of record '\(record.name)' is a share")
    }
    if let place = places[parent] {
      switch saves[place].result {
      case .success:
        return nil
      case .failure(let error):
        if saves[place].stored != nil { return nil }
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
  private func validationError(_ record: StoredRecord, _ save: Save) throws -> ServiceError? {
    let brought = save.request.fields.values.compactMap { $0 }.reduce(into: Set<ExactName>()) {
      $0.formUnion($1.validated)
    }
    for target in brought.intersection(record.validated).sorted() where target != record.name {
      if let place = places[target] {
        if !saves[place].result.isFailure || saves[place].stored != nil { continue }
      } else if try transaction.view.record(target) != nil, try access?.shows(target, transaction) ?? true {
        continue
      }
      return ServiceError(
        .referenceViolation, "Record '\(record.name)' has a validating reference to '\(target)', which does not exist",
        internalCode: 2025)
    }
    return nil
  }

  // MARK: Writing the saves

  /// Before the parents are looked at: what a record that is too much would have been the parent of must fail with it.
  func checkOwners() throws {
    var counts: [ExactName: Int] = [:]
    for place in saves.indices {
      guard case .success(let record) = saves[place].result else { continue }
      let (old, new) = (saves[place].stored?.owners ?? [], record.owners)
      for target in new.symmetricDifference(old) where counts[target] == nil {
        counts[target] = try transaction.view.referrers(of: target).count
      }
      if let target = new.subtracting(old).first(where: { counts[$0, default: 0] >= NameRules.maximumOwners }) {
        saves[place].result = .failure(
          .limitExceeded("Limit exceeded for number of owning references to single record: '\(target)'"))
        continue
      }
      for target in new.subtracting(old) { counts[target, default: 0] += 1 }
      for target in old.subtracting(new) { counts[target, default: 0] -= 1 }
    }
  }

  func writeSaves() throws {
    for place in saves.indices {
      guard case .success(let record) = saves[place].result else { continue }
      saves[place].result = .success(try transaction.put(record))
    }
  }

  // MARK: Deletes

  /// What a deletion means for this caller, and whether it may be.
  ///
  /// - Assumption: whoever may write may delete any record but the root, whoever made it; a sample of Apple's lets
  ///   people delete only what they added.
  func prepareDelete(_ delete: inout Delete) throws {
    guard let stored = try transaction.record(delete.name) else { return }
    delete.effect = .delete
    switch address.role {
    case .owner:
      break
    case .publicUser:
      if !mayDeletePublic(stored) { delete.result = .failure(.notPermitted("WRITE")) }
    case .participant:
      guard let access else { break }
      let share = try before.share(of: delete.name)
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

  /// A parent goes only together with its children ([record-parent-4]), and what is validated with those that refer to it;
  /// those that `deleteSelf` references take along count.
  func checkDeletes() throws {
    // Whoever leaves a share in the same batch has no access to its records any more ([share-leave-3]).
    for place in deletes.indices where deletes[place].effect == .delete && address.role == .participant {
      let share = try before.share(of: deletes[place].name)
      if let share, deletes.contains(where: { $0.effect == .leave(share) }) {
        deletes[place].result = .failure(.notPermitted("WRITE"))
      }
    }
    // Roots and shares are the owner's; a participant's deletion must not reach them by way of references either.
    for place in deletes.indices
    where deletes[place].effect == .delete && !deletes[place].result.isFailure && address.role == .participant {
      let reached = try closure(of: [deletes[place].name]).compactMap { try transaction.record($0) }
      if reached.contains(where: { $0.share != nil || $0.type == Record.shareType }) {
        deletes[place].result = .failure(.notPermitted("WRITE"))
      }
    }
    while true {
      let closures = try deletes.map { $0.result.isFailure || $0.effect != .delete ? [] : try closure(of: [$0.name]) }
      let all = closures.reduce(into: Set<ExactName>()) { $0.formUnion($1) }
      var settled = true
      for (place, closure) in closures.enumerated() {
        if let reason = try reasonToStay(closure, without: all) {
          deletes[place].result = .failure(
            ServiceError(
              .referenceViolation, "Record '\(deletes[place].name)' can't be deleted: \(reason)", internalCode: 2025))
          settled = false
        }
      }
      if settled { return }
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
        return try access?.shows(dependant, transaction) ?? true
          ? "record '\(dependant)' \(how)" : "others depend on it"
      }
    }
    return nil
  }

  /// The records, as far as there are any, and what their deletion takes along.
  func closure(of names: [ExactName]) throws -> [ExactName] {
    var result = try names.filter { try transaction.record($0) != nil }
    var visited = Set(result)
    var position = 0
    while position < result.count {
      for referrer in try transaction.referrers(of: result[position]) where visited.insert(referrer).inserted {
        result.append(referrer)
      }
      if let share = try transaction.record(result[position])?.share, visited.insert(share).inserted {
        result.append(share)
      }
      position += 1
    }
    return result
  }

  func writeDeletes() throws {
    for delete in deletes where !delete.result.isFailure && delete.effect != .nothing {
      if case .leave(let share) = delete.effect {
        try leave(share)
        continue
      }
      try self.delete(closure(of: [delete.name]))
    }
  }

  func delete(_ names: [ExactName]) throws {
    let all = Set(names)
    // Shares first: ending one changes its root, which may be next.
    for name in names where try transaction.record(name)?.type == Record.shareType {
      try endShare(name, deletingRoot: all.contains)
    }
    for name in names { try transaction.delete(name) }
  }

  // MARK: Touches

  /// Saving a child moves its direct parent's tag; so does a new reference with its target ([record-system-3]).
  ///
  /// - Assumption: the tag of the direct parent or target only, unless it is in the same batch; no new date, no feed entry.
  func touchTargets() throws {
    var targets: Set<ExactName> = []
    for save in saves {
      guard case .success(let record) = save.result, record.type != Record.shareType else { continue }
      if let parent = record.parent { targets.insert(parent) }
      let new = record.references.subtracting(save.stored?.references ?? [])
      // A participant's reference must not move the tag of a record outside the shares.
      targets.formUnion(try new.filter { try access?.mayRead(before.share(of: $0)) ?? true })
    }
    for target in targets.sorted() where !transaction.changes(target) {
      if let record = try transaction.record(target) { try transaction.put(record, touch: true) }
    }
  }
}

extension StoredRecord {
  /// Records that reference fields point to.
  var references: Set<ExactName> {
    var result: Set<ExactName> = []
    for (_, field) in object["fields"]?.object ?? [:] where field["type"]?.string?.hasPrefix("REFERENCE") == true {
      for value in field["value"]?.array ?? [field["value"] ?? .null] {
        if let name = value["recordName"]?.string { result.insert(ExactName(name)) }
      }
    }
    return result
  }
}
