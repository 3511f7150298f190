import Foundation
import LocalCloudObjectStore
import Testing

@testable import CoreData

@Suite("Expressions in batch updates")
struct BatchExpressionTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      let people = [("Ann", 40), ("Wim", 50)].map { name, age in
        let person = name == "Wim" ? Writer(context: context) : Person(context: context)
        person.name = name
        person.age = Int16(age)
        return person
      }
      for number in 0..<4 {
        let post = Post(context: context)
        post.title = "Pö\(number)"
        post.content = number == 3 ? nil : "c\(number)"
        post.views = Int64(number)
        post.rating = Double(number) / 2
        post.date = Date(timeIntervalSinceReferenceDate: Double(100 * number))
        post.identifier = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)")
        post.link = URL(string: "https://example.org/\(number)")
        post.price = NSDecimalNumber(string: "12345678901234567890.12345\(number + 1)")
        post.image = Data(repeating: UInt8(number), count: number == 1 ? 200_000 : 10)
        post.author = number < 3 ? people[number % 2] : nil
      }
      try context.save()
    }
  }

  /// Executes the update and returns the number of matching objects.
  @discardableResult
  private func update(
    _ entity: String, _ values: [AnyHashable: Any], where condition: String = "TRUEPREDICATE"
  ) throws -> Int? {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.propertiesToUpdate = values
    request.predicate = NSPredicate(format: condition)
    request.resultType = .updatedObjectsCountResultType
    return try (context.execute(request) as? NSBatchUpdateResult)?.result as? Int
  }

  private func posts() throws -> [Post] {
    context.reset()
    let request = Post.all()
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
    return try context.fetch(request)
  }

  private func expression(_ format: String) -> _NSExpression { _NSExpression(format: format) }

  @Test("[request-update-3] arithmetic, texts and conditions use the values before the update")
  func arithmeticTextsAndConditionsUseTheValues() throws {
    try context.performAndWait {
      let views = try #require(BlogModel.shared.entitiesByName["Post"]?.attributesByName["views"])
      let count = try update(
        "Post",
        [
          views: expression("views * 10 + 1"), "rating": expression("views"), "title": expression("uppercase:(title)"),
          "isDraft": expression("TERNARY(views < 2, YES, NO)"),
          "content": _NSExpression(forFunction: "lowercase:", arguments: [_NSExpression(forKeyPath: "title")]),
        ])
      #expect(count == 4)
      var posts = try posts()
      #expect(posts.map(\.views) == [1, 11, 21, 31])
      #expect(posts.map(\.rating) == [0, 1, 2, 3])
      #expect(posts.map(\.title) == ["PÖ0", "PÖ1", "PÖ2", "PÖ3"])
      #expect(posts.map(\.content) == ["pö0", "pö1", "pö2", "pö3"])
      #expect(posts.map(\.isDraft) == [true, true, false, false])
      // Two attributes exchange their values.
      try update("Post", ["title": expression("content"), "content": expression("title")])
      posts = try self.posts()
      #expect(posts.map(\.title) == ["pö0", "pö1", "pö2", "pö3"])
      #expect(posts.map(\.content) == ["PÖ0", "PÖ1", "PÖ2", "PÖ3"])
      for (format, expected) in [
        ("add:to:(views, 1)", 12), ("from:subtract:(views, 1)", 10), ("divide:by:(views, 2)", 5),
        ("modulus:by:(views, 4)", 3), ("multiply:by:(views, 1.5)", 16), ("abs:(0 - views)", 11), ("2 ** 3", 8),
        ("floor:(rating + 0.9)", 1), ("attachments.@count", 0), ("isDraft", 1),
      ] {
        try update("Post", ["views": 11, "rating": 1, "isDraft": true], where: "title == 'pö1'")
        try update("Post", ["views": expression(format)], where: "title == 'pö1'")
        let views = try self.posts()[1].views
        #expect(views == Int64(expected), "\(format)")
      }
      try update("Person", ["age": expression("age + 1")])
      let request = Person.all()
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      #expect(try context.fetch(request).map(\.age) == [41, 51])
    }
  }

  @Test("[request-update-3] constants, nil, dates, and key paths over relationships are assigned")
  func constantsNilDatesAndKeyPathsOver() throws {
    try context.performAndWait {
      let ann = try #require(try context.fetch(Person.all()).first { $0.name == "Ann" })
      let start = Date()
      try update(
        "Post",
        [
          "content": _NSExpression(forConstantValue: nil), "title": expression("author.name"),
          "views": expression("author.age"), "author": _NSExpression(forConstantValue: ann.objectID),
          "date": expression("now()"),
        ], where: "views > 0")
      context.reset()
      let request = Post.all()
      request.predicate = NSPredicate(format: "identifier != nil AND content == nil")
      request.sortDescriptors = [NSSortDescriptor(key: "link", ascending: true)]
      let posts = try context.fetch(request)
      #expect(posts.map(\.title) == ["Wim", "Ann", nil])
      #expect(posts.map(\.views) == [50, 40, 0])
      #expect(posts.map(\.author?.name) == ["Ann", "Ann", "Ann"])
      let dates = Set(posts.compactMap(\.date))
      #expect(dates.count == 1)
      let date = try #require(dates.first)
      #expect(date.timeIntervalSince(start) > -1)
      #expect(date.timeIntervalSinceNow < 1)
      try update("Post", ["date": expression("date + 60"), "rating": expression("date")])
      context.reset()
      let later = try context.fetch(request)
      #expect(later.allSatisfy { $0.date == date.addingTimeInterval(60) })
      #expect(later.allSatisfy { $0.rating == date.timeIntervalSinceReferenceDate })
      try update("Post", ["author": _NSExpression(forConstantValue: nil)])
      context.reset()
      #expect(try context.fetch(request).allSatisfy { $0.author == nil })
    }
  }

  @Test("[request-update-3] values of the attribute's own type are copied exactly")
  func valuesOfTheAttributesOwnType() throws {
    try context.performAndWait {
      let before = try posts()
      let (prices, images) = (before.map(\.price), before.map(\.image))
      let (ids, links) = (before.map(\.identifier), before.map(\.link))
      try update(
        "Post",
        [
          "price": expression("price"), "image": expression("image"), "identifier": expression("identifier"),
          "link": expression("TERNARY(views >= 0, link, nil)"), "views": expression("views + 1"),
        ])
      let after = try posts()
      #expect(after.map(\.price) == prices)
      #expect(after.map(\.image) == images)
      #expect(after.map(\.identifier) == ids)
      #expect(after.map(\.link) == links)
      try update(
        "Post", ["price": NSDecimalNumber(string: "19.99"), "image": expression("TERNARY(views > 1, image, nil)")])
      try update("Post", ["price": expression("price * 2")])
      let doubled = try posts()
      #expect(doubled.map(\.price) == Array(repeating: NSDecimalNumber(string: "39.98"), count: 4))
      #expect(doubled.map(\.image) == [nil] + images.dropFirst())
      #expect(try blog.store.objects.check() == [])
    }
  }

  @Test(
    "[request-update-4] a value that an attribute can't have is an error, and no object changes",
    arguments: [
      ("Post", "views", "title"), ("Post", "title", "views"), ("Post", "rating", "rating / 0.0"),
      ("Post", "views", "views / 0"), ("Post", "views", "9000000000000000000 * (views + 1)"),
      ("Person", "age", "age * 1000"), ("Attachment", "size", "#size + 3000000000"), ("Post", "views", "attachments"),
      ("Post", "date", "title"), ("Post", "identifier", "link"), ("Post", "image", "title"), ("Post", "views", "$x"),
      ("Post", "title", "author"), ("Post", "isDraft", "title"), ("Post", "views", "tags.name"),
      ("Post", "price", "rating / 0.0"), ("Post", "content", "FUNCTION(title, 'shout')"),
    ])
  func valueThatAnAttributeCannot(_ entity: String, _ key: String, _ format: String) throws {
    try context.performAndWait {
      Attachment(context: context).size = 1
      let post = try #require(try context.fetch(Post.all()).first)
      post.title = "zzz"
      post.rating = 1
      try context.save()
      let before = try posts().map { "\($0.views) \($0.title ?? "-") \($0.isDraft) \($0.rating)" }
      var values: [AnyHashable: Any] = [key: expression(format)]
      if entity == "Post", key != "isDraft" { values["isDraft"] = false }
      let error = #expect(throws: NSError.self) { try update(entity, values) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == NSCoreDataError)
      #expect(error?.localizedFailureReason?.isEmpty == false)
      let after = try posts().map { "\($0.views) \($0.title ?? "-") \($0.isDraft) \($0.rating)" }
      #expect(after == before)
    }
  }

  @Test("[request-update-5] unknown names and paths, and names given twice, stop the process")
  func unknownNamesAndPathsAndNamesGiven() async {
    await #expect(processExitsWith: .failure) {
      let tests = try BatchExpressionTests()
      try tests.update("Post", ["views": _NSExpression(format: "author.nothing")])
    }
    await #expect(processExitsWith: .failure) {
      let tests = try BatchExpressionTests()
      try tests.update("Post", ["nothing": _NSExpression(format: "views")])
    }
    await #expect(processExitsWith: .failure) {
      let tests = try BatchExpressionTests()
      try tests.update("Post", ["author": _NSExpression(format: "author.spouse")])
    }
    await #expect(processExitsWith: .failure) {
      let tests = try BatchExpressionTests()
      let views = BlogModel.shared.entitiesByName["Post"]!.attributesByName["views"]!
      try tests.update("Post", [views: 1, "views": 2])
    }
  }
}
