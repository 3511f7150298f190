import CoreData
import Foundation
import Testing

@Suite("Batch requests with uniqueness constraints")
struct BatchConstraintTests {
  private let shop: Shop

  init() throws {
    shop = try Shop()
    try shop.using { context in
      context.add("Product", ["number": "1", "name": "stored", "price": 7])
      context.add("Book", ["number": "2", "name": "book", "isbn": "x", "price": 8])
      try context.save()
    }
  }

  /// Number, name and price of all products.
  private func products() throws -> [String] {
    try shop.using { context in
      try context.all("Product").map { product in
        ["number", "name", "price"].map { "\(product.value(forKey: $0) ?? "nil")" }.joined(separator: " ")
      }
      .sorted()
    }
  }

  private func insert(
    _ policy: NSMergePolicy, _ change: (NSBatchInsertRequest) -> Void = { _ in }
  ) throws -> [NSManagedObjectID] {
    try shop.using(policy) { context in
      let request = NSBatchInsertRequest(
        entityName: "Product",
        objects: [
          ["number": "1", "name": "new"], ["number": "3", "name": "three"], ["number": "2", "price": 9],
          ["number": "3", "price": 1], ["name": "none"],
        ])
      request.resultType = .objectIDs
      change(request)
      return try (context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID] ?? []
    }
  }

  @Test("[request-insert-4] object-trump policies update existing objects with the values of a dictionary")
  func objectTrumpPoliciesUpdateExistingObjects() throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite] {
      let ids = try insert(policy)
      #expect(ids.count == 5 && Set(ids).count == 4 && ids[2].entity.name == "Book")
    }
    #expect(try products() == ["1 new 7", "2 book 9", "3 three 1", "nil none 0", "nil none 0"])
  }

  @Test("[request-insert-4] a block's object replaces all attributes of the existing object")
  func blocksObjectReplacesAllAttributes() throws {
    _ = try insert(.mergeByPropertyObjectTrump) { request in
      request.objectsToInsert = nil
      var count = 0
      request.managedObjectHandler = { object in
        object.setValue("1", forKey: "number")
        count += 1
        return count > 1
      }
    }
    #expect(try products() == ["1 nil 0", "2 book 8"])
  }

  @Test("[request-insert-4] store-trump policies leave existing objects unchanged")
  func storeTrumpPoliciesLeaveExistingObjects() throws {
    let ids = try insert(.mergeByPropertyStoreTrump)
    #expect(ids.count == 2)
    #expect(try products() == ["1 stored 7", "2 book 8", "3 three 0", "nil none 0"])
    #expect(try insert(.rollback).count == 1)
  }

  @Test("[request-insert-4] the default policy leaves existing objects unchanged and inserts the others")
  func defaultPolicyLeavesExistingObjectsUnchanged() throws {
    #expect(try insert(.error).count == 2)
    #expect(try products() == ["1 stored 7", "2 book 8", "3 three 0", "nil none 0"])
    let count = try shop.using(.error) { context in
      let request = NSBatchInsertRequest(entityName: "Product", objects: [["number": "1"], ["number": "4"]])
      request.resultType = .count
      return (try context.execute(request) as? NSBatchInsertResult)?.result as? Int
    }
    #expect(count == 1)
  }

  @Test("[object-unique-4] a batch update that gives several objects the same unique value fails and changes nothing")
  func batchUpdateThatGivesSeveralObjects() throws {
    let error = #expect(throws: NSError.self) {
      try shop.using(.mergeByPropertyObjectTrump) { context in
        let request = NSBatchUpdateRequest(entityName: "Product")
        request.propertiesToUpdate = ["number": "5"]
        try context.execute(request)
      }
    }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    #expect(try products() == ["1 stored 7", "2 book 8"])
  }
}
