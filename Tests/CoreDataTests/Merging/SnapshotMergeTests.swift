import Foundation
import Testing

@testable import CoreData

@Suite("Merged values")
struct SnapshotMergeTests {
  /// `both` differs in the object and the store, `mine` in the object, `theirs` in the store; `same` has one new value
  /// in both.
  private let merge = SnapshotMerge(
    base: ["both": "0", "mine": "0", "theirs": "0", "same": "0", "none": "0", "cleared": "0"],
    mine: ["both": "1", "mine": "1", "theirs": "0", "same": "2", "none": "0", "cleared": nil],
    theirs: ["both": "2", "mine": "0", "theirs": "2", "same": "2", "none": "0", "cleared": "0"],
    changedKeys: ["both", "mine", "same", "cleared"])

  @Test("[coredata-merge-1] trump policies merge property by property")
  func trumpPoliciesMergePropertyByProperty() throws {
    let store = try #require(merge.result(.mergeByPropertyStoreTrumpMergePolicyType))
    #expect(store.values == ["both": "2", "mine": "1", "theirs": "2", "same": "2", "none": "0", "cleared": nil])
    #expect(store.written == ["mine", "cleared"])
    let object = try #require(merge.result(.mergeByPropertyObjectTrumpMergePolicyType))
    #expect(object.values == ["both": "1", "mine": "1", "theirs": "2", "same": "2", "none": "0", "cleared": nil])
    #expect(object.written == ["both", "mine", "cleared"])
  }

  @Test("[coredata-merge-2] overwrite takes the whole object, rollback none of it")
  func overwriteTakesTheWholeObjectRollbackNone() throws {
    let overwritten = try #require(merge.result(.overwriteMergePolicyType))
    #expect(overwritten.values == merge.mine)
    #expect(overwritten.written == ["both", "mine", "theirs", "cleared"])
    let dropped = try #require(merge.result(.rollbackMergePolicyType))
    #expect(dropped.values == merge.theirs)
    #expect(dropped.written.isEmpty)
    #expect(merge.result(.errorMergePolicyType) == nil)
  }
}
