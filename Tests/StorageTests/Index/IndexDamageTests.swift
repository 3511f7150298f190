import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("Detection of damage in an index file")
struct IndexDamageTests {
  /// A file after several transactions, all its earlier versions, and the keys at every sequence.
  private struct History {
    var versions: [[UInt8]] = []
    var states: [Int64: [[UInt8]]] = [:]
    var pool: [[UInt8]]

    init(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      pool = (0..<70).map { _ in randomKey(&generator, longest: 1200) }
      let fixture = try IndexFixture()
      let index = try IndexFile.open(in: fixture.directory, name: "index")
      var live: Set<[UInt8]> = []
      states[0] = []
      versions.append(try fixture.contents())
      for sequence in 1...10 as ClosedRange<Int64> {
        let insert = (0..<10).map { _ in pool.randomElement(using: &generator)! }
        let remove = (0..<5).map { _ in pool.randomElement(using: &generator)! }
        live.subtract(remove)
        live.formUnion(insert)
        try index.apply(insert: insert, remove: remove, sequence: sequence)
        states[sequence] = sorted(live)
        versions.append(try fixture.contents())
      }
    }

    var newest: [UInt8] { versions[versions.count - 1] }
    var pageCount: Int { newest.count / PageLayout.size }

    static func page(_ number: Int, of bytes: [UInt8]) -> [UInt8] {
      let start = number * PageLayout.size
      return start < bytes.count ? Array(bytes[start..<min(bytes.count, start + PageLayout.size)]) : []
    }
  }

  /// Every operation on `bytes` as an index, before and after another transaction, is right or throws IndexDamage.
  private func expectRightOrDamaged(_ bytes: [UInt8], _ history: History, _ comment: Comment) throws -> Bool {
    let fixture = try IndexFixture()
    try fixture.replace(with: bytes)
    var isDamaged = false
    func attempt(_ body: () throws -> Void) throws {
      do { try body() } catch is IndexDamage { isDamaged = true }
    }
    try attempt {
      let index = try IndexFile.open(in: fixture.directory, name: "index")
      let expected = try #require(history.states[try index.sequence], comment)
      try attempt { try #require(try index.keys() == expected, comment) }
      for key in history.pool {
        try attempt { try #require(try index.contains(key) == expected.contains(key), comment) }
      }
      try attempt { try index.verify() }
      let (new, old) = (history.pool[0] + [1], history.pool[1])
      var after = Set(expected).union([new])
      after.remove(old)
      try attempt {
        try index.apply(insert: [new], remove: [old], sequence: 1000)
        try #require(try index.sequence == 1000, comment)
        try #require(try index.keys() == sorted(after), comment)
      }
    }
    return isDamaged
  }

  @Test func wholeVersionsAreRight() throws {
    let history = try History(seed: TestSeed.value(31))
    for version in history.versions {
      #expect(try !expectRightOrDamaged(version, history, "whole"))
    }
  }

  @Test(
    "an index with a lost, torn, changed or outdated page gives right results or reports damage",
    arguments: TestSeed.values(32...33))
  func everyPage(seed: UInt64) throws {
    let history = try History(seed: seed)
    let newest = history.newest
    var generator = SeededGenerator(seed: seed)
    var damaged = 0
    for number in 0..<history.pageCount {
      let range = number * PageLayout.size..<min(newest.count, (number + 1) * PageLayout.size)
      let own = Array(newest[range])
      var replacements: [[UInt8]] = [
        [UInt8](repeating: 0, count: own.count),
        [UInt8](repeating: 0xFF, count: own.count),
        Array(newest[2 * PageLayout.size..<2 * PageLayout.size + own.count]),
        own.prefix(4096) + [UInt8](repeating: 0, count: own.count - 4096),
      ]
      for offset in [0, 1, 2, 4, 8, 16, 20, 40, 72, Int.random(in: 0..<own.count, using: &generator)] {
        var flipped = own
        flipped[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        replacements.append(flipped)
      }
      for version in Set(history.versions.map { History.page(number, of: $0) }) where version.count == own.count {
        replacements.append(version)
        replacements.append(Array(version.prefix(4096) + own.suffix(own.count - 4096)))
      }
      for (position, replacement) in replacements.enumerated() where replacement != own {
        var bytes = newest
        bytes.replaceSubrange(range, with: replacement)
        let comment: Comment = "seed \(seed), page \(number), replacement \(position)"
        if try expectRightOrDamaged(bytes, history, comment) { damaged += 1 }
      }
    }
    #expect(damaged > history.pageCount, "most replacements can't go unnoticed")
  }

  /// The state after a power cut: each page may have any version up to the newest.
  @Test(
    "an index with pages of different versions gives right results or reports damage", arguments: TestSeed.values([34]))
  func powerCut(seed: UInt64) throws {
    let history = try History(seed: seed)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<150 {
      let newestPages = Int.random(in: 0...3, using: &generator)
      var bytes: [UInt8] = []
      for number in 0..<history.pageCount {
        // Mostly the last few versions: the root detects older ones.
        let back =
          newestPages == 0 ? Int.random(in: 0...10, using: &generator) : Int.random(in: 0...2, using: &generator)
        var page = History.page(number, of: history.versions[max(0, history.versions.count - 1 - back)])
        page += [UInt8](repeating: 0, count: PageLayout.size - page.count)
        bytes += page
      }
      _ = try expectRightOrDamaged(bytes, history, "seed \(seed), round \(round)")
    }
  }

  @Test func shortOrForeignFiles() throws {
    let history = try History(seed: TestSeed.value(35))
    let newest = history.newest
    for count in [0, 1, 87, 88, 8191, 8192, 8280, 16384, newest.count / 2, newest.count - 1] {
      #expect(try expectRightOrDamaged(Array(newest.prefix(count)), history, "first \(count) bytes"))
    }
    let fixture = try IndexFixture()
    try fixture.replace(with: Array("{\"not\": \"an index\"}\n".utf8))
    #expect(throws: IndexDamage.self) { try IndexFile.open(in: fixture.directory, name: "index") }
    let index = try IndexFile.create(in: fixture.directory, name: "index")
    #expect(try index.keys() == [])
  }

  /// A forged page can have the right checksum and invalid contents; it must not stop the process.
  @Test func forgedStructure() throws {
    func node(_ level: Int, count: Int, ends: [UInt16]) -> [UInt8] {
      var page = PageLayout.page(kind: .node, level: level, count: count, number: 2, generation: 1)
      for (slot, end) in ends.enumerated() { page.setInteger(end, at: PageLayout.headerSize + 2 * slot) }
      return page
    }
    #expect(NodePage(node(0, count: 2, ends: [1, 3]), level: 0) != nil)
    #expect(NodePage(node(0, count: 2, ends: [3, 1]), level: 0) == nil)
    #expect(NodePage(node(0, count: 1, ends: [9000]), level: 0) == nil)
    #expect(NodePage(node(0, count: 0, ends: []), level: 0) == nil)
    #expect(NodePage(node(0, count: 5000, ends: []), level: 0) == nil)
    #expect(NodePage(node(1, count: 2, ends: [20, 41]), level: 1) != nil)
    #expect(NodePage(node(1, count: 2, ends: [20, 39]), level: 1) == nil)
    #expect(NodePage(node(1, count: 1, ends: [20]), level: 0) == nil)
    var list = PageLayout.page(kind: .freeList, level: 0, count: 1, number: 2, generation: 1)
    #expect(FreePage(list, pageCount: 10) == nil, "page 0 is a meta page")
    list.setInteger(UInt16(3000), at: 2)
    #expect(FreePage(list, pageCount: 10) == nil)
  }
}
