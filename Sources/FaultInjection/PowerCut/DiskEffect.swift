/// A part of what a call does, which reaches the disk whole or not at all, and in any order with others.
enum DiskEffect: Sendable {
  static let blockSize = 4096

  case data(Int, offset: Int, ArraySlice<UInt8>)
  case size(Int, Int)
  /// A name for a new file or folder.
  case add(Int, NameTree.Place)
  case remove(NameTree.Place)
  /// Takes the place of what has the name.
  case move(Int, from: NameTree.Place, to: NameTree.Place)

  /// Whether it is of a file's contents.
  var isContent: Bool {
    switch self {
    case .data, .size: true
    case .add, .remove, .move: false
    }
  }

  /// Whether it is in a page, or the size, of a file that is written to there.
  func isTouched(byWriteTo file: Int, _ range: Range<Int>) -> Bool {
    switch self {
    case .data(let node, let offset, _):
      // None crosses a block.
      node == file
        && (range.lowerBound / Self.blockSize...(range.upperBound - 1) / Self.blockSize)
          .contains(offset / Self.blockSize)
    case .size(let node, _): node == file
    case .add, .remove, .move: false
    }
  }

  /// Whether a sync of this file makes it durable.
  func isContent(of file: Int) -> Bool {
    switch self {
    case .data(let node, _, _), .size(let node, _): node == file
    case .add, .remove, .move: false
    }
  }

  /// Whether a sync of this folder makes it durable.
  func isEntry(of folder: Int) -> Bool {
    switch self {
    case .data, .size: false
    case .add(_, let place), .remove(let place): place.folder == folder
    case .move(_, let from, let to): from.folder == folder || to.folder == folder
    }
  }

  /// A write, by the blocks it touches.
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
