import LocalCloudPlatform

/// Frames that writers left unsynced, for other writers to sync.
extension Journal {
  /// Consecutive frames that are not applied to the files yet.
  struct Frames {
    var entries: [JournalEntry]
    /// The frames' bytes in the file.
    var bytes: [UInt8]
    var end: Position
  }

  /// The maximum total size, in bytes, of frames that are left for others to sync.
  static let mostLeft = 32 << 10
  /// The maximum number of bytes to read: enough to detect the bytes after the frames.
  private static let mostRead = 2 * mostLeft
  private static let readAtOnce = 12 << 10

  /// The frames after `applied`. Nil if one is torn, or they are too many to be joined.
  func frames(after applied: Position) throws -> Frames? {
    let (frames, rest) = try wholeFrames(after: applied)
    // The rest is a torn frame, a frame that continues past these bytes, or it holds a whole frame after a broken one.
    if rest.count < JournalFrame.headerSize, frames.bytes.count + rest.count >= Self.mostRead { return nil }
    if JournalFrame.begins(rest, generation: applied.generation) { return nil }
    var search = JournalFrameSearch(rest, generation: applied.generation)
    return search.next(from: 0) != nil || search.isExhausted ? nil : frames
  }

  /// The whole frames within ``mostRead`` bytes, and the bytes read after them.
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

  /// Syncs the frames that other writers left, up to the one that ends at `end`, and the whole ones after it: the
  /// commit point of all of them. Nil if the journal has to be recovered instead. Call with the commit lock; other
  /// writers may append concurrently.
  func secureLeft(upTo end: Position) throws -> (entries: [JournalEntry], end: Position)? {
    guard let header = try header(), header.boot == boot, header.generation == end.generation else { return nil }
    let applied = Position(generation: header.generation, offset: header.applied)
    let (frames, _) = try wholeFrames(after: applied)
    guard frames.end.offset >= end.offset else { return nil }
    try secure(frames.bytes, at: applied.offset)
    return (frames.entries, frames.end)
  }

  /// Whether the frame that ends at `end` is applied to the files. Needs no lock. Left frames are never withdrawn, so
  /// every later generation includes them. Throws ``StorageError/uncertain(path:reason:)`` if a repair has reset the
  /// journal since then.
  func includes(_ end: Position) throws -> Bool {
    // Another process may be writing the header now; the caller asks again.
    guard let header = try header(), header.boot == boot else { return false }
    if header.generation < end.generation {
      throw StorageError.uncertain(path: path, reason: "the folder was repaired before the commit was known to be kept")
    }
    return header.generation > end.generation || header.applied >= end.offset
  }

  /// Syncs frames that their writers left, or could not sync because they were killed. No caller may see their effects
  /// before they are durable.
  func secure(_ frames: [UInt8], at offset: Int) throws {
    if frames.isEmpty { return }
    try requireWritable()
    // The frames are rewritten first: after a failed sync, the kernel regards pages as clean that never reached the
    // disk.
    try file.write(frames, at: offset)
    try file.sync()
  }
}
