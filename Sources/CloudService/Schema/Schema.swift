/// The record types of a container's environment, as its schema text declares them (schema-and-tool.md A).
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

  /// Roles that grants may name: who created the record, everybody with an account, everybody.
  package static let builtInRoles: Set<String> = ["_creator", "_icloud", "_world"]
}
