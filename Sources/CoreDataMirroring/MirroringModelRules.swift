/// The requirements for a model that is mirrored ([mirror-17]).
package struct MirroringModelRules: Sendable {
  /// The failure reason for a store of another type.
  package static let unsupportedStore = "CloudKit integration is only supported for SQLite stores"

  package struct Entity: Sendable {
    package var name: String
    /// The topmost entity that it inherits from. Its name is part of the record type.
    package var root: String
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    /// The properties of each constraint.
    package var constraints: [[String]] = []

    package init(name: String, root: String? = nil) { (self.name, self.root) = (name, root ?? name) }
  }

  /// An attribute that the entity declares, without those that it inherits.
  package struct Attribute: Sendable {
    package enum Kind: Sendable { case ordinary, undefined, objectID, composite }

    package var name: String
    package var kind = Kind.ordinary
    package var isOptional = true
    package var hasDefault = false
    package var isTransient = false
    /// The field of its values; nil if it has none.
    package var field: Field?

    package init(name: String) { self.name = name }
  }

  /// The CloudKit field of a property.
  package struct Field: Sendable {
    package enum Kind: String, Sendable { case string, integer, double, date, bytes, asset }

    package var kind: Kind
    package var isEncrypted = false
    /// Whether long values are stored in an asset, in a field that is named after this one.
    package var hasAsset = false

    package init(kind: Kind) { self.kind = kind }
  }

  package struct Relationship: Sendable {
    package var name: String
    package var hasInverse = true
    package var isOptional = true
    package var isOrdered = false
    package var denies = false
    /// Whether the destination is among the entities of the same configuration.
    package var isWithinConfiguration = true
    /// The field of the destination's record name; nil for a to-many relationship.
    package var field: Field?

    package init(name: String) { self.name = name }
  }

  typealias Problem = (text: String, lines: [String])

  /// The failure reason for entities that can't be mirrored, with all problems; nil if there are none.
  ///
  /// - Assumption: the texts have the order of logs that show several: ordered relationships, attributes, relationships
  ///   that are not optional, constraints. No log shows the position of the others.
  /// - Assumption: Apple's texts for attributes without a type, for composite ones, for names that CloudKit can't take
  ///   or the mirroring needs itself, and for relationships to entities of another configuration are not known; these
  ///   are ours.
  /// - Assumption: Apple's text for encrypted attributes in the public database, refused there record by record, is not
  ///   known.
  package static func failureReason(_ entities: [Entity], isPublic: Bool = false) -> String? {
    let entities = entities.sorted { $0.name < $1.name }
    func attributes(_ isWrong: (Attribute) -> Bool) -> [String] {
      entities.flatMap { entity in entity.attributes.filter(isWrong).map { "\(entity.name): \($0.name)" } }
    }
    func relationships(_ isWrong: (Relationship) -> Bool) -> [String] {
      entities.flatMap { entity in entity.relationships.filter(isWrong).map { "\(entity.name): \($0.name)" } }
    }
    let problems: [Problem] =
      [
        (
          "CloudKit integration does not support ordered relationships. The following relationships are marked ordered:",
          relationships(\.isOrdered)
        ),
        (
          "CloudKit integration requires that all attributes be optional, or have a default value set. The following "
            + "attributes are marked non-optional but do not have a default value:",
          attributes { !$0.isOptional && !$0.hasDefault && !$0.isTransient }
        ),
        (
          "CloudKit integration requires that all relationships have an inverse, the following do not:",
          relationships { !$0.hasInverse }
        ),
        (
          "CloudKit integration requires that all relationships be optional, the following are not:",
          relationships { !$0.isOptional }
        ),
        (
          "CloudKit integration does not support unique constraints. The following entities are constrained:",
          entities.flatMap { entity in entity.constraints.map { "\(entity.name): \($0.joined(separator: ", "))" } }
        ),
        (
          "The following relationships are configured with unsupported delete rules:",
          entities.flatMap { entity in
            entity.relationships.filter(\.denies).map { "\(entity.name):\($0.name) - Deny" }
          }
        ),
        (
          "CloudKit integration does not support attributes without a type of their own. The following are undefined, "
            + "object IDs or composite:", attributes { $0.kind != .ordinary && !$0.isTransient }
        ),
        (
          "CloudKit integration requires that relationships stay within a configuration, the following do not:",
          relationships { !$0.isWithinConfiguration }
        ),
        (
          "CloudKit integration does not support encrypted attributes in the public database. The following allow cloud "
            + "encryption:", attributes { isPublic && $0.field?.isEncrypted == true }
        ),
      ] + FieldNames(entities).problems
    let text = problems.filter { !$0.lines.isEmpty }.map { ([$0.text] + $0.lines).joined(separator: "\n") }
    return text.isEmpty ? nil : text.joined(separator: "\n")
  }
}
