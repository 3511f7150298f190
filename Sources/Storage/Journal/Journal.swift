import LocalCloudPlatform
import Synchronization

/// A folder's write-ahead log: a header, then one frame per commit, in the order of the commits. A checkpoint begins a
/// new generation, and its frames overwrite those of the old one: syncing a file that does not grow takes a fraction of
/// the time that a growing one takes.
///
/// A frame is committed once it is synced, by ``append(_:sequence:at:after:)`` or, if it was left unsynced
/// (``appendUnsynced(_:sequence:at:)``), by another writer. A broken last frame was never committed. A broken frame
/// with a whole one of its generation after it is damage, unless the whole one was planned on top of it before it was
/// synced. On another boot, or with an unreadable header, every frame since the last checkpoint is applied again.
///
/// A forked process opens the file again (``reopenIfInherited()``): the kernel reports an error of a sync once to each
/// open file, and the parent must get its own report.
///
/// Not thread-safe by itself: the folder's lock orders all use.
package final class Journal: Sendable {
  /// The end of a generation's frames so far.
  package struct Position: Equatable, Sendable {
    var generation: UInt64
    var offset: Int

    /// Whether `other` is at or after this position, in the same generation.
    func isReached(by other: Position) -> Bool { other.generation == generation && other.offset >= offset }
  }

  /// The maximum number of bytes that the file grows in advance of its frames.
  private static let most = 2 << 20

  let directory: Directory
  let name: String
  package var file: File { opened.withLock { $0 } }
  private let opened: Mutex<File>
  private let identity: FileIdentity
  let isWritable: Bool
  let boot: [UInt8]
  let format: JournalFormat
  /// A size in bytes that the file is known to have had.
  private let knownSize = Atomic(0)

  package init(in directory: Directory, name: String, _ format: JournalFormat) throws {
    self.directory = directory
    self.name = name
    self.format = format
    boot = JournalHeader.boot(of: directory.fileSystem)
    let file: File
    do {
      file = try directory.file(name, .readWrite)
      isWritable = true
    } catch  where error.isDenied {
      file = try directory.file(name, .read)
      isWritable = false
    }
    identity = try file.identity()
    opened = Mutex(file)
  }

  /// Opens the file again in a process that was forked since it was opened. Call with the folder locked.
  func reopenIfInherited() throws {
    try opened.withLock { opened in
      guard opened.isInherited else { return }
      let own = try directory.file(name, isWritable ? .readWrite : .read)
      guard try own.identity() == identity else {
        throw StorageError.damaged(path: own.path, reason: "another file took its place")
      }
      opened = own
    }
  }

  package var path: String { directory.path(of: name) }

  /// Whether the open file is still the one under its name.
  package func isCurrent() throws -> Bool { try directory.identity(of: name) == identity }

  package func requireWritable() throws {
    if !isWritable { throw SystemError(code: SystemError.accessDenied, call: "open", path: path, isWrite: true) }
  }

  /// Whether the process may write to the file now, although it could not when it opened it.
  func becameWritable() -> Bool {
    if isWritable { return false }
    return (try? directory.file(name, .readWrite)) != nil
  }

  // MARK: Header

  func header() throws -> JournalHeader? { JournalHeader(try file.read(at: 0, count: JournalHeader.size)) }

  /// The state of the journal after the applied entries.
  enum State {
    /// No frames. The next frame belongs at this position.
    case clean(Position)
    /// A few whole frames of this boot.
    case unsynced(Frames)
    /// Contents that require recovery.
    case unapplied
  }

  /// Call with the folder locked.
  func state() throws -> State {
    guard let header = try header(), header.boot == boot else { return .unapplied }
    let next = try file.read(at: header.applied, count: JournalFrame.headerSize)
    if next.isEmpty, try file.size() < header.applied { return .unapplied }
    let end = Position(generation: header.generation, offset: header.applied)
    if !JournalFrame.begins(next, generation: header.generation) { return .clean(end) }
    return try frames(after: end).map { .unsynced($0) } ?? .unapplied
  }

  private func cleanEnd() throws -> Position? {
    if case .clean(let end) = try state() { return end }
    return nil
  }

  /// Whether all committed entries are applied to the files.
  package func isClean() throws -> Bool { try cleanEnd() != nil }

  func markApplied(_ end: Position) throws {
    try file.write(JournalHeader(generation: end.generation, applied: end.offset, boot: boot).bytes, at: 0)
  }

  /// Records that the folder's name is durable. The journal of a new folder is of no boot: if the process that made it
  /// did not call this, the next one makes its name durable before it commits under the name.
  func markNew() throws {
    guard let header = try header(), header.boot == JournalHeader.noBoot, header.applied == JournalHeader.size
    else { return }
    try markApplied(Position(generation: header.generation, offset: header.applied))
  }

  // MARK: Commit

  /// Appends an entry and syncs it: the commit point. On an error nothing was committed, except for
  /// ``StorageError/uncertain(path:reason:)``.
  func append(_ entry: JournalEntry) throws -> Position {
    try append(entry.payload(format), sequence: entry.sequence, at: end())
  }

  /// Appends a frame at `start`, the end of the present frames, and syncs it. The frames in `unsynced` become durable
  /// with it; other writers left them unsynced. If the sync fails, they stay in the file, as uncertain as before.
  func append(_ payload: [UInt8], sequence: Int64, at start: Position, after unsynced: Frames? = nil) throws -> Position
  {
    // These frames are rewritten: after a failed sync, the kernel regards pages as clean that never reached the
    // disk.
    var bytes = unsynced?.bytes ?? []
    let from = start.offset - bytes.count
    bytes += JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    return try write(bytes, at: from, start, isSynced: true)
  }

  /// Like ``append(_:sequence:at:after:)``, without a sync: the next writer has to sync the frame before it is applied
  /// to the files and before a result is reported. Nil if the file would have to grow: other writers may commit a whole
  /// frame, so no step may fail after it is whole.
  func appendUnsynced(_ payload: [UInt8], sequence: Int64, at start: Position) throws -> Position? {
    let bytes = JournalFrame.bytes(payload, sequence: sequence, generation: start.generation)
    guard try growth(upTo: start.offset + bytes.count) == 0 else { return nil }
    return try write(bytes, at: start.offset, start, isSynced: false)
  }

  /// The position of the next frame. Throws ``StorageError/unapplied(path:reason:)`` if entries are not applied to the
  /// files.
  func end() throws -> Position {
    guard let end = try cleanEnd() else {
      throw StorageError.unapplied(path: path, reason: "an entry that is not in the files yet")
    }
    return end
  }

  /// Writes bytes that end with the frame at `start`; returns the frame's end.
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
        // Otherwise a power cut could restore a frame that was reported as failed. The kernel reports an error once to
        // each descriptor, and on this one the report is for the holder of the commit lock.
        try (isSynced ? file : directory.file(name)).sync()
      }
      throw error
    }
    return end
  }

  /// The number of bytes to write after a frame that ends at `end`: the file doubles, so that soon it need not grow any
  /// more.
  private func growth(upTo end: Int) throws -> Int {
    // If another program has truncated the file since then, writing extends it again.
    if end <= knownSize.load(ordering: .relaxed) { return 0 }
    let size = try file.size()
    knownSize.store(size, ordering: .relaxed)
    if end <= size { return 0 }
    return (max(end, min(2 * size, size + Self.most)) + 4095) / 4096 * 4096 - end
  }

  /// Overwrites the beginning of the frame at `offset`, as far as the file reaches: on a full disk the file can't grow.
  func spoil(_ offset: Int) throws {
    let count = min(JournalFrame.headerSize, try file.size() - offset)
    if count > 0 { try file.write([UInt8](repeating: 0, count: count), at: offset) }
  }

  // MARK: Checkpoint

  /// Begins a new generation, after making durable the files that the old one's entries changed.
  package func checkpoint() throws {
    let end = try self.end()
    do {
      try file.syncFileSystem()
      // The header is synced before the old frames are overwritten: with the old header, the rest of them would count.
      try markApplied(Position(generation: end.generation &+ 1, offset: JournalHeader.size))
      try file.sync()
    } catch {
      try? distrust(end)
      throw error
    }
  }

  /// Overwrites all frames with zeros. Call right after ``checkpoint()``.
  func eraseFrames() throws {
    let start = try end().offset
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    let size = try file.size()
    for offset in stride(from: start, to: size, by: zeros.count) {
      try file.write(Array(zeros.prefix(size - offset)), at: offset)
    }
    try file.sync()
  }

  /// Marks the journal as of no boot, after a failed sync of the file system. Pages may be lost, and a second sync that
  /// succeeds would prove nothing. With a header of no boot, the next process applies all entries since the last
  /// checkpoint again, and syncs them. Call with the commit lock.
  func distrust() throws {
    guard let header = try header(), header.boot == boot else { return }
    try distrust(Position(generation: header.generation, offset: header.applied))
  }

  private func distrust(_ end: Position) throws {
    try file.write(
      JournalHeader(generation: end.generation, applied: end.offset, boot: JournalHeader.noBoot).bytes, at: 0)
  }
}
