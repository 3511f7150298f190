import LocalCloudStorage

/// `store.json`: the store's identity and a description of its contents, so that programs can read it without the app.
struct StoreDescription {
  static let fileName = "store.json"
  /// Versions up to this one are understood; a later one is refused.
  static let formatVersion: Int64 = 1

  /// In capitals.
  var identifier: String
  var metadata = JSONObject()
  var schema: StoreSchema

  init(identifier: String, schema: StoreSchema) {
    self.identifier = identifier
    self.schema = schema
  }

  var bytes: [UInt8] {
    JSONValue.object([
      "formatVersion": .integer(Self.formatVersion), "metadata": .object(metadata), "schema": schema.json,
      "uuid": .string(identifier),
    ]).pretty()
  }

  /// Throws ``ObjectStoreError``: ``ObjectStoreError/unknownFormat(path:version:)`` or
  /// ``ObjectStoreError/notAStore(path:)``.
  init(_ bytes: [UInt8], path: String) throws(ObjectStoreError) {
    guard let value = try? JSONValue(parsing: bytes), let version = value["formatVersion"]?.integer else {
      throw .notAStore(path: path)
    }
    guard version == Self.formatVersion else { throw .unknownFormat(path: path, version: version) }
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
