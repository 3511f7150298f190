import Foundation
import Testing

@testable import CoreData

@Suite("Merged values")
struct SnapshotMergeTests {
  /// `both` differs in the object and the store, `mine` in the object, `theirs` in the store; `same` has one new value
  /// in both.
  private let base: [String: String?] = [
    "both": "0", "mine": "0", "theirs": "0", "same": "0", "none": "0", "cleared": "0",
  ]
  private let mine: [String: String?] = [
    "both": "1", "mine": "1", "theirs": "0", "same": "2", "none": "0", "cleared": nil,
  ]
  private let theirs: [String: String?] = [
    "both": "2", "mine": "0", "theirs": "2", "same": "2", "none": "0", "cleared": "0",
  ]
  private let changed: Set = ["both", "mine", "same", "cleared"]

  /// The merged values, and the properties that are written.
  private func merge(_ policy: NSMergePolicyType) -> (values: [String: String?], written: Set<String>) {
    var (values, written) = (theirs, Set<String>())
    for (name, value) in mine {
      let (theirs, base) = (theirs[name] ?? nil, base[name] ?? nil)
      guard policy.writes(value, over: theirs, base: base, isChanged: changed.contains(name)) else { continue }
      values[name] = .some(value)
      written.insert(name)
    }
    return (values, written)
  }

  @Test("[coredata-merge-1] trump policies merge property by property")
  func trumpPoliciesMergePropertyByProperty() {
    let store = merge(.mergeByPropertyStoreTrumpMergePolicyType)
    #expect(store.values == ["both": "2", "mine": "1", "theirs": "2", "same": "2", "none": "0", "cleared": nil])
    #expect(store.written == ["mine", "cleared"])
    let object = merge(.mergeByPropertyObjectTrumpMergePolicyType)
    #expect(object.values == ["both": "1", "mine": "1", "theirs": "2", "same": "2", "none": "0", "cleared": nil])
    #expect(object.written == ["both", "mine", "cleared"])
  }

  @Test("[coredata-merge-2] overwrite takes the whole object, rollback none of it")
  func overwriteTakesTheWholeObjectRollbackNone() {
    let overwritten = merge(.overwriteMergePolicyType)
    #expect(overwritten.values == mine)
    #expect(overwritten.written == ["both", "mine", "theirs", "cleared"])
    for policy in [NSMergePolicyType.rollbackMergePolicyType, .errorMergePolicyType] {
      let dropped = merge(policy)
      #expect(dropped.values == theirs)
      #expect(dropped.written.isEmpty)
    }
  }
}
