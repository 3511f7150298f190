import ObjectStore
import Storage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// The record of a pair of objects that a relationship of many to many links ([mirror-8]).
///
/// - Assumption: a pair's record names the entities that declare the relationships, not those of the objects, which may
///   inherit them; in a relationship of an entity to itself, the relationships stand in the order of their names.
struct LinkRecord: Sendable, Hashable {
  struct End: Sendable, Hashable {
    var entity: String
    var relationship: String
    /// The name of the record of the object that has the relationship.
    var record: String
  }

  var home: RecordHome
  /// In the order of the entities' names, then in that of the relationships'.
  var first: End
  var second: End

  /// The record of a pair of objects. `record`: the name of the record of the object that has `relationship`.
  init?(_ home: RecordHome, _ relationship: Int, record: String, other: String, in schema: StoreSchema) {
    guard let inverse = schema.relationships[relationship].inverse else { return nil }
    func end(_ place: Int, _ name: String) -> End {
      let relationship = schema.relationships[place]
      return End(entity: schema.entities[relationship.entity].name, relationship: relationship.name, record: name)
    }
    let ends = [end(relationship, record), end(inverse, other)].sorted {
      ($0.entity, $0.relationship) < ($1.entity, $1.relationship)
    }
    (self.home, first, second) = (home, ends[0], ends[1])
  }

  /// Nil if the record is none of a pair.
  init?(_ record: CKRecord) {
    func parts(_ key: String) -> [String]? {
      guard case .string(let text)? = FieldValue(record.object(forKey: key)) else { return nil }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      return parts.count == 2 ? parts : nil
    }
    guard record.recordType == RecordNames.linkType, let entities = parts(RecordNames.linkEntities),
      let records = parts(RecordNames.linkRecords), let relationships = parts(RecordNames.linkRelationships)
    else { return nil }
    home = RecordHome(record.recordID)
    first = End(entity: entities[0], relationship: relationships[0], record: records[0])
    second = End(entity: entities[1], relationship: relationships[1], record: records[1])
  }

  func apply(to record: CKRecord) {
    record.setObject(FieldValue.string("\(first.entity):\(second.entity)").object, forKey: RecordNames.linkEntities)
    record.setObject(FieldValue.string("\(first.record):\(second.record)").object, forKey: RecordNames.linkRecords)
    record.setObject(
      FieldValue.string("\(first.relationship):\(second.relationship)").object, forKey: RecordNames.linkRelationships)
  }

  /// The relationship's place in the schema and the ends in its direction, that of the pairs in the store; nil if the
  /// model has none such.
  func resolved(in schema: StoreSchema) -> (relationship: Int, forward: End, backward: End)? {
    guard let place = Self.relationship(first, schema), let other = Self.relationship(second, schema),
      schema.relationships[place].inverse == other,
      case .links(let table, let isForward) = schema.relationships[place].storage
    else { return nil }
    return isForward ? (table, first, second) : (table, second, first)
  }

  private static func relationship(_ end: End, _ schema: StoreSchema) -> Int? {
    schema.entity(named: end.entity).flatMap { schema.relationship(named: end.relationship, of: $0) }
  }
}

extension LinkRecord {
  init?(_ value: JSONValue?) {
    guard let home = RecordHome(value?["home"]), let first = End(value?["first"]), let second = End(value?["second"])
    else { return nil }
    (self.home, self.first, self.second) = (home, first, second)
  }

  var value: JSONValue { ["home": home.value, "first": first.value, "second": second.value] }
}

extension LinkRecord.End {
  init?(_ value: JSONValue?) {
    guard let entity = value?["entity"]?.string, let relationship = value?["relationship"]?.string,
      let record = value?["record"]?.string
    else { return nil }
    (self.entity, self.relationship, self.record) = (entity, relationship, record)
  }

  var value: JSONValue {
    ["entity": .string(entity), "relationship": .string(relationship), "record": .string(record)]
  }
}
