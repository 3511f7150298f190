import Foundation
import LocalCloudObjectStore

/// The positions of property values in an entity's objects.
///
/// The stored attributes and the to-one relationships are in the order of the store's rows.
// Sendable: the descriptions of a model in use no longer change.
final class EntityLayout: @unchecked Sendable {
  enum Property {
    case attribute(Int)
    /// A value of any class. The row holds the result of its transformer.
    case transformable(Int)
    case transient
    case toOne(Int)
    case toMany(Int)
  }

  let entity: NSEntityDescription
  private let properties: [String: Property]
  let attributes: [NSAttributeDescription]
  let toOnes: [NSRelationshipDescription]
  let toManys: [NSRelationshipDescription]
  /// The values of a new object.
  let defaults: [StoredValue]
  let transients: [String]
  let transientDefaults: [String: Any]
  /// The fetched properties. Their values are not part of the object.
  let fetched: [String: NSFetchedPropertyDescription]
  /// The members of a new object's relationships, in the order of ``toManys``: none.
  let emptyMembers: [ToManyMembers]
  /// The members of a stored object's relationships: not read yet.
  let unreadMembers: [ToManyMembers]

  init(_ entity: NSEntityDescription) {
    self.entity = entity
    let all = entity.attributesByName.values.sorted { $0.name < $1.name }
    attributes = all.filter { !$0.isTransient }
    defaults = attributes.map { $0.storedDefault ?? .null }
    transients = all.filter(\.isTransient).map(\.name)
    transientDefaults = all.reduce(into: [:]) { if $1.isTransient { $0[$1.name] = $1.defaultValue } }
    let relationships = entity.relationshipsByName.values.sorted { $0.name < $1.name }
    toOnes = relationships.filter { !$0.isToMany }
    toManys = relationships.filter(\.isToMany)
    emptyMembers = toManys.map { .empty(isOrdered: $0.isOrdered) }
    unreadMembers = toManys.map { .unread(isOrdered: $0.isOrdered) }
    let requests = entity.properties.compactMap { $0 as? NSFetchedPropertyDescription }
    fetched = Dictionary(requests.map { ($0.name, $0) }) { $1 }
    var properties: [String: Property] = [:]
    for (index, attribute) in attributes.enumerated() {
      properties[attribute.name] = attribute.type == .transformable ? .transformable(index) : .attribute(index)
    }
    for name in transients { properties[name] = .transient }
    for (index, relationship) in toOnes.enumerated() { properties[relationship.name] = .toOne(index) }
    for (index, relationship) in toManys.enumerated() { properties[relationship.name] = .toMany(index) }
    self.properties = properties
  }

  func property(_ name: String) -> Property? { properties[name] }
}
