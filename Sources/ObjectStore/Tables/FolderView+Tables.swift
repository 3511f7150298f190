import LocalCloudStorage

/// The index entries of rows and segments.
extension FolderView {
  /// The location of a row's latest line, or of the line of its deletion; nil if there is none.
  func rowEntry(_ table: StoreTable, _ number: Int64, isDeletion: Bool = false) throws -> RowEntry? {
    try first(RowEntry.prefix(table, number, isDeletion: isDeletion)).map { try RowEntry(key: $0).required() }
  }

  /// How many rows a table of objects has.
  func rowCount(_ table: StoreTable) throws -> Int64 {
    guard let key = try first(table.prefix(.count)) else { return 0 }
    var reader = KeyReader(key, from: StoreTable.prefixLength)
    let count = Int64(clamping: reader.short())
    guard reader.isDone else { throw IndexUnusable() }
    return count
  }

  func segmentEntry(_ table: StoreTable, _ segment: Int64) throws -> SegmentEntry? {
    try first(SegmentEntry.prefix(table, segment)).map { try SegmentEntry(key: $0).required() }
  }

  func lastSegment(_ table: StoreTable) throws -> Int64? {
    var bound = table.prefix(.segment)
    bound.append(number: .max)
    guard let key = try index().last(before: bound), key.starts(with: table.prefix(.segment)) else { return nil }
    return SegmentEntry.segment(ofKey: key)
  }

  /// The first segments that qualify for rewriting.
  func candidates(_ most: Int) throws -> [(table: StoreTable, segment: Int64)] {
    var found: [(StoreTable, Int64)] = []
    try scan(prefix: [IndexKind.candidate.rawValue]) { key in
      found.append((try StoreTable(key: key).required(), SegmentEntry.segment(ofKey: key)))
      return found.count < most
    }
    return found
  }

  /// The segments with obsolete lines.
  func obsoleteSegments() throws -> [(table: StoreTable, segment: Int64)] {
    try map([IndexKind.segment.rawValue]) { $0 }.filter { try SegmentEntry(key: $0).required().obsolete > 0 }
      .map { (try StoreTable(key: $0).required(), SegmentEntry.segment(ofKey: $0)) }
  }

  /// Calls `body` with the keys that have a prefix, some of them at a time, until it returns false. The first chunk is
  /// small, for callers that need few keys.
  func forEachChunk(of prefix: [UInt8], together most: Int, _ body: ([[UInt8]]) throws -> Bool) throws {
    var chunk: [[UInt8]] = []
    var size = min(4, most)
    var goesOn = true
    try scan(prefix: prefix) { key in
      chunk.append(key)
      if chunk.count < size { return true }
      goesOn = try body(chunk)
      chunk.removeAll(keepingCapacity: true)
      size = min(4 * size, most)
      return goesOn
    }
    if goesOn, !chunk.isEmpty { _ = try body(chunk) }
  }

  /// The results of `read` for the keys with a prefix, in their order.
  func map<Item>(_ prefix: [UInt8], _ read: ([UInt8]) throws -> Item) throws -> [Item] {
    var found: [Item] = []
    try scan(prefix: prefix) { key in
      found.append(try read(key))
      return true
    }
    return found
  }

  /// The first key with a prefix.
  func first(_ prefix: [UInt8]) throws -> [UInt8]? {
    var found: [UInt8]?
    try scan(prefix: prefix) { key in
      found = key
      return false
    }
    return found
  }
}

extension Optional {
  /// The value. Throws ``IndexUnusable`` if it is nil, because a key of the index is invalid: the caller rebuilds the
  /// index.
  func required() throws -> Wrapped {
    guard let self else { throw IndexUnusable() }
    return self
  }
}
