import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

extension NSManagedObject {
  // MARK: By key

  final func readPrimitive(_ key: String) -> Any? {
    switch layout.property(key) {
    case .attribute(let index): attributes.isEmpty ? nil : value(of: attributes[index], layout.attributes[index])
    case .transformable(let index): transformed(index, key)
    case .transient: objects[key]
    case .toOne(let index): toOneObject(index)
    case .toMany(let index): toManyValue(index)
    case nil: fetchedObjects(key) ?? { UnmodeledValues.refuse(key, of: self) }()
    }
  }

  /// A stored value of an attribute in the form that programs use. Reads the bytes of a value in a file of the store.
  final func value(of stored: StoredValue, _ attribute: NSAttributeDescription) -> Any? {
    stored.object(of: attribute) { context?.reader.contents(of: $0, in: identity) }
  }

  private func transformed(_ index: Int, _ key: String) -> Any? {
    guard !attributes.isEmpty else { return nil }
    if let known = objects[key] { return known }
    let value = value(of: attributes[index], layout.attributes[index])
    objects[key] = value
    return value
  }

  // MARK: Differences from the store

  final func isTransient(_ key: String) -> Bool {
    if case .transient? = layout.property(key) { true } else { false }
  }

  /// Values in the form of conflicts: `NSNull` stands for nil, and to-many relationships are left out.
  final func conflictValues(_ snapshot: ObjectSnapshot) -> [String: Any] {
    var result: [String: Any] = [:]
    for (index, attribute) in layout.attributes.enumerated() {
      result[attribute.name] = value(of: snapshot.attributes[index], attribute) ?? NSNull()
    }
    for (index, relationship) in layout.toOnes.enumerated() {
      result[relationship.name] = snapshot.toOne(index, in: identity.persistentStore) ?? NSNull()
    }
    return result
  }

  final func committedToOne(_ index: Int) -> NSManagedObjectID? {
    committed?.toOne(index, in: identity.persistentStore)
  }
}

extension NSManagedObject: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    let subject = PredicateOrigin(self)
    return .object(
      PredicateObject(type: "NSManagedObject", parts: identity.predicateParts, origin: subject) { key in
        guard let object = subject.object as? NSManagedObject else { return nil }
        return PredicateValue(object: object.value(forKey: key))
      })
  }
}

extension NSManagedObject: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? { .some(value(forKey: key)) }
}
