package struct ModifyZonesRequest: Sendable {
  package var scope: DatabaseScope
  package var saves: [ZoneIdentifier]
  package var deletes: [ZoneIdentifier]
  /// The saved zones that are to have one key for all their records.
  package var perZone: Set<ZoneIdentifier>

  package init(
    scope: DatabaseScope, saves: [ZoneIdentifier] = [], deletes: [ZoneIdentifier] = [],
    perZone: Set<ZoneIdentifier> = []
  ) {
    self.scope = scope
    self.saves = saves
    self.deletes = deletes
    self.perZone = perZone
  }
}

/// The results, in the order of the request.
package struct ModifyZonesResponse: Sendable {
  package var saves: [Result<Zone, ServiceError>]
  package var deletes: [Result<Void, ServiceError>]

  package init(saves: [Result<Zone, ServiceError>], deletes: [Result<Void, ServiceError>]) {
    self.saves = saves
    self.deletes = deletes
  }
}
