import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

/// Every page of these trees has the checksum that its parent names; only the contents are invalid.
@Suite("Index verification of invalid trees")
final class IndexForgeryTests {
  private let fixture: IndexFixture
  private let file: PageFile
  private var writer: PageWriter

  init() throws {
    fixture = try IndexFixture()
    try fixture.directory.writeStaged("index", [UInt8](repeating: 0, count: 2 * PageLayout.size))
    file = PageFile(file: try fixture.directory.file("index", .readWrite))
    writer = PageWriter(file: file, following: .empty)
  }

  private func leaf(_ keys: String...) throws -> PageReference {
    var cells = CellList(level: 0)
    for key in keys { cells.append(key: Array(key.utf8)) }
    return try writer.write(cells, 0..<cells.count)
  }

  private func branch(_ level: Int, _ children: (PageReference, separator: String)...) throws -> PageReference {
    var cells = CellList(level: level)
    for (child, separator) in children { cells.append(child, separator: Array(separator.utf8)) }
    return try writer.write(cells, 0..<cells.count)
  }

  /// The damage that the verifier finds in the tree below a root.
  private func damage(
    below root: PageReference, level: Int, freeList: PageReference = .none, pages more: UInt32 = 0
  ) throws -> String? {
    var meta = IndexMeta.empty
    (meta.root, meta.level, meta.freeList) = (root, level, freeList)
    meta.pageCount = writer.pageCount + more
    do {
      var verifier = try IndexVerifier(file: file, meta: meta)
      try verifier.verify()
      return nil
    } catch let error as IndexDamage {
      #expect(error.path == file.file.path)
      #expect(error.description == "damaged index \(error.path): \(error.reason)")
      return error.reason
    }
  }

  @Test("verification accepts separators that are keys or lie between keys")
  func verificationAcceptsSeparatorsThatAreKeys() throws {
    let (one, two, three) = (try leaf("a", "b"), try leaf("c", "d"), try leaf("ea", "f"))
    let root = try branch(1, (one, ""), (two, "c"), (three, "e"))
    #expect(try damage(below: root, level: 1) == nil)
    #expect(try damage(below: .none, level: 0) == "page 2 is neither used nor free")
  }

  @Test("verification reports keys that are out of order within a page")
  func verificationReportsKeysThatAreOut() throws {
    #expect(try damage(below: leaf("b", "a"), level: 0) == "page 2 is out of order")
    #expect(try damage(below: leaf("a", "a"), level: 0) == "page 3 is out of order")
  }

  @Test("verification reports a key that belongs to the page after the next separator")
  func verificationReportsAKeyThatBelongs() throws {
    let (one, two) = (try leaf("a", "c"), try leaf("c", "d"))
    #expect(try damage(below: branch(1, (one, ""), (two, "c")), level: 1) == "page 2 holds what belongs to another")
  }

  @Test("verification reports a key before its page's separator")
  func verificationReportsAKeyBeforeItsPages() throws {
    let (one, two) = (try leaf("a", "b"), try leaf("c", "d"))
    #expect(try damage(below: branch(1, (one, ""), (two, "cc")), level: 1) == "page 3 holds what belongs to another")
  }

  @Test("verification reports separators of a branch that are out of order")
  func verificationReportsSeparatorsOfABranch() throws {
    let pages = (try leaf("a"), try leaf("c"), try leaf("b"))
    let root = try branch(1, (pages.0, ""), (pages.1, "c"), (pages.2, "b"))
    #expect(try damage(below: root, level: 1) == "page 3 holds what belongs to another")
  }

  @Test("verification reports a page that is used twice, is unused, or lies behind the last page")
  func verificationReportsAPageThatIsUsed() throws {
    let one = try leaf("a")
    #expect(try damage(below: branch(1, (one, ""), (one, "b")), level: 1) == "page 2 is used twice")
    let meta = PageReference(number: 1, generation: 0, checksum: 0)
    #expect(try damage(below: meta, level: 0) == "page 1 is used twice")
    let far = PageReference(number: writer.pageCount, generation: 0, checksum: 0)
    #expect(try damage(below: far, level: 0) == "page \(far.number) is used twice")
    // Pages 2 and 3 exist; the file has no more pages.
    #expect(try damage(below: one, level: 0, pages: 1) == "shorter than its 5 pages")
    #expect(try damage(below: one, level: 0) == "page 3 is neither used nor free")
  }

  @Test("verification reports leaves at different depths and pages of the wrong kind")
  func verificationReportsLeavesAtDifferentDepths() throws {
    let leaf = try leaf("a")
    #expect(try damage(below: branch(2, (leaf, "")), level: 2) == "page 2 is no node of level 1")
    #expect(try damage(below: leaf, level: 1) == "page 2 is no node of level 1")
    #expect(try damage(below: .none, level: 0, freeList: leaf) == "page 2 is of another kind")
  }

  @Test("verification reports a free list that names used pages, missing pages or itself")
  func freeLists() throws {
    let leaf = try leaf("a")
    func list(_ numbers: [UInt32], at number: UInt32) throws -> PageReference {
      let page = FreePage(next: .none, numbers: numbers).encoded(number: number, generation: 1)
      try file.file.write(page, at: Int(number) * PageLayout.size)
      return PageReference(number: number, generation: 1, checksum: page.withUnsafeBytes { Digest.hash64($0) })
    }
    #expect(try damage(below: leaf, level: 0, freeList: list([], at: 3), pages: 1) == nil)
    #expect(try damage(below: leaf, level: 0, freeList: list([2], at: 3), pages: 1) == "page 2 is used twice")
    #expect(try damage(below: leaf, level: 0, freeList: list([3], at: 3), pages: 1) == "page 3 is used twice")
    for number in [0, 1, 4] as [UInt32] {
      #expect(
        try damage(below: leaf, level: 0, freeList: list([number], at: 3), pages: 1)
          == "page 3 is no part of a free list", "\(number)")
    }
    #expect(try damage(below: .none, level: 0, freeList: list([2], at: 3), pages: 1) == nil)
    #expect(try damage(below: list([], at: 3), level: 0, pages: 1) == "page 3 is of another kind")
  }

  @Test("a reference to another version of a page, or to a missing page, is damage")
  func referenceToAnotherVersionOfAPage() throws {
    let leaf = try leaf("a")
    #expect(try damage(below: leaf, level: 0) == nil)
    for change in [0, 1] {
      var other = leaf
      if change == 0 { other.generation += 1 } else { other.checksum ^= 1 }
      #expect(
        try damage(below: other, level: 0) == "page 2 is not the one of transaction \(other.generation)")
    }
    #expect(throws: IndexDamage(path: file.file.path, reason: "page 1 is missing")) {
      try file.node(PageReference(number: 1, generation: 0, checksum: 0), level: 0)
    }
    #expect(throws: IndexDamage(path: file.file.path, reason: "page 9 is missing")) {
      try file.node(PageReference(number: 9, generation: 0, checksum: 0), level: 0)
    }
    #expect(throws: IndexDamage(path: file.file.path, reason: "no meta page is valid")) { try file.meta() }
  }

  @Test("a meta page is valid only at its own offset, for its own owner and with numbers in range")
  func metaPages() {
    func read(_ change: (inout IndexMeta) -> Void, at offset: Int = 0, owner: UInt64 = 7) -> IndexMeta? {
      var meta = IndexMeta.empty
      change(&meta)
      return IndexMeta(meta.encoded(owner: 7), at: offset, owner: owner)
    }
    #expect(read { _ in } == IndexMeta.empty)
    #expect(read({ _ in }, owner: 8) == nil)
    #expect(read({ _ in }, at: PageLayout.size) == nil)
    #expect(read({ $0.transaction = 1 }, at: PageLayout.size)?.transaction == 1)
    #expect(read { $0.transaction = 1 } == nil)
    #expect(read { $0.transaction = .max - 1 }?.transaction == UInt64.max - 1)
    #expect(read({ $0.transaction = .max }, at: PageLayout.size) == nil)
    #expect(read { $0.level = 32 }?.level == 32)
    #expect(read { $0.level = 33 } == nil)
    #expect(read { $0.pageCount = 2 } != nil)
    #expect(read { $0.pageCount = 1 } == nil)
    #expect(read { $0.pageCount = .max / 2 } != nil)
    #expect(read { $0.pageCount = .max / 2 + 1 } == nil)
    var bytes = IndexMeta.empty.encoded(owner: 7)
    #expect(IndexMeta(Array(bytes.dropLast()), at: 0, owner: 7) == nil)
    #expect(IndexMeta(bytes + [0], at: 0, owner: 7) == nil)
    bytes[72] ^= 1
    #expect(IndexMeta(bytes, at: 0, owner: 7) == nil)
    // [index-10]: whole, but of the next version of the index.
    var later = Array(IndexMeta.empty.encoded(owner: 7).prefix(80))
    later[8] += 1
    later.appendInteger(later.withUnsafeBytes { Digest.hash64($0, seed: 7) })
    #expect(IndexMeta(later, at: 0, owner: 7) == nil)
  }

  @Test("the page cache retains the most recently used nodes")
  func knownPages() throws {
    var cells = CellList(level: 0)
    cells.append(key: [1])
    let node = try #require(NodePage(cells.encodedPage(0..<1, number: 2, generation: 1), level: 0))
    func reference(_ number: Int) -> PageReference {
      PageReference(number: UInt32(number), generation: 1, checksum: 0)
    }
    let known = KnownPages()
    for number in 0..<17 { known.store(node, reference(number)) }
    for number in 1..<17 where number != 16 { #expect(known.node(reference(number)) != nil, "\(number)") }
    #expect(known.node(PageReference(number: 1, generation: 2, checksum: 0)) == nil)
    let other = KnownPages()
    for number in 0..<17 { other.store(node, reference(number)) }
    // The lookup makes the node recent again; the nodes beside it are dropped.
    #expect(other.node(reference(0)) != nil)
    for number in 17..<32 { other.store(node, reference(number)) }
    #expect(other.node(reference(1)) == nil)
    #expect(other.node(reference(15)) == nil)
    #expect(other.node(reference(16)) != nil)
    #expect(other.node(reference(0)) != nil)
    #expect(other.node(reference(31)) != nil)
  }

  @Test("an index that was opened without write permission can be read, and a write fails")
  func readOnly() throws {
    try IndexFile.build(in: fixture.directory, name: "index", sortedKeys: [[1], [2]], sequence: 3)
    let opens = Counter()
    let fileSystem = FileSystem(observing: .allCalls) { call in
      if case .openFile(let path) = call, path.hasSuffix("/index"), opens.next() == 1 {
        return .fail(SystemError.accessDenied)
      }
      return .proceed
    }
    let directory = try Directory.open(path: fixture.path, in: fileSystem)
    let index = try #require(try IndexFile.openIfPresent(in: directory, name: "index"))
    #expect(try !index.isWritable && index.keys() == [[1], [2]] && index.sequence == 3)
    let denied = SystemError(
      code: SystemError.accessDenied, call: "open", path: directory.path(of: "index"), isWrite: true)
    #expect(throws: denied) {
      try index.apply(insert: [[3]], remove: [], sequence: 4)
    }
    #expect(try index.keys() == [[1], [2]] && index.sequence == 3)
    let again = try #require(try IndexFile.openIfPresent(in: directory, name: "index"))
    #expect(again.isWritable)
  }
}
