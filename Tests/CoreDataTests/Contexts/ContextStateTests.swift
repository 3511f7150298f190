import FaultInjection
import Foundation
import Testing

@testable import CoreData

/// The invariants of the types that hold a context's state.
@Suite("The state that a context holds")
struct ContextStateTests {
  @Test("random changes leave each object in one set at most, in agreement with its stage", arguments: [1, 2, 3])
  func setsAgreeWithStages(seed: UInt64) throws {
    let shop = try Shop()
    var random = SeededGenerator(seed: TestSeed.value(seed))
    try shop.using(.overwrite) { context in
      for step in 0..<150 {
        try change(context, shop, step, &random)
        check(context.changes, "step \(step)")
        checkRegistered(in: context, "step \(step)")
      }
    }
  }

  private func change(
    _ context: NSManagedObjectContext, _ shop: Shop, _ step: Int, _ random: inout SeededGenerator
  ) throws {
    let object = context.registeredObjects.filter { !$0.isDeleted }
      .sorted { $0.insertionNumber < $1.insertionNumber }.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: context.add("Product", ["number": "\(step)"])
    case 3: context.add("Label", ["text": "\(step)"])
    case 4, 5: if object?.entity.name == "Product" { object?.setValue("\(step)", forKey: "name") }
    case 6: if let object { context.delete(object) }
    case 7: if let object { context.refresh(object, mergeChanges: Bool.random(using: &random)) }
    case 8: context.processPendingChanges()
    case 9: try context.save()
    case 10: if step.isMultiple(of: 3) { context.rollback() }
    default: try deleteElsewhere(context, shop, isMerged: Bool.random(using: &random))
    }
  }

  /// Deletes a product in another context. The context reads it as missing, or merges the deletion.
  private func deleteElsewhere(_ context: NSManagedObjectContext, _ shop: Shop, isMerged: Bool) throws {
    let id: NSManagedObjectID? = try shop.using { other in
      guard let product = try other.all("Product").first else { return nil }
      other.delete(product)
      try other.save()
      return product.objectID
    }
    guard let id else { return }
    if isMerged {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [context])
    } else {
      _ = context.object(with: id).value(forKey: "name")
    }
  }

  private func check(_ changes: PendingChanges, _ text: String) {
    #expect(changes.inserted.isDisjoint(with: changes.updated), "\(text)")
    #expect(changes.deleted.isDisjoint(with: changes.inserted.union(changes.updated)), "\(text)")
    #expect(changes.missing.isSubset(of: changes.deleted), "\(text)")
    #expect(changes.inserted.allSatisfy { $0.stage == .inserted }, "\(text)")
    #expect(changes.updated.allSatisfy { $0.stage == .present }, "\(text)")
    #expect(changes.deleted.allSatisfy { $0.stage == .deleted }, "\(text)")
  }

  private func checkRegistered(in context: NSManagedObjectContext, _ text: String) {
    let objects = context.registeredObjects
    #expect(objects.allSatisfy { context.registered[$0.identity] === $0 }, "\(text)")
    #expect(objects.filter(\.isMarkedUpdated) == context.changes.updated, "\(text)")
    #expect(objects.filter { $0.stage == .inserted } == context.changes.inserted, "\(text)")
  }

  @Test("a former temporary identity finds the object while a child context may use it")
  func aFormerIdentityFindsTheObject() throws {
    let shop = try Shop()
    try shop.using { context in
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      let product = context.add("Product", ["number": "1"])
      let former = product.objectID
      try context.save()
      #expect(!product.objectID.isTemporaryID)
      #expect(context.registeredObject(for: former) === product)
      #expect(context.object(with: former) === product)
      withExtendedLifetime(child) {}
    }
  }

  @Test("more rows than the limit replace the rows that were read before")
  func moreRowsThanTheLimitReplaceOlderOnes() throws {
    let entity = try #require(Shop.model.entitiesByName["Label"])
    let ids = (0...ReadAhead.capacity).map { _ in NSManagedObjectID(temporary: entity) }
    let row = ObjectSnapshot(version: 1, attributes: [.null], toOnes: [])
    var values = ReadAhead()
    values.insert(Dictionary(uniqueKeysWithValues: ids.dropLast().map { ($0, row) }))
    #expect(values.row(of: ids[0], at: nil) != nil)
    values.insert([ids[ids.count - 1]: row])
    #expect(values.row(of: ids[0], at: nil) == nil)
    #expect(values.row(of: ids[ids.count - 1], at: nil) != nil)
  }

  @Test("an object removes its row, so that a later fault reads the store")
  func anObjectRemovesItsRow() throws {
    let entity = try #require(Shop.model.entitiesByName["Label"])
    let id = NSManagedObjectID(temporary: entity)
    var values = ReadAhead()
    values.insert([id: ObjectSnapshot(version: 1, attributes: [.null], toOnes: [])])
    #expect(values.removeRow(of: id, at: nil)?.version == 1)
    #expect(values.removeRow(of: id, at: nil) == nil)
  }
}
