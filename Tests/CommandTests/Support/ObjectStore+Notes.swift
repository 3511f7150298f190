import LocalCloudObjectStore
import LocalCloudStorage

/// A Core Data store of notes, and rows of its mirroring, without a program that mirrors it.
extension ObjectStore {
  /// Makes a store with the entity Note, which has a title and stars.
  static func ofNotes(_ path: String) throws -> ObjectStore {
    var note = StoreSchema.Declaration(name: "Note")
    note.attributes = [.init(name: "title", type: .string), .init(name: "stars", type: .integer64)]
    return try ObjectStore(path, schema: StoreSchema([note]))
  }

  /// Inserts notes with three stars, in one transaction.
  @discardableResult
  func insertNotes(_ titles: String...) throws -> [RowID] {
    try write { transaction -> [RowID] in
      titles.map { title in
        let id = transaction.newID(of: 0)
        // The attributes are in the order of their names.
        transaction.insert(StoredRow(id: id, version: 0, attributes: [.integer(3), .string(title)], toOnes: []))
        return id
      }
    }.result
  }

  /// Adds a row to the table of the mirroring's state.
  ///
  /// - Parameter key: a key of `StateKey`.
  func putState(_ key: String, _ values: JSONObject) throws {
    _ = try write { $0.put(MirrorRow(id: $0.newNumber(), key: key, values: values), in: .state) }
  }
}
