import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite struct FileNamePairTests {
  @Test(arguments: [
    ("", "", "%,%"), ("a", "", "a,%"), ("", "a", "%,a"), ("owner", "zone", "owner,zone"), (",", ",", "%2C,%2C"),
    ("a,b", "c", "a%2Cb,c"), ("a", "b,c", "a,b%2Cc"), ("..", "..", "%2E%2E,%2E%2E"), ("a/", "/b", "a%2F,%2Fb"),
    ("a.", ".b ", "a%2E,%2Eb%20"), ("%", "~", "%25,%7E"),
  ])
  func component(first: String, second: String, component: String) throws {
    #expect(FileName.encodePair(first, second) == component)
    let names = try #require(FileName.decodePair(component))
    #expect(names == (first, second))
  }

  @Test(arguments: [
    "", ",", "a", "a,", ",a", "a,b,c", "a/,b", ".a,b", "a,.b", "a ,b", "a,b.", "a%,b", "%,%%", "a,%62", "~,a", "a%2Cb",
  ])
  func refusesWhatEncodePairDoesNotProduce(component: String) {
    #expect(FileName.decodePair(component) == nil)
  }

  @Test func lengthLimit() throws {
    let half = String(repeating: "x", count: 100)
    let full = FileName.encodePair(half, String(half.dropLast()))
    #expect(full.utf8.count == 200)
    #expect(!FileName.isDigested(full))
    #expect(try #require(FileName.decodePair(full)).second.utf8.count == 99)

    let long = FileName.encodePair(half, half)
    #expect(long.utf8.count == 200)
    #expect(FileName.isDigested(long))
    #expect(FileName.decodePair(long) == nil)
    #expect(long.hasPrefix(half + ","))
  }

  @Test func longPairsStayApart() {
    let long = String(repeating: "x", count: 255)
    let pairs = [
      (long, "a"), (long, "b"), (long, ""), (long + ",", "a"), (long, ",a"), ("a", long), ("", long), (long + "a", ""),
      (long, long), ("\u{E9}", long), ("e\u{301}", long),
    ]
    let components = pairs.map { FileName.encodePair($0, $1) }
    #expect(Set(components.map { ExactName($0) }).count == pairs.count)
    for component in components { #expect(component.utf8.count <= 200 && FileName.isDigested(component)) }
  }

  @Test(arguments: TestSeed.values(1...3))
  func randomPairs(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let (first, second) = (random.string(upTo: 30), random.string(upTo: 30))
      let component = FileName.encodePair(first, second)
      #expect(component.utf8.count <= 200, "seed \(seed)")
      if let names = FileName.decodePair(component) {
        #expect(ExactName(names.first) == ExactName(first), "seed \(seed)")
        #expect(ExactName(names.second) == ExactName(second), "seed \(seed)")
      } else {
        #expect(FileName.isDigested(component), "seed \(seed)")
      }
    }
  }
}
