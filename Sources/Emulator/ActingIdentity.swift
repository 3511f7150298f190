import LocalCloudModel

/// The acting account, device, container and environment, as a scope or a command line specifies them. Unspecified
/// parts are taken from the environment variables.
package struct ActingIdentity: Sendable, Hashable {
  package enum Who: Sendable, Hashable {
    case unspecified
    case signedOut
    case account(String)
  }

  package var root: String?
  package var who = Who.unspecified
  package var device: String?
  package var container: String?
  package var environment: CloudEnvironment?
  /// The settings for the delivery of pushes, as in `LOCALCLOUD_PUSHES`.
  package var pushes: String?
  /// The seed of identifiers, as in `LOCALCLOUD_SEED`.
  package var seed: String?
  /// The user record name of the only account that may make requests; nil: any. The signed-in account of the device may
  /// have changed since the caller looked it up.
  package var requiredUser: String?

  package init() {}

  /// This identity, with its unspecified parts taken from `other`.
  package func over(_ other: ActingIdentity?) -> ActingIdentity {
    guard let other else { return self }
    var result = self
    result.root = root ?? other.root
    if who == .unspecified {
      result.who = other.who
      result.device = device ?? other.device
    }
    result.container = container ?? other.container
    result.environment = environment ?? other.environment
    result.pushes = pushes ?? other.pushes
    result.seed = seed ?? other.seed
    return result
  }

  @TaskLocal package static var current: ActingIdentity?
}
