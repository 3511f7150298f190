import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Objects that are kept while they are used, and the last used ones beyond that")
struct RecentlyUsedTests {
  private final class Thing: Sendable {}

  @Test("the last used ones stay without anybody who uses them; whoever was used longest ago goes")
  func limit() {
    var recent = RecentlyUsed<Int, Thing>(limit: 2)
    for key in 1...2 { recent[key] = Thing() }
    let (isOneKept, isTwoKept) = (recent[1] != nil, recent[2] != nil)
    #expect(isOneKept && isTwoKept)
    // The first one is used again, so it is the second's turn to go.
    _ = recent[1]
    recent[3] = Thing()
    let (first, second, third) = (recent[1] != nil, recent[2] != nil, recent[3] != nil)
    #expect(first && !second && third)
  }

  @Test("one that is in use is found again, though it is not among the last used ones")
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

  @Test("the one that was used longest ago is let go of first, each once")
  func dropping() {
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
    // They are in use, so they are found, and are kept again.
    let again = recent[2]
    let dropped = recent.dropOldest()
    #expect(again === things[2] && dropped === things[2])
  }
}
