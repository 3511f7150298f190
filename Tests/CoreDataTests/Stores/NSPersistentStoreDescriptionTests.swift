import Foundation
import Testing

@testable import CoreData

@Suite("Store descriptions")
struct NSPersistentStoreDescriptionTests {
  private let url = URL(fileURLWithPath: "/tmp/private.sqlite")

  @Test("[coredata-store-1] a description has default values")
  func descriptionHasDefaultValues() {
    let description = NSPersistentStoreDescription(url: url)
    #expect(description.url == url)
    #expect(description.type == NSSQLiteStoreType)
    #expect(description.configuration == nil)
    #expect(description.shouldMigrateStoreAutomatically)
    #expect(description.shouldInferMappingModelAutomatically)
    #expect(!description.shouldAddStoreAsynchronously)
    #expect(!description.isReadOnly)
    #expect(description.timeout == 240)
    #expect(description.cloudKitContainerOptions == nil)
    #expect(description.sqlitePragmas.isEmpty)
    #expect(NSPersistentStoreDescription().url == URL(fileURLWithPath: "/dev/null"))
  }

  @Test("[coredata-store-1] a description's properties are stored as options")
  func descriptionsPropertiesAreStoredAsOptions() {
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.isReadOnly = true
    description.timeout = 5
    description.setOption(false as NSNumber, forKey: NSMigratePersistentStoresAutomaticallyOption)
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    description.setValue(1 as NSNumber, forPragmaNamed: "synchronous")
    #expect(description.options[NSPersistentHistoryTrackingKey] as? NSNumber == true)
    #expect(description.options[NSReadOnlyPersistentStoreOption] as? NSNumber == true)
    #expect(description.storeOptions[NSPersistentStoreTimeoutOption] as? NSNumber == 5)
    #expect(!description.shouldMigrateStoreAutomatically)
    #expect(description.sqlitePragmas["journal_mode"] == "DELETE" as NSString)
    #expect(description.sqlitePragmas.count == 2)
    description.setOption(nil, forKey: NSReadOnlyPersistentStoreOption)
    #expect(!description.isReadOnly)
  }

  @Test("[coredata-store-1] a copy is equal and independent")
  func copyIsEqualAndIndependent() throws {
    let description = NSPersistentStoreDescription(url: url)
    description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.test")
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy == description)
    #expect(copy.hash == description.hash)
    #expect(copy.cloudKitContainerOptions?.databaseScope == .private)
    copy.cloudKitContainerOptions?.databaseScope = .shared
    #expect(description.cloudKitContainerOptions?.databaseScope == .private)
    #expect(copy != description)
    #expect(copy.cloudKitContainerOptions?.containerIdentifier == "iCloud.test")
    copy.cloudKitContainerOptions?.databaseScope = .private
    copy.setOption(nil, forKey: NSPersistentHistoryTrackingKey)
    #expect(description.options[NSPersistentHistoryTrackingKey] != nil)
    #expect(copy != description)
  }

  @Test("store types have the texts of the older constants")
  func storeTypesHaveTheTexts() {
    #expect(NSPersistentStore.StoreType.sqlite.rawValue == "SQLite")
    #expect(NSPersistentStore.StoreType(rawValue: "InMemory") == .inMemory)
  }
}
