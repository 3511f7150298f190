import CloudKit

extension CKContainer {
  /// As shipping code has it: on Apple's platforms an initializer from Objective-C can be called so.
  static func app() -> Self { Self(identifier: "iCloud.com.example.AcrossModules") }

  static let shared: CKContainer = .app()
}

/// Results of what comes from Objective-C need not be used (SE-0047); warnings are errors in this package.
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
