import CoreData

/// A class with generated properties in an extension.
@objc(Author)
public class Author: NSManagedObject {
  @objc dynamic var initial: String { String(name?.first ?? "?") }

  static func named(_ name: String, in context: NSManagedObjectContext) throws -> Author? {
    let request = Author.fetchRequest()
    request.predicate = NSPredicate(format: "%K == %@", #keyPath(Author.name), name)
    return try context.fetch(request).first
  }
}
