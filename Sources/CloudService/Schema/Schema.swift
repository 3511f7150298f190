import CloudModel

/// The record types of a container's environment, as its schema text declares them.
///
/// A value: reading one from text, changing it, comparing it and printing it touch no file.
package struct Schema: Sendable, Hashable {
  /// Custom roles by name; the built-in ones are not among them.
  package var roles: Set<String> = []
  package var types: [String: SchemaRecordType] = [:]

  package init() {}

  /// What every container begins with: the type that CloudKit makes itself.
  package static let initial: Schema = {
    var schema = Schema()
    schema.addMissingSystemTypes()
    return schema
  }()

  /// `Users` is always there, whatever a text says.
  mutating func addMissingSystemTypes() {
    if types[Record.userType] == nil { types[Record.userType] = .users }
    if types[Record.shareType] != nil {
      // A text that only names the type gets its fields as well, as seen on the service.
      types[Record.shareType]?.fields.merge(SchemaRecordType.share.fields) { own, _ in own }
    }
  }

  /// A field that every share has, where this schema gives it a type that it never has.
  var changedShareField: (key: String, type: SchemaFieldType)? {
    SchemaRecordType.share.fields.sorted { $0.key < $1.key }.lazy.map { ($0.key, $0.value.type) }.first { key, type in
      types[Record.shareType]?.fields[key].map { $0.type != type } ?? false
    }
  }

  /// CloudKit's own types: an import that leaves one out leaves it as it is. Grants to roles that are gone go.
  mutating func keepSystemTypes(of present: Schema) {
    for name in [Record.userType, Record.shareType] where types[name] == nil {
      guard var type = present.types[name] else { continue }
      type.grants = type.grants.filter { Self.builtInRoles.contains($0.key) || roles.contains($0.key) }
      types[name] = type
    }
    addMissingSystemTypes()
  }

  /// Roles that grants may name: who created the record, everybody with an account, everybody.
  package static let builtInRoles: Set<String> = ["_creator", "_icloud", "_world"]
}
