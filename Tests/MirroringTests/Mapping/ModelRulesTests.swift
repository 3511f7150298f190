import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Models that can't be mirrored")
struct ModelRulesTests {
  private typealias Rules = MirroringModelRules

  private static func entity(
    _ name: String, _ attributes: [Rules.Attribute] = [], _ relationships: [Rules.Relationship] = []
  ) -> Rules.Entity {
    var entity = Rules.Entity(name: name)
    (entity.attributes, entity.relationships) = (attributes, relationships)
    return entity
  }

  private static func attribute(_ name: String, _ change: (inout Rules.Attribute) -> Void) -> Rules.Attribute {
    var attribute = Rules.Attribute(name: name)
    change(&attribute)
    return attribute
  }

  private static func relationship(
    _ name: String, _ change: (inout Rules.Relationship) -> Void
  ) -> Rules.Relationship {
    var relationship = Rules.Relationship(name: name)
    change(&relationship)
    return relationship
  }

  @Test("optional attributes, attributes with a default and transient ones are valid [mirror-17]")
  func optionalAttributesAttributesWithADefault() {
    let entity = Self.entity(
      "Post",
      [
        Rules.Attribute(name: "title"),
        Self.attribute("likes") { ($0.isOptional, $0.hasDefault) = (false, true) },
        Self.attribute("draft") { ($0.isOptional, $0.isTransient) = (false, true) },
      ], [Rules.Relationship(name: "tags")])
    #expect(Rules.failureReason([entity]) == nil)
    #expect(Rules.failureReason([]) == nil)
  }

  @Test("the failure reason lists every problem under its message [mirror-17]")
  func failureReasonListsEveryProblemUnder() {
    var constrained = Self.entity("Tag")
    constrained.constraints = [["name", "kind"]]
    let post = Self.entity(
      "Post", [Self.attribute("title") { $0.isOptional = false }, Self.attribute("body") { $0.isOptional = false }],
      [
        Self.relationship("a") { $0.hasInverse = false }, Self.relationship("b") { $0.isOptional = false },
        Self.relationship("c") { $0.denies = true }, Self.relationship("d") { $0.isOrdered = true },
      ])
    let reason = Rules.failureReason([constrained, post])
    #expect(
      reason == """
        CloudKit integration does not support ordered relationships. The following relationships are marked ordered:
        Post: d
        CloudKit integration requires that all attributes be optional, or have a default value set. The following \
        attributes are marked non-optional but do not have a default value:
        Post: title
        Post: body
        CloudKit integration requires that all relationships have an inverse, the following do not:
        Post: a
        CloudKit integration requires that all relationships be optional, the following are not:
        Post: b
        CloudKit integration does not support unique constraints. The following entities are constrained:
        Tag: name, kind
        The following relationships are configured with unsupported delete rules:
        Post:c - Deny
        """)
  }

  @Test("unsupported names and types, and relationships across configurations are refused [mirror-17]")
  func unsupportedNamesAndTypesAndRelationships() throws {
    let post = Self.entity(
      "Post",
      [
        Self.attribute("entityName") { $0.field = Rules.Field(kind: .string) },
        Self.attribute("x") { $0.kind = .undefined },
      ],
      [Self.relationship("r") { $0.isWithinConfiguration = false }])
    let lines = try #require(Rules.failureReason([post])).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("Post") } == ["Post: x", "Post: r", "Post: entityName"])
  }
}
