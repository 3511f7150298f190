import Foundation
import Platform

extension NSEntityDescription {
  /// The class of the entity's objects. One that is not found is `NSManagedObject`; stderr tells so once.
  final var managedObjectClass: NSManagedObject.Type { derived(ObjectClass.init).type }

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
