import Storage

/// Whether each record of a zone has a key of its own, or all have the zone's.
package enum EncryptionScope: String, Sendable {
  case perRecord
  case perZone
}

/// A record zone as the service gives it.
package struct Zone: Sendable, Hashable {
  package var id: ZoneIdentifier
  /// fetchChanges 1, atomic 2, sharing 4, zoneWideSharing 8.
  package var capabilities: UInt
  /// The zone-wide share's record name, if it has one.
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
  /// Of a zone with one key: its records can't be shared one by one.
  package static let perZoneCapabilities: UInt = 11
  package static let sharedCapabilities: UInt = 3
}

extension Zone {
  /// Web Services' zone dictionary, the capabilities as their raw value, and the share of the whole zone.
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

/// A zone of one of a container's environments.
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
