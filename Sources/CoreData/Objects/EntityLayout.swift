import Foundation
import LocalCloudObjectStore

/// The positions of property values in an entity's objects.
///
/// The stored attributes and the to-one relationships are in the order of the store's rows.
final class EntityLayout: Sendable {
  enum Property {
    case attribute(Int)
    /// A value of any class. The row holds the result of its transformer.
    case transformable(Int)
    case transient
    case toOne(Int)
    case toMany(Int)
  }

  // Sendable: the descriptions of a model in use no longer change.
  private struct Contents: @unchecked Sendable {
    var entity: NSEntityDescription
    var properties: [String: Property] = [:]
    var attributes: [NSAttributeDescription] = []
    var toOnes: [NSRelationshipDescription] = []
    var toManys: [NSRelationshipDescription] = []
    var defaults: [StoredValue] = []
    var transients: [String] = []
    var transientDefaults: [String: Any] = [:]
    var fetched: [String: NSFetchedPropertyDescription] = [:]
    var emptyMembers: [ToManyMembers] = []
    var unreadMembers: [ToManyMembers] = []
  }

  private let contents: Contents

  init(_ entity: NSEntityDescription) {
    var contents = Contents(entity: entity)
    for name in entity.attributesByName.keys.sorted() {
      guard let attribute = entity.attributesByName[name] else { continue }
      guard !attribute.isTransient else {
        contents.properties[name] = .transient
        contents.transients.append(name)
        contents.transientDefaults[name] = attribute.defaultValue
        continue
      }
      let index = contents.attributes.count
      let isTransformable = attribute.type == .transformable
      contents.properties[name] = isTransformable ? .transformable(index) : .attribute(index)
      contents.attributes.append(attribute)
      contents.defaults.append(attribute.storedDefault ?? .null)
    }
    for name in entity.relationshipsByName.keys.sorted() {
      guard let relationship = entity.relationshipsByName[name] else { continue }
      if relationship.isToMany {
        contents.properties[name] = .toMany(contents.toManys.count)
        contents.toManys.append(relationship)
        contents.emptyMembers.append(.empty(isOrdered: relationship.isOrdered))
        contents.unreadMembers.append(.unread(isOrdered: relationship.isOrdered))
      } else {
        contents.properties[name] = .toOne(contents.toOnes.count)
        contents.toOnes.append(relationship)
      }
    }
    for case let property as NSFetchedPropertyDescription in entity.properties {
      contents.fetched[property.name] = property
    }
    self.contents = contents
  }

  var entity: NSEntityDescription { contents.entity }
  var attributes: [NSAttributeDescription] { contents.attributes }
  var toOnes: [NSRelationshipDescription] { contents.toOnes }
  var toManys: [NSRelationshipDescription] { contents.toManys }
  /// The values of a new object.
  var defaults: [StoredValue] { contents.defaults }
  var transients: [String] { contents.transients }
  var transientDefaults: [String: Any] { contents.transientDefaults }
  /// The fetched properties. Their values are not part of the object.
  var fetched: [String: NSFetchedPropertyDescription] { contents.fetched }

  /// The members of a new object's relationships, in the order of ``toManys``: none.
  var emptyMembers: [ToManyMembers] { contents.emptyMembers }
  /// The members of a stored object's relationships: not read yet.
  var unreadMembers: [ToManyMembers] { contents.unreadMembers }

  func property(_ name: String) -> Property? { contents.properties[name] }
}
