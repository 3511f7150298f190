import CoreData
import Foundation
import Testing

@Suite("Fetch request expressions")
struct FetchExpressionTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      for (name, age) in [("Ann", 30), ("Bob", 40), ("Eve", 50)] {
        let person = context.add("Person", ["name": name, "age": age])
        context.add("Post", ["title": "by \(name)", "author": person])
      }
      try context.save()
    }
  }

  private func fetch(_ format: String) -> NSFetchRequest<Person> {
    let request = Person.all()
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  private func expression(_ request: Any, countOnly: Bool = false) -> _NSExpression {
    NSFetchRequestExpression.expression(
      forFetch: _NSExpression(forConstantValue: request), context: _NSExpression(forConstantValue: context),
      countOnly: countOnly)
  }

  @Test("[request-expression-1] each evaluation returns the current result or count of the request")
  func eachEvaluationReturnsTheCurrentResult() throws {
    try context.performAndWait {
      let elders = expression(fetch("age >= 40"))
      let found = try #require(elders.expressionValue(with: nil, context: nil) as? [Person])
      #expect(found.map(\.name) == ["Bob", "Eve"])
      #expect(found[0].managedObjectContext === context)
      let count = expression(fetch("age >= 40"), countOnly: true)
      #expect(count.expressionValue(with: nil, context: nil) as? Int == 2)
      found[0].age = 20
      #expect(count.expressionValue(with: nil, context: nil) as? Int == 1)
      let identities = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      identities.resultType = .managedObjectIDResultType
      let ids = expression(identities).expressionValue(with: nil, context: nil) as? [NSManagedObjectID]
      #expect(ids.map(Set.init) == Set(try context.fetch(Person.all()).map(\.objectID)))
      // The request may be a variable's value.
      let named = _NSExpression(format: "FETCH($request, $context, YES)")
      let variables: NSMutableDictionary = ["request": fetch("TRUEPREDICATE"), "context": context]
      #expect(named.expressionValue(with: nil, context: variables) as? Int == 3)
    }
  }

  @Test("[request-expression-2] an expression returns its parts and its description")
  func expressionReturnsItsPartsAndItsDescription() throws {
    let request = fetch("age > 1")
    let made = try #require(expression(request, countOnly: true) as? NSFetchRequestExpression)
    #expect(made.expressionType == NSFetchRequestExpressionType)
    #expect(made.isCountOnlyRequest)
    #expect(made.requestExpression.constantValue as? NSFetchRequest<Person> === request)
    #expect(made.contextExpression.constantValue as? NSManagedObjectContext === context)
    let read = try #require(_NSExpression(format: "FETCH(a.b, $c, NO)") as? NSFetchRequestExpression)
    #expect(read.requestExpression.keyPath == "a.b")
    #expect(read.contextExpression.variable == "c")
    #expect(!read.isCountOnlyRequest)
    #expect(read.description == "FETCH(a.b, $c, 0)")
    #expect(read == _NSExpression(format: "FETCH(a.b, $c, NO)"))
    #expect(read != made)
    #expect(read.copy() as? NSObject === read)
    #expect(_NSExpression(forKeyPath: "a").expressionType != NSFetchRequestExpressionType)
  }

  @Test("[request-expression-3] predicates of requests and of other evaluations may contain fetch expressions")
  func predicatesOfRequestsAndOfOtherEvaluations() throws {
    try context.performAndWait {
      let elders = expression(fetch("age >= 40"))
      let posts = Post.all()
      posts.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      posts.predicate = NSPredicate(format: "author IN %@", elders)
      #expect(try context.fetch(posts).map(\.title) == ["by Bob", "by Eve"])
      #expect(try context.count(for: posts) == 2)
      let all = try context.fetch(Post.all())
      #expect(all.filter { posts.predicate?.evaluate(with: $0) == true }.count == 2)
      let many = NSPredicate(format: "%@ > 1", expression(fetch("age >= 40"), countOnly: true))
      #expect(many.evaluate(with: nil))
      posts.predicate = many
      #expect(try context.count(for: posts) == 3)
      let update = NSBatchUpdateRequest(entityName: "Post")
      update.predicate = NSPredicate(format: "author IN %@", elders)
      update.propertiesToUpdate = ["views": 7]
      update.resultType = .updatedObjectsCountResultType
      #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
    }
  }

  @Test("[request-expression-1] a wrong context, an unsupported request, and a failed fetch stop the process")
  func wrongContextAnUnsupportedRequest() async {
    func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let context = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let one = _NSExpression(forConstantValue: 1)
      _ = NSFetchRequestExpression.expression(forFetch: one, context: one, countOnly: false)
        .expressionValue(with: nil, context: nil)
    }
    #expect(text(context).contains("FETCH needs a managed object context"))
    let request = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try FetchExpressionTests()
      _ = tests.expression(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Post")))
        .expressionValue(with: nil, context: nil)
    }
    #expect(text(request).contains("NSBatchDeleteRequest"))
    await #expect(processExitsWith: .failure) {
      let tests = try FetchExpressionTests()
      try FileManager.default.removeItem(at: tests.blog.url)
      _ = tests.expression(tests.fetch("age > 1")).expressionValue(with: nil, context: nil)
    }
  }

  @Test("a key path may lead to an object's identity")
  func keyPathMayLeadToAnObjects() throws {
    try context.performAndWait {
      let post = try #require(try context.fetch(Post.all()).first)
      let path = _NSExpression(forKeyPath: "objectID")
      #expect(path.expressionValue(with: post, context: nil) as? NSManagedObjectID == post.objectID)
      #expect(post.value(forKeyPath: "author.objectID") as? NSManagedObjectID == post.author?.objectID)
    }
  }
}
