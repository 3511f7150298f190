import CoreData
import Foundation
import Testing

@Suite("Merge policies with uniqueness constraints")
struct ConstraintPolicyTests {
  private let shop: Shop
  private let first: NSManagedObjectContext

  init() throws {
    shop = try Shop()
    first = shop.context()
  }

  /// Saves a product with a review, a label, a cover and a price, and inserts a new one with the same number and its
  /// own ones.
  private func race(
    _ policy: NSMergePolicy,
    _ body: (_ stored: NSManagedObjectID, _ context: NSManagedObjectContext, _ new: NSManagedObject) throws -> Void
  ) throws {
    let stored = try first.performAndWait {
      let stored = first.add("Product", ["number": "1", "name": "stored", "price": 7])
      first.add("Review", ["text": "old", "product": stored])
      first.add("Label", ["text": "red", "products": Set([stored])])
      first.add("Cover", ["text": "old", "product": stored])
      try first.save()
      return stored.objectID
    }
    try shop.using(policy) { context in
      let new = context.add("Product", ["number": "1", "name": "new"])
      context.add("Review", ["text": "new", "product": new])
      context.add("Label", ["text": "blue", "products": Set([new])])
      context.add("Cover", ["text": "new", "product": new])
      context.add("Mark", ["text": "mark", "product": new])
      try body(stored, context, new)
    }
  }

  /// Reads the single product in a third context.
  private func product(_ body: (NSManagedObject, NSManagedObjectContext) throws -> Void) throws {
    let context = shop.context()
    try context.performAndWait {
      let all = try context.all("Product")
      #expect(all.count == 1)
      try body(try #require(all.first), context)
    }
  }

  private func texts(_ object: NSManagedObject, _ key: String) -> [String] {
    (object.value(forKey: key) as? Set<NSManagedObject> ?? []).compactMap { $0.value(forKey: "text") as? String }
      .sorted()
  }

  private func text(_ object: NSManagedObject, _ key: String) -> String? {
    (object.value(forKey: key) as? NSManagedObject)?.value(forKey: "text") as? String
  }

  @Test("[object-unique-6] unique bytes that lie in a file are the same as those of a new object")
  func longBytes() throws {
    let (entity, image) = (NSEntityDescription(), BlogModel.attribute("image", .binaryData))
    image.allowsExternalBinaryDataStorage = true
    (entity.name, entity.properties) = ("Picture", [image, BlogModel.attribute("name", .string)])
    entity.uniquenessConstraints = [["image"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let album = try Shop(model)
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    for name in ["stored", "new"] {
      try album.using(.mergeByPropertyObjectTrump) { context in
        context.add("Picture", ["image": bytes, "name": name])
        try context.save()
      }
    }
    try album.using { context in
      let pictures = try context.all("Picture")
      #expect(pictures.map { $0.value(forKey: "name") as? String } == ["new"])
      #expect(pictures.first?.value(forKey: "image") as? Data == bytes)
    }
  }

  @Test(
    "[object-unique-5], [object-unique-6] object trump: the stored object gets the values, relationships are joined",
    arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite].map(\.mergeType))
  func objectTrump(policy: NSMergePolicyType) throws {
    try race(NSMergePolicy(merge: policy)) { stored, context, new in
      try context.save()
      #expect(!context.hasChanges)
      #expect(new.managedObjectContext == nil)
      #expect(!new.isInserted)
      let own = try #require(context.registeredObject(for: stored))
      #expect(own.value(forKey: "name") as? String == "new")
      try product { product, context in
        #expect(product.objectID == stored)
        #expect(product.value(forKey: "name") as? String == "new")
        // The default value of the new object also counts.
        #expect(product.value(forKey: "price") as? Int == 0)
        #expect(texts(product, "reviews") == ["new", "old"])
        #expect(texts(product, "labels") == ["blue", "red"])
        #expect(text(product, "cover") == "new")
        let marks = try context.all("Mark")
        #expect((marks.first?.value(forKey: "product") as? NSManagedObject)?.objectID == stored)
        #expect(try context.texts("Label", "text") == ["blue", "red"])
      }
    }
  }

  @Test("[object-unique-7] store trump: stored values stay, references move from the new to the stored object")
  func storeTrumpStoredValuesStayReferencesMove() throws {
    try race(.mergeByPropertyStoreTrump) { stored, context, new in
      try context.save()
      #expect(!context.hasChanges)
      #expect(new.managedObjectContext == nil)
      try product { product, context in
        #expect(product.objectID == stored)
        #expect(product.value(forKey: "name") as? String == "stored")
        #expect(product.value(forKey: "price") as? Int == 7)
        #expect(texts(product, "reviews") == ["new", "old"])
        #expect(texts(product, "labels") == ["blue", "red"])
        #expect(text(product, "cover") == "old")
        #expect(try context.texts("Cover", "text") == ["old"])
        let marks = try context.all("Mark")
        #expect((marks.first?.value(forKey: "product") as? NSManagedObject)?.objectID == stored)
      }
    }
  }

  @Test("[object-unique-7] rollback: the new object is dropped")
  func rollbackTheNewObjectIsDropped() throws {
    try race(.rollback) { stored, context, new in
      try context.save()
      #expect(new.managedObjectContext == nil)
      try product { product, context in
        #expect(product.objectID == stored)
        #expect(product.value(forKey: "name") as? String == "stored")
        #expect(texts(product, "reviews") == ["old"])
        #expect(texts(product, "labels") == ["red"])
        #expect(text(product, "cover") == "old")
        let reviews = try context.texts("Review", "text")
        #expect(reviews == ["old"])
        let marks = try context.all("Mark")
        #expect(marks.count == 1)
        #expect(marks.first?.value(forKey: "product") == nil)
      }
    }
  }

  @Test(
    "[object-unique-5] among new objects the first one stays",
    arguments: [
      (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "c"),
      (.mergeByPropertyStoreTrumpMergePolicyType, "a"), (.overwriteMergePolicyType, "c"),
      (.rollbackMergePolicyType, "a"),
    ])
  func amongNew(policy: NSMergePolicyType, kept: String) throws {
    let context = shop.context(NSMergePolicy(merge: policy))
    try context.performAndWait {
      let products = ["a", "b", "c"].map { name in
        let product = context.add("Product", ["number": "1", "name": name])
        context.add("Review", ["text": name, "product": product])
        return product
      }
      try context.save()
      #expect(products.map { $0.managedObjectContext != nil } == [true, false, false])
      #expect(try context.texts("Product", "name") == [kept])
      try product { product, _ in
        #expect(product.value(forKey: "name") as? String == kept)
        #expect(texts(product, "reviews") == (policy == .rollbackMergePolicyType ? ["a"] : ["a", "b", "c"]))
      }
    }
  }

  @Test("[object-unique-5] several new objects and a stored one become one; the notification has all of them")
  func severalNewObjectsAndAStored() throws {
    try race(.mergeByPropertyObjectTrump) { stored, context, _ in
      context.add("Product", ["number": "1", "name": "newer", "price": 9])
      context.add("Product", ["number": "2", "name": "other"])
      nonisolated(unsafe) var saved: [AnyHashable: Any] = [:]
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { saved = $0.userInfo ?? [:] }
      try context.save()
      NotificationCenter.default.removeObserver(token)
      let updated = saved[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
      #expect(updated.map(\.objectID).contains(stored))
      let inserted = saved[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      #expect(inserted.filter { $0.entity.name == "Product" }.map { $0.value(forKey: "name") as? String } == ["other"])
      let names = try shop.using { try $0.texts("Product", "name") }
      #expect(names == ["newer", "other"])
    }
  }

  @Test(
    "[object-unique-11] objects dropped by a policy apply no delete rules",
    arguments: 1...4 as ClosedRange<UInt>)
  func deleteRules(policy: UInt) throws {
    let type = try #require(NSMergePolicyType(rawValue: policy))
    try race(NSMergePolicy(merge: type)) { stored, context, new in
      // A part denies the deletion of its product; a product's deletion cascades to its reviews and its cover.
      context.add("Part", ["place": 1, "product": new])
      try first.performAndWait {
        first.add("Review", ["text": "free"])
        first.add("Cover", ["text": "free"])
        try first.save()
      }
      let condition = NSPredicate(format: "text == 'free'")
      for (entity, key) in [("Review", "product"), ("Cover", "product")] {
        let free = try context.all(entity).filter(condition.evaluate(with:))
        #expect(free.count == 1)
        free.first?.setValue(new, forKey: key)
      }
      try context.save()
      let isDropped = type == .rollbackMergePolicyType
      try product { product, context in
        #expect(try context.texts("Review", "text").contains("free"))
        #expect(try context.texts("Cover", "text").contains("free"))
        let parts = try context.all("Part").map { ($0.value(forKey: "product") as? NSManagedObject)?.objectID }
        #expect(parts == [isDropped ? nil : stored])
        #expect(texts(product, "reviews") == (isDropped ? ["old"] : ["free", "new", "old"]))
      }
    }
  }

  @Test(
    "[object-unique-6] references to a dropped object of the same entity are moved to the remaining object"
  )
  func referencesToADroppedObject() throws {
    try first.performAndWait {
      first.add("Product", ["number": "1"])
      try first.save()
    }
    try shop.using(.mergeByPropertyObjectTrump) { context in
      let new = context.add("Product", ["number": "1"])
      let newer = context.add("Product", ["number": "1"])
      let other = context.add("Product", ["number": "2"])
      new.setValue(Set([newer, other]), forKey: "successors")
      newer.setValue(Set([newer]), forKey: "successors")
      try context.save()
    }
    try shop.using { context in
      let all = try context.all("Product")
      let one = try #require(all.first { $0.value(forKey: "number") as? String == "1" })
      let successors = one.value(forKey: "successors") as? Set<NSManagedObject> ?? []
      #expect(all.count == 2)
      #expect(Set(successors.map { $0.value(forKey: "number") as? String }) == ["1", "2"])
    }
  }

  @Test(
    "[object-unique-8] policies resolve a stored object's change to another's unique value",
    arguments: 1...4 as ClosedRange<UInt>)
  func policiesResolveAStoredObjectsChange(policy: UInt) throws {
    let type = try #require(NSMergePolicyType(rawValue: policy))
    try first.performAndWait {
      first.add("Product", ["number": "1", "name": "one"])
      let two = first.add("Product", ["number": "2", "name": "two"])
      try first.save()
      first.mergePolicy = NSMergePolicy(merge: type)
      two.setValue("1", forKey: "number")
      two.setValue("changed", forKey: "name")
      try first.save()
      #expect(!first.hasChanges)
      let found = try shop.using { context in
        try context.all("Product").map {
          "\($0.value(forKey: "number") ?? "nil") \($0.value(forKey: "name") ?? "nil")"
        }
      }
      switch type {
      case .rollbackMergePolicyType: #expect(found.sorted() == ["1 one", "2 two"])
      case .mergeByPropertyStoreTrumpMergePolicyType: #expect(found.sorted() == ["1 one", "2 changed"])
      default: #expect(found == ["1 changed"])
      }
    }
  }

  private final class KeepingPolicy: NSMergePolicy {
    var seen: [NSConstraintConflict] = []

    /// Sets the values that the new object lacks, as programs do.
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      seen += list
      for conflict in list {
        guard let stored = conflict.databaseObject else { continue }
        for object in conflict.conflictingObjects {
          for key in stored.entity.attributesByName.keys where object.changedValues()[key] == nil {
            object.setValue(stored.value(forKey: key), forKey: key)
          }
        }
      }
      try super.resolve(constraintConflicts: list)
    }
  }

  @Test("[object-unique-8] a program's own policy can read and change objects and call its superclass")
  func ownPolicy() throws {
    let policy = KeepingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try race(policy) { stored, context, _ in
      try context.save()
      #expect(policy.seen.map { $0.databaseObject?.objectID } == [stored])
      try product { product, _ in
        #expect(product.value(forKey: "name") as? String == "new")
        #expect(product.value(forKey: "price") as? Int == 7)
      }
    }
  }

  private final class Policy: NSMergePolicy {
    let body: ([NSConstraintConflict]) -> Void

    init(_ body: @escaping ([NSConstraintConflict]) -> Void) {
      self.body = body
      super.init(merge: .overwriteMergePolicyType)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws { body(list) }
  }

  @Test("[object-unique-8] a program's own policy resolves conflicts, or the save fails with the remaining ones")
  func otherPolicies() throws {
    func numbers() throws -> [String] { try shop.using { try $0.texts("Product", "number") } }
    let policy = Policy { for object in $0.flatMap(\.conflictingObjects) { object.setValue("2", forKey: "number") } }
    try race(policy) { _, context, _ in
      try context.save()
      #expect(try numbers() == ["1", "2"])

      context.add("Product", ["number": "1"])
      context.mergePolicy = Policy { _ in }
      var error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectConstraintMergeError)
      #expect(context.insertedObjects.count == 1)

      context.mergePolicy = Policy { _ in context.add("Product", ["number": "2"]) }
      error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectConstraintMergeError)
      context.rollback()
      #expect(try numbers() == ["1", "2"])
    }
  }

  private final class ReadingPolicy: NSMergePolicy {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      for conflict in list {
        let others = conflict.sourceObject.value(forKey: "reviews") as? Set<NSManagedObject> ?? []
        conflict.sourceObject.setValue(others.compactMap { $0.value(forKey: "text") as? String }.first, forKey: "name")
      }
      try super.resolve(optimisticLockingConflicts: list)
    }
  }

  @Test("[object-lock-2] a program's own policy may read the store, and its changes are saved")
  func programsOwnPolicyMayReadTheStore() throws {
    let product = try first.performAndWait {
      let product = first.add("Product", ["number": "1", "price": 1])
      first.add("Review", ["text": "good", "product": product])
      try first.save()
      return product
    }
    try shop.using(ReadingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)) { context in
      let own = try #require(try context.all("Product").first)
      own.setValue(2, forKey: "price")
      try first.performAndWait {
        product.setValue(3, forKey: "price")
        try first.save()
      }
      try context.save()
      try self.product { product, _ in
        #expect(product.value(forKey: "name") as? String == "good")
        #expect(product.value(forKey: "price") as? Int == 2)
      }
    }
  }

  @Test("[object-unique-9] a child's object continues as the remaining object")
  func childsObjectContinuesAsTheRemainingObject() throws {
    try first.performAndWait {
      let stored = first.add("Product", ["number": "1", "name": "stored"])
      try first.save()
      let parent = shop.context(.mergeByPropertyObjectTrump)
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      let new = child.performAndWait {
        let new = child.add("Product", ["number": "1", "name": "new"])
        #expect(throws: Never.self) { try child.save() }
        return new
      }
      try parent.performAndWait { try parent.save() }
      try child.performAndWait {
        new.setValue(12, forKey: "price")
        try child.save()
      }
      try parent.performAndWait { try parent.save() }
      try product { product, _ in
        #expect(product.objectID == stored.objectID)
        #expect(product.value(forKey: "name") as? String == "new")
        #expect(product.value(forKey: "price") as? Int == 12)
      }
    }
  }
}
