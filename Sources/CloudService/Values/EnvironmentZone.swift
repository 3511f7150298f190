import CloudStore
import Storage

/// A zone of one of a container's environments.
package struct EnvironmentZone: Sendable, Hashable {
  package var environment: CloudEnvironment
  package var zone: ZoneIdentifier

  package var object: JSONObject {
    ["environment": .string(environment.rawValue), "zoneID": .object(zone.object)]
  }
}
