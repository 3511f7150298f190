import LocalCloudPlatform

/// Writes a whole tree from sorted keys, page by page, to a file that no process reads yet.
struct TreeBuilder {
  private let pages: PageFile
  /// The unfinished node of each level, and the separator between it and the node before, for its parent.
  private var nodes: [(cells: CellList, separator: [UInt8])] = []
  private var pageCount = PageLayout.firstPage
  private var last: [UInt8]?
  /// Finished pages that end at `pageCount`, collected into larger writes.
  private var unwritten: [UInt8] = []
  private static let writeSize = 64 * PageLayout.size

  init(_ pages: PageFile) {
    self.pages = pages
  }

  /// Appends a key. Keys must be in order; one that equals the key before it is ignored.
  mutating func append(_ key: [UInt8]) throws {
    guard key.count <= PageLayout.maximumKeyLength else { throw IndexKeyTooLong(length: key.count) }
    if let last {
      let order = ByteOrder.compare(last, key)
      if order == 0 { return }
      precondition(order < 0, "keys for a bulk load are sorted by their bytes")
    }
    if nodes.isEmpty { nodes.append((CellList(level: 0), [])) }
    if nodes[0].cells.fill + key.count + PageLayout.slotSize > PageLayout.bulkFill, let last {
      try finishNode(0, nextSeparator: Array(ByteOrder.separator(between: last[...], and: key[...])))
    }
    nodes[0].cells.append(key: key)
    last = key
  }

  /// Writes the unfinished nodes, and the meta page last.
  mutating func finish(sequence: Int64) throws {
    var meta = IndexMeta.empty
    // Adding a node to its parent can begin another level.
    var level = 0
    while level < nodes.count {
      let reference = write(nodes[level].cells)
      if level + 1 == nodes.count {
        meta.root = reference
        meta.level = level
      } else {
        try add(reference, separator: nodes[level].separator, to: level + 1)
      }
      level += 1
    }
    try flush()
    meta.pageCount = pageCount
    meta.sequence = sequence
    try pages.write(meta)
  }

  private mutating func finishNode(_ level: Int, nextSeparator: [UInt8]) throws {
    let reference = write(nodes[level].cells)
    try add(reference, separator: nodes[level].separator, to: level + 1)
    nodes[level] = (CellList(level: level), nextSeparator)
    if unwritten.count >= Self.writeSize { try flush() }
  }

  private mutating func add(_ reference: PageReference, separator: [UInt8], to level: Int) throws {
    if level == nodes.count { nodes.append((CellList(level: level), [])) }
    let size = PageReference.size + separator.count + PageLayout.slotSize
    if nodes[level].cells.fill + size > PageLayout.bulkFill {
      try finishNode(level, nextSeparator: separator)
    }
    nodes[level].cells.append(reference, separator: separator)
  }

  private mutating func write(_ cells: CellList) -> PageReference {
    let page = cells.encodedPage(0..<cells.count, number: pageCount, generation: IndexMeta.empty.transaction)
    unwritten += page
    pageCount += 1
    return PageReference(
      number: pageCount - 1, generation: IndexMeta.empty.transaction,
      checksum: page.withUnsafeBytes({ Digest.hash64($0) }))
  }

  private mutating func flush() throws {
    if unwritten.isEmpty { return }
    try pages.file.write(unwritten, at: Int(pageCount) * PageLayout.size - unwritten.count)
    unwritten = []
  }
}
