import LocalCloudStorage

/// The record of a pair of objects that a many-to-many relationship links ([mirror-8]).
///
/// - Assumption: a pair's record names the entities that declare the relationships, not the objects' entities, which
///   may inherit them. In a relationship of an entity to itself, the relationships are in the order of their names.
package struct LinkRecord: Sendable, Hashable {
  package struct End: Sendable, Hashable {
    package var entity: String
    package var relationship: String
    /// The name of the record of the object that has the relationship.
    package var record: String

    package init(entity: String, relationship: String, record: String) {
      (self.entity, self.relationship, self.record) = (entity, relationship, record)
    }
  }

  package var location: RecordLocation
  /// In the order of the entities' names, then in that of the relationships'.
  package var first: End
  package var second: End

  package init(location: RecordLocation, first: End, second: End) {
    (self.location, self.first, self.second) = (location, first, second)
  }

  /// The record of a pair of objects. `record`: the name of the record of the object that has `relationship`.
  package init?(_ location: RecordLocation, _ relationship: Int, record: String, other: String, in schema: StoreSchema)
  {
    guard let inverse = schema.relationships[relationship].inverse else { return nil }
    func end(_ index: Int, _ name: String) -> End {
      let relationship = schema.relationships[index]
      return End(entity: schema.entities[relationship.entity].name, relationship: relationship.name, record: name)
    }
    let ends = [end(relationship, record), end(inverse, other)].sorted {
      ($0.entity, $0.relationship) < ($1.entity, $1.relationship)
    }
    (self.location, first, second) = (location, ends[0], ends[1])
  }

  /// The index of the relationship that names the pair's table in the schema, with the ends in that relationship's
  /// direction; nil if the model does not have the relationship.
  package func resolved(in schema: StoreSchema) -> (relationship: Int, forward: End, backward: End)? {
    guard let index = Self.relationship(first, schema), let other = Self.relationship(second, schema),
      schema.relationships[index].inverse == other,
      case .links(let table, let isForward) = schema.relationships[index].storage
    else { return nil }
    return isForward ? (table, first, second) : (table, second, first)
  }

  private static func relationship(_ end: End, _ schema: StoreSchema) -> Int? {
    schema.entity(named: end.entity).flatMap { schema.relationship(named: end.relationship, of: $0) }
  }
}

extension LinkRecord {
  package init?(_ value: JSONValue?) {
    guard let location = RecordLocation(value?["home"]), let first = End(value?["first"]),
      let second = End(value?["second"])
    else { return nil }
    (self.location, self.first, self.second) = (location, first, second)
  }

  package var value: JSONValue { ["home": location.value, "first": first.value, "second": second.value] }
}

extension LinkRecord.End {
  package init?(_ value: JSONValue?) {
    guard let entity = value?["entity"]?.string, let relationship = value?["relationship"]?.string,
      let record = value?["record"]?.string
    else { return nil }
    (self.entity, self.relationship, self.record) = (entity, relationship, record)
  }

  package var value: JSONValue {
    ["entity": .string(entity), "relationship": .string(relationship), "record": .string(record)]
  }
}
