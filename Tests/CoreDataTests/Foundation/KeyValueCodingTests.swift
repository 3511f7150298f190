import CoreData
import FaultInjection
import Foundation
import Testing

/// An object that has values for keys that its entity does not have.
final class Shelf: NSManagedObject {
  var others: [String: Any?] = [:]
  var withoutNil: [String] = []

  override func value(forUndefinedKey key: String) -> Any? {
    key == "unknown" ? super.value(forUndefinedKey: key) : others[key] ?? "no \(key)"
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }

  override func setNilValueForKey(_ key: String) { withoutNil.append(key) }

  override func setValue(_ value: Any?, forKey key: String) {
    if key == "size", value == nil { return setNilValueForKey(key) }
    super.setValue(value, forKey: key)
  }
}

@Suite("Key-value coding of objects", .timeLimit(.minutes(2)))
struct KeyValueCodingTests {
  private let context: NSManagedObjectContext
  private let blog: Blog

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  private static func shelf() -> Shelf {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Shelf", NSStringFromClass(Shelf.self))
    entity.properties = [BlogModel.attribute("size", .integer64)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return Shelf(entity: entity, insertInto: nil)
  }

  @Test("[keyvalue-1] a dictionary of values has NSNull for nil and can be set again")
  func dictionaryOfValuesHasNSNullForNil() {
    context.performAndWait {
      let post = Post(context: context)
      post.setValuesForKeys(["title": "One", "views": 3])
      var values = post.dictionaryWithValues(forKeys: ["title", "views", "content"])
      #expect(values["title"] as? String == "One")
      #expect(values["views"] as? Int == 3)
      #expect(values["content"] is NSNull)
      #expect(values.count == 3)
      values["title"] = NSNull()
      post.setValuesForKeys(values)
      #expect(post.title == nil)
      #expect(post.views == 3)
    }
  }

  @Test("[keyvalue-2] an object returns its entity, identity, context and state by keys")
  func ownKeys() {
    context.performAndWait {
      context.name = "mine"
      let post = Post(context: context)
      #expect(post.value(forKey: "entity") as? NSEntityDescription === post.entity)
      #expect(post.value(forKey: "objectID") as? NSManagedObjectID == post.objectID)
      #expect(post.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context)
      for key in ["isInserted", "inserted", "hasChanges", "hasPersistentChangedValues"] {
        post.title = "One"
        #expect(post.value(forKey: key) as? Bool == true, "\(key)")
      }
      for key in ["isUpdated", "updated", "isDeleted", "deleted", "isFault", "fault"] {
        #expect(post.value(forKey: key) as? Bool == false, "\(key)")
      }
      #expect(post.value(forKey: "faultingState") as? Int == 0)
      #expect(post.value(forKey: "hash") as? Int == post.hash)
      #expect(post.value(forKey: "description") as? String == post.description)
      #expect((post.value(forKey: "changedValues") as? [String: Any])?["title"] as? String == "One")
      #expect(post.value(forKeyPath: "entity.name") as? String == "Post")
      let name = post.value(forKeyPath: "objectID.entity.managedObjectClassName") as? String
      #expect(name == NSStringFromClass(Post.self))
      #expect(post.value(forKeyPath: "objectID.isTemporaryID") as? Bool == true)
      #expect(NSPredicate(format: "isInserted == YES AND entity.name == 'Post'").evaluate(with: post))
      #expect(!NSPredicate(format: "hasChanges == NO").evaluate(with: post))
      #expect(([post] as NSArray).value(forKeyPath: "entity.name") as? [String] == ["Post"])
    }
  }

  @Test("[keyvalue-2] a section key path may lead to the entity's name")
  func sectionKeyPathMayLead() throws {
    try context.performAndWait {
      for title in ["One", "Two"] { Post(context: context).title = title }
      try context.save()
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "entity.name", cacheName: nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["Post"])
      #expect(controller.sections?.first?.numberOfObjects == 2)
    }
  }

  @Test("[keyvalue-3] a subclass returns and accepts values of keys that its entity does not have")
  func undefinedKeys() {
    let shelf = Self.shelf()
    #expect(shelf.value(forKey: "colour") as? String == "no colour")
    shelf.setValue("red", forKey: "colour")
    #expect(shelf.value(forKey: "colour") as? String == "red")
    #expect(NSPredicate(format: "colour == 'red'").evaluate(with: shelf))
    shelf.setValuesForKeys(["size": 4, "place": "left"])
    #expect(shelf.value(forKey: "size") as? Int == 4)
    #expect(shelf.dictionaryWithValues(forKeys: ["place", "size"]) as NSDictionary == ["place": "left", "size": 4])
    shelf.setValuesForKeys(["size": NSNull()])
    #expect(shelf.withoutNil == ["size"])
  }

  @Test("[keyvalue-3] a key that neither the entity nor the class has raises an exception")
  func unknownKeys() async {
    let saying: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardErrorContent]
    func expectStop(_ result: ExitTest.Result?, _ reason: String) {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains(reason), "\(text)")
    }
    let selector = "the entity Shelf is not key value coding-compliant for the key \"unknown\"."
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) { _ = Self.shelf().value(forKey: "unknown") },
      "'NSUnknownKeyException', reason: '[<\(NSStringFromClass(Shelf.self))> valueForUndefinedKey:]: \(selector)")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        Person(entity: BlogModel.shared.entitiesByName["Person"] ?? Self.shelf().entity, insertInto: nil)
          .setValue(1, forKey: "unknown")
      },
      "setValue:forUndefinedKey:]: the entity Person is not key value coding-compliant for the key \"unknown\".")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        Person(entity: BlogModel.shared.entitiesByName["Person"] ?? Self.shelf().entity, insertInto: nil)
          .setNilValueForKey("name")
      }, "setNilValueForKey]: could not set nil as the value for the key name.")
  }

  @Test("[keyvalue-4] an attribute of a scalar type accepts nil")
  func attributeOfAScalarTypeAcceptsNil() {
    context.performAndWait {
      let post = Post(context: context)
      post.views = 3
      post.setValue(nil, forKey: "views")
      #expect(post.value(forKey: "views") == nil)
      #expect(post.views == 0)
    }
  }

  @Test("[keyvalue-5] setting a value of a collection sets it in each of the objects")
  func settingAValueOfACollectionSets() {
    context.performAndWait {
      let posts = (0..<2).map { _ in Post(context: context) }
      (posts as NSArray).setValue("all", forKey: "title")
      #expect(posts.map(\.title) == ["all", "all"])
      NSSet(array: posts).setValue(nil, forKey: "title")
      #expect(posts.map(\.title) == [nil, nil])
      NSOrderedSet(array: posts).setValue(2, forKey: "views")
      #expect(posts.map(\.views) == [2, 2])
    }
  }
}
