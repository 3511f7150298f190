import CloudModel
import Emulator

/// Whose requests a container's objects make: the container's name, and the scope in which the container was made.
package struct ContainerIdentity: Sendable, Hashable {
  package var container: String
  package var captured: ActingIdentity?

  /// The container of the environment's choice, for those who name none.
  package static func standard(_ acting: ActingIdentity?) -> ContainerIdentity {
    let settings = try? Settings(acting ?? ActingIdentity())
    // A bad setting fails each request; the name alone never does.
    return ContainerIdentity(
      container: settings?.container.value ?? acting?.container ?? "iCloud.unknown", captured: acting)
  }

  /// The identity of a call: the scope in force decides first, then the one the container was made in, then `last`.
  package func acting(now: ActingIdentity?, last: ActingIdentity? = nil) -> ActingIdentity {
    var acting = now ?? captured ?? last ?? ActingIdentity()
    if now != nil { acting = acting.over(captured) }
    acting = acting.over(last)
    acting.container = container
    return acting
  }
}
