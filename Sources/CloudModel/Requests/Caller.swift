/// The caller of a request, and the container: every request names it.
package struct Caller: Sendable, Hashable {
  /// The account's local name (`alice`); nil if no account is signed in on the device.
  package var account: String?
  /// The device's local name; nil means the account's default device.
  package var device: String?
  package var container: String
  package var environment: CloudEnvironment
  /// The operation that the request is part of; nil if it is not an app's.
  package var operation: OperationContext?

  package init(
    account: String?, device: String? = nil, container: String, environment: CloudEnvironment = .development
  ) {
    self.account = account
    self.device = device
    self.container = container
    self.environment = environment
  }

  /// The same container and environment for another account, on its default device.
  package func by(_ other: Account) -> Caller {
    Caller(account: other.name, container: container, environment: environment)
  }

  /// The device of the caller; `account` is the caller's account.
  package func device(of account: Account) -> String { device ?? Account.defaultDevice(of: account.name) }
}
