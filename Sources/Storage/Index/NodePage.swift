/// A node as it is stored in the file. A leaf's cells are keys. A branch's cells are references to children, each
/// followed by the separator that no key below that child precedes. A branch stores no separator for its first child:
/// the parent has it.
struct NodePage {
  let bytes: [UInt8]
  let level: Int
  let count: Int
  private let start: Int

  var isLeaf: Bool { level == 0 }

  /// `bytes`: a whole page with a correct checksum. Nil if its structure is invalid: no contents of a file may make
  /// this program trap.
  init?(_ bytes: [UInt8], level: Int) {
    let count = Int(bytes.integer(at: 2, as: UInt16.self))
    let start = PageLayout.headerSize + PageLayout.slotSize * count
    guard Int(bytes[1]) == level, count > 0, start <= PageLayout.size else { return nil }
    let shortest = level == 0 ? 0 : PageReference.size
    let isSound = bytes.withUnsafeBytes { buffer in
      var end = 0
      for slot in 0..<count {
        let offset = PageLayout.headerSize &+ PageLayout.slotSize &* slot
        let next = Int(UInt16(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        if next < end &+ shortest { return false }
        end = next
      }
      return start + end <= PageLayout.size
    }
    guard isSound else { return nil }
    self.bytes = bytes
    self.level = level
    self.count = count
    self.start = start
  }

  /// The offset of the cell after `index` cells, counted from the first cell.
  func cellOffset(_ index: Int) -> Int {
    guard index > 0 else { return 0 }
    return Int(bytes.integer(at: PageLayout.headerSize + PageLayout.slotSize * (index - 1), as: UInt16.self))
  }

  /// The byte range of consecutive cells.
  func cells(_ range: Range<Int>) -> Range<Int> {
    start + cellOffset(range.lowerBound)..<start + cellOffset(range.upperBound)
  }

  /// A leaf's key or a branch's separator.
  func key(_ index: Int) -> ArraySlice<UInt8> {
    let cell = cells(index..<index + 1)
    return bytes[(isLeaf ? cell.lowerBound : cell.lowerBound + PageReference.size)..<cell.upperBound]
  }

  func child(_ index: Int) -> PageReference {
    PageReference(bytes, at: start + cellOffset(index))
  }

  /// The index of the first cell, from `lower` on, with a key that does not precede `key`, and whether it is `key`.
  func position(of key: [UInt8], from lower: Int = 0) -> (index: Int, isFound: Bool) {
    var range = lower..<count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let order = ByteOrder.compare(bytes, self.key(middle).indices, key)
      if order == 0 { return (middle, true) }
      range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return (range.lowerBound, false)
  }

  /// The index of the child that contains `key`, if the key is present.
  func childIndex(for key: [UInt8]) -> Int {
    let position = position(of: key, from: 1)
    return position.isFound ? position.index : position.index - 1
  }
}
