import LocalCloudPlatform

/// A set of byte strings in one file, in order: a copy-on-write B+tree in the manner of LMDB.
///
/// The index is *derived* data, so its file is never synced. Instead, damage is always detected: every result is that
/// of the state with the file's ``sequence``, or the call throws ``IndexDamage`` and the caller rebuilds the index. A
/// kill at any moment leaves the state before a transaction or the one after it. A power cut may lose any of the pages
/// and keep others; that is detected when a page is read.
///
/// **Format.** Pages of 8192 bytes; integers are little-endian.
///
/// - *Meta pages*, pages 0 and 1: magic "LCKINDEX", format version (4 bytes), page size (4), transaction (8), reference
///   to the root (20), its level (4), reference to the free list (20), page count (4), sequence (8), checksum of all
///   that (8). The checksum is seeded with the owner's number, so another folder's index is not accepted. Transaction n
///   is in page n mod 2; the valid page with the higher number counts. A new or bulk-loaded file has transaction 0.
/// - *Reference*: page number (4), the page's generation, that is the transaction that wrote it (8), checksum of the
///   whole page (8). So a valid meta page identifies the exact version of every page below it, and pages need no
///   checksum of their own.
/// - *Other pages* begin with kind (1), level (1), count (2), page number (4) and generation (8).
/// - *Nodes* (kind 1): `count` slots (2) with the end of each cell, counted from the first cell, then the cells. At
///   level 0 a cell is a key. Above, it is a reference to a child and the separator: no key below the child precedes
///   the separator, and every key below the children before does. The first cell has no separator, since the parent
///   holds it. Separators are as short as possible when a leaf is split.
/// - *Free list* (kind 2): reference to its next page (20), then `count` page numbers (4).
///
/// **A transaction** writes all changed nodes and the free list's first page to pages that are free in the state
/// before, or past the file's end. Then it writes the other meta page, in one write. The next transaction may reuse the
/// pages that it frees. Readers hold the folder's lock shared, so no transaction begins during a read. A writer that
/// plans while other commits are being applied may continue reading across one transaction; if it reads across two, a
/// page's checksum detects that.
///
/// The same operations give the same bytes. The file does not shrink; rebuilding makes it smaller.
///
/// Threads and processes: the instance keeps the file open and caches the immutable nodes. It reads the meta page again
/// in each call. Any number of callers may read concurrently; the only writer holds the commit lock.
package final class IndexFile: Sendable {
  private let directory: Directory
  private let name: String
  private let pages: PageFile
  /// False if the process had no permission to write when it opened the file.
  package let isWritable: Bool

  /// In bytes: enough for two names of 255 characters of four bytes each, and more.
  package static let maximumKeyLength = PageLayout.maximumKeyLength

  init(_ file: File, in directory: Directory, name: String, of owner: UInt64, isWritable: Bool = true) {
    self.directory = directory
    self.isWritable = isWritable
    self.name = name
    pages = PageFile(file: file, owner: owner, known: KnownPages())
  }

  private init(reading pages: PageFile, of index: IndexFile) {
    directory = index.directory
    isWritable = false
    name = index.name
    self.pages = pages
  }

  // MARK: Opening and making

  /// Opens the owner's index, read-only if writing is not permitted.
  ///
  /// - Parameter owner: the number of the folder; see ``FolderObserver/indexOwner()``.
  /// - Returns: nil if there is no such file.
  /// - Throws: ``IndexDamage`` if the file has no valid meta page of this owner.
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

  /// Builds an index and replaces any existing file. The file is not synced.
  ///
  /// - Parameters:
  ///   - sortedKeys: the keys in byte order; repeated ones count once.
  ///   - sequence: the last sequence of the folder that the keys include.
  /// - Throws: ``IndexKeyTooLong``, or `SystemError`.
  @discardableResult
  package static func build(
    in directory: Directory, name: String, of owner: UInt64, sortedKeys: some Sequence<[UInt8]>, sequence: Int64
  ) throws -> IndexFile {
    // The name is fixed, so that the next build overwrites a file that a killed process left.
    let stagedName = name + ".new"
    do {
      try directory.writeStaged(stagedName, [UInt8](repeating: 0, count: 2 * PageLayout.size))
      try fill(directory.file(stagedName, .readWrite), of: owner, sortedKeys, sequence)
    } catch {
      // A full disk needs the space at once.
      _ = try? directory.remove(stagedName)
      throw error
    }
    try directory.rename(stagedName, to: directory, as: name)
    return IndexFile(try directory.file(name, .readWrite), in: directory, name: name, of: owner)
  }

  /// Like ``build(in:name:of:sortedKeys:sequence:)``, for an index that stays in memory.
  static func buildInMemory(
    in directory: Directory, name: String, of owner: UInt64, sortedKeys: some Sequence<[UInt8]>, sequence: Int64
  ) throws -> IndexFile {
    let file = try File.inMemory(path: directory.path(of: name), in: directory.fileSystem)
    try fill(file, of: owner, sortedKeys, sequence)
    return IndexFile(file, in: directory, name: name, of: owner)
  }

  private static func fill(
    _ file: File, of owner: UInt64, _ sortedKeys: some Sequence<[UInt8]>, _ sequence: Int64
  ) throws {
    var builder = TreeBuilder(PageFile(file: file, owner: owner))
    for key in sortedKeys { try builder.append(key) }
    try builder.finish(sequence: sequence)
  }

  /// The index in its present state, with changes that stay in memory. If transactions reuse its pages on disk later,
  /// reading throws ``IndexDamage``.
  func inMemory() throws -> IndexFile {
    IndexFile(try pages.file.inMemory(), in: directory, name: name, of: pages.owner)
  }

  /// Whether this is still the file under its name. False once another process rebuilt the index; the caller must then
  /// open it again. Call after taking the folder's lock.
  package func isCurrent() throws -> Bool {
    try directory.identity(of: name) == pages.file.identity()
  }

  // MARK: Reading

  /// The last sequence of the folder that the index includes.
  package var sequence: Int64 { get throws { try pages.meta().sequence } }

  /// The number of pages in use or free.
  package var pageCount: Int { get throws { try Int(pages.meta().pageCount) } }

  /// The index in its present state, to be read while it is changed, as long as no transaction reuses its pages. If one
  /// did, reading throws ``IndexDamage``. Call while no transaction is written.
  package func pinned() throws -> IndexFile {
    var pages = pages
    pages.pinned = try pages.meta()
    return IndexFile(reading: pages, of: self)
  }

  /// Whether the index has the key. Throws ``IndexDamage``.
  package func contains(_ key: [UInt8]) throws -> Bool {
    let meta = try pages.meta()
    guard !meta.root.isNone else { return false }
    var node = try pages.node(meta.root, level: meta.level)
    while !node.isLeaf {
      node = try pages.node(node.child(node.childIndex(for: key)), level: node.level - 1)
    }
    return node.position(of: key).isFound
  }

  /// Calls `body` with the keys that begin with `prefix` and do not precede `from`, in order, until it returns false.
  /// The first `skipped` keys are skipped: that costs less than calling `body` for them.
  ///
  /// Damage may be detected after some keys were passed to `body`; those were correct.
  package func scan(
    prefix: [UInt8], from: [UInt8]? = nil, skipping skipped: Int = 0, _ body: ([UInt8]) throws -> Bool
  ) throws {
    var scan = IndexScan(prefix: prefix, from: from, skipping: skipped)
    try run(&scan) { try body(Array($0)) }
  }

  /// Calls `body` with the keys that begin with `prefix` and precede `bound`, from the last one on, until it returns
  /// false. No key without the prefix may be between those with it and the bound.
  package func scanBackward(prefix: [UInt8], before bound: [UInt8], _ body: ([UInt8]) throws -> Bool) throws {
    let meta = try pages.meta()
    guard !meta.root.isNone else { return }
    _ = try IndexBackwardScan(prefix: prefix, bound: bound)
      .visit(meta.root, level: meta.level, isLast: true, in: pages) { try body(Array($0)) }
  }

  /// The last key that precedes `bound`.
  package func last(before bound: [UInt8]) throws -> [UInt8]? {
    var found: [UInt8]?
    try scanBackward(prefix: [], before: bound) { key in
      found = key
      return false
    }
    return found
  }

  /// The number of keys that begin with `prefix`, counted up to `limit`.
  package func count(prefix: [UInt8], limit: Int = .max) throws -> Int {
    guard limit > 0 else { return 0 }
    var scan = IndexScan(prefix: prefix, from: nil, skipping: limit)
    try run(&scan) { _ in false }
    return limit - scan.skipping
  }

  /// The number of keys that begin with `prefix`, from `lower` (inclusive) to `upper` (exclusive), counted up to
  /// `limit`.
  package func count(prefix: [UInt8], from lower: [UInt8], to upper: [UInt8]?, limit: Int) throws -> Int {
    var count = 0
    guard limit > 0 else { return 0 }
    var scan = IndexScan(prefix: prefix, from: lower)
    try run(&scan) { key in
      if let upper, !key.lexicographicallyPrecedes(upper) { return false }
      count += 1
      return count < limit
    }
    return count
  }

  private func run(_ scan: inout IndexScan, _ body: (ArraySlice<UInt8>) throws -> Bool) throws {
    let meta = try pages.meta()
    guard !meta.root.isNone else { return }
    _ = try scan.visit(meta.root, level: meta.level, isFirst: true, in: pages, body)
  }

  /// Reads every page. Throws ``IndexDamage`` unless all pages are as the format requires and no page is lost.
  package func verify() throws {
    var verifier = try IndexVerifier(file: PageFile(file: pages.file, owner: pages.owner), meta: pages.meta())
    try verifier.verify()
  }

  /// Calls `body` with the bytes of the file, piece by piece, and their offsets. Call while no transaction is written.
  package func copy(_ body: ([UInt8], Int) throws -> Void) throws {
    var offset = 0
    while case let bytes = try pages.file.read(at: offset, count: 128 * PageLayout.size), !bytes.isEmpty {
      try body(bytes, offset)
      offset += bytes.count
    }
  }

  // MARK: Writing

  /// Removes the keys `remove`, inserts the keys `insert` and sets the sequence, atomically. Call with the commit lock.
  ///
  /// - Parameters:
  ///   - insert: a key that is also in `remove` is present afterwards; inserting a present key is no error.
  ///   - remove: removing an absent key is no error.
  ///   - sequence: the last sequence of the folder that the index then includes.
  ///   - reusesPages: false to write only past the file's end, because a reader uses an earlier state (``pinned()``).
  /// - Throws: ``IndexDamage``, ``IndexKeyTooLong``, or `SystemError`. After a `SystemError` the index is in the state
  ///   before or, if the last write failed late, the one after; ``sequence`` identifies the state.
  package func apply(
    insert: [[UInt8]], remove: [[UInt8]], sequence: Int64, reusesPages: Bool = true
  ) throws {
    if !isWritable {
      throw SystemError(code: SystemError.accessDenied, call: "open", path: pages.file.path, isWrite: true)
    }
    let changes = try KeyChange.ordered(insert: insert, remove: remove)
    let meta = try pages.meta()
    var editor = TreeEditor(file: pages, following: meta, reusesPages: reusesPages)
    try pages.write(editor.apply(changes, to: meta, sequence: sequence))
  }

  /// Overwrites the free pages with zeros. Call with the commit lock, while no reader uses an earlier state.
  func eraseFreePages() throws {
    let meta = try pages.meta()
    let zeros = [UInt8](repeating: 0, count: PageLayout.size)
    var list = meta.freeList
    while !list.isNone {
      let page = try pages.freePage(list, pageCount: meta.pageCount)
      for number in page.numbers { try pages.file.write(zeros, at: Int(number) * PageLayout.size) }
      list = page.next
    }
  }
}
