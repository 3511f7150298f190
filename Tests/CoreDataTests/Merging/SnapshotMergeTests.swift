import Foundation
import Testing

@testable import CoreData

@Suite("Merging of values")
struct SnapshotMergeTests {
  /// `both` was changed in both places, `mine` by the object, `theirs` in the store, `same` to one value in both.
  private let merge = SnapshotMerge(
    base: ["both": "0", "mine": "0", "theirs": "0", "same": "0", "none": "0", "cleared": "0"],
    mine: ["both": "1", "mine": "1", "theirs": "0", "same": "2", "none": "0", "cleared": nil],
    theirs: ["both": "2", "mine": "0", "theirs": "2", "same": "2", "none": "0", "cleared": "0"],
    changedKeys: ["both", "mine", "same", "cleared"])

  @Test("[coredata-merge-1] property by property")
  func properties() throws {
    let store = try #require(merge.result(.mergeByPropertyStoreTrumpMergePolicyType))
    #expect(store.values == ["both": "2", "mine": "1", "theirs": "2", "same": "2", "none": "0", "cleared": nil])
    #expect(store.written == ["mine", "cleared"])
    let object = try #require(merge.result(.mergeByPropertyObjectTrumpMergePolicyType))
    #expect(object.values == ["both": "1", "mine": "1", "theirs": "2", "same": "2", "none": "0", "cleared": nil])
    #expect(object.written == ["both", "mine", "cleared"])
  }

  @Test("[coredata-merge-2] the whole object, or nothing of it")
  func whole() throws {
    let overwritten = try #require(merge.result(.overwriteMergePolicyType))
    #expect(overwritten.values == merge.mine && overwritten.written == ["both", "mine", "theirs", "cleared"])
    let dropped = try #require(merge.result(.rollbackMergePolicyType))
    #expect(dropped.values == merge.theirs && dropped.written.isEmpty)
    #expect(merge.result(.errorMergePolicyType) == nil)
  }
}
