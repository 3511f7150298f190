/// The contents of a meta page: one state of the whole index.
struct IndexMeta: Equatable, Sendable {
  var transaction: UInt64
  var root: PageReference
  /// The root's height over the leaves.
  var level: Int
  var freeList: PageReference
  /// The number of pages in use or free, including the two meta pages. The file may be longer after a failed
  /// transaction.
  var pageCount: UInt32
  var sequence: Int64

  static let size = 88
  private static let magic: UInt64 = 0x5845_444E_494B_434C  // LCKINDEX
  private static let version: UInt32 = 3
  /// A limit far above any real tree. A level is stored in a byte, and it limits the depth of recursion.
  private static let maximumLevel = 32

  static let empty = IndexMeta(
    transaction: 0, root: .none, level: 0, freeList: .none, pageCount: PageLayout.firstPage, sequence: 0)

  /// The offset of a transaction's meta page. Consecutive transactions alternate, so that the newest state survives
  /// while the next one is written.
  static func offset(of transaction: UInt64) -> Int { Int(transaction % 2) * PageLayout.size }

  /// `owner`: see ``IndexFile``.
  func encoded(owner: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    bytes.appendInteger(Self.magic)
    bytes.appendInteger(Self.version)
    bytes.appendInteger(UInt32(PageLayout.size))
    bytes.appendInteger(transaction)
    root.append(to: &bytes)
    bytes.appendInteger(UInt32(level))
    freeList.append(to: &bytes)
    bytes.appendInteger(pageCount)
    bytes.appendInteger(sequence)
    bytes.appendInteger(bytes.withUnsafeBytes({ Digest.hash64($0, seed: owner) }))
    return bytes
  }
}

extension IndexMeta {
  /// Nil unless `bytes` is a whole meta page of this format and owner, at the offset where its transaction belongs.
  init?(_ bytes: [UInt8], at offset: Int, owner: UInt64) {
    guard bytes.count == Self.size,
      bytes.integer(at: 0) == Self.magic,
      bytes.integer(at: 8) == Self.version,
      bytes.integer(at: 12) == UInt32(PageLayout.size),
      bytes.integer(at: 80) == bytes[..<80].withUnsafeBytes({ Digest.hash64($0, seed: owner) })
    else { return nil }
    transaction = bytes.integer(at: 16)
    root = PageReference(bytes, at: 24)
    level = Int(bytes.integer(at: 44, as: UInt32.self))
    freeList = PageReference(bytes, at: 48)
    pageCount = bytes.integer(at: 68)
    sequence = bytes.integer(at: 72)
    guard Self.offset(of: transaction) == offset, transaction < .max, level <= Self.maximumLevel,
      pageCount >= PageLayout.firstPage, pageCount <= .max / 2
    else { return nil }
  }
}
