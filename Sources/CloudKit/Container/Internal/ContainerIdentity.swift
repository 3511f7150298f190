import LocalCloudEmulator
import LocalCloudModel

/// The identity that a container's objects use for requests: the container's name, and the scope in force when the
/// container was made.
package struct ContainerIdentity: Sendable, Hashable {
  package var container: String
  package var captured: ActingIdentity?

  /// The default container, as the environment determines it.
  package static func standard(_ acting: ActingIdentity?) -> ContainerIdentity {
    let settings = try? Settings(acting ?? ActingIdentity())
    // An invalid setting makes each request fail. The name itself never fails.
    return ContainerIdentity(
      container: settings?.container.value ?? acting?.container ?? "iCloud.unknown", captured: acting)
  }

  /// The identity for a call. The scope in force takes precedence, then the scope of the container's creation, then
  /// `last`.
  package func acting(now: ActingIdentity?, last: ActingIdentity? = nil) -> ActingIdentity {
    var acting = now ?? captured ?? last ?? ActingIdentity()
    if now != nil { acting = acting.over(captured) }
    acting = acting.over(last)
    acting.container = container
    return acting
  }
}
