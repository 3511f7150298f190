import Foundation
import LocalCloudCloudKitImport

/// The iCloud container and database that a store is mirrored with.
open class NSPersistentCloudKitContainerOptions: NSObject, NSCopying {
  private final let container: String

  /// Mirrors a store to the private database of a container.
  public init(containerIdentifier: String) { container = containerIdentifier }

  /// The container's identifier, for example `iCloud.com.example.Posts`.
  open var containerIdentifier: String { container }

  /// The database; by default the private one.
  open var databaseScope = CKDatabase.Scope.private

  /// True for the same container and database.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentCloudKitContainerOptions else { return false }
    return container == other.container && databaseScope == other.databaseScope
  }

  /// A hash value that is equal for equal options.
  open override var hash: Int { container.hashValue }

  /// Returns an independent copy.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentCloudKitContainerOptions(containerIdentifier: container)
    copy.databaseScope = databaseScope
    return copy
  }
}
