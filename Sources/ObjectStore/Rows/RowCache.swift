import Synchronization

/// The rows that this process read or replaced last, so that a fault, or another fetch of the same objects, parses no
/// JSON. All contexts of a coordinator share it, because they share the store.
///
/// How it is right while other processes write:
/// - An entry has an object's location, which is its entry of the index, and the store's sequence at which the index
///   had it. A view that reads the same sequence, under the lock that it holds anyway, uses the entry without the
///   index: one look-up serves the conflict check, the update and the new line of a saved object.
/// - A view of another sequence looks the object up in the index. Its row is valid if the location is still the same: a
///   segment's number is never used again, and its bytes do not change. So commits of other processes discard nothing,
///   and views of a ``StoreGeneration`` share the cache with those of the present state.
/// - A commit replaces the entries of objects that it updates, and removes those of objects that it deletes.
///
/// How it is bounded: entries are in two generations. An entry moves to the recent one when it is used. When that has
/// half of the bytes, it becomes the older one, and the entries of the older one that were not used are removed. The
/// scan of a table enters only its first rows, about ``mostScanned``, so that it does not remove all others.
///
/// A line that another program damages or edits is noticed by the check, and mended or accepted by a repair. After that
/// it is read again if its location or length is another one, or when its row was removed from here.
///
/// Threads: safe to use from any.
final class RowCache: Sendable {
  struct Entry: Sendable {
    var location: RowEntry
    /// Nil until the line is read.
    var row: StoredRow?
    /// The store's sequence at which the index had ``location``.
    var sequence: Int64

    /// An estimate of its memory, in bytes.
    fileprivate var cost: Int { 160 + (row?.cost ?? 0) }
  }

  private struct State {
    let most: Int
    var recent: [RowID: Entry] = [:]
    var older: [RowID: Entry] = [:]
    /// The cost of ``recent``.
    var bytes = 0

    mutating func put(_ entry: Entry, _ id: RowID) {
      bytes += entry.cost
      if let before = recent.updateValue(entry, forKey: id) { bytes -= before.cost }
      if bytes > most / 2 { (older, recent, bytes) = (recent, [:], 0) }
    }

    mutating func find(_ id: RowID) -> Entry? {
      if let entry = recent[id] { return entry }
      guard let entry = older.removeValue(forKey: id) else { return nil }
      put(entry, id)
      return entry
    }

    mutating func remove(_ id: RowID) -> Entry? {
      let old = older.removeValue(forKey: id)
      guard let entry = recent.removeValue(forKey: id) else { return old }
      bytes -= entry.cost
      return entry
    }
  }

  static let mostBytes = 4 << 20
  static let mostScanned = 4_000

  private let state: Mutex<State>

  init(bytes: Int) { state = Mutex(State(most: bytes)) }

  /// The entry of an object, if the index had it at this sequence.
  func entry(_ id: RowID, at sequence: Int64) -> Entry? {
    state.withLock { state in
      guard let entry = state.find(id), entry.sequence == sequence else { return nil }
      return entry
    }
  }

  /// Returns the entry for the location that the index has at a sequence, with the row if its line was read there.
  ///
  /// - Parameter isCached: whether an object that the cache does not have is entered.
  func locate(_ id: RowID, at location: RowEntry, _ sequence: Int64, isCached: Bool) -> Entry {
    state.withLock { state in
      let before = state.find(id)
      let row = before?.location == location ? before?.row : nil
      let entry = Entry(location: location, row: row, sequence: sequence)
      if isCached || before != nil { state.put(entry, id) }
      return entry
    }
  }

  func put(_ entry: Entry, _ id: RowID) { state.withLock { $0.put(entry, id) } }

  /// Replaces the entry of an object, if there is one; nil removes it.
  func replace(_ id: RowID, by entry: Entry?) {
    state.withLock { state in
      guard state.remove(id) != nil, let entry else { return }
      state.put(entry, id)
    }
  }
}

extension StoredRow {
  fileprivate var cost: Int {
    let slots = attributes.count * MemoryLayout<StoredValue>.stride + toOnes.count * MemoryLayout<RowID?>.stride
    return attributes.reduce(96 + slots + 8 * positions.count) { $0 + $1.length }
  }
}

extension StoredValue {
  /// The length of a text, or of bytes.
  fileprivate var length: Int {
    switch self {
    case .null, .boolean, .integer, .double, .date: 0
    case .decimal(let text), .string(let text), .uuid(let text), .uri(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    case .external(let binary): binary.digest.utf8.count
    }
  }
}
