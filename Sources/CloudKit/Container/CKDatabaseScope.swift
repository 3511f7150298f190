// NOTE: Apple's name is CKDatabase.Scope; the class CKDatabase has it as a typealias.

/// Which of a container's databases.
public enum CKDatabaseScope: Int, Sendable {
  /// Readable by everybody who uses the app.
  case `public` = 1

  /// The current user's own.
  case `private` = 2

  /// What others share with the current user.
  case shared = 3
}
