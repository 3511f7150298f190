import Platform

/// A zone's write-ahead log: a header, then one frame a commit, only ever appended.
///
/// Header, 48 bytes: magic, applied offset, boot identifier's digest, checksum. It is written without a sync: it only says
/// up to where the files were brought *on this boot*. On another boot, or with a bad checksum, every frame since the
/// last checkpoint is applied again.
/// Frame: magic (u32), payload length (u32), checksum (u64) over sequence and payload, sequence (i64), payload.
/// A frame is committed once ``append(_:)`` has synced it. A broken last frame never was; a broken frame with a good
/// one after it is damage.
///
/// Not thread-safe by itself: the zone's lock orders all use.
final class Journal: Sendable {
  static let headerSize = 48
  private static let magic = Array("LCKJRNL1".utf8)
  private static let frameMagic: UInt32 = 0x4C43_4B45
  private static let frameHeaderSize = 24

  let directory: Directory
  let name: String
  private let file: File
  let isWritable: Bool
  private let boot: [UInt8]

  init(in directory: Directory, name: String) throws {
    self.directory = directory
    self.name = name
    boot = Self.bootDigest(directory.fileSystem)
    do {
      file = try directory.file(name, .readWrite)
      isWritable = true
    } catch  where error.isDenied {
      file = try directory.file(name, .read)
      isWritable = false
    }
  }

  /// What a journal without entries holds.
  static func emptyContents(in fileSystem: FileSystem) -> [UInt8] {
    header(applied: headerSize, boot: bootDigest(fileSystem))
  }

  /// What the journal of a new zone holds. It is of no boot: whoever finds a zone whose maker did not get to ``markNew()`` makes the
  /// zone's name durable before anything is committed under it.
  static let newContents = header(applied: headerSize, boot: [UInt8](repeating: 0, count: 16))

  /// The zone's name is durable. Others may have committed to it by now: the mark is never too high.
  func markNew() throws { try markApplied(Self.headerSize) }

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

  private static func bootDigest(_ fileSystem: FileSystem) -> [UInt8] {
    let bytes = Array(fileSystem.bootIdentifier.utf8)
    var result: [UInt8] = []
    result.append(littleEndian: Digest.hash64(bytes, seed: 1))
    result.append(littleEndian: Digest.hash64(bytes, seed: 2))
    return result
  }

  private static func header(applied: Int, boot: [UInt8]) -> [UInt8] {
    var result = magic
    result.append(littleEndian: UInt64(applied))
    result += boot
    result.append(littleEndian: UInt64(0))
    result.append(littleEndian: Digest.hash64(result))
    return result
  }

  /// Up to where the files include the journal on this boot; nil if that can't be said.
  private func applied() throws -> Int? {
    let header = try file.read(at: 0, count: Self.headerSize)
    guard header.count == Self.headerSize, Array(header[0..<8]) == Self.magic,
      header.littleEndian(UInt64.self, at: 40) == Digest.hash64(Array(header[0..<40])),
      Array(header[16..<32]) == boot
    else { return nil }
    return Int(clamping: header.littleEndian(UInt64.self, at: 8))
  }

  /// Whether the files hold everything that was committed.
  func isClean() throws -> Bool {
    guard let applied = try applied() else { return false }
    return try file.size() <= applied
  }

  func markApplied(_ offset: Int) throws {
    try file.write(Self.header(applied: offset, boot: boot), at: 0)
  }

  // MARK: Commit

  var size: Int { get throws { try file.size() } }

  /// Appends and syncs: the commit point. On an error nothing was committed, but for ``StoreError/uncertain(path:reason:)``.
  func append(_ entry: JournalEntry) throws -> Int {
    let offset = max(try file.size(), Self.headerSize)
    let payload = entry.payload()
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + Self.frameHeaderSize)
    frame.append(littleEndian: Self.frameMagic)
    frame.append(littleEndian: UInt32(payload.count))
    frame.append(littleEndian: Self.checksum(entry.sequence, payload))
    frame.append(littleEndian: entry.sequence)
    frame += payload
    do {
      try file.write(frame, at: offset)
      try file.sync()
    } catch {
      // A failed sync may have lost pages, so the frame is withdrawn and never synced again.
      try withdraw(offset, after: error)
      throw error
    }
    return offset + frame.count
  }

  /// Takes a frame back whose sync failed. A frame that can't be cut off is spoilt, so that nobody takes it for a commit.
  private func withdraw(_ offset: Int, after failure: any Error) throws {
    do { try file.truncate(to: offset) } catch {
      if error.isStopped { return }
      do { try file.write([UInt8](repeating: 0, count: Self.frameHeaderSize), at: offset) } catch {
        if error.isStopped { return }
        throw uncertain(failure, error)
      }
    }
    // Else a power cut could bring back what was never promised.
    do { try file.sync() } catch {
      if !error.isStopped { throw uncertain(failure, error) }
    }
  }

  private func uncertain(_ failure: any Error, _ second: any Error) -> StoreError {
    .uncertain(path: path, reason: "\(failure), and it could not be taken back: \(second)")
  }

  private static func checksum(_ sequence: Int64, _ payload: [UInt8]) -> UInt64 {
    Digest.hash64(payload, seed: UInt64(bitPattern: sequence))
  }

  // MARK: Recovery

  /// Entries not yet in the files, oldest first; a torn tail is cut off. Call with the zone locked exclusively.
  func unapplied() throws -> (entries: [JournalEntry], end: Int, isOtherBoot: Bool) {
    let bytes = try file.readAll()
    var position = Self.headerSize
    let applied = try applied()
    if let applied {
      // A header that points past the end speaks of frames that a checkpoint dropped.
      position = max(Self.headerSize, min(applied, bytes.count))
    } else if bytes.count < Self.headerSize {
      try requireWritable()
      try file.truncate(to: Self.headerSize)
      return ([], Self.headerSize, true)
    }
    var entries: [JournalEntry] = []
    while position < bytes.count {
      guard let (entry, end) = try frame(in: bytes, at: position) else {
        if Self.hasFrame(in: bytes, after: position + 1) {
          throw StoreError.damaged(path: path, reason: "a broken entry at byte \(position) with a good one after it")
        }
        try requireWritable()
        try file.truncate(to: position)
        break
      }
      entries.append(entry)
      position = end
    }
    // A process that was killed may have left an entry that it never synced. Nobody may see it before it is durable.
    // Written anew first: after a sync that failed, pages count as clean that never reached the disk.
    if !entries.isEmpty {
      try requireWritable()
      let start = applied.map { max(Self.headerSize, min($0, bytes.count)) } ?? Self.headerSize
      try file.write(Array(bytes[start..<position]), at: start)
      try file.sync()
    }
    return (entries, position, applied == nil)
  }

  private func frame(in bytes: [UInt8], at position: Int) throws -> (JournalEntry, Int)? {
    guard let range = Self.frameRange(in: bytes, at: position) else { return nil }
    let sequence = bytes.littleEndian(Int64.self, at: position + 16)
    guard let entry = JournalEntry(sequence: sequence, payload: Array(bytes[range])) else {
      throw StoreError.damaged(path: path, reason: "an entry at byte \(position) that is whole but not understood")
    }
    return (entry, range.upperBound)
  }

  private static func frameRange(in bytes: [UInt8], at position: Int) -> Range<Int>? {
    guard position + frameHeaderSize <= bytes.count,
      bytes.littleEndian(UInt32.self, at: position) == frameMagic
    else { return nil }
    let start = position + frameHeaderSize
    let length = Int(bytes.littleEndian(UInt32.self, at: position + 4))
    guard length <= bytes.count - start else { return nil }
    let sequence = bytes.littleEndian(Int64.self, at: position + 16)
    guard
      checksum(sequence, Array(bytes[start..<(start + length)])) == bytes.littleEndian(UInt64.self, at: position + 8)
    else { return nil }
    return start..<(start + length)
  }

  /// Somebody who fills a file with beginnings of frames must not keep us busy for hours: beyond some effort it counts
  /// as damage, too.
  private static func hasFrame(in bytes: [UInt8], after start: Int) -> Bool {
    var position = start
    var effort = 16 * bytes.count + 1 << 20
    while position + frameHeaderSize <= bytes.count {
      if bytes.littleEndian(UInt32.self, at: position) == frameMagic {
        if frameRange(in: bytes, at: position) != nil { return true }
        effort -= min(Int(bytes.littleEndian(UInt32.self, at: position + 4)), bytes.count)
        if effort < 0 { return true }
      }
      position += 1
    }
    return false
  }

  // MARK: Repair

  /// Every entry that can be read, wherever it stands.
  func wholeEntries() throws -> [JournalEntry] {
    let bytes = try file.readAll()
    var entries: [JournalEntry] = []
    var position = Self.headerSize
    var effort = 16 * bytes.count + 1 << 20
    while position < bytes.count {
      if let (entry, end) = try? frame(in: bytes, at: position) {
        entries.append(entry)
        position = end
      } else {
        effort -= 1
        if bytes.count - position >= 8, bytes.littleEndian(UInt32.self, at: position) == Self.frameMagic {
          effort -= min(Int(bytes.littleEndian(UInt32.self, at: position + 4)), bytes.count)
        }
        if effort < 0 { break }
        position += 1
      }
    }
    return entries
  }

  /// Empties it in place: other processes have it open.
  func reset() throws {
    try file.write(Self.header(applied: Self.headerSize, boot: boot), at: 0)
    try file.truncate(to: Self.headerSize)
    try file.sync()
  }

  // MARK: Checkpoint

  func syncFileSystem() throws { try file.syncFileSystem() }

  /// Drops all entries, once the files they speak of are durable.
  func checkpoint() throws {
    do { try file.syncFileSystem() } catch {
      // Pages may be lost, and a second call that succeeds would prove nothing: with no valid mark, whoever comes next
      // does all of it again, and syncs that.
      try? file.write([UInt8](repeating: 0, count: Self.headerSize), at: 0)
      throw error
    }
    // The mark goes first: with the frames gone and the old mark in place, later commits would count as applied.
    try markApplied(Self.headerSize)
    try file.truncate(to: Self.headerSize)
    try file.sync()
  }
}
