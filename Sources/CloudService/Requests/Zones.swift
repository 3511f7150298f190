package struct ModifyZonesRequest: Sendable {
  package var scope: DatabaseScope
  package var saves: [ZoneIdentifier]
  package var deletes: [ZoneIdentifier]

  package init(scope: DatabaseScope, saves: [ZoneIdentifier] = [], deletes: [ZoneIdentifier] = []) {
    self.scope = scope
    self.saves = saves
    self.deletes = deletes
  }
}

/// Results stand in the order of the request.
package struct ModifyZonesResponse: Sendable {
  package var saves: [Result<Zone, ServiceError>]
  package var deletes: [Result<Void, ServiceError>]
}
