import Foundation

/// A push of a database subscription: the database changed. Fetch the changes of the database to learn the details.
// Sendable: as CKNotification; every stored property is a constant of a Sendable type.
open class CKDatabaseNotification: CKNotification, @unchecked Sendable {
  private let scope: CKDatabase.Scope

  override init(_ content: PushContent) {
    scope = content.scope
    super.init(content)
  }

  /// The database that changed.
  open var databaseScope: CKDatabase.Scope { scope }
}
