import CoreData
import Foundation
import Testing

@Suite("Uniqueness constraints")
struct ConstraintTests {
  private let shop: Shop
  private let context: NSManagedObjectContext

  init() throws {
    shop = try Shop()
    context = shop.context()
  }

  /// Saves the context, which must fail, and returns the conflicts of the error.
  private func conflicts(_ context: NSManagedObjectContext) throws -> [NSConstraintConflict] {
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    return try #require(error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
  }

  @Test("[object-unique-1] two new objects with the same unique value conflict, and all changes stay pending")
  func amongNew() throws {
    try context.performAndWait {
      let all = [context.add("Product", ["number": "1", "name": "a"]), context.add("Product", ["number": "1"])]
      context.add("Product", ["number": "2"])
      let found = try conflicts(context)
      #expect(found.count == 1)
      let conflict = try #require(found.first)
      #expect(conflict.constraint == ["number"])
      #expect(conflict.constraintValues as? [String: String] == ["number": "1"])
      #expect(conflict.databaseObject == nil)
      #expect(conflict.databaseSnapshot == nil)
      #expect(conflict.conflictingObjects == all)
      #expect(conflict.conflictingSnapshots.count == 2)
      #expect(conflict.conflictingSnapshots[0]["name"] as? String == "a")
      #expect(context.insertedObjects.count == 3)
      #expect(all.allSatisfy { $0.objectID.isTemporaryID })
      let stored = try shop.using { try $0.all("Product").count }
      #expect(stored == 0)
      all[1].setValue("3", forKey: "number")
      try context.save()
      let numbers = try shop.using { try $0.texts("Product", "number") }
      #expect(numbers == ["1", "2", "3"])
    }
  }

  @Test("[object-unique-1] a new or changed object conflicts with a stored one")
  func withStored() throws {
    try context.performAndWait {
      let first = context.add("Product", ["number": "1", "name": "stored", "price": 7])
      let second = context.add("Product", ["number": "2"])
      try context.save()
      try shop.using { other in
        let new = other.add("Product", ["number": "1", "name": "new"])
        let conflict = try #require(try conflicts(other).first)
        let object = try #require(conflict.databaseObject)
        #expect(object.objectID == first.objectID)
        #expect(object.managedObjectContext === other)
        #expect(object.value(forKey: "name") as? String == "stored")
        let snapshot = try #require(conflict.databaseSnapshot)
        #expect(snapshot["name"] as? String == "stored")
        #expect(snapshot["price"] as? Int == 7)
        #expect(conflict.conflictingObjects == [new])
        #expect(conflict.conflictingSnapshots[0]["name"] as? String == "new")
      }
      second.setValue("1", forKey: "number")
      let changed = try #require(try conflicts(context).first)
      #expect(changed.databaseObject === first)
      #expect(changed.conflictingObjects == [second])
      #expect(second.hasChanges)
      #expect(second.committedValues(forKeys: ["number"])["number"] as? String == "2")
      // A stored object with other changes still counts as stored.
      first.setValue("renamed", forKey: "name")
      let both = try #require(try conflicts(context).first)
      #expect(both.databaseObject === first)
      #expect(both.databaseSnapshot?["name"] as? String == "stored")
      #expect(both.conflictingObjects == [second])
    }
  }

  @Test("[object-unique-2] nil never conflicts; a value released in the same save can be used again")
  func nilNeverConflicts() throws {
    try context.performAndWait {
      context.add("Product")
      context.add("Product")
      let (one, two) = (context.add("Product", ["number": "1"]), context.add("Product", ["number": "2"]))
      let gone = context.add("Product", ["number": "3"])
      try context.save()
      context.add("Product")
      one.setValue("2", forKey: "number")
      two.setValue("1", forKey: "number")
      context.delete(gone)
      context.add("Product", ["number": "3"])
      try context.save()
      let numbers = try shop.using { try $0.texts("Product", "number") }
      #expect(numbers == ["1", "2", "3", "nil", "nil", "nil"])
      one.setValue("5", forKey: "number")
      try context.save()
      context.add("Product", ["number": "2"])
      try context.save()
      one.setValue("same", forKey: "name")
      try context.save()
    }
  }

  @Test("[object-unique-2] values of any type and length are unique; texts are compared by their bytes")
  func valuesOfAnyTypeAndLength() throws {
    let types: [(NSAttributeDescription.AttributeType, [Any])] = [
      (.string, [String(repeating: "x", count: 5000), "e\u{301}", "é", "", "a\u{0}b", "A", "a"]),
      (.integer64, [Int64.min, 0, Int64.max]), (.double, [0.1, Double.infinity, -1e300]),
      (.boolean, [true, false]), (.date, [Date(timeIntervalSinceReferenceDate: 0.25), Date.distantPast]),
      (.decimal, [NSDecimalNumber(string: "1.5"), NSDecimalNumber(string: "-0.001")]),
      (.uuid, [UUID(), UUID()]), (.uri, [try #require(URL(string: "https://a.example/b")), URL(fileURLWithPath: "/")]),
      (.binaryData, [Data(), Data([0]), Data([0, 0]), Data(repeating: 7, count: 200_000)]),
    ]
    for (type, values) in types {
      let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
      entity.name = "Thing"
      let value = BlogModel.attribute("value", type)
      value.allowsExternalBinaryDataStorage = type == .binaryData
      entity.properties = [value]
      entity.uniquenessConstraints = [["value"]]
      model.entities = [entity]
      let shop = try Shop(model)
      let context = shop.context()
      try context.performAndWait {
        for value in values { context.add("Thing", ["value": value]) }
        try context.save()
        for value in values {
          let found = try shop.using { other in
            other.add("Thing", ["value": value])
            return try conflicts(other)
          }
          #expect(found.count == 1, "\(type) \(value)")
          #expect(found.first?.databaseObject != nil, "\(type) \(value)")
        }
        let count = try context.all("Thing").count
        #expect(count == values.count, "\(type)")
      }
    }
  }

  @Test("[object-unique-2] compound constraints may include a to-one relationship")
  func compoundConstraintsMayInclude() throws {
    try context.performAndWait {
      let products = [context.add("Product", ["number": "1"]), context.add("Product", ["number": "2"])]
      for product in products {
        for number in 1...2 { context.add("Part", ["product": product, "place": number]) }
        context.add("Part", ["product": product])
        context.add("Part", ["product": product])
      }
      context.add("Part", ["place": 1])
      try context.save()
      let part = context.add("Part", ["place": 1, "product": products[1]])
      let conflict = try #require(try conflicts(context).first)
      #expect(conflict.constraint == ["product", "place"])
      #expect(conflict.conflictingObjects == [part])
      #expect(conflict.constraintValues["place"] as? Int == 1)
      #expect(conflict.constraintValues["product"] as? NSManagedObjectID == products[1].objectID)
      part.setValue(3, forKey: "place")
      try context.save()
    }
  }

  @Test("[object-unique-3] subentities inherit constraints, add their own, and extend inherited ones")
  func subentitiesInheritConstraintsAdd() throws {
    try context.performAndWait {
      let product = context.add("Product", ["number": "1"])
      let book = context.add("Book", ["number": "2", "isbn": "x"])
      try context.save()
      let new = context.add("Book", ["number": "1", "isbn": "y"])
      var found = try conflicts(context)
      #expect(found.map(\.constraint) == [["number"]])
      #expect(found.first?.databaseObject === product)
      new.setValue("2", forKey: "number")
      new.setValue("x", forKey: "isbn")
      found = try conflicts(context)
      #expect(Set(found.map(\.constraint)) == [["number"], ["isbn"]])
      #expect(found.allSatisfy { $0.databaseObject === book })
      context.delete(new)
      let plain = context.add("Product", ["number": "2"])
      found = try conflicts(context)
      #expect(found.first?.databaseObject === book)
      #expect(found.first?.conflictingObjects == [plain])
    }
  }

  @Test("[object-unique-4] of several contexts that save the same value concurrently, one succeeds")
  func ofSeveralContextsThatSave() async throws {
    let shop = shop
    let results = await withTaskGroup(of: Bool.self) { group in
      for name in ["a", "b", "c", "d"] {
        group.addTask {
          let context = shop.context()
          return await context.perform {
            context.add("Product", ["number": "1", "name": name])
            return (try? context.save()) != nil
          }
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(results.filter { $0 }.count == 1)
    let count = try context.performAndWait { try context.all("Product").count }
    #expect(count == 1)
  }

  @Test("[object-unique-10] a constraint on a property that is not stored is refused, and the error names it")
  func constraintOnAProperty() throws {
    for name in ["missing", "note", "others", "a.b"] {
      let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
      entity.name = "Thing"
      let note = BlogModel.attribute("note", .string)
      note.isTransient = true
      entity.properties = [
        note, BlogModel.attribute("a", .string),
        BlogModel.relationship("others", to: entity, isToMany: true, .nullifyDeleteRule),
      ]
      entity.uniquenessConstraints = [["a", name]]
      model.entities = [entity]
      let error = #expect(throws: NSError.self) { try Shop(model) }
      #expect(error?.code == NSPersistentStoreOpenError)
      #expect(error?.localizedFailureReason?.contains("entity Thing names '\(name)'") == true)
    }
  }

  @Test("reopened stores and stores in memory enforce constraints")
  func reopenedStoresAndStoresInMemoryEnforce() throws {
    for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shop.model)
      let url = URL(fileURLWithPath: shop.folder.path + "/other.sqlite")
      var store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        context.add("Product", ["number": "1"])
        try context.save()
        if type == NSSQLiteStoreType {
          try coordinator.remove(store)
          store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        }
        context.add("Product", ["number": "1"])
        #expect(try conflicts(context).count == 1)
      }
      withExtendedLifetime(store) {}
    }
  }
}
