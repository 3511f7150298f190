/// The constants of the page format that ``IndexFile`` describes.
enum PageLayout {
  static let size = 8192
  /// Kind (1), level (1), count (2), page number (4), generation (8).
  static let headerSize = 16
  /// The bytes of a page that cells and their slots may take.
  static let capacity = size - headerSize
  /// The size of a slot. A slot holds the end of its cell.
  static let slotSize = 2
  /// A node that takes less than this is joined with a neighbour. A split leaves a third or more on either side, so
  /// that one removal after a split does not join the halves again.
  static let minimumFill = capacity / 4
  /// A bulk load leaves an eighth free, so that the first insertions after it split nothing.
  static let bulkFill = capacity / 8 * 7
  /// Three cells of a branch with the longest key fit into a page. Otherwise a split could not always divide a node in
  /// two.
  static let maximumKeyLength = capacity / 3 - slotSize - PageReference.size
  /// The number of page numbers that a page of the free list holds, after its header and the reference to the next
  /// page.
  static let freeNumbers = (capacity - PageReference.size) / 4
  /// Pages 0 and 1 are the meta pages.
  static let firstPage: UInt32 = 2

  /// The first byte of a page.
  enum Kind: UInt8 {
    case node = 1
    case freeList = 2
  }

  /// A zeroed page with its header.
  static func page(kind: Kind, level: Int, count: Int, number: UInt32, generation: UInt64) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: size)
    page[0] = kind.rawValue
    page[1] = UInt8(level)
    page.setInteger(UInt16(count), at: 2)
    page.setInteger(number, at: 4)
    page.setInteger(generation, at: 8)
    return page
  }
}
