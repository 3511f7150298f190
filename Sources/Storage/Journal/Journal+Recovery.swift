import Platform

/// Recovery after a process was killed, or after a power cut.
extension Journal {
  /// The entries not yet in the files, oldest first; a torn last one is removed. Call with the folder locked
  /// exclusively, and with the commit lock. `state`: the journal's state, read since then.
  func unapplied(_ state: State? = nil) throws -> (entries: [JournalEntry], end: Position, isOtherBoot: Bool) {
    switch try state ?? self.state() {
    case .clean(let end):
      return ([], end, false)
    case .left(let frames):
      try secure(frames.bytes, at: frames.end.offset - frames.bytes.count)
      return (frames.entries, frames.end, false)
    case .unapplied:
      return try recovered()
    }
  }

  private func recovered() throws -> (entries: [JournalEntry], end: Position, isOtherBoot: Bool) {
    let bytes = try file.readAll()
    let header = JournalHeader(bytes)
    let isOtherBoot = header?.boot != boot
    // A torn header leaves the frames intact; those of its generation come first.
    let first = JournalFrame(in: bytes, at: JournalHeader.size)
    let generation = header?.generation ?? first?.generation
    var start = JournalHeader.size
    if let header, !isOtherBoot { start = min(header.applied, max(bytes.count, start)) }
    if bytes.count < start {
      try requireWritable()
      try file.truncate(to: start)
    }
    var (entries, position): ([JournalEntry], Int) = ([], start)
    while let frame = JournalFrame(in: bytes, at: position, generation: generation) {
      entries.append(try entry(of: frame, in: bytes))
      position = frame.end
    }
    // Frames before `applied` were durable, on any boot.
    if let header, position < min(header.applied, bytes.count) {
      throw StorageError.damaged(path: path, reason: "a broken entry at byte \(position), which was committed")
    }
    try spoilJoined(in: bytes, after: position, generation)
    let end = Position(generation: generation ?? 0, offset: position)
    if JournalFrame.begins(bytes, at: position, generation: end.generation) {
      try requireWritable()
      try spoil(position)
    }
    if !entries.isEmpty { try secure(Array(bytes[start..<position]), at: start) }
    return (entries, end, isOtherBoot)
  }

  /// Invalidates whole frames behind a broken one that were planned upon it. A power cut may lose a frame that was left
  /// and keep one that was planned upon it; neither was committed. Any other whole frame behind a broken one is damage.
  private func spoilJoined(in bytes: [UInt8], after position: Int, _ generation: UInt64?) throws {
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
    if found.isEmpty { return }
    try requireWritable()
    for offset in found { try spoil(offset) }
    // Otherwise one of them could reappear behind a later frame that ends there.
    try file.sync()
  }

  private func entry(of frame: JournalFrame, in bytes: [UInt8]) throws -> JournalEntry {
    guard let entry = JournalEntry(sequence: frame.sequence, payload: bytes[frame.payload], format) else {
      throw StorageError.damaged(
        path: path, reason: "an entry at byte \(frame.payload.lowerBound) that is whole but not understood")
    }
    return entry
  }

  // MARK: Repair

  /// Every readable entry of the present generation, wherever it is in the file. If the header is unreadable, the
  /// entries of every generation.
  package func wholeEntries() throws -> [JournalEntry] {
    let bytes = try file.readAll()
    var search = JournalFrameSearch(bytes, generation: JournalHeader(bytes)?.generation)
    var entries: [JournalEntry] = []
    var position = JournalHeader.size
    while let frame = search.next(from: position) {
      if let entry = try? entry(of: frame, in: bytes) { entries.append(entry) }
      position = frame.end
    }
    return entries
  }

  /// Empties the journal in place, because other processes have it open.
  package func reset() throws {
    try file.truncate(to: JournalHeader.size)
    try markApplied(Position(generation: 0, offset: JournalHeader.size))
    try file.sync()
  }
}
