import Platform
import Synchronization

/// A folder's write-ahead log: a header, then one frame a commit, written one after another. A checkpoint begins a new
/// generation, whose frames are written over those of the old one: a file that does not grow is synced in a fraction
/// of the time that a growing one takes.
///
/// A frame is committed once it is synced, by ``append(_:sequence:at:after:)`` or, when it was left
/// (``appendUnsynced(_:sequence:at:)``), by others. A broken last frame never was; a broken frame with a good one of its
/// generation after it is damage, unless that one was written upon it unsynced. On another boot, or with a header that
/// can't be read, every frame since the last checkpoint is applied again.
///
/// Not thread-safe by itself: the folder's lock orders all use.
package final class Journal: Sendable {
  /// The end of a generation's frames so far.
  package struct Position: Equatable, Sendable {
    var generation: UInt64
    var offset: Int

    /// Within a generation.
    func isReached(by other: Position) -> Bool { other.generation == generation && other.offset >= offset }
  }

  /// How far the file grows ahead of its frames, at most.
  private static let most = 2 << 20

  let directory: Directory
  let name: String
  package let file: File
  private let identity: FileIdentity
  let isWritable: Bool
  let boot: [UInt8]
  let format: JournalFormat
  /// The file had so many bytes once.
  private let knownSize = Atomic(0)

  package init(in directory: Directory, name: String, _ format: JournalFormat) throws {
    self.directory = directory
    self.name = name
    self.format = format
    boot = JournalHeader.boot(of: directory.fileSystem)
    do {
      file = try directory.file(name, .readWrite)
      isWritable = true
    } catch  where error.isDenied {
      file = try directory.file(name, .read)
      isWritable = false
    }
    identity = try file.identity()
  }

  package var path: String { file.path }

  /// Whether the open file is still the one under its name.
  package func isCurrent() throws -> Bool { try directory.identity(of: name) == identity }

  package func requireWritable() throws {
    if !isWritable { throw SystemError(code: SystemError.accessDenied, call: "open", path: path) }
  }

  /// Whether somebody has given the permission since it was opened without.
  func becameWritable() -> Bool {
    if isWritable { return false }
    return (try? directory.file(name, .readWrite)) != nil
  }

  // MARK: Header

  func header() throws -> JournalHeader? { JournalHeader(try file.read(at: 0, count: JournalHeader.size)) }

  /// What stands behind the files' state.
  enum State {
    /// Nothing; the next frame belongs there.
    case clean(Position)
    /// A few whole frames of this boot.
    case left(Frames)
    /// Something that has to be recovered.
    case unapplied
  }

  /// Call with the folder locked.
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
  package func isClean() throws -> Bool { try cleanEnd() != nil }

  func markApplied(_ end: Position) throws {
    try file.write(JournalHeader(generation: end.generation, applied: end.offset, boot: boot).bytes, at: 0)
  }

  /// The journal of a new folder is of no boot: whoever finds one whose maker did not get here makes its name durable
  /// before anything is committed under it.
  func markNew() throws {
    guard let header = try header(), header.boot == JournalHeader.noBoot, header.applied == JournalHeader.size
    else { return }
    try markApplied(Position(generation: header.generation, offset: header.applied))
  }

  // MARK: Commit

  /// Appends and syncs: the commit point. On an error nothing was committed, but for ``StorageError/uncertain(path:reason:)``.
  func append(_ entry: JournalEntry) throws -> Position {
    try append(entry.payload(format), sequence: entry.sequence, at: end())
  }

  /// At the end of the present frames, which the caller knows. Those `left` by others become durable with it; if it
  /// fails, they stay in the file, as uncertain as before.
  func append(_ payload: [UInt8], sequence: Int64, at start: Position, after left: Frames? = nil) throws -> Position {
    // Written anew: after a sync that failed, pages count as clean that never reached the disk.
    var bytes = left?.bytes ?? []
    let from = start.offset - bytes.count
    bytes += JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    return try write(bytes, at: from, start, isSynced: true)
  }

  /// The same without a sync: whoever comes next has to sync it before it is in the files and before anybody is told.
  /// Nil where the file would have to grow: once a frame is whole, others may take it up, so nothing may fail after it.
  func appendUnsynced(_ payload: [UInt8], sequence: Int64, at start: Position) throws -> Position? {
    let bytes = JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    guard try growth(upTo: start.offset + bytes.count) == 0 else { return nil }
    return try write(bytes, at: start.offset, start, isSynced: false)
  }

  /// Where the next frame belongs.
  func end() throws -> Position {
    guard let end = try cleanEnd() else {
      throw StorageError.unapplied(path: path, reason: "an entry that is not in the files yet")
    }
    return end
  }

  /// Writes bytes that end with the frame at `start`; answers where it ends.
  private func write(_ bytes: [UInt8], at offset: Int, _ start: Position, isSynced: Bool) throws -> Position {
    let end = Position(generation: start.generation, offset: offset + bytes.count)
    let room = [UInt8](repeating: 0, count: try growth(upTo: end.offset))
    do {
      try file.write(bytes + room, at: offset)
      if isSynced { try file.sync() }
    } catch {
      // A failed sync may have lost pages, so the frame is withdrawn and never synced again.
      try StorageError.takingBack(path, after: error) {
        try spoil(start.offset)
        // Else a power cut could bring back what was never promised. An error is told once to each descriptor, and on
        // this one to who has the turn.
        try (isSynced ? file : directory.file(name)).sync()
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
  func spoil(_ offset: Int) throws {
    try file.write([UInt8](repeating: 0, count: JournalFrame.headerSize), at: offset)
  }

  // MARK: Checkpoint

  /// Begins a new generation, once the files that the old one's entries speak of are durable.
  package func checkpoint() throws {
    let end = try self.end()
    do {
      try file.syncFileSystem()
      // Synced before anything is written over the old frames: with the old header their rest would count.
      try markApplied(Position(generation: end.generation &+ 1, offset: JournalHeader.size))
      try file.sync()
    } catch {
      try? distrust(end)
      throw error
    }
  }

  /// After a sync of the file system that failed pages may be lost, and a second one that succeeds would prove nothing:
  /// with a header of no boot, whoever comes next does all since the last checkpoint again, and syncs that. Call with the
  /// turn to commit.
  func distrust() throws {
    guard let header = try header(), header.boot == boot else { return }
    try distrust(Position(generation: header.generation, offset: header.applied))
  }

  private func distrust(_ end: Position) throws {
    try file.write(
      JournalHeader(generation: end.generation, applied: end.offset, boot: JournalHeader.noBoot).bytes, at: 0)
  }
}
