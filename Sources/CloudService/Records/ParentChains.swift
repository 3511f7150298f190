import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Finds the shares and ancestors of records by their parents, and caches the results: a batch that adds many records
/// to a deep tree reads each ancestor once.
///
/// The cache is valid until a record's parent, share or type changes. Call ``forget()`` after such a change.
final class ParentChains {
  /// The share that a record is in; `.some(nil)`: known to be in none.
  private var shares: [ExactName: ExactName?] = [:]
  /// Records with a chain of parents that is known to end.
  private var ending: Set<ExactName> = []

  func forget() {
    // An emptied dictionary would retain its capacity, and emptying it again would cost as much.
    if !shares.isEmpty { shares = [:] }
    if !ending.isEmpty { ending = [] }
  }

  /// The share of the nearest ancestor, or of the record itself, that is the root of a share; for a share's own record,
  /// that share. Records in a circle of parents are in no share, unless one of them is a root.
  func share(of name: ExactName, _ record: (ExactName) throws -> StoredRecord?) rethrows -> ExactName? {
    if let known = shares[name] { return known }
    var (next, result) = try step(from: name, record)
    // Most records have no parent and are asked for only once, so they aren't cached.
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

  /// The record's parent, or the share at the end of the chain.
  private func step(
    from name: ExactName, _ record: (ExactName) throws -> StoredRecord?
  ) rethrows -> (parent: ExactName?, share: ExactName?) {
    guard let record = try record(name) else { return (nil, nil) }
    if record.type == Record.shareType { return (nil, name) }
    if let share = record.share { return (nil, share) }
    return (record.parent, nil)
  }

  /// Whether `name` would be its own ancestor if its parent were `parent`.
  func isCircle(
    _ name: ExactName, parent: ExactName, _ record: (ExactName) throws -> StoredRecord?
  ) rethrows -> Bool {
    var passed: Set<ExactName> = []
    var next: ExactName? = parent
    while let current = next, !ending.contains(current) {
      if current == name { return true }
      // A circle among the ancestors that doesn't include this record.
      guard passed.insert(current).inserted else { return false }
      next = try record(current)?.parent
    }
    ending.formUnion(passed)
    return false
  }
}
