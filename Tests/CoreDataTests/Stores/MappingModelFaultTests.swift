import FaultInjection
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Each test has a process of its own, since mapping models are registered for a whole process.
@Suite("Mapping models that a migration cannot follow")
struct MappingModelFaultTests {
  private final class CancellingPolicy: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
      manager.cancelMigrationWithError(CocoaError(.userCancelled))
    }
  }

  private static func model(_ version: String) -> NSManagedObjectModel {
    NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/Sheds.momd/\(version).mom")) ?? NSManagedObjectModel()
  }

  private static func open(_ version: String, _ url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(version))
    try coordinator.addPersistentStore(
      type: .sqlite, at: url,
      options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
    return coordinator
  }

  private static func insertShed(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Shed", into: context).setValue("tools", forKey: "title")
      try context.save()
    }
  }

  /// Opens a store of the first version with the second one, with a mapping model between them.
  ///
  /// - Returns: The error. The store is of the first version afterwards.
  private static func failure(_ expression: ArchivedObject, policy: String? = nil) throws -> NSError {
    let texts = ["", "<attribute name='size' optional='YES' attributeType='Integer 16'/>"].map {
      ModelTexts.text(
        "<entity name='Shed'><attribute name='title' optional='YES' attributeType='String'/>\($0)</entity>")
    }
    _registerManagedObjectModel(
      "Sheds", current: "Sheds 2", versions: [("Sheds", texts[0]), ("Sheds 2", texts[1])], module: "Sheds")
    _registerManagedObjectClass("CancellingPolicy") { CancellingPolicy.self }
    var file = MappingFile(
      from: "Sheds.xcdatamodeld/Sheds.xcdatamodel", to: "Sheds.xcdatamodeld/Sheds 2.xcdatamodel")
    file.map("Shed", to: "Shed", policy: policy, attributes: [("title", expression), ("size", nil)])
    _registerMappingModel("Sheds 1 to 2", contents: file.text)
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent("one.sqlite")
    let coordinator = try open("Sheds", url)
    try insertShed(coordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    let error = try #require(throws: NSError.self) { _ = try open("Sheds 2", url) }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(model("Sheds").isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    return error
  }

  @Test("[stores-14] a mapping model that can't be evaluated is an error, and the mapping is not inferred instead")
  func mappingModelThatCannotBeEvaluatedIsAnError() async {
    await #expect(processExitsWith: .success) {
      let error = try Self.failure(.function("system:", .source("title")))
      #expect(error.code == NSMigrationMissingMappingModelError)
      #expect(error.localizedFailureReason?.contains("no function system:") == true)
    }
  }

  @Test("[mapping-5] a policy's cancellation during the opening of a store has the policy's error under the error")
  func cancellationDuringTheOpeningOfAStore() async {
    await #expect(processExitsWith: .success) {
      let error = try Self.failure(.source("title"), policy: "CancellingPolicy")
      #expect(error.code == NSMigrationError)
      let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(underlying?.domain == NSCocoaErrorDomain)
      #expect(underlying?.code == CocoaError.Code.userCancelled.rawValue)
    }
  }

  @Test("[mapping-7] a source property that the entity lacks is an error when the store is opened")
  func sourcePropertyThatTheEntityLacks() async {
    await #expect(processExitsWith: .success) {
      let error = try Self.failure(.source("titel"))
      #expect(error.code == NSMigrationError)
      #expect(error.localizedFailureReason?.contains("no property titel") == true, "\(error)")
    }
  }
}
