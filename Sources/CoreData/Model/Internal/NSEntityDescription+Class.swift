import Foundation
import LocalCloudPlatform

extension NSEntityDescription {
  /// The class of the entity's objects. One that is not found is `NSManagedObject`; stderr tells so once.
  final var managedObjectClass: NSManagedObject.Type { derived(ObjectClass.init).type }

  /// Gives an object the class of the entity, if it can have that.
  final func adopt(_ object: NSManagedObject) {
    let type = managedObjectClass
    if type != Swift.type(of: object) { _ = ObjectHeader.setClass(of: object, to: type) }
  }

  /// What the rest of the module makes of the entity, one object of a class and entity. It is for models in use.
  final func derived<Thing: AnyObject & Sendable>(_ make: (NSEntityDescription) -> Thing) -> Thing {
    let key = ObjectIdentifier(Thing.self)
    if let found = derivations.withLock({ $0[key] }) as? Thing { return found }
    // Outside the lock: making one thing may need another one.
    let made = make(self)
    guard isFrozen else { return made }
    return derivations.withLock { derivations in
      if let found = derivations[key] as? Thing { return found }
      derivations[key] = made
      return made
    }
  }
}

/// The class of an entity's objects, once it was looked for.
private final class ObjectClass: Sendable {
  let type: NSManagedObject.Type

  init(_ entity: NSEntityDescription) {
    let name = entity.managedObjectClassName ?? NSEntityDescription.defaultClassName
    guard name != NSEntityDescription.defaultClassName else {
      type = NSManagedObject.self
      return
    }
    if let found = ManagedObjectClasses.type(named: name) as? NSManagedObject.Type {
      type = found
      return
    }
    StandardStream.error.write(
      "CoreData: warning: Unable to load class named '\(name)' for entity '\(entity.name ?? "")'.  Class not found, "
        + "using default NSManagedObject instead.\n")
    type = NSManagedObject.self
  }
}

extension NSManagedObject {
  /// Stops the process for a result of a fetch that is not of the type that the program asks for.
  static func raiseCastFailure(of result: AnyObject, to wanted: Any.Type) -> Never {
    var text = "Could not cast a fetched \(type(of: result)) to \(wanted)."
    if let object = result as? NSManagedObject, object.layout.entity.managedObjectClass != type(of: object) {
      text +=
        " The class of its entity has stored properties, so that \(type(of: object))(entity:insertInto:) can't make an"
        + " object of it. Call \(wanted)(entity:insertInto:) or NSEntityDescription.insertNewObject(forEntityName:into:)."
    }
    raiseException(text)
  }
}
