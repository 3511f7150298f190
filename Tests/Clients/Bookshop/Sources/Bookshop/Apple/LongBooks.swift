import CoreData

/// Books of the first version have no pages: a title of many letters is that of a long book.
@objc(LongBooks)
final class LongBooks: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let book = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
    guard let title = sInstance.value(forKey: #keyPath(Book.title)) as? String, title.count > 5,
      let pages = (mapping.userInfo?["pagesOfALetter"] as? String).flatMap(Int.init)
    else { return }
    book?.setValue(title.count * pages, forKey: "pages")
  }
}
