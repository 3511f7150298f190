/// Whether somebody is signed in to iCloud on this device.
public enum CKAccountStatus: Int, Sendable {
  /// The status could not be found out.
  case couldNotDetermine = 0

  /// Signed in; private and shared databases can be used.
  case available = 1

  /// Access is restricted by parental controls or device management.
  case restricted = 2

  /// Nobody is signed in.
  case noAccount = 3

  /// Signed in, but not ready, for example because credentials have to be entered again.
  case temporarilyUnavailable = 4
}
