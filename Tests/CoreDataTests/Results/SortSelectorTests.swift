import CoreData
import Foundation
import Testing

@Suite("Selectors of sort descriptors")
struct SortSelectorTests {
  static let titles = ["b", "É", "a", "B", "z", "e", "A", "File 10", "File 2", "file 1"]

  static let orders: [(selector: Selector, titles: [String])] = [
    ("compare:", ["A", "B", "File 10", "File 2", "a", "b", "e", "file 1", "z", "É"]),
    ("caseInsensitiveCompare:", ["a", "A", "b", "B", "e", "file 1", "File 10", "File 2", "z", "É"]),
    ("localizedCompare:", ["a", "A", "b", "B", "e", "É", "file 1", "File 10", "File 2", "z"]),
    ("localizedCaseInsensitiveCompare:", ["a", "A", "b", "B", "e", "É", "file 1", "File 10", "File 2", "z"]),
    ("localizedStandardCompare:", ["a", "A", "b", "B", "e", "É", "file 1", "File 2", "File 10", "z"]),
  ]

  private let blog: Blog

  init() throws { blog = try Blog() }

  private func request(_ selector: Selector, ascending: Bool = true) -> NSFetchRequest<Post> {
    let request = Post.all()
    // The second descriptor orders texts that a method considers equal by their insertion.
    request.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: ascending, selector: selector),
      NSSortDescriptor(key: "views", ascending: ascending),
    ]
    return request
  }

  private func insert(into context: NSManagedObjectContext) {
    for title in Self.titles {
      let post = Post(context: context)
      post.title = title
      post.views = title.first?.isUppercase == true ? 1 : 0
    }
  }

  @Test("[predicate-15] a store sorts texts by the descriptor's method", arguments: orders)
  func storeSortsTextsByTheDescriptorsMethod(selector: Selector, titles: [String]) throws {
    let context = blog.context()
    try context.performAndWait {
      insert(into: context)
      try context.save()
      context.reset()
      #expect(try context.fetch(request(selector)).map(\.title) == titles)
      let limited = request(selector, ascending: false)
      limited.fetchLimit = 2
      #expect(try context.fetch(limited).map(\.title) == titles.suffix(2).reversed())
    }
  }

  @Test("unsaved objects are sorted by the descriptor's method", arguments: orders)
  func unsavedObjectsAreSortedByTheDescriptors(selector: Selector, titles: [String]) throws {
    let context = blog.context()
    try context.performAndWait {
      insert(into: context)
      let posts = try context.fetch(request(selector))
      #expect(posts.map(\.title) == titles)
    }
  }

  @Test("an array is sorted by the descriptor's method", arguments: orders)
  func arrayIsSortedByTheDescriptorsMethod(selector: Selector, titles: [String]) {
    let descriptor = NSSortDescriptor(key: nil, ascending: true, selector: selector)
    let sorted = Self.titles.sorted { $0 > $1 }.sorted { descriptor.compare($0, to: $1) == .orderedAscending }
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      #expect(descriptor.compare(left, to: right) != .orderedDescending)
    }
    #expect(sorted.map { $0.lowercased() } == titles.map { $0.lowercased() })
  }

  @Test("descriptors with different methods are not equal, and their description has the method")
  func descriptorsWithDifferentMethodsAreNotEqual() {
    let plain = NSSortDescriptor(key: "title", ascending: true)
    let folded = NSSortDescriptor(key: "title", ascending: true, selector: "caseInsensitiveCompare:")
    #expect(plain == NSSortDescriptor(key: "title", ascending: true, selector: nil))
    #expect(plain != folded)
    #expect(folded == NSSortDescriptor(key: "title", ascending: true, selector: "caseInsensitiveCompare:"))
    #expect(folded.description == "(title, ascending, caseInsensitiveCompare:)")
    #expect(folded.selector == "caseInsensitiveCompare:")
    #expect(plain.selector == "compare:")
    #expect((folded.reversedSortDescriptor as? NSSortDescriptor)?.selector == "caseInsensitiveCompare:")
    #expect((folded.reversedSortDescriptor as? NSSortDescriptor)?.ascending == false)
  }
}
