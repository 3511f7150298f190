import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Which record types, keys and relationships stand for a model's ([mirror-1] to [mirror-9]).
struct RecordMapping: Sendable {
  struct Attribute: Sendable {
    /// Its place in the entity's list, and so in a row.
    var place: Int
    var name: String
    var key: String
    var type: StoreSchema.AttributeType
    var isEncrypted: Bool
    /// The key of the asset that holds a value which is too long for the record.
    var assetKey: String?
    /// What an object has of which the record has no value; nil if the model does not ask for a value.
    ///
    /// - Assumption: an optional attribute that a record lacks is nil, whatever its default value: a record says nothing
    ///   of attributes that are nil.
    var defaultValue: StoredValue?
  }

  struct ToOne: Sendable {
    /// Its place in the entity's list of those to one object, and so in a row.
    var place: Int
    var name: String
    var key: String
  }

  struct Entity: Sendable {
    var name: String
    var recordType: String
    var attributes: [Attribute]
    var toOnes: [ToOne]
    /// The relationships of many to many, whose pairs have records of their own.
    var linked: [Int]
  }

  let schema: StoreSchema
  let entities: [Entity]

  /// `defaults`: those of attributes that have to have a value, by the names of entity and attribute.
  ///
  /// - Assumption: derived attributes are not sent: each device computes them from what it has.
  init(_ schema: StoreSchema, defaults: [String: [String: StoredValue]] = [:]) {
    self.schema = schema
    entities = schema.entities.map { entity in
      let attributes = entity.attributes.enumerated().compactMap { place, attribute -> Attribute? in
        guard !attribute.isDerived else { return nil }
        let key = RecordNames.prefix + attribute.name
        let hasAsset = [.string, .binary, .transformable].contains(attribute.type)
        return Attribute(
          place: place, name: attribute.name, key: key, type: attribute.type, isEncrypted: attribute.isEncrypted,
          assetKey: hasAsset ? key + RecordNames.assetSuffix : nil,
          defaultValue: defaults[entity.name]?[attribute.name])
      }
      let toOnes = entity.toOnes.enumerated().map { place, relationship in
        let name = schema.relationships[relationship].name
        return ToOne(place: place, name: name, key: RecordNames.prefix + name)
      }
      let linked = entity.relationships.filter { relationship in
        if case .links = schema.relationships[relationship].storage { true } else { false }
      }
      return Entity(
        name: entity.name, recordType: RecordNames.prefix + schema.entities[entity.root].name, attributes: attributes,
        toOnes: toOnes, linked: linked)
    }
  }

  /// The entity of a record's object; nil if the model has none such: another version of the program made the record.
  func entity(of record: CKRecord) -> Int? {
    guard case .string(let name)? = FieldValue(record.object(forKey: RecordNames.entityName)),
      let entity = schema.entity(named: name), !schema.entities[entity].isAbstract,
      entities[entity].recordType == record.recordType
    else { return nil }
    return entity
  }
}
