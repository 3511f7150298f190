import CloudService

extension LocalCloud {
  /// Opens a share's link on the device of the scope or the environment, as tapping it would: the program there that
  /// listens with `onShareAccepted` of module `CloudKit` is handed the share's metadata, at once or when it starts.
  ///
  /// Throws what fetching the metadata would fail with, and leaves nothing to be handed over then: `unknownItem` for a
  /// link that leads nowhere or to a share that is not for this account, `participantMayNeedVerification` if an
  /// invitation may be the account's by an address that it does not have, `notAuthenticated` without an account.
  ///
  /// Blocks on the disk and on other processes' locks.
  public static func open(_ url: String) throws {
    let session = try Session(Acting.current ?? Acting())
    _ = try session.service.open(url: url, by: session.caller)
  }
}
