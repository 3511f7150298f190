import CoreData
import Foundation
import Stamps

/// A problem to print on standard error.
struct Wrong: Error, CustomStringConvertible {
  var description: String
}

func require(_ condition: Bool, _ text: String) throws {
  if !condition { throw Wrong(description: text) }
}

@main
struct Bookshop {
  static func main() throws {
    let container = try opened("Bookshop")
    let context = container.viewContext
    try context.performAndWait {
      let counter = SaveCounter(context)
      let list = try ShelfList(context)
      let author = Author(context: context)
      author.name = "Ada"
      let book = Book(context: context)
      (book.title, book.pages) = ("Notes", 66)
      book.addToAuthors(author)
      let shelf = Shelf(context: context)
      try require(shelf.wasMade && shelf.label == "new", "the shelf's own initialiser and awakeFromInsert run")
      shelf.addToBooks(book)
      try context.save()
      try require(list.labels == ["new", "in a section"], "a delegate iterates its controller: \(list.labels)")
      try require(list.changes == ["new 1 true"], "a delegate is told of a change: \(list.changes)")
      context.reset()
      try require(counter.saves == 1, "a selector is called after a save")
      let found = try Author.named("Ada", in: context)
      try require(found?.initial == "A", "an author by a key path")
      let books = found?.books as? Set<Book>
      try require(books?.first?.shelf?.books.first?.pages == 66, "a book, and its relationships")
      try require(found?.value(forKey: "initial") as? String == "A", "a computed property by its key")
      try require(try context.fetch(Shelf.fetchRequest()).count == 1, "shelves are fetched")
    }
    try stamps()
    try Migration.run()
  }

  /// Uses the model and the classes of another module that has all sources in one folder.
  private static func stamps() throws {
    let context = try opened("Stamps").viewContext
    try context.performAndWait {
      try Album.fill(in: context)
      let albums = try context.fetch(Album.fetchRequest())
      try require(albums.map(\.worth) == [80], "an album's stamps are worth \(albums.map(\.worth))")
    }
  }

  static func opened(_ name: String) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: name)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "\(name).sqlite")
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }
}
