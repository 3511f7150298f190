import CloudStore

/// Ways up from record to parent, each record looked at once however many are below it: a batch that adds to a deep tree
/// would walk all of the tree for each of its records otherwise.
///
/// What was found holds for as long as no record's parent, share or type changes; then ``forget()``.
final class ParentChains {
  /// Which share a record is in; `.some(nil)`: in none.
  private var shares: [ExactName: ExactName?] = [:]
  /// Records above which there is an end.
  private var ending: Set<ExactName> = []

  func forget() {
    // An emptied dictionary would keep its size, and cost as much to empty again.
    if !shares.isEmpty { shares = [:] }
    if !ending.isEmpty { ending = [] }
  }

  /// The share of the nearest record upward, this one included, that is a share's root. Parents in a circle are in none
  /// but their own.
  func share(of name: ExactName, _ record: (ExactName) throws -> StoredRecord?) rethrows -> ExactName? {
    var passed: Set<ExactName> = []
    var result: ExactName?
    var next: ExactName? = name
    while let name = next {
      if let known = shares[name] {
        result = known
        break
      }
      guard passed.insert(name).inserted, let record = try record(name) else { break }
      if record.type == Record.shareType {
        result = name
        break
      }
      if let share = record.share {
        result = share
        break
      }
      next = record.parent
    }
    for name in passed { shares[name] = .some(result) }
    return result
  }

  /// Whether a record whose parent this is would be above itself.
  func isCircle(
    _ name: ExactName, parent: ExactName, _ record: (ExactName) throws -> StoredRecord?
  ) rethrows -> Bool {
    var passed: Set<ExactName> = []
    var next: ExactName? = parent
    while let current = next, !ending.contains(current) {
      if current == name { return true }
      // A circle further up, which this record only hangs on.
      guard passed.insert(current).inserted else { return false }
      next = try record(current)?.parent
    }
    ending.formUnion(passed)
    return false
  }
}
