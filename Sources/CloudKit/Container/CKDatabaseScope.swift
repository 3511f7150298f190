// NOTE: Apple's name is CKDatabase.Scope; the class CKDatabase has it as a typealias.

/// Identifies one of a container's databases.
public enum CKDatabaseScope: Int, Sendable {
  /// The public database. Every user of the app can read it.
  case `public` = 1

  /// The private database of the current user.
  case `private` = 2

  /// The shared database: records that other users share with the current user.
  case shared = 3
}
