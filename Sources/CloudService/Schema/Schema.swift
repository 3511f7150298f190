import LocalCloudModel

/// The record types of a container's environment, as its schema text declares them.
///
/// A value: parsing, changing, comparing and printing it access no file.
package struct Schema: Sendable, Hashable {
  /// Names of custom roles, without the built-in ones.
  package var roles: Set<String> = []
  package var types: [String: SchemaRecordType] = [:]

  package init() {}

  /// The schema of a new container, with the type that CloudKit itself creates.
  package static let initial: Schema = {
    var schema = Schema()
    schema.addMissingSystemTypes()
    return schema
  }()

  /// Adds the type `Users` if it is missing, and the standard fields of shares if their type exists.
  mutating func addMissingSystemTypes() {
    if types[Record.userType] == nil { types[Record.userType] = .users }
    if types[Record.shareType] != nil {
      // A text that declares the type without fields gets the standard fields, as seen on the service.
      types[Record.shareType]?.fields.merge(SchemaRecordType.share.fields) { own, _ in own }
    }
  }

  /// A standard field of shares that this schema declares with another type; nil if there is none.
  var changedShareField: (key: String, type: SchemaFieldType)? {
    SchemaRecordType.share.fields.sorted { $0.key < $1.key }.lazy.map { ($0.key, $0.value.type) }.first { key, type in
      types[Record.shareType]?.fields[key].map { $0.type != type } ?? false
    }
  }

  /// Copies CloudKit's own types from `present` if this schema lacks them, as an import that leaves one out does not
  /// change it. Grants to roles that no longer exist are dropped.
  mutating func keepSystemTypes(of present: Schema) {
    for name in [Record.userType, Record.shareType] where types[name] == nil {
      guard var type = present.types[name] else { continue }
      type.grants = type.grants.filter { Self.builtInRoles.contains($0.key) || roles.contains($0.key) }
      types[name] = type
    }
    addMissingSystemTypes()
  }

  /// The maximum number of fields of a record type, the system's not counted ([schema-growth-8]).
  ///
  /// - Assumption: one field more is `invalidArguments`, as other impossible changes of a schema are. Apple documents
  ///   the limit and no code.
  static let maximumFields = 256

  /// A record type that has too many fields, and more than it had in `old`; nil if there is none.
  func overfullType(since old: Schema) -> String? {
    types.filter { $0.value.fields.count > max(Self.maximumFields, old.types[$0.key]?.fields.count ?? 0) }.keys.min()
  }

  /// Roles that grants may name: the creator of the record, every user with an account, every user.
  package static let builtInRoles: Set<String> = ["_creator", "_icloud", "_world"]
}
