import LocalCloudPlatform
import LocalCloudStorage

/// Functions for programs that don't have the app's model.
extension ObjectStore {
  /// Opens a store with the model that it was made with.
  ///
  /// Throws ``ObjectStoreError``.
  package static func stored(
    _ path: String, isReadOnly: Bool = true, options: Options = Options(), in fileSystem: FileSystem = FileSystem()
  ) throws(ObjectStoreError) -> ObjectStore {
    var options = options
    options.isReadOnly = isReadOnly
    let opener = StoreOpener(path, options, fileSystem)
    var schema = try opener.storedDescription().schema
    for _ in 0..<mostLooks {
      do { return try ObjectStore(path, schema: schema, options: options, in: fileSystem) } catch {
        guard case .otherModel = error else { throw error }
        // Another process may have migrated the store since.
        let present = try opener.storedDescription().schema
        if present == schema { throw error }
        schema = present
      }
    }
    throw ObjectStoreError.storage(
      path: path, reason: "other processes migrate it again and again", isTransient: true)
  }

  private static let mostLooks = 10

  /// An object as the files name it: `Post/12`.
  package func text(_ id: RowID) -> String { files.names.text(id) }

  /// The object with that name; nil if no entity has the name before the slash.
  package func id(_ text: String) -> RowID? { files.names.id(text) }
}

extension StoreView {
  /// An object as its line has it, but with its name instead of its number: `object`, `values`, `version`.
  package func document(_ row: StoredRow) throws -> JSONObject {
    var writer = JSONWriter(isPretty: false)
    folder.coders[Int(row.id.entity)].write(row, to: &writer)
    var document = try JSONValue(parsing: writer.bytes).object ?? [:]
    document["id"] = nil
    document["object"] = .string(store.text(row.id))
    return document
  }

  /// The targets of an object's to-many relationships, by the relationship's name.
  package func relatedDocument(_ id: RowID) throws -> JSONObject {
    var document = JSONObject()
    for relationship in schema.entities[Int(id.entity)].relationships where schema.relationships[relationship].isToMany
    {
      let targets = try related(id, relationship).map { JSONValue.string(store.text($0)) }
      document[schema.relationships[relationship].name] = .array(targets)
    }
    return document
  }

  /// A transaction as its lines have it, with the time as a text.
  package func document(_ transaction: HistoryTransaction) -> JSONObject {
    var document: JSONObject = [
      "bundle": .string(transaction.bundle), "process": .string(transaction.process),
      "time": .string(Timestamp.text(milliseconds: transaction.time)), "transaction": .integer(transaction.number),
    ]
    document["author"] = transaction.author.map(JSONValue.string)
    document["context"] = transaction.contextName.map(JSONValue.string)
    document.add(transaction.changes, folder.names)
    return document
  }
}
