/// A parent's reference to a page: its position and its exact version. A page that a power cut lost, or left in an
/// older version, doesn't match.
struct PageReference: Hashable, Sendable {
  var number: UInt32
  /// The transaction that wrote the page.
  var generation: UInt64
  /// The checksum of the whole page.
  var checksum: UInt64

  static let size = 20
  /// No page: an empty tree, the end of the free list.
  static let none = PageReference(number: 0, generation: 0, checksum: 0)

  var isNone: Bool { number == 0 }

  init(number: UInt32, generation: UInt64, checksum: UInt64) {
    self.number = number
    self.generation = generation
    self.checksum = checksum
  }

  init(_ bytes: [UInt8], at offset: Int) {
    number = bytes.integer(at: offset)
    generation = bytes.integer(at: offset + 4)
    checksum = bytes.integer(at: offset + 12)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.appendInteger(number)
    bytes.appendInteger(generation)
    bytes.appendInteger(checksum)
  }

  func store(in bytes: inout [UInt8], at offset: Int) {
    bytes.setInteger(number, at: offset)
    bytes.setInteger(generation, at: offset + 4)
    bytes.setInteger(checksum, at: offset + 12)
  }
}
