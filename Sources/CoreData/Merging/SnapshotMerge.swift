import Foundation

/// The merge of an object's values with those that the store has by now, as policies do it. Nil is a value like others.
struct SnapshotMerge<Value> {
  /// What the context had read.
  var base: [String: Value?]
  /// What the object has.
  var mine: [String: Value?]
  /// What the store has by now.
  var theirs: [String: Value?]
  /// The properties that the context changed.
  var changedKeys: Set<String>
  var isEqual: (Value, Value) -> Bool

  struct Result {
    var values: [String: Value?]
    /// The properties whose values differ from those of the store, so that they have to be written.
    var written: Set<String>
  }

  /// Nil if the policy leaves the conflict to the program.
  func result(_ policy: NSMergePolicyType) -> Result? {
    switch policy {
    case .errorMergePolicyType: nil
    case .rollbackMergePolicyType: Result(values: theirs, written: [])
    case .overwriteMergePolicyType: result(mine)
    case .mergeByPropertyStoreTrumpMergePolicyType: result(merged { !isChangedInStore($0) })
    case .mergeByPropertyObjectTrumpMergePolicyType: result(merged { _ in true })
    }
  }

  /// The properties that were changed in both places, to other values.
  var conflicts: Set<String> {
    changedKeys.filter { isChangedInStore($0) && !isSame(mine[$0] ?? nil, theirs[$0] ?? nil) }
  }

  private func merged(_ isKept: (String) -> Bool) -> [String: Value?] {
    var values = theirs
    for key in changedKeys where isKept(key) { values[key] = mine[key] ?? .some(nil) }
    return values
  }

  private func result(_ values: [String: Value?]) -> Result {
    let keys = Set(values.keys).filter { !isSame(values[$0] ?? nil, theirs[$0] ?? nil) }
    return Result(values: values, written: keys)
  }

  private func isChangedInStore(_ key: String) -> Bool { !isSame(base[key] ?? nil, theirs[key] ?? nil) }

  private func isSame(_ left: Value?, _ right: Value?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): isEqual(left, right)
    default: false
    }
  }
}

extension SnapshotMerge where Value: Equatable {
  init(base: [String: Value?], mine: [String: Value?], theirs: [String: Value?], changedKeys: Set<String>) {
    self.init(base: base, mine: mine, theirs: theirs, changedKeys: changedKeys, isEqual: ==)
  }
}

extension SnapshotMerge where Value == Any {
  /// Merges values of objects, which are compared as `NSObject`s are.
  init(base: [String: Any?], mine: [String: Any?], theirs: [String: Any?], changedKeys: Set<String>) {
    self.init(
      base: base, mine: mine, theirs: theirs, changedKeys: changedKeys, isEqual: Self.isSameObject)
  }

  private static func isSameObject(_ left: Any, _ right: Any) -> Bool {
    // On Linux, a number of Swift's and an NSNumber are never equal as AnyHashable.
    if let left = left as? NSNumber, let right = right as? NSNumber { return left == right }
    if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
    return left as AnyObject === right as AnyObject
  }
}
