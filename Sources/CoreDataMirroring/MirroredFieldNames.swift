import LocalCloudObjectStore

extension MirroringModelRules {
  /// The names that a model's entities and properties have in the cloud. A store does not load if CloudKit raises an
  /// exception for a name, or if two properties need one field with different contents ([mirror-25]).
  struct FieldNames {
    /// A property that uses a field of a record type, and the field.
    private struct Use {
      var line: String
      var field: Field
    }

    private let entities: [Entity]

    init(_ entities: [Entity]) { self.entities = entities }

    var problems: [Problem] {
      [
        (
          "CloudKit integration requires names of at most \(Self.longest) letters from A to Z, digits and underscores. The "
            + "following can't be the names of record types and fields:",
          entities.flatMap { entity in
            (entity.root == entity.name && !Self.isName(RecordNames.prefix + entity.name) ? [entity.name] : [])
              + properties(of: entity).flatMap { name, field in
                Self.keys(name, field).contains { !Self.isName($0.key) } ? ["\(entity.name): \(name)"] : []
              }
          }
        ),
        (
          "CloudKit integration has fields of its own with the names of the following properties:",
          entities.flatMap { entity in
            properties(of: entity).filter { name, field in
              Self.keys(name, field).contains { Self.reserved.contains($0.key) }
            }.map { "\(entity.name): \($0.name)" }
          }
        ),
        (
          "CloudKit integration requires that what is in one field is of one kind, the following properties have the same "
            + "field:", collisions
        ),
      ]
    }

    /// Entities that inherit share the record type of their topmost entity: their properties of one name share a field.
    private var collisions: [String] {
      var uses: [String: [Use]] = [:]
      for entity in entities {
        for (name, field) in properties(of: entity) {
          for (key, field) in Self.keys(name, field) {
            uses["\(entity.root) \(key)", default: []].append(Use(line: "\(entity.name): \(name)", field: field))
          }
        }
      }
      let wrong = uses.values.filter { uses in
        uses.contains { $0.field.kind != uses[0].field.kind || $0.field.isEncrypted != uses[0].field.isEncrypted }
      }
      return Set(wrong.joined().map(\.line)).sorted()
    }

    private func properties(of entity: Entity) -> [(name: String, field: Field)] {
      entity.attributes.compactMap { attribute in attribute.field.map { (attribute.name, $0) } }
        + entity.relationships.compactMap { relationship in relationship.field.map { (relationship.name, $0) } }
    }

    private static func keys(_ name: String, _ field: Field) -> [(key: String, field: Field)] {
      let key = RecordNames.prefix + name
      guard field.hasAsset else { return [(key, field)] }
      return [(key, field), (key + RecordNames.assetSuffix, Field(kind: .asset))]
    }

    private static let reserved: Set = [
      RecordNames.entityName, RecordNames.moveReceipt, RecordNames.moveReceipt + RecordNames.assetSuffix,
    ]

    private static let longest = 255

    private static func isName(_ text: String) -> Bool {
      text.utf8.count <= longest
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
          default: false
          }
        }
    }
  }
}
