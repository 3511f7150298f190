import Platform
import Synchronization

/// A zone's write-ahead log: a header, then one frame a commit, written one after another. A checkpoint begins a new
/// generation, whose frames are written over those of the old one: a file that does not grow is synced in a fraction
/// of the time that a growing one takes.
///
/// A frame is committed once it is synced, by ``append(_:sequence:at:after:)`` or with frames that come after it
/// (``leave(_:sequence:at:)``). A broken last frame never was; a broken frame with a good
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

  /// Frames that are not in the files yet, one after another.
  struct Frames {
    var entries: [JournalEntry]
    /// As they stand in the file.
    var bytes: [UInt8]
    var end: Position
  }

  /// Frames are left for others to sync in so many bytes, at most: to be read at once.
  static let mostLeft = 64 << 10
  private static let readAtOnce = 12 << 10

  /// How far the file grows ahead of its frames, at most.
  private static let most = 2 << 20

  let directory: Directory
  let name: String
  private let file: File
  let isWritable: Bool
  private let boot: [UInt8]
  /// The file had so many bytes once.
  private let knownSize = Atomic(0)

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

  /// What stands behind the files' state.
  enum State {
    /// Nothing; the next frame belongs there.
    case clean(Position)
    /// A few whole frames of this boot.
    case left(Frames)
    /// Something that has to be recovered.
    case unapplied
  }

  /// Call with the zone locked.
  func state() throws -> State {
    guard let header = try header(), header.boot == boot else { return .unapplied }
    let next = try file.read(at: header.applied, count: JournalFrame.headerSize)
    if next.isEmpty, try file.size() < header.applied { return .unapplied }
    let end = Position(generation: header.generation, offset: header.applied)
    if !JournalFrame.begins(next, generation: header.generation) { return .clean(end) }
    return try frames(after: end).map { .left($0) } ?? .unapplied
  }

  private func cleanEnd() throws -> Position? {
    if case .clean(let end) = try state() { return end }
    return nil
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
  func append(_ entry: JournalEntry) throws -> Position {
    try append(entry.payload(), sequence: entry.sequence, at: end())
  }

  /// At the end of the present frames, which the caller knows. Those `left` by others are committed together with it, or
  /// stay as they are.
  func append(_ payload: [UInt8], sequence: Int64, at start: Position, after left: Frames? = nil) throws -> Position {
    // Written anew: after a sync that failed, pages count as clean that never reached the disk.
    var bytes = left?.bytes ?? []
    let from = start.offset - bytes.count
    bytes += JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    return try write(bytes, at: from, start) { try file.sync() }
  }

  /// The same without a sync: whoever comes next has to sync it before it is in the files and before anybody is told.
  /// Nil where the file would have to grow: once a frame is whole, others may take it up, so nothing may fail after it.
  func leave(_ payload: [UInt8], sequence: Int64, at start: Position) throws -> Position? {
    let bytes = JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    guard try growth(upTo: start.offset + bytes.count) == 0 else { return nil }
    return try write(bytes, at: start.offset, start) {}
  }

  /// Where the next frame belongs.
  func end() throws -> Position {
    guard let end = try cleanEnd() else {
      throw StoreError.unapplied(path: path, reason: "an entry that is not in the files yet")
    }
    return end
  }

  /// Writes bytes that end with the frame at `start`; answers where it ends.
  private func write(_ bytes: [UInt8], at offset: Int, _ start: Position, _ sync: () throws -> Void) throws -> Position
  {
    let end = Position(generation: start.generation, offset: offset + bytes.count)
    let room = [UInt8](repeating: 0, count: try growth(upTo: end.offset))
    do {
      try file.write(bytes + room, at: offset)
      try sync()
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
    // Where somebody cut it off, writing makes it longer again.
    if end <= knownSize.load(ordering: .relaxed) { return 0 }
    let size = try file.size()
    knownSize.store(size, ordering: .relaxed)
    if end <= size { return 0 }
    return (max(end, min(2 * size, size + Self.most)) + 4095) / 4096 * 4096 - end
  }

  /// Leaves no beginning of a frame there.
  private func spoil(_ offset: Int) throws {
    try file.write([UInt8](repeating: 0, count: JournalFrame.headerSize), at: offset)
  }

  // MARK: Frames that were left

  /// Nil if one was torn, or they are too many to be taken up one by one.
  private func frames(after applied: Position) throws -> Frames? {
    let (frames, rest) = try wholeFrames(after: applied)
    // One that was torn, or that goes on behind these bytes; or a whole one behind a broken one.
    if rest.count < JournalFrame.headerSize, frames.bytes.count + rest.count >= Self.mostLeft { return nil }
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
        let entry = JournalEntry(sequence: frame.sequence, payload: Array(bytes[frame.payload]))
      {
        frames.entries.append(entry)
        position = frame.end
      }
      guard bytes.count < Self.mostLeft,
        position + 2 * JournalFrame.headerSize > bytes.count
          || JournalFrame.begins(bytes, at: position, generation: applied.generation)
      else { break }
      let more = try file.read(at: applied.offset + bytes.count, count: Self.mostLeft - bytes.count)
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
      throw StoreError.uncertain(path: path, reason: "the zone was repaired before the commit was known to be kept")
    }
    return header.generation > end.generation || header.applied >= end.offset
  }

  // MARK: Recovery

  /// Entries not yet in the files, oldest first; a torn last one is removed. Call with the zone locked exclusively, and
  /// with the turn to commit.
  func unapplied() throws -> (entries: [JournalEntry], end: Position, isOtherBoot: Bool) {
    switch try state() {
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
    try spoilJoined(in: bytes, after: position, generation)
    let end = Position(generation: generation ?? 0, offset: position)
    if JournalFrame.begins(bytes, at: position, generation: end.generation) {
      try requireWritable()
      try spoil(position)
    }
    if !entries.isEmpty { try secure(Array(bytes[start..<position]), at: start) }
    return (entries, end, isOtherBoot)
  }

  /// A power cut may take one of the frames that were left and keep one that was left upon it: neither was committed. Any
  /// other whole frame behind a broken one is damage.
  private func spoilJoined(in bytes: [UInt8], after position: Int, _ generation: UInt64?) throws {
    var search = JournalFrameSearch(bytes, generation: generation)
    var start = position
    var found: [Int] = []
    while let frame = search.next(from: start) {
      let offset = frame.payload.lowerBound - JournalFrame.headerSize
      guard try offset - entry(of: frame, in: bytes).joined <= position else {
        throw StoreError.damaged(path: path, reason: "a broken entry at byte \(position) with a good one after it")
      }
      found.append(offset)
      start = frame.end
    }
    if search.isExhausted {
      throw StoreError.damaged(path: path, reason: "a broken entry at byte \(position) and too much like one behind it")
    }
    if found.isEmpty { return }
    try requireWritable()
    for offset in found { try spoil(offset) }
    // Else one of them could come back behind another one that ends there.
    try file.sync()
  }

  /// Frames that their writers left, or never came to sync because they were killed. Nobody may see what they do before
  /// it is durable.
  private func secure(_ frames: [UInt8], at offset: Int) throws {
    if frames.isEmpty { return }
    try requireWritable()
    // Written anew: after a sync that failed, pages count as clean that never reached the disk.
    try file.write(frames, at: offset)
    try file.sync()
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
    let end = try self.end()
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
