import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A participant's pointer to another account's zone: the file in the shared database that lists the accepted shares.
/// Written only by commits of the owner's zone.
struct SharedZonePointer {
  struct Grant: Hashable {
    var share: ExactName
    /// The zone's sequence when the share was accepted.
    var sequence: Int64
  }

  /// The end of the account's access to an accepted share: the records that must disappear from the account's copies.
  struct Revocation {
    var sequence: Int64
    var records: [(name: ExactName, type: String)]
  }

  var zone: ZoneIdentifier
  var ownerAccount: String
  /// New each time the account gets access to the zone again: tokens of an earlier incarnation expire.
  var incarnation: String
  var grants: [Grant]
  var revocations: [Revocation]
  /// The sequence of the last revocation that was dropped: tokens from before it expire.
  var forgotten: Int64 = 0

  init(zone: ZoneIdentifier, ownerAccount: String, incarnation: String) {
    self.zone = zone
    self.ownerAccount = ownerAccount
    self.incarnation = incarnation
    grants = []
    revocations = []
  }

  init?(_ object: JSONObject) {
    guard let zone = object["zoneID"]?.object.flatMap(ZoneIdentifier.init),
      let account = object["ownerAccount"]?.string, let incarnation = object["incarnation"]?.string
    else { return nil }
    self.init(zone: zone, ownerAccount: account, incarnation: incarnation)
    forgotten = object["forgotten"]?.integer ?? 0
    guard ZoneView.sequences.contains(forgotten) else { return nil }
    for item in object["shares"]?.array ?? [] {
      guard let name = item["recordName"]?.string, let sequence = item["sequence"]?.integer,
        ZoneView.sequences.contains(sequence)
      else { return nil }
      grants.append(Grant(share: ExactName(name), sequence: sequence))
    }
    for item in object["revoked"]?.array ?? [] {
      guard let sequence = item["sequence"]?.integer, ZoneView.sequences.contains(sequence) else { return nil }
      var records: [(ExactName, String)] = []
      for record in item["records"]?.array ?? [] {
        guard let name = record["recordName"]?.string, let type = record["recordType"]?.string else { return nil }
        records.append((ExactName(name), type))
      }
      revocations.append(Revocation(sequence: sequence, records: records))
    }
  }

  var bytes: [UInt8] {
    var object: JSONObject = [
      "incarnation": .string(incarnation),
      "ownerAccount": .string(ownerAccount),
      "revoked": .array(
        revocations.map { revocation in
          [
            "records": .array(
              revocation.records.map {
                ["recordName": .string($0.name.string), "recordType": .string($0.type)]
              }),
            "sequence": .integer(revocation.sequence),
          ]
        }),
      "shares": .array(grants.map { ["recordName": .string($0.share.string), "sequence": .integer($0.sequence)] }),
      "zoneID": .object(zone.object),
    ]
    if forgotten > 0 { object["forgotten"] = .integer(forgotten) }
    return JSONValue.object(object).pretty()
  }

  /// Adds a revocation. Drops those up to `horizon`, and stores only the sequence of the last dropped one.
  mutating func revoke(_ revocation: Revocation, horizon: Int64) {
    forgotten = revocations.map(\.sequence).filter { $0 <= horizon }.reduce(forgotten, max)
    revocations.removeAll { $0.sequence <= horizon }
    revocations.append(revocation)
  }
}

/// The permissions of a participant, computed from the share records each time they are needed.
struct ParticipantAccess {
  var pointer: SharedZonePointer
  var permissions: [ExactName: SharePermission]
  /// Shares that the account is an administrator of.
  var managed: Set<ExactName>

  func mayRead(_ share: ExactName?) -> Bool { share.map { permissions[$0] != nil } ?? false }
  func mayWrite(_ share: ExactName?) -> Bool { share.map { permissions[$0] == .readWrite } ?? false }

  var isZoneWide: Bool { pointer.grants.contains { $0.share.isZoneWideShare } }

  /// Whether the account may see an existing record.
  ///
  /// - Assumption: a record outside the shared trees seems not to exist: fetching it is `unknownItem`, deleting it
  ///   succeeds without effect. Only its name can be read, as the `parent` of a root.
  func shows(_ name: ExactName, _ reader: any ZoneReader) throws -> Bool {
    if isZoneWide { return mayRead(Record.zoneWideShareName) }
    return try mayRead(ParentChains().share(of: name, reader.record))
  }
}

extension ParticipantAccess {
  /// Whether the account may know of an unreadable record, according only to the shares' logs.
  func mayReveal(of name: ExactName, _ view: ZoneView) throws -> Bool {
    if isZoneWide { return mayRead(Record.zoneWideShareName) }
    return try pointer.grants.contains { grant in
      guard mayRead(grant.share), let share = grant.share.loggedShare else { return false }
      return try view.memberSequence(name, of: share) != nil
    }
  }
}

extension SharingService {
  func pointerPath(_ account: String, _ address: ZoneAddress) -> StorePath {
    DatabaseFolder.pointerPath(
      address.path.database.beside(.shared, of: account), owner: address.ownerAccount ?? "", zone: address.path.zone)
  }

  func pointer(of account: String, _ address: ZoneAddress, _ reader: any ZoneReader) throws -> SharedZonePointer? {
    guard let bytes = try reader.file(pointerPath(account, address)) else { return nil }
    guard let pointer = (try? JSONValue(parsing: bytes))?.object.flatMap(SharedZonePointer.init) else {
      throw StorageError.damaged(
        path: cloud.path(of: pointerPath(account, address).components, in: address.path.database.container),
        reason: "not a shared zone's pointer")
    }
    return pointer
  }

  /// The permissions of a participant; nil for any other role.
  func access(
    ofParticipant account: Account?, _ address: ZoneAddress, _ reader: any ZoneReader
  ) throws -> ParticipantAccess? {
    guard address.role == .participant, let account else { return nil }
    return try access(of: account, address, reader)
  }

  /// The permissions of a participant. Throws `zoneNotFound` if the account has access to no share of the zone.
  ///
  /// - Assumption: a zone without a share that the caller can access now is `zoneNotFound` for records, changes and
  ///   saves.
  ///
  /// With `mayBeReset`, the access is also returned if the account's own keys in the zone were reset, so that the
  /// account can leave.
  func access(
    of account: Account, _ address: ZoneAddress, _ reader: any ZoneReader, mayBeReset: Bool = false
  ) throws -> ParticipantAccess {
    guard let pointer = try pointer(of: account.name, address, reader) else {
      throw ServiceError.zoneNotFound(address.identifier)
    }
    if !mayBeReset, try pointer.grants.contains(where: { try hasLostKey(account, $0.share, address, reader) }) {
      throw ServiceError.encryptedDataReset(address.identifier)
    }
    var access = ParticipantAccess(pointer: pointer, permissions: [:], managed: [])
    var isShutOut = false
    for grant in pointer.grants {
      guard let details = try reader.share(grant.share)?.details else { continue }
      guard let own = details.participant(account.userRecordName), own.acceptance == .accepted else { continue }
      guard details.letsIn(own) else {
        isShutOut = true
        continue
      }
      access.permissions[grant.share] = details.effectivePermission(own)
      if details.isManaged(by: account) { access.managed.insert(grant.share) }
    }
    // The pointer was written before the permission `.none` excluded the participant.
    if !mayBeReset, isShutOut, access.permissions.isEmpty { throw ServiceError.zoneNotFound(address.identifier) }
    return access
  }

  /// Whether an accepted share has a key, but none for the account's present key pair.
  ///
  /// - Assumption: a participant that has lost the key to a share sees its zone as after a reset of its owner's keys,
  ///   until they leave it or accept the share again.
  func hasLostKey(
    _ account: Account, _ share: ExactName, _ address: ZoneAddress, _ reader: any ZoneReader
  ) throws -> Bool {
    // An unreadable file is damage. Reading the encrypted values reports it.
    let bytes: [UInt8]?
    do { bytes = try reader.file(.shareKey(share)) } catch let error as SystemError where error.isUnreadable {
      return false
    }
    guard let bytes, let file = (try? JSONValue(parsing: bytes))?.object.flatMap(ShareKeyFile.init) else {
      return false
    }
    guard let own = file.person(account.userRecordName) else { return true }
    func isPresent(_ account: Account) -> Bool {
      own.generation == account.keys[address.path.database.container.string]?.generation
    }
    // The account may have been read before it got the key pair that the key is sealed for.
    return try !isPresent(account) && !isPresent(service.accounts.requireAccount(account.name))
  }
}

extension ShareDetails {
  func participant(_ userRecordName: String) -> Participant? {
    participants.first { $0.identity.userRecordName == userRecordName }
  }

  /// The participants that accepted, without the owner.
  var accepted: [Participant] { participants.filter { $0.acceptance == .accepted && $0.role != .owner } }

  /// The participants, without the owner, that accepted and have access: those with a pointer to the zone.
  var joined: [Participant] { accepted.filter(letsIn) }

  /// Whether the participant accepted and has any permission.
  func letsIn(_ participant: Participant) -> Bool { participant.acceptance == .accepted && mayLookIn(participant) }

  /// Whether the participant may at least read once they accept.
  ///
  /// - Assumption: the permission `.none` is no access. A person invited with it can't accept: that is
  ///   `permissionFailure`. A participant with this new permission loses the zone as if removed, and has it again after
  ///   getting another permission.
  func mayLookIn(_ participant: Participant) -> Bool {
    effectivePermission(participant).number >= SharePermission.readOnly.number
  }

  /// The larger of the personal and the public permission ([share-write-5]).
  func effectivePermission(_ participant: Participant) -> SharePermission {
    if participant.role == .owner { return .readWrite }
    return participant.permission.number >= publicPermission.number ? participant.permission : publicPermission
  }
}
