/// Whether an account is signed in to iCloud on this device.
public enum CKAccountStatus: Int, Sendable {
  /// The status could not be determined.
  case couldNotDetermine = 0

  /// An account is signed in; private and shared databases can be used.
  case available = 1

  /// Access is restricted by parental controls or device management.
  case restricted = 2

  /// No account is signed in.
  case noAccount = 3

  /// An account is signed in, but not ready, for example because credentials have to be entered again.
  case temporarilyUnavailable = 4
}
