import Foundation
import LocalCloudPlatform
import Synchronization

extension NSEntityDescription {
  /// The class of the entity's objects. If it is not found, the class is `NSManagedObject`, and stderr reports it once.
  final var managedObjectClass: NSManagedObject.Type { derived(ObjectClass.init).type }

  /// Gives an object the class of the entity, if the object can have that class.
  final func adopt(_ object: NSManagedObject) {
    let type = managedObjectClass
    if type != Swift.type(of: object) { _ = ObjectHeader.setClass(of: object, to: type) }
  }

  /// A value that the rest of the module derives from the entity: one object for each class and entity. It is cached
  /// once the model is in use.
  final func derived<Thing: AnyObject & Sendable>(_ make: (NSEntityDescription) -> Thing) -> Thing {
    let key = ObjectIdentifier(Thing.self)
    if let found = derivations.withLock({ $0[key] }) as? Thing { return found }
    // Outside the lock, because creating one value may need another one.
    let made = make(self)
    guard isFrozen else { return made }
    return derivations.withLock { derivations in
      if let found = derivations[key] as? Thing { return found }
      derivations[key] = made
      return made
    }
  }
}

/// The class of an entity's objects, after its lookup.
private final class ObjectClass: Sendable {
  private let name: String
  private let found: NSManagedObject.Type?
  /// The class that a program used, if the lookup by name found none.
  private let learned = Mutex<NSManagedObject.Type?>(nil)

  var type: NSManagedObject.Type { found ?? learned.withLock { $0 } ?? NSManagedObject.self }

  init(_ entity: NSEntityDescription) {
    name = entity.managedObjectClassName ?? NSEntityDescription.defaultClassName
    guard name != NSEntityDescription.defaultClassName else {
      found = NSManagedObject.self
      return
    }
    found = ManagedObjectClasses.type(named: name) as? NSManagedObject.Type
    if found != nil { return }
    StandardStream.error.write(
      "CoreData: warning: Unable to load class named '\(name)' for entity '\(entity.name ?? "")'.  Class not found, "
        + "using default NSManagedObject instead.\n")
  }

  /// Uses `type` as the class, if it has this name and the lookup by name found none: a class inside another type or a
  /// function, or of a module without a model, can't be looked up.
  func learn(_ type: NSManagedObject.Type) {
    guard found == nil, [String(describing: type), String(reflecting: type)].contains(name) else { return }
    learned.withLock { $0 = $0 ?? type }
  }
}

extension NSEntityDescription {
  /// Uses the program's class for the entity, if the lookup by the entity's class name found none.
  final func learn(_ type: NSManagedObject.Type) { derived(ObjectClass.init).learn(type) }
}

/// Casts the results of fetches to the types that programs request.
enum FetchedResult {
  /// A result as `Wanted`; `Wanted` may be the protocol. Stops the process for a result of another type.
  static func cast<Wanted: NSFetchRequestResult>(_ result: AnyObject, to wanted: Wanted.Type) -> Wanted {
    // `as?` to the protocol does not compile here, and every result conforms to it.
    if Wanted.self == (any NSFetchRequestResult).self { return reinterpreted(result) }
    if let typed = result as? Wanted { return typed }
    guard let object = result as? NSManagedObject, let type = Wanted.self as? NSManagedObject.Type else {
      fail(result, wanted)
    }
    let entity = object.layout.entity
    entity.learn(type)
    entity.adopt(object)
    guard let typed = result as? Wanted else { fail(result, wanted) }
    return typed
  }

  private static func fail(_ result: AnyObject, _ wanted: Any.Type) -> Never {
    var text = "Could not cast a fetched \(type(of: result)) to \(wanted)."
    if let object = result as? NSManagedObject, object.layout.entity.managedObjectClass != type(of: object) {
      text +=
        " The class of its entity has stored properties, so that \(type(of: object))(entity:insertInto:) can't make an"
        + " object of it. Call \(wanted)(entity:insertInto:) or NSEntityDescription.insertNewObject(forEntityName:into:)."
    }
    raiseException(text)
  }
}
