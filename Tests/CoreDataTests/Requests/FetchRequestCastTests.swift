import CoreData
import Foundation
import Testing

/// The plugin replaces `as!` and `as?` by these operators.
@Suite("Casts of fetch requests")
struct FetchRequestCastTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  @Test("[rewrite-17] a cast returns the same request, for any result type, a class or a subclass")
  func castReturnsTheSameRequestForAny() throws {
    try context.performAndWait {
      _ = Post(context: context)
      try context.save()
      let request = NSFetchRequest<Post>(entityName: "Post")
      let erased = request ⇢! NSFetchRequest<any NSFetchRequestResult>.self
      #expect(erased === request)
      #expect(try context.fetch(erased).count == 1)
      let posts = erased ⇢? NSFetchRequest<Post>.self
      #expect(try context.fetch(try #require(posts)).count == 1)
      let plain = NSFetchRequest<NSManagedObject>(entityName: "Post")
      #expect(try context.fetch(plain ⇢! NSFetchRequest<Post>.self).first?.entity.name == "Post")
      let delete = NSBatchDeleteRequest(fetchRequest: request ⇢! NSFetchRequest<any NSFetchRequestResult>.self)
      _ = try context.execute(delete)
      #expect(try context.count(for: request) == 0)
    }
  }

  @Test("[rewrite-17] a cast of another value than a fetch request returns nil")
  func castOfAnotherValueThanAFetch() {
    let nothing: Any? = nil
    #expect(nothing ⇢? NSFetchRequest<Post>.self == nil)
    #expect("text" ⇢? NSFetchRequest<Post>.self == nil)
    #expect(NSBatchUpdateRequest(entityName: "Post") ⇢? NSFetchRequest<Post>.self == nil)
  }
}
