/// Accumulates how much a transaction's changes add to or subtract from the aggregates of objects.
///
/// The contribution of a change is computed from the changed object only, without counting the other members. Sums of
/// fractions are the exception: they depend on the order of adding and are computed anew.
struct AggregateChanges {
  private struct Key: Hashable {
    var owner: RowID
    var aggregate: Derivation.Aggregate
  }

  /// Nil if the aggregate has to be computed anew.
  private var amounts: [Key: Int64?] = [:]
  private(set) var owners: Set<RowID> = []

  /// Subtracts a member's previous contribution and adds its present one. An amount is nil if it is not known exactly.
  mutating func add(
    _ amount: Int64?, insteadOf before: Int64? = 0, to owner: RowID, _ aggregate: Derivation.Aggregate
  ) {
    if amount == before, amount != nil { return }
    owners.insert(owner)
    let key = Key(owner: owner, aggregate: aggregate)
    let present = amounts[key, default: 0]
    amounts[key] = .some(present.flatMap { Self.sum($0, Self.difference(amount, before)) })
  }

  /// The aggregate after the changes; nil if it has to be computed anew. `before`: 0 for a new object.
  func value(_ before: Int64?, _ owner: RowID, _ aggregate: Derivation.Aggregate) -> Int64? {
    guard let before else { return nil }
    guard let amount = amounts[Key(owner: owner, aggregate: aggregate)] else { return before }
    return Self.sum(before, amount)
  }

  /// Whether the aggregate does not change at all.
  func isUntouched(_ owner: RowID, _ aggregate: Derivation.Aggregate) -> Bool {
    amounts[Key(owner: owner, aggregate: aggregate)] == nil
  }

  private static func difference(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return nil }
    let (difference, isOverflow) = one.subtractingReportingOverflow(other)
    return isOverflow ? nil : difference
  }

  private static func sum(_ one: Int64, _ other: Int64?) -> Int64? {
    guard let other else { return nil }
    let (sum, isOverflow) = one.addingReportingOverflow(other)
    return isOverflow ? nil : sum
  }
}
