import Foundation

extension NSManagedObjectModel {
  /// Copies of entities, with the same inheritance and relationships among the copies as among the entities.
  static func copies(of entities: [NSEntityDescription]) -> [NSEntityDescription] {
    let pairs = entities.compactMap { entity in (entity.copy() as? NSEntityDescription).map { (entity, $0) } }
    let copies = Dictionary(pairs.map { ($0.name ?? "", $1) }) { first, _ in first }
    for (entity, copy) in pairs {
      copy.subentities = entity.subentities.compactMap { copies[$0.name ?? ""] }
    }
    for (entity, copy) in pairs {
      connect(copy, as: entity, copies)
      copy.findIndexedProperties()
    }
    return pairs.map(\.1)
  }

  private static func connect(
    _ copy: NSEntityDescription, as entity: NSEntityDescription, _ copies: [String: NSEntityDescription]
  ) {
    for (old, new) in zip(entity.ownProperties, copy.ownProperties) {
      if let new = new as? NSFetchedPropertyDescription, let request = new.fetchRequest {
        request.entity = copies[request.entityName ?? ""]
      }
      guard let old = old as? NSRelationshipDescription, let new = new as? NSRelationshipDescription else { continue }
      new.destinationEntity = old.destinationEntity?.name.flatMap { copies[$0] }
      new.inverseRelationship = old.inverseRelationship.flatMap { inverse in
        new.destinationEntity?.relationshipsByName[inverse.name]
      }
    }
  }
}
