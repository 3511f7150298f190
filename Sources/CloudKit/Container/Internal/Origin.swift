import CloudService
import Emulator

/// Whose requests a container's objects make: the container's name, and the scope in which the container was made.
package struct Origin: Sendable, Hashable {
  package var container: String
  package var captured: Acting?

  /// The container of the environment's choice, for those who name none.
  package static func standard(_ acting: Acting?) -> Origin {
    let settings = try? Settings(acting ?? Acting())
    // A bad setting fails each request; the name alone never does.
    return Origin(container: settings?.container.value ?? acting?.container ?? "iCloud.unknown", captured: acting)
  }

  /// The identity of a call: the scope in force decides first, then the one the container was made in, then `last`.
  package func acting(now: Acting?, last: Acting? = nil) -> Acting {
    var acting = now ?? captured ?? last ?? Acting()
    if now != nil { acting = acting.over(captured) }
    acting = acting.over(last)
    acting.container = container
    return acting
  }
}
