// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// MARK: Types of stores

/// A store that keeps its objects; see ``NSPersistentStoreCoordinator``.
public let NSSQLiteStoreType = "SQLite"

/// A store that forgets its objects when it is removed.
public let NSInMemoryStoreType = "InMemory"

/// - Difference: there are no such stores.
public let NSBinaryStoreType = "Binary"

/// - Difference: there are no such stores.
public let NSXMLStoreType = "XML"

extension NSPersistentStore {
  /// The type of a store.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type as a text, such as ``NSSQLiteStoreType``.
    public let rawValue: String

    /// Makes a type of a text. Whether there are such stores is known when one is added.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A store that keeps its objects.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)

    /// A store that forgets its objects when it is removed.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)

    /// - Difference: there are no such stores.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)

    /// - Difference: there are no such stores.
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

/// For how many seconds a store is waited for.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"

/// Whether the store keeps a history of its transactions.
///
/// - Difference: a store that has a history stays writable without the option; saves are in its history all the same,
///   batch requests are not. Apple's is reported to open it for reading only.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"

/// Whether a notification is posted for each change of the store.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

/// Whether a store of another version of the model is migrated.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"

/// Whether the migration infers how one version follows from the other.
///
/// - Difference: there are no other migrations.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"

/// Whether the version hashes of a store are left aside.
///
/// - Difference: a store that keeps other things than the model says is refused all the same.
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

/// Whether a store is destroyed though it is open elsewhere.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// - Difference: has no effect; there are no stores of type XML.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

/// - Difference: has no effect; there are no binary stores.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"

/// - Difference: has no effect; there are no binary stores.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"

extension [AnyHashable: Any]? {
  /// Whether an option is there and true.
  func isSet(_ key: String) -> Bool { (self?[key] as? NSNumber)?.boolValue ?? false }
}
