import CoreData
import XCTest

@testable import Bookshop

final class ShelfTests: XCTestCase {
  private var container: NSPersistentContainer!

  override func setUp() {
    super.setUp()
    container = NSPersistentContainer(name: "Bookshop")
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { XCTAssertNil($1) }
  }

  @objc func testBooks() throws {
    let context = container.viewContext
    let shelf = Shelf(context: context)
    shelf.addToBooks(Book(context: context))
    try context.save()
    XCTAssertEqual(try context.fetch(Shelf.fetchRequest()).first?.books.count, 1)
    XCTAssertEqual(#keyPath(Shelf.label), "label")
  }
}
