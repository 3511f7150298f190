import Testing

@testable import LocalCloudStorage

@Suite("The cache of recently used objects")
struct RecentlyUsedTests {
  private final class Thing: Sendable {}

  @Test("the cache retains unused objects up to its limit and drops the least recently used one")
  func cacheRetainsUnusedObjectsUp() {
    var recent = RecentlyUsed<Int, Thing>(limit: 2)
    for key in 1...2 { recent[key] = Thing() }
    let (isOneKept, isTwoKept) = (recent[1] != nil, recent[2] != nil)
    #expect(isOneKept)
    #expect(isTwoKept)
    // The access makes the second object the least recently used one.
    _ = recent[1]
    recent[3] = Thing()
    let (first, second, third) = (recent[1] != nil, recent[2] != nil, recent[3] != nil)
    #expect(first)
    #expect(!second)
    #expect(third)
  }

  @Test("the cache finds an object that is still in use although it is not among the recently used ones")
  func inUse() {
    var recent = RecentlyUsed<Int, Thing>(limit: 1)
    let used = Thing()
    recent[1] = used
    recent[2] = Thing()
    let found = recent[1]
    #expect(found === used)
    let gone = recent[2]
    #expect(gone == nil)
    recent[1] = nil
    let removed = recent[1]
    #expect(removed == nil)
  }

  @Test("dropOldest returns each object once, the least recently used one first")
  func dropOldestReturnsEachObjectOnceTheLeast() {
    var recent = RecentlyUsed<Int, Thing>(limit: 3)
    let things = [Thing(), Thing(), Thing()]
    for key in 0..<3 { recent[key] = things[key] }
    _ = recent[0]
    recent[1] = things[1]
    for expected in [2, 0, 1] {
      let dropped = recent.dropOldest()
      #expect(dropped === things[expected])
    }
    let nothing = recent.dropOldest()
    #expect(nothing == nil)
    // The objects are in use, so the cache finds and retains them again.
    let again = recent[2]
    let dropped = recent.dropOldest()
    #expect(again === things[2])
    #expect(dropped === things[2])
  }
}
