import Platform

/// A set of byte strings in one file, in order: a copy-on-write B+tree in the manner of LMDB.
///
/// It serves as a *derived* index, so nothing here is ever synced. What it promises instead is that damage shows: every
/// answer is that of the state whose ``sequence`` it has, or the call throws ``IndexDamage`` and the caller makes the
/// index anew. A kill at any moment leaves the state before a transaction or the one after it. A power cut may lose any
/// of the pages and leave others; that is found when a page is read.
///
/// **Format.** Pages of 8192 bytes; integers are little-endian.
///
/// - *Meta pages*, pages 0 and 1: magic "LCKINDEX", format version (4 bytes), page size (4), transaction (8), reference
///   to the root (20), its level (4), reference to the free list (20), page count (4), sequence (8), checksum of all
///   that (8), seeded with the owner's number: no other folder's index passes for this one's. Transaction n is in page
///   n mod 2; the valid one with the higher number counts. A new or bulk-loaded file has transaction 0.
/// - *Reference*: page number (4), the page's generation, which is the transaction that wrote it (8), checksum of the
///   whole page (8). So one valid meta page vouches for every page below it in exactly that version, and pages need no
///   checksum of their own.
/// - *Other pages* begin with kind (1), level (1), count (2), page number (4) and generation (8).
/// - *Nodes* (kind 1): `count` slots (2) with the end of each cell, counted from the first cell, then the cells. At
///   level 0 a cell is a key. Above, it is a reference to a child and the separator: no key below the child precedes
///   it, and every key below the children before does. The first cell has none, since the parent holds it. Separators
///   are as short as they can be when a leaf is parted.
/// - *Free list* (kind 2): reference to its next page (20), then `count` page numbers (4).
///
/// **A transaction** writes all changed nodes and the free list's first page to pages that are free in the state before
/// or past the file's end, then the other meta page, in one write. Pages that it frees are given out from the next one
/// on. Who reads the folder keeps its lock shared, so no transaction begins meanwhile. A planner who reads while others'
/// commits are applied may outlive one transaction; if it outlives two, a page's checksum shows it.
///
/// The same operations give the same bytes. The file does not shrink; making it anew does that.
///
/// Threads and processes: the type keeps the open file, with nodes that can't change, and reads the meta page anew in each
/// call. Any number may read together; there is one writer, who has the turn to commit.
package final class IndexFile: Sendable {
  private let directory: Directory
  private let name: String
  private let pages: PageFile
  /// False for one that was opened by somebody who might only read it then.
  package let isWritable: Bool

  /// In bytes. Room for two names of 255 characters of four bytes each, and more.
  package static let maximumKeyLength = PageLayout.maximumKeyLength

  private init(_ file: File, in directory: Directory, name: String, of owner: UInt64, isWritable: Bool = true) {
    self.directory = directory
    self.isWritable = isWritable
    self.name = name
    pages = PageFile(file: file, owner: owner, known: KnownPages())
  }

  // MARK: Opening and making

  /// Opens the owner's index, or answers nil where there is none; for who may only read.
  package static func openIfPresent(in directory: Directory, name: String, of owner: UInt64) throws -> IndexFile? {
    do { return try open(in: directory, name: name, of: owner, .readWrite) } catch let error as SystemError
      where error.isDenied
    {
      return try open(in: directory, name: name, of: owner, .read)
    }
  }

  private static func open(
    in directory: Directory, name: String, of owner: UInt64, _ access: Directory.Access
  ) throws -> IndexFile? {
    guard let found = try directory.fileIfPresent(name, access) else { return nil }
    let index = IndexFile(found, in: directory, name: name, of: owner, isWritable: access == .readWrite)
    _ = try index.pages.meta()
    return index
  }

  /// Makes an index of `sortedKeys` in place of whatever was there. Keys are in byte order; repeated ones count once.
  @discardableResult
  package static func build(
    in directory: Directory, name: String, of owner: UInt64, sortedKeys: some Sequence<[UInt8]>, sequence: Int64
  ) throws -> IndexFile {
    // A fixed name, so that what a killed process left is written over.
    let stagedName = name + ".new"
    try directory.writeStaged(stagedName, [UInt8](repeating: 0, count: 2 * PageLayout.size))
    let staged = try directory.file(stagedName, .readWrite)
    var builder = TreeBuilder(PageFile(file: staged, owner: owner))
    for key in sortedKeys { try builder.append(key) }
    try builder.finish(sequence: sequence)
    try directory.rename(stagedName, to: directory, as: name)
    return IndexFile(try directory.file(name, .readWrite), in: directory, name: name, of: owner)
  }

  /// False once another process made the index anew: this one is then the old file, and has to be opened again. To be
  /// asked after taking the folder's lock.
  package func isCurrent() throws -> Bool {
    try directory.identity(of: name) == pages.file.identity()
  }

  // MARK: Reading

  /// The last sequence of the folder that the index includes.
  package var sequence: Int64 { get throws { try pages.meta().sequence } }

  package func contains(_ key: [UInt8]) throws -> Bool {
    let meta = try pages.meta()
    guard !meta.root.isNone else { return false }
    var node = try pages.node(meta.root, level: meta.level)
    while !node.isLeaf {
      node = try pages.node(node.child(node.childIndex(for: key)), level: node.level - 1)
    }
    return node.position(of: key).isFound
  }

  /// Hands out the keys that begin with `prefix` and do not precede `from`, in order, until `body` answers false.
  ///
  /// Damage may show after some keys were handed out; those were right.
  package func scan(prefix: [UInt8], from: [UInt8]? = nil, _ body: ([UInt8]) throws -> Bool) throws {
    try scan(IndexScan(prefix: prefix, from: from)) { try body(Array($0)) }
  }

  /// How many keys begin with `prefix`, counted up to `limit`.
  package func count(prefix: [UInt8], limit: Int = .max) throws -> Int {
    try count(prefix: prefix, from: prefix, to: nil, limit: limit)
  }

  /// The same between two bounds, the first of which belongs to it.
  package func count(prefix: [UInt8], from lower: [UInt8], to upper: [UInt8]?, limit: Int) throws -> Int {
    var count = 0
    guard limit > 0 else { return 0 }
    try scan(IndexScan(prefix: prefix, from: lower)) { key in
      if let upper, !key.lexicographicallyPrecedes(upper) { return false }
      count += 1
      return count < limit
    }
    return count
  }

  /// The last key that precedes `bound`.
  package func last(before bound: [UInt8]) throws -> [UInt8]? {
    let meta = try pages.meta()
    guard !meta.root.isNone else { return nil }
    return try IndexPredecessor(bound: bound).find(meta.root, level: meta.level, isLast: true, in: pages)
  }

  private func scan(_ scan: IndexScan, _ body: (ArraySlice<UInt8>) throws -> Bool) throws {
    let meta = try pages.meta()
    guard !meta.root.isNone else { return }
    _ = try scan.visit(meta.root, level: meta.level, isFirst: true, in: pages, body)
  }

  /// Reads every page. Throws ``IndexDamage`` unless all is as the format demands and no page is lost.
  package func verify() throws {
    var verifier = try IndexVerifier(file: PageFile(file: pages.file, owner: pages.owner), meta: pages.meta())
    try verifier.verify()
  }

  // MARK: Writing

  /// Takes `remove` out, puts `insert` in, and sets the sequence, all of it or nothing. A key in both is in afterwards;
  /// keys that are there or not there already are no error.
  ///
  /// After an error of the file system the index is in the state before or, if the last write failed late, the one
  /// after; ``sequence`` tells.
  package func apply(insert: [[UInt8]], remove: [[UInt8]], sequence: Int64) throws {
    if !isWritable { throw SystemError(code: SystemError.accessDenied, call: "open", path: pages.file.path) }
    let changes = try KeyChange.ordered(insert: insert, remove: remove)
    let meta = try pages.meta()
    var editor = TreeEditor(file: pages, following: meta)
    try pages.write(editor.apply(changes, to: meta, sequence: sequence))
  }
}
