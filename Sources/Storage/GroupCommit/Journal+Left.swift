import Platform

/// Frames that their writers left unsynced, for others to take up and to sync.
extension Journal {
  /// Frames that are not in the files yet, one after another.
  struct Frames {
    var entries: [JournalEntry]
    /// As they stand in the file.
    var bytes: [UInt8]
    var end: Position
  }

  /// Frames are left for others to sync in so many bytes, at most.
  static let mostLeft = 32 << 10
  /// Far enough to see what is behind them.
  private static let mostRead = 2 * mostLeft
  private static let readAtOnce = 12 << 10

  /// Nil if one was torn, or they are too many to be taken up one by one.
  func frames(after applied: Position) throws -> Frames? {
    let (frames, rest) = try wholeFrames(after: applied)
    // One that was torn, or that goes on behind these bytes; or a whole one behind a broken one.
    if rest.count < JournalFrame.headerSize, frames.bytes.count + rest.count >= Self.mostRead { return nil }
    if JournalFrame.begins(rest, generation: applied.generation) { return nil }
    var search = JournalFrameSearch(rest, generation: applied.generation)
    return search.next(from: 0) != nil || search.isExhausted ? nil : frames
  }

  /// Those that can be read at once, and some bytes behind them.
  private func wholeFrames(after applied: Position) throws -> (Frames, rest: [UInt8]) {
    var frames = Frames(entries: [], bytes: [], end: applied)
    var bytes = try file.read(at: applied.offset, count: Self.readAtOnce)
    var position = 0
    while true {
      while let frame = JournalFrame(in: bytes, at: position, generation: applied.generation),
        let entry = JournalEntry(sequence: frame.sequence, payload: bytes[frame.payload], format)
      {
        frames.entries.append(entry)
        position = frame.end
      }
      guard bytes.count < Self.mostRead,
        position + 2 * JournalFrame.headerSize > bytes.count
          || JournalFrame.begins(bytes, at: position, generation: applied.generation)
      else { break }
      let more = try file.read(at: applied.offset + bytes.count, count: Self.mostRead - bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    frames.bytes = Array(bytes[..<position])
    frames.end.offset += position
    return (frames, Array(bytes[position...]))
  }

  /// Syncs the frames that others left, up to the one that ends there and what is whole behind it: the commit point of
  /// them all. Nil where they have to be recovered. Call with the turn to commit; somebody may append meanwhile.
  func secureLeft(upTo end: Position) throws -> (entries: [JournalEntry], end: Position)? {
    guard let header = try header(), header.boot == boot, header.generation == end.generation else { return nil }
    let applied = Position(generation: header.generation, offset: header.applied)
    let (frames, _) = try wholeFrames(after: applied)
    guard frames.end.offset >= end.offset else { return nil }
    try secure(frames.bytes, at: applied.offset)
    return (frames.entries, frames.end)
  }

  /// Whether what ends there is in the files by now. Asked without a lock. What was left is never withdrawn, so a later
  /// generation has it, too; nobody knows once repair has begun the journal anew.
  func includes(_ end: Position) throws -> Bool {
    // One that is being written just now is asked for again.
    guard let header = try header(), header.boot == boot else { return false }
    if header.generation < end.generation {
      throw StorageError.uncertain(path: path, reason: "the folder was repaired before the commit was known to be kept")
    }
    return header.generation > end.generation || header.applied >= end.offset
  }

  /// Frames that their writers left, or never came to sync because they were killed. Nobody may see what they do before
  /// it is durable.
  func secure(_ frames: [UInt8], at offset: Int) throws {
    if frames.isEmpty { return }
    try requireWritable()
    // Written anew: after a sync that failed, pages count as clean that never reached the disk.
    try file.write(frames, at: offset)
    try file.sync()
  }
}
