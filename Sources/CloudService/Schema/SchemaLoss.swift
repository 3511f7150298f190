import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Deletes the data of a zone that an import of a schema removes.
struct SchemaLoss {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// Deletes the records of removed types, with all effects of a deletion, and removes the removed fields from the
  /// others. Checks no permissions.
  ///
  /// - Assumption: a record below a deleted record of a removed type stays without a parent, with all records below it;
  ///   it leaves the share that it was in by that parent.
  /// - Assumption: a record that loses a field, or its parent, because of the schema gets a new change tag, and feeds
  ///   and pushes report it; its last modifier and date of modification stay.
  func reduce(_ records: [(type: String, name: ExactName)], by reduction: SchemaReduction) throws -> SchemaLossCounts {
    var counts = SchemaLossCounts()
    let going = try change.removal.closure(of: records.filter { reduction.types.contains($0.type) }.map(\.name))
    let gone = Set(going)
    let orphans = Set(try going.flatMap { try transaction.children(of: $0) }).subtracting(gone)
    let others = records.map(\.name).filter { !gone.contains($0) && !orphans.contains($0) }
    for name in orphans.sorted() + others {
      guard let record = try transaction.record(name) else { continue }
      var reduced = record
      for key in reduction.removeFields(of: &reduced) { counts.add(.field(type: record.type, key)) }
      if orphans.contains(name) {
        reduced.object["parent"] = nil
        // A record of a removed type is itself deleted by a later commit.
        if !reduction.types.contains(record.type) { counts.orphans += 1 }
      }
      if reduced != record { try transaction.put(reduced) }
    }
    // This must happen while the keys of the parents exist.
    for name in orphans.sorted() { try detachKey(of: name) }
    for name in going {
      if let type = try transaction.record(name)?.type { counts.add(.type(type)) }
    }
    try change.removal.delete(going)
    try change.planConsequences(reachingSender: true)
    return counts
  }

  private func detachKey(of name: ExactName) throws {
    do { if try change.keyPlan.hasKeys { try change.keyPlan.detach(name) } } catch let lost as ZoneKeys.Lost {
      throw ServiceError(
        .internalError, "The record \(name) can't lose its parent, for want of a key: \(lost.reason).", cause: .damage,
        hint: ServiceError.keyHint)
    }
  }
}
