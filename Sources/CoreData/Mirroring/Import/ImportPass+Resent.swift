import LocalCloudObjectStore

/// Which of two devices has the later values of a record that both send anew after a reset of the encryption keys
/// ([mirror-43]).
extension ImportPass {
  /// How new this device's values of the object are, and those in the record; nil unless both devices send it anew.
  func resent(
    _ record: ImportedRecord, _ known: RecordEntry
  ) -> (mine: MoveReceipt.Resent, theirs: MoveReceipt.Resent)? {
    guard let mine = known.resent, let theirs = record.receipt.moves.last?.resent else { return nil }
    return (mine, theirs)
  }

  /// Tells of a property whether the import leaves it as it is: one that this device changed and did not send, or one of
  /// which this device has the later value.
  func keptProperties(of id: RowID, _ record: ImportedRecord, _ known: RecordEntry) -> (String) -> Bool {
    let own = unsent.own(of: id, known)
    guard let (mine, theirs) = resent(record, known), mine.version > theirs.version else { return own.contains }
    let edited = Set(theirs.edited)
    return { own.contains($0) || !edited.contains($0) }
  }

  /// The receipt that the store keeps of a record. That of a device which sent an earlier version anew gives way to this
  /// device's own, with the edits of both.
  func receipt(_ record: ImportedRecord, _ known: RecordEntry) throws -> MoveReceipt {
    if let (mine, theirs) = resent(record, known), mine.version >= theirs.version {
      var edited = Set(theirs.edited)
      if let id = try edits.objects.id(numbered: known.number) { edited.formUnion(unsent.own(of: id, known)) }
      var receipt = known.receipt
      receipt.moves[receipt.moves.count - 1].resent?.edited = edited.sorted()
      return receipt
    }
    // The store believed these moves before a participant saved the record.
    let confirmed = record.unconfirmed.filter { known.home == record.home && known.receipt.homes.contains($0.home) }
    return MoveReceipt(confirmed.moves + record.receipt.moves)
  }
}
