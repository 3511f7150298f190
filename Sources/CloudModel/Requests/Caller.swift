/// Who asks, and of which container: every request names it.
package struct Caller: Sendable, Hashable {
  /// The account's local name (`alice`); nil when the device is signed in to none.
  package var account: String?
  /// The device's local name; nil means the account's default device.
  package var device: String?
  package var container: String
  package var environment: CloudEnvironment
  /// The operation that the request is part of, where it is an app's.
  package var operation: OperationContext?

  package init(
    account: String?, device: String? = nil, container: String, environment: CloudEnvironment = .development
  ) {
    self.account = account
    self.device = device
    self.container = container
    self.environment = environment
  }

  /// The same of somebody else, on their default device.
  package func by(_ other: Account) -> Caller {
    Caller(account: other.name, container: container, environment: environment)
  }

  /// The device that asks, for a caller with this account.
  package func device(of account: Account) -> String { device ?? Account.defaultDevice(of: account.name) }
}
