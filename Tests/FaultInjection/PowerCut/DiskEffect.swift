/// A part of a call's effect. It reaches the disk as a whole or not at all, in any order relative to other effects.
enum DiskEffect: Sendable {
  static let blockSize = 4096

  case data(Int, offset: Int, ArraySlice<UInt8>)
  case size(Int, Int)
  /// Adds a name for a new file or folder.
  case add(Int, NameTree.Entry)
  case remove(NameTree.Entry)
  /// Moves a node and replaces the node that has the new name.
  case move(Int, from: NameTree.Entry, to: NameTree.Entry)

  /// Whether the effect changes a file's contents or size.
  var isContent: Bool {
    switch self {
    case .data, .size: true
    case .add, .remove, .move: false
    }
  }

  /// Whether a write to this range of the file touches the effect's page or changes the size it sets.
  func isTouched(byWriteTo file: Int, _ range: Range<Int>) -> Bool {
    switch self {
    case .data(let node, let offset, _):
      // No data effect crosses a block boundary.
      node == file
        && (range.lowerBound / Self.blockSize...(range.upperBound - 1) / Self.blockSize)
          .contains(offset / Self.blockSize)
    case .size(let node, _): node == file
    case .add, .remove, .move: false
    }
  }

  /// Whether a sync of this file makes the effect durable.
  func isContent(of file: Int) -> Bool {
    switch self {
    case .data(let node, _, _), .size(let node, _): node == file
    case .add, .remove, .move: false
    }
  }

  /// Whether a sync of this folder makes the effect durable.
  func isEntry(of folder: Int) -> Bool {
    switch self {
    case .data, .size: false
    case .add(_, let entry), .remove(let entry): entry.folder == folder
    case .move(_, let from, let to): from.folder == folder || to.folder == folder
    }
  }

  /// Splits a write at the block boundaries.
  static func blocks(_ file: Int, offset: Int, _ bytes: [UInt8]) -> [DiskEffect] {
    var effects: [DiskEffect] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + blockSize - (offset + start) % blockSize)
      effects.append(.data(file, offset: offset + start, bytes[start..<end]))
      start = end
    }
    return effects
  }
}
