import LocalCloudPlatform
import LocalCloudStorage

/// Applies the whole entries of a damaged journal, as far as the files lack their changes and no lost entry can have
/// made further changes.
struct JournalSalvage {
  private let folder: StoreFolder
  private let aside: Quarantine
  /// The number of the last entry in the history. Earlier entries are in the files, and later ones may have replaced
  /// their changes.
  private let applied: Int64

  init(_ folder: StoreFolder, _ aside: Quarantine) throws {
    self.folder = folder
    self.aside = aside
    applied = HistoryScan(try folder.contents(StoreFolder.history) ?? []).taken
  }

  /// Applies the entries in their order. Then notes in the history that further entries may be lost.
  func run(_ entries: [JournalEntry]) throws {
    for entry in entries { try apply(entry) }
    let (history, line) = (try folder.contents(StoreFolder.history) ?? [], HistoryScan.lossLine)
    // A repair that was killed may have written the line, or its beginning.
    if history.suffix(line.count) == line[...] { return }
    let last = history.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = line.starts(with: history[last...]) ? last : history.count
    try append(line, to: StoreFolder.history, at: end, canMake: true)
  }

  private func apply(_ entry: JournalEntry) throws {
    let isEarlier = entry.sequence < applied
    var isMoved = true
    for effect in entry.effects {
      switch effect {
      case .append(let path, let offset, let lines): try append(lines, to: path, at: offset, canMake: !isEarlier)
      case .move(let path, let source): isMoved = try move(path, from: source) && isMoved
      case .replace(let path, let bytes): if !isEarlier { try replace(path, with: bytes) }
      // Without the file that took its lines, a segment stays. A binary may be in use again.
      case .remove(let path): if isMoved, path.components.first != StoreFolder.binaries { try remove(path) }
      case .compact, .removeFolder: break
      }
    }
  }

  /// Earlier lines may be lost. Bytes that are already behind the offset come from this entry or a later one.
  private func append(_ lines: [UInt8], to path: StorePath, at offset: Int, canMake: Bool) throws {
    let (directory, name) = try folder.location(of: path)
    // A segment that is not begun here was removed since, or is lost.
    guard try (offset == 0 && canMake) || directory.exists(name) else { return }
    let file = try directory.createFile(name)
    let size = try file.size()
    if size <= offset {
      // The file may end in the middle of a line that belongs to a lost entry.
      let newline = UInt8(ascii: "\n")
      let isTorn = try size > 0 && file.read(at: size - 1, count: 1) != [newline]
      return try file.write((isTorn ? [newline] : []) + lines, at: size)
    }
    let present = try file.read(at: offset, count: lines.count)
    if present.count < lines.count, lines.starts(with: present) {
      try file.write(Array(lines[present.count...]), at: size)
    }
  }

  /// Whether the file is there afterwards.
  private func move(_ path: StorePath, from source: String) throws -> Bool {
    let (directory, name) = try folder.location(of: path)
    if try directory.exists(name) { return true }
    try folder.put(path, from: source, isReplay: true)
    return try directory.exists(name)
  }

  private func replace(_ path: StorePath, with bytes: [UInt8]) throws {
    let (directory, name) = try folder.location(of: path)
    if try directory.contents(name) == bytes { return }
    if try directory.exists(name) { _ = try aside.copy(name, in: directory) }
    let staged = "." + name + ".new"
    try directory.stageDurably(bytes, as: staged)
    try directory.rename(staged, to: directory, as: name)
  }

  private func remove(_ path: StorePath) throws {
    let (directory, name) = try folder.location(of: path)
    if try directory.exists(name) { _ = try aside.move(name, in: directory) }
  }
}
