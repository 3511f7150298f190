import LocalCloudStorage

/// Maps the objects of a store to another version of its model.
///
/// Entities and relationships are given by their indexes in the schemas.
package struct StoreMapping: Sendable {
  package let source: StoreSchema
  package let destination: StoreSchema
  /// For each entity of the destination.
  package var entities: [Entity]
  /// For each relationship of the destination, the index of its source relationship; nil for a new one.
  package internal(set) var relationships: [Int?]
  /// The metadata that the new version of the model gives the store.
  package var metadata: JSONObject = [:]

  package struct Entity: Sendable {
    /// The index of the source entity; nil for a new entity.
    package internal(set) var source: Int?
    /// The mappings of the entity's attributes, in the order of the destination's list.
    package var attributes: [Attribute]
  }

  package struct Attribute: Sendable {
    /// Index of the source attribute in the source entity's attribute list; nil for a new attribute.
    package internal(set) var source: Int?
    /// The value for objects without a value.
    package var defaultValue = StoredValue.null
  }

  /// For each entity of the source, the index of its destination entity; nil if its objects are removed.
  package var targets: [Int?] {
    var targets = [Int?](repeating: nil, count: source.entities.count)
    for (index, entity) in entities.enumerated() { if let source = entity.source { targets[source] = index } }
    return targets
  }

  /// The identity of an object in the destination; nil if the object is removed.
  package func target(_ id: RowID, _ targets: [Int?]) -> RowID? {
    guard Int(id.entity) < targets.count, let entity = targets[Int(id.entity)] else { return nil }
    return RowID(entity: entity, number: id.number)
  }
}

/// Thrown if one version of a model can't be derived from another by the inference rules.
package struct NotInferable: Error, Sendable, Hashable {
  /// Names of the destination.
  package var entity: String
  package var property: String?
  package var reason: String
}

/// Thrown by a migration for an object that can't be converted to the destination's entity.
package struct NotMigratable: Error, Sendable, Hashable {
  package var entity: String
  package var property: String
  /// The object, as the store's files name it.
  package var object: String
  package var reason: String
}
