import CloudModel
import CloudStore
import Storage

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
    if let known = shares[name] { return known }
    var (next, result) = try step(from: name, record)
    // Most have no parent, and are asked of once.
    if next == nil { return result }
    var passed: Set<ExactName> = [name]
    while let name = next {
      if let known = shares[name] {
        result = known
        break
      }
      guard passed.insert(name).inserted else { break }
      (next, result) = try step(from: name, record)
    }
    for name in passed { shares[name] = .some(result) }
    return result
  }

  /// The parent, or the share that the way ends in.
  private func step(
    from name: ExactName, _ record: (ExactName) throws -> StoredRecord?
  ) rethrows -> (parent: ExactName?, share: ExactName?) {
    guard let record = try record(name) else { return (nil, nil) }
    if record.type == Record.shareType { return (nil, name) }
    if let share = record.share { return (nil, share) }
    return (record.parent, nil)
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
