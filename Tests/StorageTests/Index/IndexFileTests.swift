import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("An index file as a set of keys")
struct IndexFileTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func emptyIndex() throws {
    let fixture = try IndexFixture()
    #expect(try IndexFile.openIfPresent(in: fixture.directory, name: "index") == nil)
    let index = try IndexFile.open(in: fixture.directory, name: "index")
    #expect(try index.sequence == 0)
    #expect(try !index.contains([]))
    #expect(try index.keys() == [])
    #expect(try index.count(prefix: []) == 0)
    try index.apply(insert: [], remove: [[1]], sequence: 7)
    #expect(try index.sequence == 7)
    try index.verify()
    #expect(try fixture.directory.entries().map(\.name) == ["index"])
  }

  @Test func scansPrefixes() throws {
    let fixture = try IndexFixture()
    let index = try IndexFile.open(in: fixture.directory, name: "index")
    let keys = ["", "a", "a/1", "a/2", "a/3", "a0", "b/1", "\u{FF}"].map(Self.bytes) + [[0xFF], [0xFF, 0xFF]]
    try index.apply(insert: keys, remove: [], sequence: 1)
    #expect(try index.keys() == sorted(keys))
    #expect(try index.keys(prefix: Self.bytes("a/")) == ["a/1", "a/2", "a/3"].map(Self.bytes))
    #expect(try index.keys(prefix: Self.bytes("a/"), from: Self.bytes("a/2")) == ["a/2", "a/3"].map(Self.bytes))
    #expect(try index.keys(prefix: Self.bytes("a/"), from: Self.bytes("a/15")) == ["a/2", "a/3"].map(Self.bytes))
    #expect(try index.keys(prefix: Self.bytes("a/"), from: Self.bytes("Z")).count == 3)
    #expect(try index.keys(prefix: Self.bytes("a/"), from: Self.bytes("b")) == [])
    #expect(try index.keys(prefix: Self.bytes("c")) == [])
    #expect(try index.keys(prefix: [0xFF]) == [[0xFF], [0xFF, 0xFF]])
    #expect(try index.count(prefix: Self.bytes("a")) == 5)
    #expect(try index.count(prefix: Self.bytes("a"), limit: 2) == 2)
    #expect(try index.count(prefix: Self.bytes("a"), limit: 0) == 0)
    #expect(try index.contains([]))
    #expect(try !index.contains(Self.bytes("a/")))
    var first: [[UInt8]] = []
    try index.scan(prefix: Self.bytes("a/")) { key in
      first.append(key)
      return false
    }
    #expect(first == [Self.bytes("a/1")])
  }

  @Test func insertionWinsOverRemoval() throws {
    let fixture = try IndexFixture()
    let index = try IndexFile.open(in: fixture.directory, name: "index")
    try index.apply(insert: [[1], [1], [2]], remove: [[1], [3], [3]], sequence: 1)
    #expect(try index.keys() == [[1], [2]])
    try index.apply(insert: [[2]], remove: [[2], [1]], sequence: 2)
    #expect(try index.keys() == [[2]])
    try index.verify()
  }

  @Test func longKeys() throws {
    let fixture = try IndexFixture()
    let index = try IndexFile.open(in: fixture.directory, name: "index")
    #expect(IndexFile.maximumKeyLength >= 2100)
    // The keys differ only in the last bytes, so separators are as long as keys.
    var keys: [[UInt8]] = []
    for number in 0..<200 {
      var key = [UInt8](repeating: 0x78, count: IndexFile.maximumKeyLength)
      key[key.count - 1 - number % 3] = UInt8(number)
      keys.append(key)
    }
    for (position, key) in keys.enumerated() {
      try index.apply(insert: [key], remove: [], sequence: Int64(position))
    }
    try index.verify()
    #expect(try index.keys() == sorted(Set(keys)))
    for key in keys.dropLast() { try index.apply(insert: [], remove: [key], sequence: 1000) }
    try index.verify()
    #expect(try index.count(prefix: []) == (keys.dropLast().contains(keys[199]) ? 0 : 1))

    let tooLong = [UInt8](repeating: 1, count: IndexFile.maximumKeyLength + 1)
    #expect(throws: IndexKeyTooLong(length: tooLong.count)) {
      try index.apply(insert: [[1], tooLong], remove: [], sequence: 2000)
    }
    #expect(throws: IndexKeyTooLong(length: tooLong.count)) {
      try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: [[1], tooLong], sequence: 1)
    }
    #expect(try index.sequence == 1000)
    #expect(try index.isCurrent())
  }

  @Test("random changes give the same keys in the index as in a Set", arguments: TestSeed.values(1...8))
  func randomChangesGiveTheSameKeys(seed: UInt64) throws {
    let comment: Comment = "seed \(seed)"
    var generator = SeededGenerator(seed: seed)
    let longest = [40, 120, 900, IndexFile.maximumKeyLength][Int(seed % 4)]
    let pool = sorted(Set((0..<400).map { _ in randomKey(&generator, longest: longest) }))
    let fixture = try IndexFixture()
    let index = try IndexFile.open(in: fixture.directory, name: "index")
    let twin = try IndexFile.open(in: fixture.directory, name: "twin")
    var model: Set<[UInt8]> = []
    for step in 1...150 {
      // The set grows, shrinks, grows.
      let growth = step % 100 < 60 ? 3 : 1
      let size = step % 20 == 0 ? 60 : 6
      let insert = (0..<Int.random(in: 0...size * growth / 2, using: &generator)).map { _ in
        pool.randomElement(using: &generator)!
      }
      let remove = (0..<Int.random(in: 0...size * (4 - growth) / 2, using: &generator)).map { _ in
        pool.randomElement(using: &generator)!
      }
      model.subtract(remove)
      model.formUnion(insert)
      try index.apply(insert: insert, remove: remove, sequence: Int64(step))
      try twin.apply(insert: insert, remove: remove, sequence: Int64(step))
      try index.verify()
      try #require(try index.sequence == Int64(step), comment)
      let all = pool.filter(model.contains)
      try #require(try index.keys() == all, comment)
      let key = pool.randomElement(using: &generator)!
      try #require(try index.contains(key) == model.contains(key), comment)
      let prefix = Array(key.prefix(Int.random(in: 0...key.count, using: &generator)))
      let from = pool.randomElement(using: &generator)!
      let split = position(of: from, in: all)
      let expected = all[split...].filter { begins($0, with: prefix) }
      try #require(try index.keys(prefix: prefix, from: from) == expected, comment)
      try #require(try index.last(before: from) == all[..<split].last, comment)
      try checkWalks(index, all, prefix, from, key, comment)
      let between = expected.filter { comesBefore($0, key) }
      try #require(try index.count(prefix: prefix, from: from, to: key, limit: 3) == min(between.count, 3), comment)
    }
    #expect(try fixture.contents("index") == fixture.contents("twin"), "the same operations give the same bytes")
    try index.apply(insert: [], remove: pool, sequence: 1000)
    try index.verify()
    #expect(try index.keys() == [], comment)
  }

  /// Compares backward scans, scans that skip keys, counts and lookups with the same operations on an array.
  private func checkWalks(
    _ index: IndexFile, _ all: [[UInt8]], _ prefix: [UInt8], _ from: [UInt8], _ key: [UInt8], _ comment: Comment
  ) throws {
    let wanted = all.filter { begins($0, with: prefix) }
    for skipped in [0, 1, wanted.count / 2, wanted.count, wanted.count + 1] {
      var found: [[UInt8]] = []
      try index.scan(prefix: prefix, from: key, skipping: skipped) { key in
        found.append(key)
        return found.count < 5
      }
      let rest = wanted.filter { !comesBefore($0, key) }
      try #require(found == Array(rest.dropFirst(skipped).prefix(5)), comment)
    }
    try #require(try index.count(prefix: prefix) == wanted.count, comment)
    try #require(try index.count(prefix: prefix, limit: 7) == min(7, wanted.count), comment)
    // The lower bound may have the prefix, too.
    var found: [[UInt8]] = []
    try index.scanBackward(prefix: prefix, before: key) { key in
      found.append(key)
      return found.count < 9
    }
    try #require(found == Array(wanted.filter { comesBefore($0, key) }.reversed().prefix(9)), comment)
    let prefixes = [prefix, from, key, [], [0xFF, 0xFF, 0xFF]] + all.prefix(40) + all.suffix(40).reversed()
    let firsts = prefixes.map { prefix in
      all[position(of: prefix, in: all)...].first.flatMap { begins($0, with: prefix) ? $0 : nil }
    }
    try #require(try prefixes.map { try first($0, index) } == firsts, comment)
  }

  /// The index of a key in a sorted array, or the index where it would be inserted.
  private func position(of key: [UInt8], in all: [[UInt8]]) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(all[middle], key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first key with a prefix.
  private func first(_ prefix: [UInt8], _ index: IndexFile) throws -> [UInt8]? {
    var found: [UInt8]?
    try index.scan(prefix: prefix) { key in
      found = key
      return false
    }
    return found
  }

  @Test("an index that is built from sorted keys of any number has those keys", arguments: [0, 1, 2, 3, 300, 2000])
  func bulkLoad(count: Int) throws {
    let fixture = try IndexFixture()
    var generator = SeededGenerator(seed: TestSeed.value(UInt64(count)))
    let old = try IndexFile.open(in: fixture.directory, name: "index")
    for longest in [60, IndexFile.maximumKeyLength] where count <= 300 || longest == 60 {
      let keys = sorted(
        (0..<count).map { number in randomKey(&generator, longest: longest - 8) + Self.bytes(String(number)) })
      let repeated = keys.flatMap { [$0, $0] }
      let index = try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: repeated, sequence: 42)
      try index.verify()
      #expect(try index.keys() == keys)
      #expect(try index.sequence == 42)
      #expect(try index.isCurrent())
      #expect(try !old.isCurrent())
      try index.apply(insert: [[9, 9, 9]], remove: Array(keys.prefix(count / 2)), sequence: 43)
      try index.verify()
      #expect(try index.keys() == sorted(keys.dropFirst(count / 2) + [[9, 9, 9]]))
    }
  }

  /// A build can end in branches with one child; the root must not retain a single child.
  @Test("an index with one remaining key of many has one leaf", arguments: 1...60)
  func oneKeyLeft(count: Int) throws {
    let fixture = try IndexFixture()
    let alike = [UInt8](repeating: 0x78, count: IndexFile.maximumKeyLength - 1)
    let keys = (0..<count).map { alike + [UInt8($0)] }
    let index = try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: keys, sequence: 1)
    try index.verify()
    #expect(try index.keys() == keys)
    try index.apply(insert: [], remove: keys.dropLast(), sequence: 2)
    try index.verify()
    #expect(try index.keys() == keys.suffix(1))
    #expect(try PageFile(file: fixture.directory.file("index")).meta().level == 0)
  }

  @Test func hundredThousandKeys() throws {
    let fixture = try IndexFixture()
    let keys = (0..<100_000).lazy.map { Self.bytes("children/parent-\($0 / 100 + 1000)/record-\($0 + 100_000)") }
    let index = try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: keys, sequence: 1)
    try index.verify()
    #expect(try index.count(prefix: Self.bytes("children/")) == 100_000)
    #expect(try index.count(prefix: Self.bytes("children/"), limit: 99_999) == 99_999)
    #expect(try keys.prefix(3_000).map { try first($0, index) } == Array(keys.prefix(3_000)))
    var last: [[UInt8]] = []
    try index.scan(prefix: Self.bytes("children/"), skipping: 99_998) { key in
      last.append(key)
      return true
    }
    #expect(last == Array(keys.suffix(2)))
    #expect(try index.count(prefix: Self.bytes("children/parent-1500/")) == 100)
    #expect(try index.contains(Self.bytes("children/parent-1999/record-199999")))
    let changes = fixture.fileSystem.changes.load(ordering: .relaxed)
    try index.apply(insert: [Self.bytes("children/parent-1500/new")], remove: [], sequence: 2)
    // Leaf, branch, root, free list, meta page; twice as many if splits propagate up to the root.
    #expect(fixture.fileSystem.changes.load(ordering: .relaxed) - changes <= 8)
    #expect(fixture.fileSystem.fileSyncs.load(ordering: .relaxed) == 0)
  }
}
