import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Zones: addresses, creation, listing and deletion.
package struct ZoneService: ServiceSubject {
  let service: CloudService
}

extension ZoneService {
  /// Creates and deletes zones of the private database. Deleting a zone of the shared database means leaving all its
  /// shares.
  ///
  /// - Returns: one result for each save and deletion, in the order of the request; each succeeds or fails by itself.
  /// - Throws: `badDatabase` for the public database; `invalidArguments` if the request names a zone twice;
  ///   `limitExceeded` for more than 400 zones; errors of the account.
  package func modifyZones(_ request: ModifyZonesRequest, by caller: Caller) throws(ServiceError) -> ModifyZonesResponse
  {
    try perform(.modifyZones, by: caller, on: RequestSubject(request), errors: RequestSubject.report) { faults in
      let account = try service.accounts.account(of: caller)
      guard request.scope != .public else {
        throw ServiceError(.badDatabase, "The public database has no zones of its own", internalCode: 1027)
      }
      try NameRules.check(items: request.saves.count + request.deletes.count)
      let names = request.saves + request.deletes
      guard Set(names).count == names.count else { throw ServiceError.invalid("You can't save the same zone twice") }
      let saves = request.saves.map { zone in
        item(zone, faults) { try saveZone(zone, request, account, caller) }
      }
      let deletes = request.deletes.map { zone in
        item(zone, faults) { try deleteZone(zone, request.scope, account, caller) }
      }
      try settings.interceptor.afterCommit(.modifyZones, caller)
      return ModifyZonesResponse(saves: saves, deletes: deletes)
    }
  }

  private func item<Value>(
    _ zone: ZoneIdentifier, _ faults: RequestFaults, _ body: () throws -> Value
  ) -> Result<Value, ServiceError> {
    if let fault = faults.error(of: zone) { return .failure(fault) }
    return Result(catching: body).mapError(ServiceError.init(describing:))
  }

  /// Creates a zone unless it exists.
  ///
  /// - Assumption: saving a zone of another owner in the shared database is `badDatabase`; there is a report of
  ///   `permissionFailure`.
  /// - Assumption: another encryption scope than the existing zone's is `serverRejectedRequest`, and so is `perZone`
  ///   for a default zone.
  private func saveZone(
    _ zone: ZoneIdentifier, _ request: ModifyZonesRequest, _ account: Account, _ caller: Caller
  ) throws -> Zone {
    if request.scope == .shared, !zone.isOwn(of: account) {
      throw ServiceError(.badDatabase, "Zones can't be saved in the shared database", internalCode: 1027)
    }
    let wanted: EncryptionScope = request.perZone.contains(zone) ? .perZone : .perRecord
    let address = try address(zone, in: request.scope, as: account, caller)
    if address.isDefault {
      guard wanted == .perRecord else { throw Self.scopeIsFixed(address) }
      return try presentZone(store(address, caller), address, account, caller)
    }
    let capabilities = wanted == .perZone ? Zone.perZoneCapabilities : Zone.customCapabilities
    let (made, isNew) = try make(address, capabilities: capabilities, scope: wanted, caller) {
      try service.pushes.pushes(ofNewZone: address, of: account, caller)
    }
    if isNew { return Zone(id: address.identifier, capabilities: capabilities, encryptionScope: wanted) }
    let store = try made ?? store(address, caller)
    guard try store.properties().encryptionScope == wanted else { throw Self.scopeIsFixed(address) }
    // An existing zone does not change, but its database still lists it as changed.
    try store.write(waitPolicy(caller)) { transaction in
      let folder = try cloud.database(address.path.database)
      try folder?.log.append(
        [(address.path.zone, nil, ["zoneSequence": .integer(transaction.start)])],
        all: { try folder?.mentionable() ?? [] }, waitPolicy(caller))
    }
    return try presentZone(store, address, account, caller)
  }

  private static func scopeIsFixed(_ address: ZoneAddress) -> ServiceError {
    ServiceError(
      .serverRejectedRequest, "The encryption scope of the zone '\(address.identifier.name)' can't be changed",
      internalCode: 2027)
  }

  private func presentZone(
    _ store: ZoneStore, _ address: ZoneAddress, _ account: Account?, _ caller: Caller
  ) throws -> Zone {
    // Under the zone's lock, so that a deletion in progress, or an interrupted one, is completed first.
    try reportingEnd(of: address) {
      try store.read(waitPolicy(caller)) { view in
        _ = try service.sharing.access(ofParticipant: account, address, view)
        let capabilities =
          address.role == .participant ? Zone.sharedCapabilities : try UInt(view.properties().capabilities)
        let isShared = try Membership.isZoneWide(view.record)
        return try Zone(
          id: address.identifier, capabilities: capabilities, share: isShared ? Record.zoneWideShareName : nil,
          encryptionScope: view.properties().encryptionScope)
      }
    }
  }

  /// - Assumption: deleting a zone that never existed, or is deleted already, is `zoneNotFound`, each time.
  private func deleteZone(
    _ zone: ZoneIdentifier, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws {
    let address = try address(zone, in: scope, as: account, caller)
    guard let store = try cloud.zone(address.path) else {
      if address.isDefault, address.role == .owner { return }
      return try forgetEnding(of: address, caller)
    }
    var leavesRecords = true
    while leavesRecords {
      leavesRecords = try store.write(waitPolicy(caller)) { transaction in
        let change = try ZoneChange(service, caller, account, address, transaction, leaving: true)
        let ending = ZoneEnding(change: change)
        if address.role == .participant { try ending.leave() } else { try ending.clear() }
        try transaction.commit(waitPolicy(caller))
        return change.leavesRecords
      }
    }
  }

  /// Handles the deletion of a zone that was purged or that a reset of its owner's keys removed: sets the reason in its
  /// tombstone to `deleted`, so that the zone counts as deleted like any other. Throws `zoneNotFound` for any other
  /// missing zone.
  func forgetEnding(of address: ZoneAddress, _ caller: Caller) throws {
    guard address.role == .owner, try ending(of: address) != .deleted,
      try cloud.setEnding(DatabaseChanges.DeletionReason.deleted.rawValue, of: address.path, waitPolicy(caller))
    else { throw ServiceError.zoneNotFound(address.identifier) }
  }

  /// The named zones, or all zones of a database if `identifiers` is nil; each with its own outcome.
  ///
  /// - Returns: for named zones, one result each, in the order of the request. The list of all zones leaves out zones
  ///   that are deleted at the same time.
  /// - Throws: `limitExceeded` for more than 400 zones; errors of the account.
  package func list(
    _ identifiers: [ZoneIdentifier]?, in scope: DatabaseScope, by caller: Caller
  ) throws(ServiceError) -> [Result<Zone, ServiceError>] {
    try perform(.fetchZones, by: caller, on: RequestSubject(scope, zones: identifiers), errors: RequestSubject.report) {
      faults in
      try NameRules.check(items: identifiers?.count ?? 0)
      let account = try service.accounts.account(of: caller, reading: scope)
      if let identifiers {
        return identifiers.map { zone in item(zone, faults) { try fetchZone(zone, scope, account, caller) } }
      }
      var all: [ZoneIdentifier] = scope == .shared ? [] : [.default]
      if scope != .public, let account {
        let folder = try cloud.database(databasePath(scope, account: account.name, caller))
        if scope == .shared {
          all += try folder?.pointers().compactMap { SharedZonePointer($0)?.zone } ?? []
        } else {
          all += try (folder?.zones() ?? []).filter { $0 != ZoneIdentifier.defaultName }.map {
            ZoneIdentifier(name: $0)
          }
        }
      }
      return all.compactMap { zone in
        let result = item(zone, faults) { try fetchZone(zone, scope, account, caller) }
        // The zone was deleted between the listing and the fetch.
        if case .failure(let error) = result, [.zoneNotFound, .userDeletedZone].contains(error.code) { return nil }
        return result
      }
    }
  }

  private func fetchZone(
    _ zone: ZoneIdentifier, _ scope: DatabaseScope, _ account: Account?, _ caller: Caller
  ) throws -> Zone {
    let address = try address(zone, in: scope, as: account, caller)
    return try presentZone(store(address, caller), address, account, caller)
  }
}
