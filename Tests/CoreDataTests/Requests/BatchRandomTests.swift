import FaultInjection
import Foundation
import LocalCloudObjectStore
import Testing

@testable import CoreData

/// Random batch requests have the same effect as the same changes by a context.
@Suite("Batch requests compared with contexts")
struct BatchRandomTests {
  @Test(
    "[request-insert-1] [request-update-1] [request-update-2] [request-delete-2] random batches act like contexts",
    arguments: 1...6 as ClosedRange<UInt64>)
  func randomBatchesActLikeContexts(own: UInt64) throws {
    var random = SeededGenerator(seed: TestSeed.value(own))
    let (batch, plain) = (try Blog(), try Blog())
    let plan = Graph(&random)
    for blog in [batch, plain] { try plan.save(in: blog) }
    #expect(try Graph.dump(batch) == Graph.dump(plain))
    for step in 0..<8 {
      let operation = Operation(&random)
      let first = try operation.count(byBatch: batch)
      let second = try operation.count(byContext: plain)
      #expect(first == second, "step \(step): \(operation)")
      #expect(try Graph.dump(batch) == Graph.dump(plain), "step \(step): \(operation)")
    }
    #expect(try batch.store.objects.check() == [])
  }
}

/// Objects with labels as their identification.
private struct Graph {
  var people: [String] = []
  var tags: [String] = []
  var posts: [(views: Int, author: Int?, tags: [Int], attachments: Int)] = []

  init(_ random: inout SeededGenerator) {
    people = (0..<4).map { "person \($0)" }
    tags = (0..<5).map { "tag \($0)" }
    for number in 0..<20 {
      let own = tags.indices.filter { _ in Bool.random(using: &random) }
      let author = Bool.random(using: &random) ? people.indices.randomElement(using: &random) : nil
      posts.append((number, author, own, Int.random(in: 0...2, using: &random)))
    }
  }

  func save(in blog: Blog) throws {
    let context = blog.context()
    try context.performAndWait {
      let people = people.map { name in
        let person = name.hasSuffix("0") ? Writer(context: context) : Person(context: context)
        person.name = name
        return person
      }
      let tags = tags.map { name in
        let tag = Tag(context: context)
        tag.name = name
        return tag
      }
      for plan in posts {
        let post = Post(context: context)
        post.title = "post \(plan.views)"
        post.views = Int64(plan.views)
        post.author = plan.author.map { people[$0] }
        for index in plan.tags { post.addToTags(tags[index]) }
        for number in 0..<plan.attachments {
          let attachment = Attachment(context: context)
          attachment.size = Int32(10 * plan.views + number)
          attachment.post = post
          Preview(context: context).attachment = attachment
        }
      }
      try context.save()
    }
  }

  /// The contents of the store, by labels.
  static func dump(_ blog: Blog) throws -> [String] {
    let context = blog.context()
    return try context.performAndWait {
      var lines: [String] = []
      for post in try context.fetch(Post.all()) {
        let tags = (post.tags as? Set<Tag>)?.compactMap(\.name).sorted() ?? []
        lines.append(
          "\(post.title ?? "") views \(post.views) by \(post.author?.name ?? "-") tags \(tags) attachments "
            + "\(post.attachments.map(\.size).sorted())")
      }
      for person in try context.fetch(Person.all()) {
        let written = (person.written as? Set<Post>)?.compactMap(\.title).sorted() ?? []
        lines.append(
          "\(person.name ?? "") age \(person.age) wrote \(written) married \(person.spouse?.name ?? "-") "
            + "\(person.entity.name ?? "")")
      }
      for tag in try context.fetch(Tag.all()) {
        lines.append("\(tag.name ?? "") on \((tag.posts ?? []).compactMap(\.title).sorted())")
      }
      for attachment in try context.fetch(NSFetchRequest<Attachment>(entityName: "Attachment")) {
        lines.append("attachment \(attachment.size) of \(attachment.post?.title ?? "-")")
      }
      for preview in try context.fetch(NSFetchRequest<Preview>(entityName: "Preview")) {
        lines.append("preview of \(preview.attachment.map { "\($0.size)" } ?? "-")")
      }
      return lines.sorted()
    }
  }
}

private enum Operation {
  case insert([String])
  case delete(entity: String, NSPredicate)
  /// `person`: the name of the target, or nil.
  case setAuthor(NSPredicate, person: String?)
  case marry(String, person: String?)
  case setValues(entity: String, NSPredicate, [String: Int], withSubentities: Bool)

  init(_ random: inout SeededGenerator) {
    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    func every(_ key: String, _ step: Int, _ first: Int) -> NSPredicate {
      NSPredicate(format: "%K IN %@", key, Array(stride(from: first, to: 300, by: step)))
    }
    let person = number(3) == 0 ? nil : "person \(number(4))"
    switch number(8) {
    case 0: self = .insert((0..<number(4)).map { "new \($0) \(number(1000))" })
    case 1: self = .delete(entity: "Post", every("views", 7, number(7)))
    case 2: self = .delete(entity: "Tag", NSPredicate(format: "name == %@", "tag \(number(5))"))
    case 3: self = .delete(entity: "Attachment", every("size", 5, number(5)))
    case 4: self = .setAuthor(every("views", 3, number(3)), person: person)
    case 5: self = .marry("person \(number(4))", person: person)
    case 6:
      self = .setValues(
        entity: "Person", NSPredicate(value: true), ["age": number(90)], withSubentities: number(2) == 0)
    default:
      self = .setValues(
        entity: "Post", NSPredicate(format: "views < %d", number(20)), ["views": number(20), "rating": number(5)],
        withSubentities: true)
    }
  }

  func count(byBatch blog: Blog) throws -> Int? {
    let context = blog.context()
    return try context.performAndWait {
      switch self {
      case .insert(let titles):
        let request = NSBatchInsertRequest(entityName: "Post", objects: titles.map { ["title": $0] })
        request.resultType = .count
        return try (context.execute(request) as? NSBatchInsertResult)?.result as? Int
      case .delete(let entity, let predicate):
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = predicate
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        return try (context.execute(request) as? NSBatchDeleteResult)?.result as? Int
      case .setAuthor(let predicate, let person):
        return try update("Post", predicate, ["author": target(person, context) as Any? ?? NSNull()], true, context)
      case .marry(let name, let person):
        let predicate = NSPredicate(format: "name == %@", name)
        return try update("Person", predicate, ["spouse": target(person, context) as Any? ?? NSNull()], true, context)
      case .setValues(let entity, let predicate, let values, let withSubentities):
        return try update(entity, predicate, values, withSubentities, context)
      }
    }
  }

  private func update(
    _ entity: String, _ predicate: NSPredicate, _ values: [String: Any], _ withSubentities: Bool,
    _ context: NSManagedObjectContext
  ) throws -> Int? {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.predicate = predicate
    request.includesSubentities = withSubentities
    request.propertiesToUpdate = values
    request.resultType = .updatedObjectsCountResultType
    return try (context.execute(request) as? NSBatchUpdateResult)?.result as? Int
  }

  private func target(_ name: String?, _ context: NSManagedObjectContext) throws -> Person? {
    guard let name else { return nil }
    let request = Person.all()
    request.predicate = NSPredicate(format: "name == %@", name)
    return try context.fetch(request).first
  }

  func count(byContext blog: Blog) throws -> Int? {
    let context = blog.context()
    return try context.performAndWait {
      func objects(_ entity: String, _ predicate: NSPredicate, _ withSubentities: Bool = true) throws
        -> [NSManagedObject]
      {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.includesSubentities = withSubentities
        return try context.fetch(request)
      }
      var changed: [NSManagedObject] = []
      switch self {
      case .insert(let titles):
        for title in titles {
          let post = Post(context: context)
          post.title = title
          changed.append(post)
        }
      case .delete(let entity, let predicate):
        changed = try objects(entity, predicate)
        for object in changed { context.delete(object) }
      case .setAuthor(let predicate, let person):
        changed = try objects("Post", predicate)
        let person = try target(person, context)
        for object in changed { object.setValue(person, forKey: "author") }
      case .marry(let name, let person):
        changed = try objects("Person", NSPredicate(format: "name == %@", name))
        let person = try target(person, context)
        for object in changed { object.setValue(person, forKey: "spouse") }
      case .setValues(let entity, let predicate, let values, let withSubentities):
        changed = try objects(entity, predicate, withSubentities)
        for object in changed { for (key, value) in values { object.setValue(value, forKey: key) } }
      }
      try context.save()
      return changed.count
    }
  }
}
