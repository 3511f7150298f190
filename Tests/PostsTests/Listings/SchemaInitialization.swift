import CoreData

/// The notes' declaration of the method, as an override.
class SchemaContainer: NSPersistentCloudKitContainer, @unchecked Sendable {
  private(set) var initialized: [NSPersistentCloudKitContainerSchemaInitializationOptions] = []

  // This method creates a set of representative CKRecord instances for all stores in the container
  // that use Core Data with CloudKit and uploads them to CloudKit. These records are "fully saturated"
  // in that they have a representative value set for every field Core Data might serialize for the given
  // managed object model.
  open override func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    initialized.append(options)
    try super.initializeCloudKitSchema(options: options)
  }
}
