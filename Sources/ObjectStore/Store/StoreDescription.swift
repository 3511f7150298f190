import LocalCloudStorage

/// `store.json`: the store's identity and a description of its contents, so that programs can read it without the app.
package struct StoreDescription: Sendable {
  static let fileName = "store.json"
  /// Versions up to this one are understood; a later one is refused.
  static let formatVersion: Int64 = 1

  /// The store's UUID, in capitals.
  package var identifier: String
  /// Metadata that programs store besides objects.
  package var metadata = JSONObject()
  package var schema: StoreSchema

  init(identifier: String, schema: StoreSchema) { (self.identifier, self.schema) = (identifier, schema) }

  /// As in the file, without the version of its format.
  package var document: JSONObject {
    ["metadata": .object(metadata), "schema": schema.json, "uuid": .string(identifier)]
  }

  var bytes: [UInt8] {
    var document = document
    document["formatVersion"] = .integer(Self.formatVersion)
    return JSONValue.object(document).pretty()
  }

  /// Throws ``ObjectStoreError``: ``ObjectStoreError/unknownFormat(path:found:known:)`` or
  /// ``ObjectStoreError/notAStore(path:)``.
  init(_ bytes: [UInt8], path: String) throws(ObjectStoreError) {
    guard let value = try? JSONValue(parsing: bytes), let version = value["formatVersion"]?.integer else {
      throw .notAStore(path: path)
    }
    if version < Self.formatVersion { throw .notAStore(path: path) }
    guard version == Self.formatVersion else {
      throw .unknownFormat(path: path, found: version, known: Self.formatVersion)
    }
    guard let identifier = value["uuid"]?.string, let schema = value["schema"].flatMap({ StoreSchema($0) }) else {
      throw .notAStore(path: path)
    }
    self.identifier = identifier
    self.schema = schema
    metadata = value["metadata"]?.object ?? JSONObject()
  }

  /// The hidden name that the store gets before it is removed.
  var nameOfRemoved: String { ".removed-" + identifier }

  /// The number that marks an index as this store's. It depends on the schema, because the keys contain positions in
  /// the schema's lists of entities and relationships. An index that was made for another schema is rebuilt.
  func indexOwner(for schema: StoreSchema) -> UInt64 {
    Digest.hash64(Array("objects 2 \(identifier) ".utf8) + schema.json.compact())
  }
}
