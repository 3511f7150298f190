import CoreData
import Foundation

@objc(Album)
public class Album: NSManagedObject {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Album> { NSFetchRequest<Album>(entityName: "Album") }

  @NSManaged public var title: String?
  @NSManaged public var stamps: NSSet?

  /// The sum of the stamps' prices.
  @objc public var worth: Int { (stamps as? Set<Stamp> ?? []).reduce(0) { $0 + Int($1.price) } }

  @objc(addStampsObject:) @NSManaged public func addToStamps(_ value: Stamp)

  public static func fill(in context: NSManagedObjectContext) throws {
    let album = Album(context: context)
    album.title = "Sweden"
    for price in [30, 50] { album.addToStamps(Stamp(price: Int64(price), in: context)) }
    try context.save()
  }
}
