import CloudStore

/// A record zone as the service gives it.
package struct Zone: Sendable, Hashable {
  package var id: ZoneIdentifier
  /// fetchChanges 1, atomic 2, sharing 4, zoneWideSharing 8.
  package var capabilities: UInt
  /// The zone-wide share's record name, if it has one.
  package var share: ExactName?

  package init(id: ZoneIdentifier, capabilities: UInt, share: ExactName? = nil) {
    self.id = id
    self.capabilities = capabilities
    self.share = share
  }

  package static let customCapabilities: UInt = 15
  package static let sharedCapabilities: UInt = 3
}
