import CoreData

/// The model knows it by another name.
@objc(CDStamp)
public class Stamp: NSManagedObject {
  @NSManaged public var price: Int64
  @NSManaged public var album: Album?

  /// A designated initialiser of its own.
  init(price: Int64, in context: NSManagedObjectContext) {
    super.init(entity: NSEntityDescription.entity(forEntityName: "Stamp", in: context)!, insertInto: context)
    self.price = price
  }

  @objc override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
  }
}
