import LocalCloudModel
import LocalCloudStorage

/// The part of a cloud that a reset empties ([reset-scope-1] to [reset-scope-3]).
package enum ResetTarget: Sendable, Hashable {
  /// All containers.
  case all
  /// Both environments of a container.
  case container(String)
  case environment(CloudEnvironment, of: String)
  /// The private databases of an account, in all containers.
  case account(String)
  /// A zone in the caller's private database.
  case zone(ExactName)
}

/// What a reset removes besides the data.
package struct ResetExtras: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The accounts, and their sign-ins on devices. Only for ``ResetTarget/all``.
  package static let accounts = ResetExtras(rawValue: 1)
  /// The schemas of the emptied environments.
  package static let schema = ResetExtras(rawValue: 2)
}

/// The effects of a reset, or of the preview of one.
package struct ResetResult: Sendable, Hashable {
  /// The deleted zones, including default zones; those were only emptied. The public database's zone has no owner.
  package var zones: [ResetZone] = []
  package var subscriptions = 0
  /// The removed pushes on devices.
  package var pushes = 0
  /// The removed messages on devices: opened links.
  package var messages = 0
  /// The removed long-lived operations on devices.
  package var operations = 0
  /// The removed fault rules; a document that can't be read counts as one.
  package var faults = 0
  package var schemas: [ResetSchema] = []
  /// The names of the removed accounts.
  package var accounts: [String] = []
  /// Whether the setting of the cloud's clock was removed.
  package var isClockReset = false

  package var records: Int { zones.reduce(0) { $0 + $1.records } }
  /// The changes of all replaced schemas.
  package var changes: [SchemaChange] { schemas.flatMap(\.changes) }
  package var isEmpty: Bool { self == ResetResult() }
}

/// A zone that a reset deleted or emptied.
package struct ResetZone: Sendable, Hashable {
  package var container: String
  package var environment: CloudEnvironment
  package var zone: ZoneIdentifier
  /// The number of its records.
  package var records: Int

  package var object: JSONObject {
    var object = EnvironmentZone(environment: environment, zone: zone).object
    object["containerIdentifier"] = .string(container)
    object["recordCount"] = .integer(Int64(records))
    return object
  }
}

/// A schema that a reset replaced.
package struct ResetSchema: Sendable, Hashable {
  package var container: String
  package var environment: CloudEnvironment
  package var changes: [SchemaChange]
}
