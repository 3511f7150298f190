import LocalCloudObjectStore

/// Decides between two devices that both send a record again after a reset of the encryption keys: the later values win
/// ([mirror-43]).
extension ImportPass {
  /// The versions of this device's values and of those in the record; nil unless both devices send the record again.
  func resent(
    _ record: ImportedObject, _ known: RecordEntry
  ) -> (mine: MoveReceipt.Resent, theirs: MoveReceipt.Resent)? {
    guard let mine = known.resent, let theirs = record.receipt.moves.last?.resent else { return nil }
    return (mine, theirs)
  }

  /// Returns a test for properties that the import must not change: this device changed them without sending them, or
  /// has the later value.
  func protectedProperties(of id: RowID, _ record: ImportedObject, _ known: RecordEntry) -> (String) -> Bool {
    let own = unsent.own(of: id, known)
    guard let (mine, theirs) = resent(record, known), mine.version > theirs.version else { return own.contains }
    let edited = Set(theirs.edited)
    return { own.contains($0) || !edited.contains($0) }
  }

  /// The receipt to store for a record. If this device sends the same or a later version again, its own receipt stays,
  /// with the edits of both devices.
  func receipt(_ record: ImportedObject, _ known: RecordEntry) throws -> MoveReceipt {
    if let (mine, theirs) = resent(record, known), mine.version >= theirs.version {
      var receipt = known.receipt
      let edited = unsent.own(of: known.id, known).union(theirs.edited)
      receipt.moves[receipt.moves.count - 1].resent?.edited = edited.sorted()
      return receipt
    }
    // The store accepted these moves before a participant saved the record.
    let confirmed = record.unconfirmed.filter {
      known.location == record.location && known.receipt.locations.contains($0.location)
    }
    return MoveReceipt(confirmed.moves + record.receipt.moves)
  }
}
