import Foundation
import Testing

@testable import CoreData

@Suite("Key paths of properties")
struct KeyPathTests {
  // [coredata-model-13]
  @Test("a key path over relationships becomes the names of its properties")
  func keyPathOverRelationshipsBecomesTheNames() throws {
    let blog = try Blog()
    _ = blog
    #expect(PropertyNames.name(of: \Post.author?.name) == "author.name")
    #expect(PropertyNames.name(of: \Attachment.post?.author?.spouse?.age) == "post.author.spouse.age")
    #expect(PropertyNames.name(of: \Attachment.post!.views) == "post.views")
    #expect(PropertyNames.name(of: \Post.author) == "author")
    #expect(_NSExpression(forKeyPath: \Post.author?.name) == _NSExpression(forKeyPath: "author.name"))
  }

  // [coredata-model-13]
  @Test("a subclass has the key paths of its superclass's properties")
  func subclassHasTheKeyPaths() throws {
    let blog = try Blog()
    _ = blog
    #expect(PropertyNames.name(of: \Writer.name) == "name")
    #expect(PropertyNames.name(of: \Writer.age) == "age")
    #expect(PropertyNames.name(of: \Writer.spouse?.name) == "spouse.name")
    #expect(PropertyNames.name(of: \Writer.written) == "written")
  }

  // [coredata-model-13]
  @Test("stored properties of all types are found by key path, computed ones are not")
  func storedPropertiesOfAllTypesAreFound() throws {
    let blog = try Blog()
    _ = blog
    let paths: [(AnyKeyPath, String?)] = [
      (\Post.title, "title"), (\Post.views, "views"), (\Post.date, "date"), (\Post.rating, "rating"),
      (\Post.isDraft, "isDraft"), (\Post.identifier, "identifier"), (\Post.link, "link"), (\Post.price, "price"),
      (\Post.image, "image"), (\Post.tags, "tags"), (\Post.attachments, "attachments"), (\Post.calls, nil),
      (\Post.title?.count, nil), (\Post.isInserted, nil), (\Post.shoutedTitle, nil), (\Post.isPopular, nil),
    ]
    for (path, name) in paths { #expect(PropertyNames.name(of: path) == name, "\(path)") }
  }

  @Test("sort descriptors take key paths to optionals, booleans and properties over a relationship")
  func sortDescriptorsTakeKeyPathsToOptionals() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      let people = ["Zoe", "Ann"].map { name in
        let writer = Writer(context: context)
        writer.name = name
        return writer
      }
      for (index, title) in ["b", nil, "a"].enumerated() {
        let post = Post(context: context)
        post.title = title
        post.isDraft = index == 0
        post.author = index == 1 ? nil : people[index / 2]
      }
      try context.save()
      func titles(_ descriptor: NSSortDescriptor) throws -> [String?] {
        let request = Post.all()
        request.sortDescriptors = [descriptor, NSSortDescriptor(keyPath: \Post.title, ascending: true)]
        return try context.fetch(request).map(\.title)
      }
      #expect(try titles(NSSortDescriptor(keyPath: \Post.title, ascending: true)) == [nil, "a", "b"])
      #expect(try titles(NSSortDescriptor(keyPath: \Post.isDraft, ascending: false)) == ["b", nil, "a"])
      #expect(try titles(NSSortDescriptor(keyPath: \Post.author?.name, ascending: true)) == [nil, "a", "b"])
      let request = NSFetchRequest<Writer>(entityName: "Writer")
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Writer.name, ascending: true)]
      #expect(try context.fetch(request).map(\.name) == ["Ann", "Zoe"])
      #expect(
        (people as NSArray).sortedArray(using: [NSSortDescriptor(keyPath: \Writer.name, ascending: true)]).first
          as? Writer === people[1])
    }
  }

  @Test("[predicate-11] a descriptor made with a key path is equal to one made with its key, and has both")
  func descriptorMadeWithAKeyPath() throws {
    let blog = try Blog()
    _ = blog
    let title = NSSortDescriptor(keyPath: \Post.title, ascending: true)
    #expect(title.key == "title")
    #expect(title == NSSortDescriptor(key: "title", ascending: true))
    #expect(title.hash == NSSortDescriptor(key: "title", ascending: true).hash)
    #expect(title.keyPath == \Post.title)
    let name = NSSortDescriptor(keyPath: \Post.author?.name, ascending: false)
    #expect(name == NSSortDescriptor(key: "author.name", ascending: false))
    #expect(name.description == "(author.name, descending, compare:)")
    #expect((name.reversedSortDescriptor as? NSSortDescriptor)?.key == "author.name")
    #expect(
      NSSortDescriptor(keyPath: \Post.views, ascending: true) == NSSortDescriptor(keyPath: \Post.views, ascending: true)
    )
  }
}

extension Post {
  fileprivate var shoutedTitle: String? { title?.uppercased() }
  fileprivate var isPopular: Bool { views > 10 }
}
