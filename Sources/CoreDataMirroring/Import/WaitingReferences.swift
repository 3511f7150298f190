import LocalCloudObjectStore

/// The references that wait for records that have not arrived ([mirror-9]). Each waits for one record at a time.
///
/// Each step reads and writes only a few rows, however many references wait for the same record.
struct WaitingReferences {
  let edits: StoreTransaction

  /// Lets a reference wait for the record at an address, and no longer for its previous target.
  func add(_ reference: WaitingEntry.Reference, to target: RecordLocation) throws {
    if let known = try edits.waiting(key: WaitingEntry.key(reference)) {
      if known.target == target, known.reference == reference { return }
      try remove(known)
    }
    let entry = WaitingEntry(number: edits.newNumber(), target: target, reference: reference)
    edits.put(entry.row, in: .waiting)
    edits.put(entry.referenceRow(edits.newNumber()), in: .waiting)
  }

  /// Removes and returns the references that wait for a record.
  func remove(for target: RecordLocation) throws -> [WaitingEntry.Reference] {
    let entries = try edits.rows(key: target.key, in: .waiting).compactMap { WaitingEntry($0) }
    for entry in entries { try remove(entry) }
    return entries.map(\.reference)
  }

  /// Ends the wait of the pair with a record at that address.
  func removeLink(_ location: RecordLocation) throws {
    if let entry = try edits.waiting(key: WaitingEntry.linkKey(location)) { try remove(entry) }
  }

  /// Ends the waits of an object's relationships.
  func removeAll(of object: RowID) throws {
    for row in try edits.rows(prefix: WaitingEntry.objectPrefix(object), in: .waiting) {
      edits.remove(row.id, from: .waiting)
      if let number = WaitingEntry.number(row) { edits.remove(number, from: .waiting) }
    }
  }

  /// Ends the waits for records of a zone: all, or those of matching references.
  func removeAll(for zone: ZoneLocation, where isRemoved: (WaitingEntry.Reference) -> Bool = { _ in true }) throws {
    for entry in try edits.rows(prefix: zone.key + "|", in: .waiting).compactMap({ WaitingEntry($0) })
    where entry.target.zone == zone && isRemoved(entry.reference) { try remove(entry) }
  }

  private func remove(_ entry: WaitingEntry) throws {
    edits.remove(entry.number, from: .waiting)
    let row = try edits.row(key: WaitingEntry.key(entry.reference), in: .waiting)
    if let row, WaitingEntry.number(row) == entry.number { edits.remove(row.id, from: .waiting) }
  }

  // MARK: Stores of earlier versions

  /// Adds the index rows of waiting references to a store that was mirrored before these rows existed.
  func index() throws {
    if try edits.row(key: StateKey.waitingIndex, in: .state) != nil { return }
    try edits.setState(StateKey.waitingIndex, "version", 1)
    for entry in try edits.rows(prefix: "", in: .waiting).compactMap({ WaitingEntry($0) })
    where try edits.waiting(key: WaitingEntry.key(entry.reference)) == nil {
      edits.put(entry.referenceRow(edits.newNumber()), in: .waiting)
    }
  }
}

extension StateKey {
  /// The version of the index rows of waiting references.
  static let waitingIndex = "waiting index"
}

extension MirroredStore {
  /// Adds the index rows of waiting references, unless the store has them.
  func indexWaitingReferences() throws {
    if try read({ try $0.row(key: StateKey.waitingIndex, in: .state) }) != nil { return }
    try edit { try WaitingReferences(edits: $0).index() }
  }
}

extension StoreView {
  /// The entry of the reference with that key; nil if it does not wait.
  func waiting(key: String) throws -> WaitingEntry? {
    guard let number = WaitingEntry.number(try row(key: key, in: .waiting)) else { return nil }
    return try row(number, in: .waiting).flatMap { WaitingEntry($0) }
  }
}
