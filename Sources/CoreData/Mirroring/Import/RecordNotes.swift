import ObjectStore

/// The records of which an import notes something: each has a row of the table `state`.
struct RecordNotes {
  let edits: StoreEdits
  let kind: RecordNote

  init(_ edits: StoreEdits, _ kind: RecordNote) { (self.edits, self.kind) = (edits, kind) }

  /// Adds notes, and removes those of other records that the import has read.
  func update(noted: [RecordHome], others: [RecordHome]) throws {
    for home in noted { try edits.setState(kind.key(home), RecordNote.field, home.value) }
    if try !edits.hasRows(prefix: kind.rawValue, in: .state) { return }
    for home in others { try remove(home) }
  }

  func remove(_ home: RecordHome) throws { try edits.setState(kind.key(home), RecordNote.field, nil) }
}
