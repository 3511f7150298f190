import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Maps the entities and properties of a model to record types and keys ([mirror-1] to [mirror-9]).
struct RecordMapping: Sendable {
  struct Attribute: Sendable {
    /// Its index in the entity's list of attributes, and so in a row.
    var index: Int
    var name: String
    var key: String
    var type: StoreSchema.AttributeType
    var isEncrypted: Bool
    /// The key of the asset for values that are too long for the record.
    var assetKey: String?
    /// The object's value if the record has none; nil if the model does not require a value.
    ///
    /// - Assumption: an optional attribute that a record lacks is nil, regardless of its default value: a record does
    ///   not contain attributes that are nil.
    var defaultValue: StoredValue?
  }

  struct ToOne: Sendable {
    /// Its index in the entity's list of to-one relationships, and so in a row.
    var index: Int
    var name: String
    var key: String
  }

  struct Entity: Sendable {
    var name: String
    var recordType: String
    var attributes: [Attribute]
    var toOnes: [ToOne]
    /// The many-to-many relationships. Each of their pairs has its own record.
    var linked: [Int]
  }

  let schema: StoreSchema
  let entities: [Entity]

  /// `defaults`: the default values of attributes that must have a value, by the names of entity and attribute.
  ///
  /// - Assumption: derived attributes are not sent: each device computes them from its own data.
  init(_ schema: StoreSchema, defaults: [String: [String: StoredValue]] = [:]) {
    self.schema = schema
    entities = schema.entities.map { entity in
      let attributes = entity.attributes.enumerated().compactMap { index, attribute -> Attribute? in
        guard !attribute.isDerived else { return nil }
        let key = RecordNames.prefix + attribute.name
        let hasAsset = [.string, .binary, .transformable].contains(attribute.type)
        return Attribute(
          index: index, name: attribute.name, key: key, type: attribute.type, isEncrypted: attribute.isEncrypted,
          assetKey: hasAsset ? key + RecordNames.assetSuffix : nil,
          defaultValue: defaults[entity.name]?[attribute.name])
      }
      let toOnes = entity.toOnes.enumerated().map { index, relationship in
        let name = schema.relationships[relationship].name
        return ToOne(index: index, name: name, key: RecordNames.prefix + name)
      }
      let linked = entity.relationships.filter { relationship in
        if case .links = schema.relationships[relationship].storage { true } else { false }
      }
      return Entity(
        name: entity.name, recordType: RecordNames.prefix + schema.entities[entity.root].name, attributes: attributes,
        toOnes: toOnes, linked: linked)
    }
  }

  /// The entity of a record's object; nil if the model has none for it: another version of the program created the
  /// record.
  func entity(of record: CKRecord) -> Int? {
    guard let name = record.string(of: RecordNames.entityName), let entity = schema.entity(named: name),
      !schema.entities[entity].isAbstract,
      entities[entity].recordType == record.recordType
    else { return nil }
    return entity
  }
}
