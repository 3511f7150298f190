import CoreData
import Foundation
import Testing

@Suite("Comparison rules and counts of fetches")
struct FetchRuleTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      let red = Tag(context: context)
      red.name = "red"
      for title in ["Été", "été", "ete", "Other"] {
        let post = Post(context: context)
        post.title = title
        if title.hasPrefix("é") || title == "Other" { post.addToTags(red) }
      }
      try context.save()
    }
  }

  private func titles(_ format: String, _ arguments: Any...) throws -> Set<String?> {
    try context.performAndWait {
      let request = Post.all()
      request.predicate = NSPredicate(format: format, argumentArray: arguments)
      return Set(try context.fetch(request).map(\.title))
    }
  }

  // [object-fetch-6]
  @Test("texts compare exactly, or without case and diacritics")
  func textsCompareExactlyOrWithoutCase() throws {
    #expect(try titles("title == %@", "été") == ["été"])
    #expect(try titles("title ==[c] %@", "ÉTÉ") == ["Été", "été"])
    #expect(try titles("title ==[cd] %@", "ETE") == ["Été", "été", "ete"])
    #expect(try titles("title BEGINSWITH[d] %@", "et") == ["été", "ete"])
    #expect(try titles("title CONTAINS %@", "T") == [])
  }

  // [predicate-2]
  @Test("a path through a to-many relationship matches any of its objects")
  func pathThroughAToManyRelationshipMatches() throws {
    let found = try titles("tags.name == %@", "red")
    #expect(found == ["été", "Other"])
    #expect(try titles("ANY tags.name == %@", "red") == found)
  }

  // [object-fetch-7]
  @Test("a count honours limit and offset")
  func count() throws {
    let request = Post.all()
    func count() throws -> Int { try context.performAndWait { try context.count(for: request) } }
    #expect(try count() == 4)
    request.fetchLimit = 3
    #expect(try count() == 3)
    request.fetchOffset = 2
    #expect(try count() == 2)
    request.relationshipKeyPathsForPrefetching = ["tags"]
    #expect(try count() == 2)
  }
}
