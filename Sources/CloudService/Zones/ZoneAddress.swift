import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The location of a request's zone in the tree, and the caller's role in it.
struct ZoneAddress: Hashable {
  enum Role: Hashable {
    case owner
    case participant
    case publicUser
  }

  var path: ZonePath
  /// With the owner's user record name, as in answers.
  var identifier: ZoneIdentifier
  /// The owner's account; nil for the public database: the app owns it.
  var ownerAccount: String?
  var role: Role

  var isDefault: Bool { path.zone == ZoneIdentifier.defaultName }
  /// Whether batches are atomic: only in custom zones ([record-batch-2]).
  var isAtomic: Bool { !isDefault }
  /// Whether database change logs mention the zone; a default zone has no feed to follow.
  var isMentioned: Bool { !isDefault }
}

extension DatabaseScope {
  /// The folders of a database below its environment. Every database but the public one belongs to an account.
  func folders(of account: String?) -> [String] { self == .public ? [name] : [name, account ?? ""] }
}

extension DatabasePath {
  /// Another database of the same container and environment.
  func beside(_ scope: DatabaseScope, of account: String) -> DatabasePath {
    var result = self
    result.scope = scope.folders(of: account)
    return result
  }
}

extension ZoneService {
  static let publicOwner = ZoneIdentifier.currentUser

  func databasePath(_ scope: DatabaseScope, account: String?, _ caller: Caller) -> DatabasePath {
    DatabasePath(
      container: ExactName(caller.container), environment: caller.environment.rawValue,
      scope: scope.folders(of: account))
  }

  /// The address of a zone in a database of the caller. Throws if the zone can't be in this database; does not check
  /// whether the zone exists.
  ///
  /// - Assumption: a zone of another owner in the private database is `invalidArguments`, and so is the caller's own in
  ///   the shared one.
  func address(
    _ zone: ZoneIdentifier, in scope: DatabaseScope, as account: Account?, _ caller: Caller
  ) throws -> ZoneAddress {
    let isOwn = zone.isOwn(of: account)
    switch scope {
    case .public:
      guard zone.name == ZoneIdentifier.defaultName else {
        throw ServiceError(
          .badDatabase, "The public database has no zone but its default zone", internalCode: 1027)
      }
      return ZoneAddress(
        path: ZonePath(database: databasePath(.public, account: nil, caller), zone: zone.name),
        identifier: ZoneIdentifier(name: zone.name, owner: Self.publicOwner), role: .publicUser)
    case .private:
      guard isOwn, let account else {
        throw ServiceError.invalid("Only the current user's zones can be accessed in the private DB")
      }
      if zone.name != ZoneIdentifier.defaultName { try NameRules.check(zone.name, what: "A zone's name") }
      return ZoneAddress(
        path: ZonePath(database: databasePath(.private, account: account.name, caller), zone: zone.name),
        identifier: ZoneIdentifier(name: zone.name, owner: account.userRecordName), ownerAccount: account.name,
        role: .owner)
    case .shared:
      guard !isOwn, let owner = zone.owner else {
        throw ServiceError.invalid("Only shared zones can be accessed in the shared DB")
      }
      guard let ownerAccount = try service.accounts.account(matching: .userRecordName(owner)) else {
        throw ServiceError.zoneNotFound(zone)
      }
      return ZoneAddress(
        path: ZonePath(database: databasePath(.private, account: ownerAccount.name, caller), zone: zone.name),
        identifier: zone, ownerAccount: ownerAccount.name, role: .participant)
    }
  }

  /// The store of the zone at `address`. A default zone always exists, so it is created when first used.
  func store(_ address: ZoneAddress, _ caller: Caller) throws -> ZoneStore {
    if let zone = try cloud.zone(address.path) { return zone }
    guard address.isDefault, address.role != .participant else { throw try missing(address) }
    guard let zone = try make(address, capabilities: 0, caller).zone ?? cloud.zone(address.path) else {
      throw ServiceError.zoneNotFound(address.identifier)
    }
    return zone
  }

  func make(
    _ address: ZoneAddress, capabilities: UInt, scope: EncryptionScope = .perRecord, _ caller: Caller,
    pushes: () throws -> [PlannedPush] = { [] }
  ) throws -> (zone: ZoneStore?, isNew: Bool) {
    var properties = ZoneProperties(
      name: address.path.zone, owner: address.identifier.owner ?? "", incarnation: newIdentifier(8),
      capabilities: Int64(capabilities), created: try settings.clock())
    properties.encryptionScope = scope
    return try cloud.createZone(
      address.path, properties, mentioned: address.isMentioned,
      effects: {
        var effects = ObserverEffects()
        for push in try pushes() { effects.push(push) }
        return effects
      }, waitPolicy(caller))
  }

  /// The reason for the deletion of a missing zone of the caller, according to its tombstone.
  func ending(of address: ZoneAddress) throws -> DatabaseChanges.DeletionReason {
    guard address.role == .owner, let folder = try cloud.database(address.path.database) else { return .deleted }
    let reason = try folder.tombstone(address.path.zone)?["reason"]?.string
    return reason.flatMap(DatabaseChanges.DeletionReason.init) ?? .deleted
  }

  /// Runs `body`. It uses the zone's store.
  ///
  /// - Throws: the error for a zone that does not exist, with the reason of its deletion, if another process deletes the
  ///   zone before `body` ends. The zone's last commit writes the tombstone before it removes the zone.
  func reportingEnd<Result>(of address: ZoneAddress, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch StoreError.zoneMissing { throw try missing(address) }
  }

  /// The error for a zone that does not exist.
  private func missing(_ address: ZoneAddress) throws -> ServiceError {
    switch try ending(of: address) {
    case .encryptedDataReset: .encryptedDataReset(address.identifier)
    case .purged: .userDeletedZone(address.identifier)
    case .deleted: .zoneNotFound(address.identifier)
    }
  }
}

extension ZoneProperties {
  /// The encryption scope. It is fixed when the zone is created.
  var encryptionScope: EncryptionScope {
    get { object["encryptionScope"]?.string.flatMap(EncryptionScope.init) ?? .perRecord }
    set { object["encryptionScope"] = newValue == .perRecord ? nil : .string(newValue.rawValue) }
  }
}
