import CoreData
import FaultInjection
import Foundation

/// Authors, books and tags as plain values: ``FetchOracleTests`` compares Core Data's results with them.
struct LibraryWorld {
  /// Whether comparisons with nil are unknown, as in a store on disk.
  var nilIsUnknown = false
  /// The truth of most comparisons with nil.
  var unknown: Bool? { nilIsUnknown ? nil : false }
  struct Author {
    var name: String?
    var age: Int
    var score: Double?
  }

  struct Book {
    var title: String?
    var pages: Int
    var price: Double?
    var date: Double?
    var isLent: Bool
    var author: Int?
    var tags: Set<Int>
  }

  struct Tag {
    var name: String?
    var weight: Int?
  }

  var authors: [Int: Author] = [:]
  var books: [Int: Book] = [:]
  var tags: [Int: Tag] = [:]

  func books(of author: Int) -> [Int] { books.filter { $0.value.author == author }.map(\.key) }
  func books(tagged tag: Int) -> [Int] { books.filter { $0.value.tags.contains(tag) }.map(\.key) }

  func all(_ entity: String) -> Set<Int> {
    switch entity {
    case "Author": Set(authors.keys)
    case "Book": Set(books.keys)
    default: Set(tags.keys)
    }
  }
}

/// The same library in a store, with or without fetch indexes.
final class Library {
  let folder: TemporaryFolder
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init(isIndexed: Bool) throws {
    folder = try TemporaryFolder()
    container = NSPersistentContainer(name: "Library", managedObjectModel: Self.model(isIndexed))
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent("library.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    context = container.newBackgroundContext()
  }

  private static func model(_ isIndexed: Bool) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let (author, book, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (author.name, book.name, tag.name) = ("Author", "Book", "Tag")
    let books = BlogModel.relationship("books", to: book, isToMany: true, .nullifyDeleteRule)
    let own = BlogModel.relationship("author", to: author, isToMany: false, .nullifyDeleteRule)
    BlogModel.pair(books, own)
    let tags = BlogModel.relationship("tags", to: tag, isToMany: true, .nullifyDeleteRule)
    let tagged = BlogModel.relationship("books", to: book, isToMany: true, .nullifyDeleteRule)
    BlogModel.pair(tags, tagged)
    author.properties = [
      BlogModel.attribute("number", .integer64), BlogModel.attribute("name", .string),
      BlogModel.attribute("age", .integer16), BlogModel.attribute("score", .double), books,
    ]
    book.properties = [
      BlogModel.attribute("number", .integer64), BlogModel.attribute("title", .string),
      BlogModel.attribute("pages", .integer32), BlogModel.attribute("price", .double),
      BlogModel.attribute("date", .date), BlogModel.attribute("isLent", .boolean), own, tags,
    ]
    tag.properties = [
      BlogModel.attribute("number", .integer64), BlogModel.attribute("name", .string),
      BlogModel.attribute("weight", .integer32), tagged,
    ]
    model.entities = [author, book, tag]
    guard isIndexed else { return model }
    func index(_ entity: NSEntityDescription, _ names: String...) {
      let elements = names.compactMap { name in
        entity.propertiesByName[name].map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
      }
      entity.indexes.append(NSFetchIndexDescription(name: "by" + names.joined(), elements: elements))
    }
    index(author, "name")
    index(author, "age", "name")
    index(book, "title")
    index(book, "pages", "title")
    index(book, "price")
    index(book, "date")
    index(book, "author", "pages")
    index(tag, "name")
    index(tag, "weight")
    return model
  }

  func object(_ entity: String, _ number: Int, in context: NSManagedObjectContext? = nil) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "number == %d", number)
    let found = try (context ?? self.context).fetch(request)
    guard found.count == 1 else { throw CocoaError(.fileNoSuchFile) }
    return found[0]
  }

  /// Sets the values of an object of the context to those of the world.
  func write(_ entity: String, _ number: Int, of world: LibraryWorld, isNew: Bool) throws {
    let object =
      isNew
      ? NSEntityDescription.insertNewObject(forEntityName: entity, into: context) : try object(entity, number)
    object.setValue(number, forKey: "number")
    switch entity {
    case "Author":
      guard let author = world.authors[number] else { return context.delete(object) }
      object.setValue(author.name, forKey: "name")
      object.setValue(author.age, forKey: "age")
      object.setValue(author.score, forKey: "score")
    case "Book":
      guard let book = world.books[number] else { return context.delete(object) }
      object.setValue(book.title, forKey: "title")
      object.setValue(book.pages, forKey: "pages")
      object.setValue(book.price, forKey: "price")
      object.setValue(book.date.map { Date(timeIntervalSinceReferenceDate: $0) }, forKey: "date")
      object.setValue(book.isLent, forKey: "isLent")
      let author = try book.author.map { try self.object("Author", $0) }
      if object.value(forKey: "author") as? NSManagedObject !== author { object.setValue(author, forKey: "author") }
      let tags = Set(try book.tags.map { try self.object("Tag", $0) })
      if object.value(forKey: "tags") as? Set<NSManagedObject> != tags { object.setValue(tags, forKey: "tags") }
    default:
      guard let tag = world.tags[number] else { return context.delete(object) }
      object.setValue(tag.name, forKey: "name")
      object.setValue(tag.weight, forKey: "weight")
    }
  }
}
