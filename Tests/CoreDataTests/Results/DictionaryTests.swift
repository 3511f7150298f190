import CoreData
import Foundation
import Testing

@Suite("Dictionary results")
struct DictionaryTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait { () throws in
      let (ann, bob) = (Person(context: context), Person(context: context))
      (ann.name, bob.name) = ("Ann", "Bob")
      for (number, title) in ["cherry", "apple", "banana", nil, "apple"].enumerated() {
        let post = Post(context: context)
        post.title = title
        post.views = Int64(number)
        post.rating = Double(number) / 2
        post.price = number == 3 ? nil : NSDecimalNumber(string: "\(number).10")
        post.date = Date(timeIntervalSinceReferenceDate: Double(number))
        post.author = number < 2 ? ann : number == 2 ? bob : nil
      }
      try context.save()
    }
  }

  private func request(_ properties: [Any]?, sort: String? = "views") -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Post")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
    return request
  }

  private func computed(
    _ name: String, _ format: String, _ type: NSAttributeDescription.AttributeType = .undefined
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = _NSExpression(format: format)
    description.resultType = type
    return description
  }

  @available(*, deprecated)
  @Test("[object-result-1] a computed value has the type set by resultType or by its deprecated name")
  func computedValueHasTheTypeSet() throws {
    let half = computed("half", "views / 2", .double)
    #expect(half.expressionResultType == .doubleAttributeType)
    half.expressionResultType = .stringAttributeType
    #expect(half.resultType == .string)
    half.expressionResultType = .integer64AttributeType
    try context.performAndWait { () throws in
      #expect(try context.fetch(request([half])).map { $0["half"] as? Int } == [0, 0, 1, 1, 2])
    }
  }

  @Test("[object-result-1] the identity of an object or a related object is a value")
  func identityOfAnObjectOrARelated() throws {
    try context.performAndWait { () throws in
      let posts = try context.fetch(Post.all()).sorted { $0.views < $1.views }
      let results = try context.fetch(request(["objectID", "views", "author.objectID"]))
      #expect(results.map { $0["objectID"] as? NSManagedObjectID } == posts.map(\.objectID))
      #expect(results.map { $0["author.objectID"] as? NSManagedObjectID } == posts.map { $0.author?.objectID })
    }
  }

  @Test("[object-result-1] a request takes names, descriptions, paths, relationships and computed values")
  func requestTakesNamesDescriptionsPaths() throws {
    try context.performAndWait { () throws in
      let entity = Post.entity()
      let title = try #require(entity.attributesByName["title"])
      let results = try context.fetch(
        request([title, "price", "author", "author.name", "isDraft", "date", computed("double", "views * 2")]))
      #expect(results.count == 5)
      #expect(results[0]["title"] as? String == "cherry")
      #expect(results[0]["author.name"] as? String == "Ann")
      #expect(results[0]["price"] as? NSDecimalNumber == NSDecimalNumber(string: "0.1"))
      #expect(results[1]["isDraft"] as? Bool == true)
      #expect(results[1]["double"] as? Int == 2)
      #expect(results[1]["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
      let author = try #require(results[2]["author"] as? NSManagedObjectID)
      #expect((context.object(with: author) as? Person)?.name == "Bob")
      #expect(Set(results[3].allKeys.compactMap { $0 as? String }) == ["isDraft", "date", "double"])
      let all = try context.fetch(request(nil))
      #expect(all[0]["views"] as? Int == 0)
      #expect(all[0]["note"] == nil)
      #expect(all[0]["author"] == nil)
      let me = try context.fetch(request([computed("me", "SELF", .objectID)]))
      let ids = try context.fetch(Post.all()).map(\.objectID)
      #expect(Set(me.compactMap { $0["me"] as? NSManagedObjectID }) == Set(ids))
    }
  }

  @Test("[object-result-1] results can be cast to the types that programs use")
  func resultsCanBeCastToTheTypes() throws {
    try context.performAndWait { () throws in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title"]
      request.predicate = NSPredicate(format: "title == 'cherry'")
      let found = try context.fetch(request) as? [[String: Any]]
      #expect(found?.map { $0["title"] as? String } == ["cherry"])
      request.resultType = .managedObjectResultType
      let posts = try context.fetch(request) as? [Post]
      #expect(posts?.map(\.title) == ["cherry"])
      for case let post as Post in try context.fetch(request) { #expect(post.title == "cherry") }
    }
  }

  @Test("[object-result-2] pending changes are not included")
  func pendingChangesAreNotIncluded() throws {
    try context.performAndWait { () throws in
      Post(context: context).title = "new"
      #expect(try context.fetch(request(["title"])).count == 5)
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      let count = try child.performAndWait { try child.fetch(request(["title"])).count }
      #expect(count == 5)
      let counted = try context.count(for: request(["title"]))
      #expect(counted == 5)
    }
  }

  @Test("[object-result-3] a request groups results and filters groups")
  func requestGroupsResultsAndFiltersGroups() throws {
    try context.performAndWait { () throws in
      let grouped = request(
        [
          "title", computed("n", "count:(views)"), computed("most", "max:(views)"),
          computed("mean", "average:(rating)"),
        ],
        sort: "title")
      grouped.propertiesToGroupBy = ["title"]
      var results = try context.fetch(grouped)
      #expect(results.map { $0["title"] as? String } == [nil, "apple", "banana", "cherry"])
      #expect(results.map { $0["n"] as? Int } == [1, 2, 1, 1])
      #expect(results.map { $0["most"] as? Int } == [3, 4, 2, 0])
      #expect(results.map { $0["mean"] as? Double } == [1.5, 1.25, 1, 0])
      grouped.havingPredicate = NSPredicate(format: "%@ > 1", _NSExpression(forVariable: "n"))
      results = try context.fetch(grouped)
      #expect(results.map { $0["title"] as? String } == ["apple"])
      grouped.havingPredicate = NSPredicate(format: "sum:(views) < 3 AND title != nil")
      results = try context.fetch(grouped)
      #expect(results.map { $0["title"] as? String } == ["banana", "cherry"])
      grouped.havingPredicate = nil
      (grouped.fetchOffset, grouped.fetchLimit) = (1, 2)
      results = try context.fetch(grouped)
      #expect(results.map { $0["title"] as? String } == ["apple", "banana"])
      let byAuthor = request(["author.name", computed("sum", "@sum.views")], sort: "author.name")
      byAuthor.propertiesToGroupBy = ["author.name"]
      results = try context.fetch(byAuthor)
      #expect(results.map { $0["sum"] as? Int } == [7, 1, 2])
      let byRelationship = request(["author", computed("n", "@count")], sort: "author.name")
      byRelationship.propertiesToGroupBy = ["author"]
      results = try context.fetch(byRelationship)
      #expect(results.map { $0["n"] as? Int } == [2, 2, 1])
      #expect(results[1]["author"] is NSManagedObjectID)
    }
  }

  @Test("[object-result-4] aggregate functions work over all objects and over none")
  func aggregateFunctionsWorkOverAllObjects() throws {
    try context.performAndWait { () throws in
      let wanted = request(
        [
          computed("n", "@count"), computed("priced", "count:(price)"), computed("sum", "sum:(views)", .integer64),
          computed("least", "min:(date)"), computed("most", "@max.title"),
          computed("mean", "average:(views)", .integer32),
          computed("total", "sum:(price)", .decimal), computed("later", "max:(views) + 1"),
          computed("size", "TERNARY(sum:(views) > 9, 'large', 'small')", .string),
        ], sort: nil)
      var results = try context.fetch(wanted)
      #expect(results.count == 1)
      #expect(results[0]["n"] as? Int == 5)
      #expect(results[0]["priced"] as? Int == 4)
      #expect(results[0]["sum"] as? Int == 10)
      #expect(results[0]["least"] as? Date == Date(timeIntervalSinceReferenceDate: 0))
      #expect(results[0]["most"] as? String == "cherry")
      #expect(results[0]["mean"] as? Int == 2)
      #expect(results[0]["later"] as? Int == 5)
      #expect(results[0]["size"] as? String == "large")
      #expect(((results[0]["total"] as? NSDecimalNumber)?.doubleValue ?? 0).rounded() == 7)
      wanted.predicate = NSPredicate(format: "views > 100")
      results = try context.fetch(wanted)
      #expect(results.count == 1 && results[0]["n"] as? Int == 0 && results[0]["sum"] as? Int == 0)
      #expect(results[0]["least"] == nil)
      #expect(results[0]["mean"] == nil)
      #expect(results[0]["later"] == nil)
      #expect(results[0]["size"] as? String == "small")
    }
  }

  @Test("[object-result-5] distinct results contain equal dictionaries once")
  func distinctResultsContainEqualDictionariesOnce() throws {
    try context.performAndWait { () throws in
      let distinct = request(["title"], sort: "title")
      distinct.returnsDistinctResults = true
      #expect(try context.fetch(distinct).map { $0["title"] as? String } == [nil, "apple", "banana", "cherry"])
      #expect(try context.count(for: distinct) == 4)
      (distinct.fetchOffset, distinct.fetchLimit) = (2, 1)
      #expect(try context.fetch(distinct).map { $0["title"] as? String } == ["banana"])
    }
  }

  @Test(
    "[object-result-6] a property that can't be fetched raises an exception",
    arguments: ["nothing", "author.nothing", "title.length", "tags", "tags.name", "note", ""])
  func propertyThatCannotBeFetchedRaises(path: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path] in
      let blog = try Blog()
      let context = blog.context()
      let request = NSFetchRequest<NSDictionary>(entityName: "Post")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [path]
      _ = try context.performAndWait { try context.fetch(request) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'NSInvalidArgumentException'"))
    #expect(text.contains("passed to setPropertiesToFetch:"))
  }

  @Test("[object-result-6] an ungrouped property, or a condition without groups, raises an exception")
  func faultyGroups() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let blog = try Blog()
      let context = blog.context()
      let request = NSFetchRequest<NSDictionary>(entityName: "Post")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title", "views"]
      request.propertiesToGroupBy = ["title"]
      _ = try context.performAndWait { try context.fetch(request) }
    }
    var text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("SELECT clauses in queries with GROUP BY components"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let blog = try Blog()
      let context = blog.context()
      let request = NSFetchRequest<NSDictionary>(entityName: "Post")
      request.resultType = .dictionaryResultType
      request.havingPredicate = NSPredicate(format: "title == 'a'")
      _ = try context.performAndWait { try context.fetch(request) }
    }
    text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("havingPredicate"))
  }
}
