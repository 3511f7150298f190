import LocalCloudObjectStore

/// The changes that a transaction makes to objects. Its later steps see them.
final class ObjectEdits {
  private struct Edit {
    var row: StoredRow
    var isNew: Bool
    var changed: Set<String> = []
  }

  private struct Link: Hashable {
    var relationship: Int
    var from: RowID
    var to: RowID
  }

  private let transaction: StoreTransaction
  private var edits: [RowID: Edit] = [:]
  /// For each object, the edited objects with rows that led to it at some time of the transaction.
  private var referrers: [RowID: Set<RowID>] = [:]
  private var deleted: Set<RowID> = []
  private var entities: [Int64: RowID] = [:]
  /// Whether each pair is linked at the end of the transaction.
  private var links: [Link: Bool] = [:]

  init(_ transaction: StoreTransaction) { self.transaction = transaction }

  var hasChanges: Bool { !edits.isEmpty || !deleted.isEmpty || !links.isEmpty }

  /// Writes all changes to the transaction.
  func finish() throws {
    for (id, edit) in edits.sorted(by: { $0.key < $1.key }) {
      if edit.isNew {
        transaction.insert(edit.row)
      } else {
        try transaction.update(edit.row, changed: edit.changed.sorted())
      }
      precondition(!deleted.contains(id), "an object is changed or deleted, not both")
    }
    for (link, isLinked) in links.sorted(by: { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) }) {
      if deleted.contains(link.from) || deleted.contains(link.to) { continue }
      if isLinked {
        try transaction.link(link.from, link.relationship, to: link.to)
      } else {
        try transaction.unlink(link.from, link.relationship, from: link.to)
      }
    }
    for id in deleted.sorted() { try transaction.delete(id) }
  }

  // MARK: Reading

  func id(numbered number: Int64) throws -> RowID? {
    if let id = entities[number] { return deleted.contains(id) ? nil : id }
    return try transaction.id(numbered: number).flatMap { deleted.contains($0) ? nil : $0 }
  }

  func row(_ id: RowID) throws -> StoredRow? {
    if deleted.contains(id) { return nil }
    return try edits[id]?.row ?? transaction.row(id)
  }

  /// The objects that lead to this one by the to-one relationship `inverse`.
  func referrers(to id: RowID, _ relationship: Int, inverse: Int) throws -> [RowID] {
    let schema = transaction.schema
    func leads(_ row: StoredRow) -> Bool {
      schema.entities[Int(row.id.entity)].toOnes.firstIndex(of: inverse).map { row.toOnes[$0] == id } ?? false
    }
    let stored = try transaction.related(id, relationship).filter { edits[$0] == nil && !deleted.contains($0) }
    return stored + (referrers[id] ?? []).compactMap { edits[$0]?.row }.filter(leads).map(\.id).sorted()
  }

  // MARK: Writing

  func insert(_ row: StoredRow) {
    edits[row.id] = Edit(row: row, isNew: true)
    addReferences(of: row)
    entities[row.id.number] = row.id
  }

  /// Replaces the present row. `changed`: the names of the properties that differ.
  func update(_ row: StoredRow, changed: Set<String>) {
    guard !changed.isEmpty, !deleted.contains(row.id) else { return }
    var edit = edits[row.id] ?? Edit(row: row, isNew: false)
    edit.row = row
    edit.changed.formUnion(changed)
    edits[row.id] = edit
    addReferences(of: row)
  }

  private func addReferences(of row: StoredRow) {
    for target in row.toOnes.compactMap({ $0 }) { referrers[target, default: []].insert(row.id) }
  }

  /// Records that a relationship of the object changed that is not stored in its row.
  func touch(_ id: RowID, _ relationship: String) throws {
    guard let row = try row(id) else { return }
    update(row, changed: [relationship])
  }

  func delete(_ id: RowID) {
    // An object that is inserted and deleted in one transaction is not written.
    if edits.removeValue(forKey: id)?.isNew == true {
      entities[id.number] = nil
    } else {
      deleted.insert(id)
    }
  }

  func setLink(_ relationship: Int, from: RowID, to: RowID, _ isLinked: Bool) throws {
    links[Link(relationship: relationship, from: from, to: to)] = isLinked
    let schema = transaction.schema
    try touch(from, schema.relationships[relationship].name)
    if let inverse = schema.relationships[relationship].inverse { try touch(to, schema.relationships[inverse].name) }
  }
}
