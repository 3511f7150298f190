import LocalCloudStorage

/// Whether each record of a zone has a key of its own, or all share the zone's key.
package enum EncryptionScope: String, Sendable {
  case perRecord
  case perZone
}

/// A record zone as the service returns it.
package struct Zone: Sendable, Hashable {
  package var id: ZoneIdentifier
  /// fetchChanges 1, atomic 2, sharing 4, zoneWideSharing 8.
  package var capabilities: UInt
  /// The record name of the zone-wide share; nil if there is none.
  package var share: ExactName?
  package var encryptionScope: EncryptionScope

  package init(
    id: ZoneIdentifier, capabilities: UInt, share: ExactName? = nil, encryptionScope: EncryptionScope = .perRecord
  ) {
    self.id = id
    self.capabilities = capabilities
    self.share = share
    self.encryptionScope = encryptionScope
  }

  package static let customCapabilities: UInt = 15
  /// The capabilities of a zone with one key: its records can't be shared individually.
  package static let perZoneCapabilities: UInt = 11
  package static let sharedCapabilities: UInt = 3
}

extension Zone {
  /// The Web Services zone dictionary, with the capabilities as raw value and the zone-wide share.
  package var object: JSONObject {
    var object: JSONObject = [
      "atomic": .bool(capabilities & 2 != 0), "capabilities": .integer(Int64(capabilities)),
      "zoneID": .object(id.object),
    ]
    if encryptionScope != .perRecord { object["encryptionScope"] = .string(encryptionScope.rawValue) }
    if let share { object["share"] = ["recordName": .string(share.string)] }
    return object
  }
}

/// A zone in one of a container's environments.
package struct EnvironmentZone: Sendable, Hashable {
  package var environment: CloudEnvironment
  package var zone: ZoneIdentifier

  package init(environment: CloudEnvironment, zone: ZoneIdentifier) {
    self.environment = environment
    self.zone = zone
  }

  package var object: JSONObject {
    ["environment": .string(environment.rawValue), "zoneID": .object(zone.object)]
  }
}
