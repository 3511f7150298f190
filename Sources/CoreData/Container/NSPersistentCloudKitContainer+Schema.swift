import Foundation

/// The options of ``NSPersistentCloudKitContainer/initializeCloudKitSchema(options:)``.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Creates a set of options from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Creates the records without sending them.
  public static let dryRun = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 1 << 1)
  /// Prints the records on stdout.
  public static let printSchema = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 1 << 2)
}
