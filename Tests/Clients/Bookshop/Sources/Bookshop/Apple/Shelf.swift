import CoreData

/// A class without generated code.
@objc(Shelf)
public final class Shelf: NSManagedObject {
  @NSManaged public var label: String?
  @NSManaged public var books: Set<Book>
  private(set) var wasMade = false

  override public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    wasMade = true
  }

  override public func awakeFromInsert() {
    super.awakeFromInsert()
    setPrimitiveValue("new", forKey: #keyPath(Shelf.label))
  }

  @nonobjc class func fetchRequest() -> NSFetchRequest<Shelf> { NSFetchRequest(entityName: "Shelf") }
}

extension Shelf {
  @objc(addBooksObject:) @NSManaged func addToBooks(_ value: Book)
  @objc(removeBooksObject:) @NSManaged func removeFromBooks(_ value: Book)
}
