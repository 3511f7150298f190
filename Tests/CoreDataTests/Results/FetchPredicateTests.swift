import Foundation
import Testing

@testable import CoreData

@Suite("Predicates of fetch requests")
struct FetchPredicateTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait { () throws in
      let ann = Person(context: context)
      (ann.name, ann.age) = ("Ann", 30)
      let wim = Writer(context: context)
      (wim.name, wim.age) = ("Wim", 40)
      let tags = ["red", "green"].map { name in
        let tag = Tag(context: context)
        tag.name = name
        return tag
      }
      for (number, title) in ["cherry", "Äpfel", "banana", nil].enumerated() {
        let post = Post(context: context)
        (post.title, post.views) = (title, Int64(number))
        post.date = Date(timeIntervalSinceReferenceDate: Double(number))
        post.author = number == 0 ? ann : number == 1 ? wim : nil
        if number < 2 { post.addToTags(tags[number]) }
      }
      try context.save()
    }
  }

  private func titles(_ predicate: NSPredicate) throws -> [String?] {
    let request = Post.all()
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "views", ascending: true)]
    return try context.fetch(request).map(\.title)
  }

  private func names(_ format: String, _ arguments: Any...) throws -> Set<String?> {
    let request = Person.all()
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return Set(try context.fetch(request).map(\.name))
  }

  @Test("[predicate-12] a decimal of 38 digits compares as the nearest double, in memory and on disk")
  func decimalOf38DigitsCompares() throws {
    let texts = ["0.12345678901234567890123456789012345678", "1e-20", "9999999999.9999999999999999999999999999"]
    try context.performAndWait { () throws in
      for text in texts {
        let (decimal, double) = (try #require(Decimal(string: text)), try #require(Double(text)))
        let post = Post(context: context)
        post.price = NSDecimalNumber(decimal: decimal)
        let request = Post.all()
        request.predicate = NSPredicate(format: "price == %@", double as NSNumber)
        #expect(try context.fetch(request).map(\.objectID) == [post.objectID], "\(text) in memory")
        #expect(request.predicate?.evaluate(with: post) == true, "\(text) evaluated")
        try context.save()
        #expect(try context.fetch(request).map(\.objectID) == [post.objectID], "\(text) on disk")
        #expect(post.price?.decimalValue == decimal, "\(text)")
        post.rating = 0
        post.setValue(NSDecimalNumber(decimal: decimal), forKey: "rating")
        #expect(post.value(forKey: "rating") as? Double == double, "\(text) as a double")
        context.delete(post)
        try context.save()
      }
    }
  }

  @Test("[predicate-9] the store evaluates ALL over related objects; it is true without objects")
  func storeEvaluatesALLOverRelatedObjects() throws {
    try context.performAndWait { () throws in
      let post = try #require(try context.fetch(Post.all()).first { $0.title == "cherry" })
      let tag = Tag(context: context)
      tag.name = "blue"
      post.addToTags(tag)
      try context.save()
      #expect(try titles(NSPredicate(format: "ALL tags.name == 'red'")) == ["banana", nil])
      #expect(try titles(NSPredicate(format: "ALL tags.name == 'green'")) == ["Äpfel", "banana", nil])
    }
  }

  @Test("[predicate-10] a text is found in any of its Unicode forms, with and without an index")
  func unicodeForms() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    try context.performAndWait { () throws in
      for (title, content) in [(one, two), (two, one)] {
        let post = Post(context: context)
        (post.title, post.content) = (title, content)
      }
      try context.save()
      for key in ["title", "content"] {
        for text in [one, two] {
          let request = Post.all()
          request.predicate = NSPredicate(format: "%K == %@", key, text)
          #expect(try context.count(for: request) == 2, "\(key)")
          request.predicate = NSPredicate(format: "%K BEGINSWITH %@", key, text)
          #expect(try context.count(for: request) == 2, "\(key)")
        }
      }
    }
  }

  @Test("[predicate-1] changed objects are evaluated with their current values, others with the store's")
  func changedObjectsAreEvaluatedWithTheirCurrent() throws {
    try context.performAndWait { () throws in
      let posts = try context.fetch(Post.all())
      let cherry = try #require(posts.first { $0.title == "cherry" })
      let banana = try #require(posts.first { $0.title == "banana" })
      let ann = try #require(cherry.author)
      ann.name = "Anna"
      // The post itself was not changed.
      #expect(try titles(NSPredicate(format: "author.name == 'Ann'")) == ["cherry"])
      #expect(try titles(NSPredicate(format: "author.name == 'Anna'")) == [])
      banana.author = ann
      #expect(try titles(NSPredicate(format: "author.name == 'Anna'")) == ["banana"])
      #expect(try names("ANY written.title == 'banana'") == ["Anna"])
    }
  }

  @Test("[predicate-2] predicates over to-many relationships work without ANY, without objects, and nested")
  func toMany() throws {
    try context.performAndWait { () throws in
      #expect(try titles(NSPredicate(format: "tags.name == 'red'")) == ["cherry"])
      #expect(try titles(NSPredicate(format: "tags.name BEGINSWITH[c] 'G'")) == ["Äpfel"])
      #expect(try titles(NSPredicate(format: "'red' == tags.name")) == ["cherry"])
      #expect(try titles(NSPredicate(format: "tags == nil")) == ["banana", nil])
      #expect(try titles(NSPredicate(format: "tags != nil")) == ["cherry", "Äpfel"])
      #expect(try names("ANY written.tags.name == 'green'") == ["Wim"])
      #expect(try names("written.tags.name == 'red'") == ["Ann"])
      #expect(try names("ANY written.tags.posts.title == 'cherry'") == ["Ann"])
      #expect(try names("SUBQUERY(written, $p, $p.tags.name == 'red').@count == 1") == ["Ann"])
    }
  }

  @Test("[predicate-3] constants are converted to the attribute's type")
  func constantsAreConvertedToTheAttributesType() throws {
    try context.performAndWait { () throws in
      #expect(try titles(NSPredicate(format: "views == %@", "2")) == ["banana"])
      #expect(try titles(NSPredicate(format: "views IN %@", ["2", "3"])) == ["banana", nil])
      #expect(try titles(NSPredicate(format: "date > %d", 2)) == [nil])
      #expect(try titles(NSPredicate(format: "title == %d", 2)) == [])
      #expect(try titles(NSPredicate(format: "title ==[cd] 'apfel'")) == ["Äpfel"])
      #expect(try titles(NSPredicate(format: "%K BETWEEN %@", "views", [1, 2])) == ["Äpfel", "banana"])
    }
  }

  @Test("[predicate-4] unknown paths, blocks, and sort keys that stores do not support raise exceptions")
  func unknownPathsBlocksAndSortKeys() async {
    func expectStop(_ result: ExitTest.Result?, _ reason: String) {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("'NSInvalidArgumentException', reason: '\(reason)"), "\(text)")
    }
    let saying: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardErrorContent]
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.predicate = NSPredicate(format: "tags.colour == 'red'") }
      }, "keypath tags.colour not found in entity Post")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.predicate = NSPredicate(format: "SUBQUERY(tags, $t, $t.colour == 'red').@count > 0") }
      }, "keypath colour not found in entity Post")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.predicate = NSPredicate(format: "note == 'transient'") }
      }, "keypath note not found in entity Post")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.predicate = NSPredicate { _, _ in true } }
      }, "Problem with subpredicate BLOCKPREDICATE(")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.sortDescriptors = [NSSortDescriptor(key: "nothing", ascending: true)] }
      }, "keypath nothing not found in entity Post")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.sortDescriptors = [NSSortDescriptor(key: "tags.name", ascending: true)] }
      }, "to-many key not allowed here")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.run { $0.sortDescriptors = [NSSortDescriptor(key: "tags.@count", ascending: true)] }
      }, "Keypath containing KVC aggregate where there shouldn't be one; failed to handle tags.@count")
  }

  private static func run(_ change: (NSFetchRequest<Post>) -> Void) throws {
    let blog = try Blog()
    let context = blog.context()
    let request = Post.all()
    change(request)
    _ = try context.performAndWait { try context.fetch(request) }
  }

  @Test("[predicate-5] a predicate that can't be evaluated is an error, for saved and for pending objects")
  func predicateThatCannotBeEvaluated() throws {
    try context.performAndWait { () throws in
      for _ in 0..<2 {
        for format in ["views BEGINSWITH 'a'", "title > date", "views / 0 == 1", "views == $unknown"] {
          let request = Post.all()
          request.predicate = NSPredicate(format: format)
          let error = #expect(throws: CocoaError.self, "\(format)") { try context.fetch(request) }
          #expect(error?.code == .coreData, "\(format)")
        }
        for post in try context.fetch(Post.all()) { post.views += 1 }
      }
    }
  }

  @Test("[predicate-6] predicates may use SELF, objectID and entity")
  func pseudoKeys() throws {
    try context.performAndWait { () throws in
      for _ in 0..<2 {
        #expect(try names("entity == %@", Writer.entity()) == ["Wim"])
        #expect(try names("entity.name == 'Person'") == ["Ann"])
        let ann = try #require(try context.fetch(Person.all()).first { $0.name == "Ann" })
        #expect(try names("objectID == %@", ann.objectID) == ["Ann"])
        #expect(try names("SELF IN %@", Set([ann])) == ["Ann"])
        #expect(try names("SELF.age == 40") == ["Wim"])
        for person in try context.fetch(Person.all()) { person.age += 0 }
      }
    }
  }

  /// The titles that a predicate matches, and those that its negation matches.
  private struct NilCase: CustomTestStringConvertible {
    var format: String
    var found: [String?]
    var negated: [String?]
    var testDescription: String { format }

    init(_ format: String, _ found: [String?], not negated: [String?]) {
      (self.format, self.found, self.negated) = (format, found, negated)
    }
  }

  private static let nilCases = [
    NilCase("title != 'cherry'", ["Äpfel", "banana"], not: ["cherry"]),
    NilCase("title == 'cherry'", ["cherry"], not: ["Äpfel", "banana"]),
    NilCase("title IN {'cherry', 'x'}", ["cherry"], not: ["Äpfel", "banana"]),
    NilCase("title BEGINSWITH 'b'", ["banana"], not: ["cherry", "Äpfel"]),
    NilCase("title ENDSWITH 'y'", ["cherry"], not: ["Äpfel", "banana"]),
    NilCase("title CONTAINS 'rr'", ["cherry"], not: ["Äpfel", "banana"]),
    NilCase("title LIKE 'b*'", ["banana"], not: ["cherry", "Äpfel"]),
    NilCase("title MATCHES 'b.*'", ["banana"], not: ["cherry", "Äpfel"]),
    NilCase("title > 'a'", ["cherry", "Äpfel", "banana"], not: []),
    NilCase("title BETWEEN {'a', 'd'}", ["cherry", "banana"], not: ["Äpfel"]),
    NilCase("author.name != 'Ann'", ["Äpfel"], not: ["cherry"]),
    NilCase("title == content", [], not: []),
    NilCase("title == nil", [nil], not: ["cherry", "Äpfel", "banana"]),
    NilCase("author != nil", ["cherry", "Äpfel"], not: ["banana", nil]),
    NilCase("title IN {}", [], not: ["cherry", "Äpfel", "banana", nil]),
    NilCase("ANY tags.name == 'red'", ["cherry"], not: ["Äpfel", "banana", nil]),
    NilCase("title != 'x' OR views == 3", ["cherry", "Äpfel", "banana", nil], not: []),
    NilCase("title != 'x' AND views == 3", [], not: ["cherry", "Äpfel", "banana"]),
    NilCase("title != 'x' AND views == 2", ["banana"], not: ["cherry", "Äpfel", nil]),
    NilCase("TERNARY(title != 'cherry', 1, 2) == 1", ["Äpfel", "banana"], not: ["cherry", nil]),
  ]

  @Test(
    "[predicate-7] on disk a comparison with nil matches no object, and neither does its negation",
    arguments: nilCases)
  private func comparedWithNil(of nilCase: NilCase) throws {
    try context.performAndWait { () throws in
      for (format, expected) in [(nilCase.format, nilCase.found), ("NOT (\(nilCase.format))", nilCase.negated)] {
        #expect(try titles(NSPredicate(format: format)) == expected, "\(format)")
        let request = Post.all()
        request.predicate = NSPredicate(format: format)
        #expect(try context.count(for: request) == expected.count, "\(format)")
      }
    }
  }

  @Test("[predicate-7] a subquery excludes members for which its condition is unknown")
  func subqueriesWithNil() throws {
    try context.performAndWait { () throws in
      #expect(try names("SUBQUERY(written, $p, NOT ($p.content == 'x')).@count > 0") == [])
      #expect(try names("SUBQUERY(written, $p, NOT ($p.title == 'x')).@count > 0") == ["Ann", "Wim"])
    }
  }

  @Test("[predicate-7] batch deletions and updates exclude objects for which the predicate is unknown")
  func batchesWithNil() throws {
    try context.performAndWait { () throws in
      let update = NSBatchUpdateRequest(entityName: "Post")
      update.predicate = NSPredicate(format: "title != 'cherry'")
      (update.propertiesToUpdate, update.resultType) = (["content": "new"], .updatedObjectsCountResultType)
      #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
      request.predicate = NSPredicate(format: "NOT (title BEGINSWITH 'c')")
      let delete = NSBatchDeleteRequest(fetchRequest: request)
      delete.resultType = .resultTypeCount
      #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try titles(NSPredicate(value: true)) == ["cherry", nil])
    }
  }

  @Test("[predicate-7] a HAVING comparison excludes groups with a nil value")
  func groupsWithNil() throws {
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSDictionary>(entityName: "Post")
      request.resultType = .dictionaryResultType
      let highest = NSExpressionDescription()
      (highest.name, highest.resultType) = ("highest", .double)
      highest.expression = _NSExpression(format: "max:(rating)")
      request.propertiesToFetch = ["views", highest]
      request.propertiesToGroupBy = ["views"]
      request.havingPredicate = NSPredicate(format: "$highest != 1")
      #expect(try context.fetch(request).isEmpty)
    }
  }

  @Test("[predicate-7] in memory nil is unequal to all other values")
  func nilInMemory() throws {
    try context.performAndWait { () throws in
      let predicate = NSPredicate(format: "title != 'cherry'")
      #expect(predicate.evaluate(with: ["title": NSNull()]))
      #expect(NSPredicate(format: "NOT title BEGINSWITH 'c'").evaluate(with: ["a": 1]))
      let saved = try #require(try context.fetch(Post.all()).first { $0.title == nil })
      // An object with changes is evaluated in memory.
      saved.content = "changed"
      #expect(try titles(predicate) == ["Äpfel", "banana", nil])
      context.rollback()
      #expect(try titles(predicate) == ["Äpfel", "banana"])
    }
    let container = NSPersistentContainer(name: "Memory", managedObjectModel: BlogModel.shared)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { #expect($1 == nil) }
    let memory = container.newBackgroundContext()
    try memory.performAndWait { () throws in
      for title in ["cherry", "banana", nil] { Post(context: memory).title = title }
      try memory.save()
      let request = Post.all()
      request.predicate = NSPredicate(format: "title != 'cherry'")
      #expect(Set(try memory.fetch(request).map(\.title)) == ["banana", nil])
      #expect(try memory.count(for: request) == 2)
    }
  }

  @Test("[predicate-8] an empty AND is no predicate; an empty OR matches nothing")
  func emptyCompounds() throws {
    try context.performAndWait { () throws in
      let request = Post.all()
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [])
      #expect(request.predicate == nil)
      #expect(try context.count(for: request) == 4)
      request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [])
      #expect(request.predicate != nil)
      #expect(try context.count(for: request) == 0)
    }
  }

  @Test("[object-kvc-1] objects and collections return values by key path")
  func keyPaths() throws {
    try context.performAndWait { () throws in
      let posts = try context.fetch(Post.all()).sorted { $0.views < $1.views }
      #expect(posts[0].value(forKeyPath: "author.name") as? String == "Ann")
      #expect(posts[2].value(forKeyPath: "author.name") == nil)
      #expect(posts[0].value(forKeyPath: "tags.@count") as? Int == 1)
      #expect((posts[0].value(forKeyPath: "tags.name") as? NSSet) == NSSet(array: ["red"]))
      let all = posts as NSArray
      #expect(all.value(forKeyPath: "@sum.views") as? Int == 6)
      #expect(all.value(forKeyPath: "@avg.views") as? Double == 1.5)
      #expect(all.value(forKeyPath: "@max.title") as? String == "Äpfel")
      #expect(all.value(forKeyPath: "@min.views") as? Int == 0)
      #expect((all.value(forKeyPath: "@distinctUnionOfObjects.author.name") as? [String])?.sorted() == ["Ann", "Wim"])
      #expect((all.value(forKey: "title") as? [Any])?.count == 4)
      posts[0].setValue("Anna", forKeyPath: "author.name")
      #expect(posts[0].author?.name == "Anna")
    }
  }
}
