import CoreData
import Foundation

/// An object that has values for keys without a property in its entity.
final class Shelf: NSManagedObject {
  var others: [String: Any] = [:]
  var emptied: [String] = []

  override func value(forUndefinedKey key: String) -> Any? { others[key] }
  override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }
  override func setNilValueForKey(_ key: String) { emptied.append(key) }
}

private func shelfModel() -> NSManagedObjectModel {
  let size = NSAttributeDescription()
  (size.name, size.type) = ("size", .integer64)
  let label = NSAttributeDescription()
  (label.name, label.type) = ("label", .string)
  let entity = NSEntityDescription()
  (entity.name, entity.managedObjectClassName) = ("Shelf", NSStringFromClass(Shelf.self))
  entity.properties = [size, label]
  let model = NSManagedObjectModel()
  model.entities = [entity]
  return model
}

/// Reads and writes objects by their keys, in each possible way.
func useKeys() throws {
  let container = NSPersistentContainer(name: "Shelves", managedObjectModel: shelfModel())
  container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
  var problem: (any Error)?
  container.loadPersistentStores { problem = $1 }
  if let problem { throw problem }
  let context = container.newBackgroundContext()
  try context.performAndWait {
    let shelf = Shelf(context: context)
    shelf.setValuesForKeys(["size": 3, "label": NSNull(), "colour": "red"])
    try require(shelf.value(forKey: "size") as? Int == 3, "a value by its key")
    let values = shelf.dictionaryWithValues(forKeys: ["size", "label", "colour"])
    try require(values["size"] as? Int == 3 && values["label"] is NSNull, "values by their keys: \(values)")
    try require(values["colour"] as? String == "red" && shelf.others.count == 1, "a key that the entity does not have")
    shelf.setNilValueForKey("size")
    try require(shelf.emptied == ["size"], "setNilValueForKey is overridden")
    for key in ["isInserted", "inserted", "hasChanges"] {
      try require(shelf.value(forKey: key) as? Bool == true, "the object's own key \(key)")
    }
    for key in ["isDeleted", "deleted", "isUpdated", "updated", "isFault", "fault"] {
      try require(shelf.value(forKey: key) as? Bool == false, "the object's own key \(key)")
    }
    try require(shelf.value(forKeyPath: "entity.name") as? String == "Shelf", "entity.name")
    try require(shelf.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context, "the context")
    try context.save()

    let request = NSFetchRequest<Shelf>(entityName: "Shelf")
    request.sortDescriptors = [NSSortDescriptor(key: "size", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "entity.name", cacheName: nil)
    try controller.performFetch()
    try require(controller.sections?.map(\.name) == ["Shelf"], "sections by entity.name")
  }
}
