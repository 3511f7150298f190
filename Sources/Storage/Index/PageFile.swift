import LocalCloudPlatform

/// The pages of an open index file. Each is checked against the reference that led to it.
struct PageFile: Sendable {
  let file: File
  /// See ``IndexFile``.
  let owner: UInt64
  /// The cache of nodes; nil to read each page from the file.
  var known: KnownPages?
  /// The state to read instead of the file's present state; see ``IndexFile/pinned()``.
  var pinned: IndexMeta?

  func damage(_ reason: String) -> IndexDamage { IndexDamage(path: file.path, reason: reason) }

  /// The newest valid meta page. It is read again each time, because other processes write it.
  func meta() throws -> IndexMeta {
    if let pinned { return pinned }
    let candidates = try [0, PageLayout.size].compactMap { offset in
      IndexMeta(try file.read(at: offset, count: IndexMeta.size), at: offset, owner: owner)
    }
    guard let newest = candidates.max(by: { $0.transaction < $1.transaction }) else {
      throw damage("no meta page is valid")
    }
    return newest
  }

  func write(_ meta: IndexMeta) throws {
    try file.write(meta.encoded(owner: owner), at: IndexMeta.offset(of: meta.transaction))
  }

  func node(_ reference: PageReference, level: Int) throws -> NodePage {
    if let node = known?.node(reference), node.level == level { return node }
    let bytes = try page(reference, kind: .node)
    guard let node = NodePage(bytes, level: level) else {
      throw damage("page \(reference.number) is no node of level \(level)")
    }
    known?.store(node, reference)
    return node
  }

  func freePage(_ reference: PageReference, pageCount: UInt32) throws -> FreePage {
    let bytes = try page(reference, kind: .freeList)
    guard let result = FreePage(bytes, pageCount: pageCount) else {
      throw damage("page \(reference.number) is no part of a free list")
    }
    return result
  }

  private func page(_ reference: PageReference, kind: PageLayout.Kind) throws -> [UInt8] {
    let bytes =
      reference.number < PageLayout.firstPage
      ? [] : try file.read(at: Int(reference.number) * PageLayout.size, count: PageLayout.size)
    guard bytes.count == PageLayout.size else { throw damage("page \(reference.number) is missing") }
    guard bytes.integer(at: 4) == reference.number, bytes.integer(at: 8) == reference.generation,
      bytes.withUnsafeBytes({ Digest.hash64($0) }) == reference.checksum
    else { throw damage("page \(reference.number) is not the one of transaction \(reference.generation)") }
    guard bytes[0] == kind.rawValue else { throw damage("page \(reference.number) is of another kind") }
    return bytes
  }
}
