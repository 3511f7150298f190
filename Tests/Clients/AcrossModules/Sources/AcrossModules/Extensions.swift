import CloudKit

extension CKContainer {
  /// A common form in apps: on Apple's platforms an initializer from Objective-C can be called in this way.
  static func app() -> Self { Self(identifier: "iCloud.com.example.AcrossModules") }

  static let shared: CKContainer = .app()
}

/// Results of Objective-C methods need not be used (SE-0047). Warnings are errors in this package.
func unusedResults(_ container: CKContainer, _ database: CKDatabase, _ record: CKRecord) async throws {
  container.database(with: .private)
  record.allKeys()
  record.changedKeys()
  record.object(forKey: "text")
  record.value(forKey: "text")
  record.dictionaryWithValues(forKeys: ["text"])
  try await container.accountStatus()
  try await container.userRecordID()
  try await database.record(for: record.recordID)
  try await database.allRecordZones()
  try await database.allSubscriptions()
}
