import CoreData

/// A class with another name in the model.
@objc(CDStamp)
public class Stamp: NSManagedObject {
  @NSManaged public var price: Int64
  @NSManaged public var album: Album?

  /// A separate designated initializer.
  init(price: Int64, in context: NSManagedObjectContext) {
    super.init(entity: NSEntityDescription.entity(forEntityName: "Stamp", in: context)!, insertInto: context)
    self.price = price
  }

  @objc override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
  }
}
