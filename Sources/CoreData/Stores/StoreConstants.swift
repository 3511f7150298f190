// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// MARK: Types of stores

/// A store on disk; see ``NSPersistentStoreCoordinator``.
public let NSSQLiteStoreType = "SQLite"

/// A store in memory. Its objects are lost when it is removed.
public let NSInMemoryStoreType = "InMemory"

/// - Difference: there are no stores of this type.
public let NSBinaryStoreType = "Binary"

/// - Difference: there are no stores of this type.
public let NSXMLStoreType = "XML"

extension NSPersistentStore {
  /// The type of a store.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type as a text, for example ``NSSQLiteStoreType``.
    public let rawValue: String

    /// Creates a type from a text. Adding a store fails if the type is not supported.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A store on disk.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)

    /// A store in memory. Its objects are lost when it is removed.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)

    /// - Difference: there are no stores of this type.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)

    /// - Difference: there are no stores of this type.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
  }
}

// MARK: Metadata

/// The type of a store, in its metadata.
public let NSStoreTypeKey = "NSStoreType"

/// The UUID of a store, in its metadata and in notifications.
public let NSStoreUUIDKey = "NSStoreUUID"

/// The version hashes of the entities by their names, in a store's metadata.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"

/// The version identifiers of the model, in a store's metadata.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// The version checksum of the model, in a store's metadata.
public let NSPersistentStoreModelVersionChecksumKey = "NSPersistentStoreModelVersionChecksumKey"

/// - Difference: no store has it in its metadata.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"

// MARK: Options

/// Whether the store is opened for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"

/// The number of seconds to wait for a store.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"

/// Whether the store has a history of its transactions.
///
/// - Difference: a store that has a history stays writable without the option; its history still records saves, but not
///   batch requests. Apple's is reported to open it for reading only.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"

/// Whether a notification is posted for each change of the store.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

/// Whether a store of another version of the model is migrated.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"

/// Whether the migration infers the mapping between the two versions, if the program has no mapping model for both.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"

/// Whether the version hashes of a store are ignored.
///
/// - Difference: a store whose schema differs from the model is still refused.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"

/// - Difference: has no effect; there is no SQLite.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"

/// - Difference: has no effect; there is no SQLite.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"

/// - Difference: has no effect; there is no SQLite.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"

/// - Difference: has no effect.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"

/// - Difference: has no effect.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

/// - Difference: has no effect; migrations are done at once.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

/// - Difference: there are no staged migrations; with the option, a store that would have to be migrated is refused.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Whether a store is destroyed although it is open elsewhere.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// - Difference: has no effect; there are no stores of type XML.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

/// - Difference: has no effect; there are no binary stores.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"

/// - Difference: has no effect; there are no binary stores.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"

extension [AnyHashable: Any]? {
  /// Whether an option exists and is true.
  func isSet(_ key: String) -> Bool { (self?[key] as? NSNumber)?.boolValue ?? false }
}
