import Foundation

/// Merges an object's values with the store's present values by a merge policy. Nil is a value like others.
struct SnapshotMerge<Value: Equatable> {
  /// The values that the context had read.
  var base: [String: Value?]
  /// The object's values.
  var mine: [String: Value?]
  /// The store's present values.
  var theirs: [String: Value?]
  /// The properties that the context changed.
  var changedKeys: Set<String>

  struct Result {
    var values: [String: Value?]
    /// The properties with values that differ from the store's and have to be written.
    var written: Set<String>
  }

  /// Nil for the policy that reports the conflict to the program.
  func result(_ policy: NSMergePolicyType) -> Result? {
    switch policy {
    case .errorMergePolicyType: nil
    case .rollbackMergePolicyType: Result(values: theirs, written: [])
    case .overwriteMergePolicyType: result(mine)
    case .mergeByPropertyStoreTrumpMergePolicyType: result(merged { !isChangedInStore($0) })
    case .mergeByPropertyObjectTrumpMergePolicyType: result(merged { _ in true })
    }
  }

  private func merged(_ isKept: (String) -> Bool) -> [String: Value?] {
    var values = theirs
    for key in changedKeys where isKept(key) { values[key] = mine[key] ?? .some(nil) }
    return values
  }

  private func result(_ values: [String: Value?]) -> Result {
    let keys = Set(values.keys).filter { !isSame(values[$0], theirs[$0]) }
    return Result(values: values, written: keys)
  }

  private func isChangedInStore(_ key: String) -> Bool { !isSame(base[key], theirs[key]) }

  /// A missing property is equal to nil.
  private func isSame(_ left: Value??, _ right: Value??) -> Bool { (left ?? nil) == (right ?? nil) }
}
