import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("Index file: space")
struct IndexSpaceTests {
  private static func key(_ number: Int) -> [UInt8] { Array("types/Note/\(number + 1_000_000)".utf8) }

  @Test func updatesDoNotGrowTheFile() throws {
    let fixture = try IndexFixture()
    var generator = SeededGenerator(seed: TestSeed.value(11))
    var live = (0..<1000).map(Self.key)
    let index = try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: live, sequence: 0)
    var sizes: [Int] = []
    for step in 1...6000 {
      let position = Int.random(in: 0..<1000, using: &generator)
      let key = Self.key(1000 + step)
      try index.apply(insert: [key], remove: [live[position]], sequence: Int64(step))
      live[position] = key
      if step % 2000 == 0 { sizes.append(fixture.size) }
    }
    try index.verify()
    #expect(try index.keys() == sorted(live))
    #expect(sizes.allSatisfy { $0 < 400_000 }, "\(sizes)")
  }

  @Test func deletionLeavesAShallowTree() throws {
    let fixture = try IndexFixture()
    var generator = SeededGenerator(seed: TestSeed.value(12))
    let keys = (0..<6000).map(Self.key)
    let index = try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: keys, sequence: 0)
    let kept = Set((0..<10).map { $0 * 599 })
    var doomed = keys.indices.filter { !kept.contains($0) }
    doomed.shuffle(using: &generator)
    while !doomed.isEmpty {
      try index.apply(insert: [], remove: doomed.suffix(7).map { keys[$0] }, sequence: 1)
      doomed.removeLast(min(7, doomed.count))
    }
    try index.verify()
    #expect(try index.keys() == kept.sorted().map { keys[$0] })
    let meta = try PageFile(file: fixture.directory.file("index")).meta()
    #expect(meta.level == 0, "ten keys fit one leaf")

    // All freed pages are reused before the file grows.
    let size = fixture.size
    for key in keys { try index.apply(insert: [key], remove: [], sequence: 2) }
    try index.verify()
    #expect(fixture.size <= size * 3 / 2)
  }

  /// Lengths at which the free list needs one more page, also where that page itself was in the list.
  @Test("a free list of any length is written correctly", arguments: [0, 1, 2, 3])
  func freeListLengths(pages: Int) throws {
    for extra in -3...3 {
      let count = pages * PageLayout.freeNumbers + extra
      guard count > 0 else { continue }
      let fixture = try IndexFixture()
      try fixture.directory.writeStaged("index", [UInt8](repeating: 0, count: 2 * PageLayout.size))
      let file = PageFile(file: try fixture.directory.file("index", .readWrite))
      var meta = IndexMeta.empty
      meta.pageCount = PageLayout.firstPage + UInt32(count)
      try file.file.truncate(to: Int(meta.pageCount) * PageLayout.size)
      var first = PageWriter(file: file, following: meta)
      for number in 0..<count {
        first.free(PageReference(number: PageLayout.firstPage + UInt32(number), generation: 0, checksum: 0))
      }
      meta.freeList = try first.finish()
      meta.pageCount = first.pageCount
      try verify(file, &meta)
      // Each step allocates some pages and frees a few of them again.
      for step in 0..<8 {
        var writer = PageWriter(file: file, following: meta)
        var cells = CellList(level: 0)
        cells.append(key: [UInt8(step)])
        writer.free(try writer.write(cells, 0..<1))
        meta.freeList = try writer.finish()
        meta.pageCount = writer.pageCount
        meta.transaction += 1
        try verify(file, &meta)
      }
      #expect(Int(meta.pageCount) <= count + 2 + 5 + pages)
    }
  }

  private func verify(_ file: PageFile, _ meta: inout IndexMeta) throws {
    var verifier = try IndexVerifier(file: file, meta: meta)
    try verifier.verify()
  }
}

extension IndexFixture {
  fileprivate var size: Int { (try? directory.file("index").size()) ?? 0 }
}
