import Platform

/// A zone's write-ahead log: a header, then one frame a commit, written one after another. A checkpoint begins a new
/// generation, whose frames are written over those of the old one: a file that does not grow is synced in a fraction
/// of the time that a growing one takes.
///
/// A frame is committed once ``append(_:)`` has synced it. A broken last frame never was; a broken frame with a good
/// one of its generation after it is damage. On another boot, or with a header that can't be read, every frame since
/// the last checkpoint is applied again.
///
/// Not thread-safe by itself: the zone's lock orders all use.
final class Journal: Sendable {
  /// The end of a generation's frames so far.
  struct Position: Equatable {
    var generation: UInt64
    var offset: Int
  }

  /// How far the file grows ahead of its frames, at most.
  private static let most = 2 << 20

  let directory: Directory
  let name: String
  private let file: File
  let isWritable: Bool
  private let boot: [UInt8]

  init(in directory: Directory, name: String) throws {
    self.directory = directory
    self.name = name
    boot = JournalHeader.boot(of: directory.fileSystem)
    do {
      file = try directory.file(name, .readWrite)
      isWritable = true
    } catch  where error.isDenied {
      file = try directory.file(name, .read)
      isWritable = false
    }
  }

  var path: String { file.path }

  /// Whether the open file is still the one under its name.
  func isCurrent() throws -> Bool { try directory.identity(of: name) == file.identity() }

  func requireWritable() throws {
    if !isWritable { throw SystemError(code: SystemError.accessDenied, call: "open", path: path) }
  }

  /// Whether somebody has given the permission since it was opened without.
  func becameWritable() -> Bool {
    if isWritable { return false }
    return (try? directory.file(name, .readWrite)) != nil
  }

  // MARK: Header

  private func header() throws -> JournalHeader? { JournalHeader(try file.read(at: 0, count: JournalHeader.size)) }

  /// Where the next frame belongs, if the files hold everything that was committed; else nil.
  private func cleanEnd() throws -> Position? {
    guard let header = try header(), header.boot == boot, try header.applied <= file.size() else { return nil }
    let next = try file.read(at: header.applied, count: JournalFrame.headerSize)
    if JournalFrame.begins(next, generation: header.generation) { return nil }
    return Position(generation: header.generation, offset: header.applied)
  }

  /// Whether the files hold everything that was committed.
  func isClean() throws -> Bool { try cleanEnd() != nil }

  func markApplied(_ end: Position) throws {
    try file.write(JournalHeader(generation: end.generation, applied: end.offset, boot: boot).bytes, at: 0)
  }

  /// The journal of a new zone is of no boot: whoever finds a zone whose maker did not get here makes its name durable
  /// before anything is committed under it.
  func markNew() throws {
    guard let header = try header(), header.boot == JournalHeader.noBoot, header.applied == JournalHeader.size
    else { return }
    try markApplied(Position(generation: header.generation, offset: header.applied))
  }

  // MARK: Commit

  /// Appends and syncs: the commit point. On an error nothing was committed, but for ``StoreError/uncertain(path:reason:)``.
  func append(_ entry: JournalEntry) throws -> Position { try append(entry.payload(), sequence: entry.sequence) }

  func append(_ payload: [UInt8], sequence: Int64) throws -> Position {
    guard let start = try cleanEnd() else {
      throw StoreError.unapplied(path: path, reason: "an entry that is not in the files yet")
    }
    var bytes = JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    let end = Position(generation: start.generation, offset: start.offset + bytes.count)
    bytes += [UInt8](repeating: 0, count: try growth(upTo: end.offset))
    do {
      try file.write(bytes, at: start.offset)
      try file.sync()
    } catch {
      // A failed sync may have lost pages, so the frame is withdrawn and never synced again.
      try StoreError.takingBack(path, after: error) {
        try spoil(start.offset)
        // Else a power cut could bring back what was never promised.
        try file.sync()
      }
      throw error
    }
    return end
  }

  /// How many bytes to write behind a frame that ends there: growing twofold, the file soon need not grow any more.
  private func growth(upTo end: Int) throws -> Int {
    let size = try file.size()
    if end <= size { return 0 }
    return (max(end, min(2 * size, size + Self.most)) + 4095) / 4096 * 4096 - end
  }

  /// Leaves no beginning of a frame there.
  private func spoil(_ offset: Int) throws {
    try file.write([UInt8](repeating: 0, count: JournalFrame.headerSize), at: offset)
  }

  // MARK: Recovery

  /// Entries not yet in the files, oldest first; a torn last one is removed. Call with the zone locked exclusively.
  func unapplied() throws -> (entries: [JournalEntry], end: Position, isOtherBoot: Bool) {
    let bytes = try file.readAll()
    let header = JournalHeader(bytes)
    let isOtherBoot = header?.boot != boot
    // A header that was torn leaves the frames: those of its generation come first.
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
    var search = JournalFrameSearch(bytes, generation: generation)
    if search.next(from: position) != nil || search.isExhausted {
      throw StoreError.damaged(path: path, reason: "a broken entry at byte \(position) with a good one after it")
    }
    let end = Position(generation: generation ?? 0, offset: position)
    if JournalFrame.begins(bytes, at: position, generation: end.generation) {
      try requireWritable()
      try spoil(position)
    }
    // A process that was killed may have left an entry that it never synced. Nobody may see it before it is durable.
    // Written anew first: after a sync that failed, pages count as clean that never reached the disk.
    if !entries.isEmpty {
      try requireWritable()
      try file.write(Array(bytes[start..<position]), at: start)
      try file.sync()
    }
    return (entries, end, isOtherBoot)
  }

  private func entry(of frame: JournalFrame, in bytes: [UInt8]) throws -> JournalEntry {
    guard let entry = JournalEntry(sequence: frame.sequence, payload: Array(bytes[frame.payload])) else {
      throw StoreError.damaged(
        path: path, reason: "an entry at byte \(frame.payload.lowerBound) that is whole but not understood")
    }
    return entry
  }

  // MARK: Repair

  /// Every entry of the present generation that can be read, wherever it stands; of every one, if nobody can say which
  /// it is.
  func wholeEntries() throws -> [JournalEntry] {
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

  /// Empties it in place: other processes have it open.
  func reset() throws {
    try file.truncate(to: JournalHeader.size)
    try markApplied(Position(generation: 0, offset: JournalHeader.size))
    try file.sync()
  }

  // MARK: Checkpoint

  func syncFileSystem() throws { try file.syncFileSystem() }

  /// Begins a new generation, once the files that the old one's entries speak of are durable.
  func checkpoint() throws {
    guard let end = try cleanEnd() else {
      throw StoreError.unapplied(path: path, reason: "an entry that is not in the files yet")
    }
    do {
      try file.syncFileSystem()
      // Synced before anything is written over the old frames: with the old header their rest would count.
      try markApplied(Position(generation: end.generation &+ 1, offset: JournalHeader.size))
      try file.sync()
    } catch {
      // Pages may be lost, and a second call that succeeds would prove nothing: with a header of no boot, whoever comes
      // next does all of it again, and syncs that.
      try? file.write(
        JournalHeader(generation: end.generation, applied: end.offset, boot: JournalHeader.noBoot).bytes, at: 0)
      throw error
    }
  }
}
