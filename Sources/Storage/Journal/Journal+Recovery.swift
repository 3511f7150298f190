import LocalCloudPlatform

/// Recovery after a process was killed, or after a power cut.
extension Journal {
  /// The entries not yet applied to the files, oldest first; a torn last one is removed. Call with the folder locked
  /// exclusively, and with the commit lock. `state`: the journal's state, read since then.
  func unapplied(_ state: State? = nil) throws -> (entries: [JournalEntry], end: Position, isOtherBoot: Bool) {
    switch try state ?? self.state() {
    case .clean(let end):
      return ([], end, false)
    case .unsynced(let frames):
      try secure(frames.bytes, at: frames.end.offset - frames.bytes.count)
      return (frames.entries, frames.end, false)
    case .unapplied:
      return try recovered()
    }
  }

  private func recovered() throws -> (entries: [JournalEntry], end: Position, isOtherBoot: Bool) {
    let found = try findUnapplied()
    if found.isShort {
      try requireWritable()
      try file.truncate(to: found.start)
    }
    if !found.joined.isEmpty {
      try requireWritable()
      for offset in found.joined { try spoil(offset) }
      // Otherwise one of them could reappear behind a later frame that ends there.
      try file.sync()
    }
    if found.isTorn {
      try requireWritable()
      try spoil(found.end.offset)
    }
    try secure(found.frames, at: found.start)
    return (found.entries, found.end, found.isOtherBoot)
  }

  // MARK: Finding

  /// The entries that are not applied to the files yet, and the corrections that the journal needs before another entry
  /// is appended.
  struct Unapplied {
    var entries: [JournalEntry] = []
    /// The entries' bytes in the file, from `start` to `end`.
    var frames: [UInt8] = []
    var start: Int
    var end: Position
    var isOtherBoot = false
    /// Whether the file ends before `start`.
    var isShort = false
    /// Whether a torn frame is at `end`.
    var isTorn = false
    /// The offsets of whole frames that were planned on top of a broken one.
    var joined: [Int] = []
  }

  /// Reads the entries that are not applied to the files yet, oldest first, and changes nothing. Call with the folder's
  /// lock and the commit lock, both at least shared.
  func findUnapplied() throws -> Unapplied {
    if case .clean(let end) = try state() { return Unapplied(start: end.offset, end: end) }
    let bytes = try file.readAll()
    let header = JournalHeader(bytes)
    // A torn header leaves the frames intact; those of its generation are at the beginning.
    let first = JournalFrame(in: bytes, at: JournalHeader.size)
    let generation = header?.generation ?? first?.generation
    var start = JournalHeader.size
    let isOtherBoot = header?.boot != boot
    if let header, !isOtherBoot { start = min(header.applied, max(bytes.count, start)) }
    var found = Unapplied(start: start, end: Position(generation: generation ?? 0, offset: start))
    (found.isOtherBoot, found.isShort) = (isOtherBoot, bytes.count < start)
    while let frame = JournalFrame(in: bytes, at: found.end.offset, generation: generation) {
      found.entries.append(try entry(of: frame, in: bytes))
      found.end.offset = frame.end
    }
    let end = found.end.offset
    // Frames before `applied` were durable, on any boot.
    if let header, end < min(header.applied, bytes.count) {
      throw StorageError.damaged(path: path, reason: "a broken entry at byte \(end), which was committed")
    }
    found.joined = try joinedFrames(in: bytes, after: end, generation)
    found.isTorn = JournalFrame.begins(bytes, at: end, generation: found.end.generation)
    if end > start { found.frames = Array(bytes[start..<end]) }
    return found
  }

  /// The offsets of whole frames after a broken one that were planned on top of it. A power cut may lose an unsynced
  /// frame and keep one that was planned on top of it; neither was committed. Any other whole frame after a broken one
  /// is damage.
  private func joinedFrames(in bytes: [UInt8], after position: Int, _ generation: UInt64?) throws -> [Int] {
    var search = JournalFrameSearch(bytes, generation: generation)
    var start = position
    var found: [Int] = []
    while let frame = search.next(from: start) {
      let offset = frame.payload.lowerBound - JournalFrame.headerSize
      guard try offset - entry(of: frame, in: bytes).joined <= position else {
        throw StorageError.damaged(path: path, reason: "a broken entry at byte \(position) with a good one after it")
      }
      found.append(offset)
      start = frame.end
    }
    if search.isExhausted {
      throw StorageError.damaged(
        path: path, reason: "a broken entry at byte \(position) and too much like one behind it")
    }
    return found
  }

  /// Makes entries durable that are read without being applied to the files. No caller may see their effects before
  /// that. Call with the folder locked, and with the commit lock.
  func secureForReading(_ found: Unapplied) throws {
    if found.frames.isEmpty { return }
    // The frames are rewritten if that is possible, as in ``secure(_:at:)``. Some file systems need space for that.
    if isWritable {
      do throws(SystemError) { try file.write(found.frames, at: found.start) } catch {
        guard error.isNoSpace || error.isDenied else { throw error }
      }
    }
    // A medium that can't be written may not be able to sync, and has nothing to sync.
    do throws(SystemError) { try file.sync() } catch {
      guard !isWritable, error.isUnsyncable else { throw error }
    }
  }

  private func entry(of frame: JournalFrame, in bytes: [UInt8]) throws -> JournalEntry {
    guard let entry = JournalEntry(sequence: frame.sequence, payload: bytes[frame.payload], format) else {
      throw StorageError.damaged(
        path: path,
        reason:
          "an entry at byte \(frame.payload.lowerBound) that is whole but not understood: a newer version may have "
          + "written it")
    }
    return entry
  }

  // MARK: Repair

  /// Every readable entry of the present generation, wherever it is in the file, in their order. If the header is
  /// unreadable, the entries of every generation.
  package func wholeEntries() throws -> [JournalEntry] {
    let bytes = try file.readAll()
    var search = JournalFrameSearch(bytes, generation: JournalHeader(bytes)?.generation)
    var entries: [JournalEntry] = []
    var position = JournalHeader.size
    while let frame = search.next(from: position) {
      if let entry = try? entry(of: frame, in: bytes) { entries.append(entry) }
      position = frame.end
    }
    // Those of earlier generations follow the later ones.
    return entries.sorted { $0.sequence < $1.sequence }
  }

  /// Empties the same file, because other processes have it open.
  package func reset() throws {
    try file.truncate(to: JournalHeader.size)
    try markApplied(Position(generation: 0, offset: JournalHeader.size))
    try file.sync()
  }
}
