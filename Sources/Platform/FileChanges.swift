import Synchronization

/// The changes of a file that stay in memory (``File/inMemory()``): blocks that differ from the file on disk, or have
/// no such file.
///
/// Threads: safe to use from any.
final class FileChanges: Sendable {
  private struct State {
    var size: Int
    /// The number of valid bytes of the file on disk; the bytes after them were truncated, or never existed.
    var kept: Int
    var blocks: [Int: [UInt8]] = [:]
  }

  private static let block = 8192

  private let file: File?
  private let state: Mutex<State>

  /// `file`: the file on disk; no process may change it while this exists. Nil for an empty file.
  init(of file: File?) throws(SystemError) {
    self.file = file
    let size = try file?.size() ?? 0
    state = Mutex(State(size: size, kept: size))
  }

  var size: Int { state.withLock { $0.size } }

  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    try state.withLock { state throws(SystemError) in
      let end = min(offset + count, state.size)
      guard offset < end else { return [] }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(end - offset)
      for number in (offset / Self.block)...((end - 1) / Self.block) {
        let start = number * Self.block
        let block = try contents(of: number, state)
        bytes += block[max(0, offset - start)..<min(Self.block, end - start)]
      }
      return bytes
    }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    guard !bytes.isEmpty else { return }
    try state.withLock { state throws(SystemError) in
      let end = offset + bytes.count
      for number in (offset / Self.block)...((end - 1) / Self.block) {
        let start = number * Self.block
        let (from, to) = (max(offset, start), min(end, start + Self.block))
        // A block that is written as a whole need not be read.
        var block = to - from == Self.block ? [] : try contents(of: number, state)
        if block.isEmpty {
          block = Array(bytes[(from - offset)..<(to - offset)])
        } else {
          block.replaceSubrange((from - start)..<(to - start), with: bytes[(from - offset)..<(to - offset)])
        }
        state.blocks[number] = block
      }
      state.size = max(state.size, end)
    }
  }

  func truncate(to size: Int) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      let last = size / Self.block
      if size < state.size, size % Self.block > 0, state.blocks[last] != nil {
        // A gap that a later write leaves after the end reads as zeros.
        let kept = try contents(of: last, state).prefix(size % Self.block)
        state.blocks[last] = kept + [UInt8](repeating: 0, count: Self.block - kept.count)
      }
      state.blocks = state.blocks.filter { $0.key * Self.block < size }
      state.kept = min(state.kept, size)
      state.size = size
    }
  }

  /// A whole block, with zeros after the file's end.
  private func contents(of number: Int, _ state: State) throws(SystemError) -> [UInt8] {
    if let block = state.blocks[number] { return block }
    let start = number * Self.block
    let count = min(Self.block, state.kept - start)
    let bytes = count > 0 ? try file?.read(at: start, count: count) ?? [] : []
    return bytes + [UInt8](repeating: 0, count: Self.block - bytes.count)
  }
}

extension File {
  /// This file, with changes that stay in memory. No process may change the file on disk while that file is in use.
  package func inMemory() throws(SystemError) -> File {
    File(descriptor: descriptor, path: path, fileSystem: fileSystem, changes: try FileChanges(of: self), of: self)
  }

  /// An empty file in memory. `path`: its name in messages.
  package static func inMemory(path: String, in fileSystem: FileSystem) throws(SystemError) -> File {
    File(descriptor: -1, path: path, fileSystem: fileSystem, changes: try FileChanges(of: nil))
  }
}
