import CoreData
import Foundation
import Testing

@Suite("Swift's predicates and sort descriptors")
struct SwiftPredicateTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait { () throws in
      let ann = Person(context: context)
      ann.name = "Ann"
      let red = Tag(context: context)
      red.name = "red"
      for (number, title) in ["apple", "banana", "cherry", nil].enumerated() {
        let post = Post(context: context)
        (post.title, post.views, post.isDraft) = (title, Int64(number), number == 1)
        if number == 0 { post.author = ann }
        if number < 2 { post.addToTags(red) }
      }
      try context.save()
    }
  }

  private func views(_ predicate: Predicate<Post>) throws -> [Int64] {
    let request = Post.all()
    let translated: NSPredicate = try #require(NSPredicate(predicate))
    request.predicate = translated
    request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Post.views))]
    return try context.performAndWait { try context.fetch(request).map(\.views) }
  }

  /// The truth value with as many conjunctions around it.
  private static func nested(
    _ expression: some StandardPredicateExpression<Bool>, _ count: Int
  ) -> any StandardPredicateExpression<Bool> {
    if count == 0 { return expression }
    let right = PredicateExpressions.build_Arg(true)
    return nested(PredicateExpressions.build_Conjunction(lhs: expression, rhs: right), count - 1)
  }

  @Test("[predicate-13] a predicate with more levels than a format may have is not translated")
  func predicateWithMoreLevelsThanAFormat() throws {
    for (count, isTranslated) in [(20, true), (150, false)] {
      let predicate = Predicate<Post> { _ in Self.nested(PredicateExpressions.build_Arg(true), count) }
      #expect((NSPredicate(predicate) != nil) == isTranslated, "\(count)")
    }
  }

  @Test("[predicate-13] comparisons and their combinations are translated")
  func comparisonsAndTheirCombinationsAreTranslated() throws {
    let (limit, word) = (Int64(1), "cherry")
    #expect(try views(#Predicate { $0.views > limit }) == [2, 3])
    #expect(try views(#Predicate { $0.views <= limit && $0.title == "apple" }) == [0])
    #expect(try views(#Predicate { $0.title == word || $0.views == 1 }) == [1, 2])
    #expect(try views(#Predicate { !($0.views == 1) }) == [0, 2, 3])
    #expect(try views(#Predicate { $0.title == nil }) == [3])
    #expect(try views(#Predicate { $0.title != nil }) == [0, 1, 2])
    #expect(try views(#Predicate { $0.isDraft }) == [1])
    #expect(try views(#Predicate { (1..<3).contains($0.views) }) == [1, 2])
    #expect(try views(#Predicate { (1...3).contains($0.views) }) == [1, 2, 3])
    #expect(try views(#Predicate { _ in true }) == [0, 1, 2, 3])
  }

  @Test("[predicate-13] optional properties, texts, lists and relationships are translated")
  func optionalPropertiesTextsListsAndRelationships() throws {
    let list: [Int64] = [0, 3]
    #expect(try views(#Predicate { $0.title?.contains("an") ?? false }) == [1])
    #expect(try views(#Predicate { !($0.title?.starts(with: "ch") ?? false) }) == [0, 1, 3])
    #expect(try views(#Predicate { list.contains($0.views) }) == [0, 3])
    #expect(try views(#Predicate { $0.author?.name == "Ann" }) == [0])
    #expect(try views(#Predicate { $0.author == nil }) == [1, 2, 3])
  }

  @Test("[predicate-13] an optional of the program, unwrapped by flatMap, is translated")
  func optionalOfTheProgramUnwrappedByFlatMap() throws {
    let (title, none): (String?, String?) = ("banana", nil)
    #expect(try views(#Predicate { post in title.flatMap { post.title == $0 } ?? false }) == [1])
    #expect(try views(#Predicate { post in none.flatMap { post.title == $0 } ?? false }) == [])
    #expect(
      try views(#Predicate { post in post.views > 0 && (title.flatMap { post.title != $0 } ?? false) }) == [2])
  }

  @Test("[predicate-13] the translated predicate equals one in the format language")
  func translatedPredicateEqualsOneInTheFormat() throws {
    let predicate = try #require(NSPredicate(#Predicate<Post> { $0.views > 3 && $0.title == "a" }))
    #expect(predicate == NSPredicate(format: "(views > 3) AND (title == \"a\")"))
    #expect(NSPredicate(#Predicate<Post> { $0.title == nil })?.description == "title == nil")
    let members = try #require(
      NSPredicate(
        #Predicate<Post> { post in post.attachments.contains { $0.size > 3 } && !(1...2).contains(post.views) }))
    #expect(
      members.description
        == "SUBQUERY(attachments, $member1, $member1.#size > 3).@count > 0 AND (NOT (views >= 1 AND views <= 2))")
  }

  @Test("[predicate-13] a predicate without a counterpart is translated to nil")
  func predicateWithoutACounterpartIsTranslated() {
    #expect(NSPredicate(#Predicate<Post> { $0.views + 1 == 3 }) == nil)
    #expect(NSPredicate(#Predicate<Post> { $0.title ?? "" == "a" }) == nil)
    #expect(NSPredicate(#Predicate<Post> { $0.image?.count == 3 }) == nil)
  }

  @Test("[predicate-14] a translated sort descriptor has the property's name and the order")
  func translatedSortDescriptorHasThePropertysName() throws {
    let down = NSSortDescriptor(SortDescriptor(\Post.views, order: .reverse))
    #expect(down.key == "views")
    #expect(!down.ascending)
    let request = Post.all()
    request.sortDescriptors = [SortDescriptor(\Post.title, order: .reverse)].map { NSSortDescriptor($0) }
    #expect(
      try context.performAndWait { try context.fetch(request).map(\.title) } == ["cherry", "banana", "apple", nil])
  }
}
