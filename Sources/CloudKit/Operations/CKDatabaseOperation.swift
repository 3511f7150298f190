import Foundation

/// An operation on one of a container's databases.
// Sendable: as CKOperation; the database is set before the operation is started.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
  /// The database. Nil, the default, means the private database of the operation's container. Adding the operation to a
  /// database sets this property.
  open var database: CKDatabase? { willSet { checkNotRunning() } }

  override var identity: ContainerIdentity { database?.identity ?? super.identity }

  override var scope: CKDatabase.Scope { database?.databaseScope ?? .private }
}
