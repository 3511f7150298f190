/// The disk's state of a file: its size, and the blocks that arrived. A block may lie beyond the size.
struct FileContent: Sendable {
  private var blocks: [UInt8]
  private var size: Int

  init(_ bytes: [UInt8] = []) {
    blocks = bytes
    size = bytes.count
  }

  mutating func resize(_ newSize: Int) {
    if blocks.count > newSize { blocks.removeLast(blocks.count - newSize) }
    size = newSize
  }

  mutating func put(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    let missing = offset + bytes.count - blocks.count
    if missing > 0 { blocks += [UInt8](repeating: 0, count: missing) }
    blocks.withUnsafeMutableBytes { target in
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0) }
    }
  }

  /// The file's bytes. Blocks within the size that never arrived read as zeros.
  var bytes: [UInt8] {
    if blocks.count == size { return blocks }
    if blocks.count > size { return Array(blocks.prefix(size)) }
    return blocks + [UInt8](repeating: 0, count: size - blocks.count)
  }
}
