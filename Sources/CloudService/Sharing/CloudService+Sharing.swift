import CloudStore

/// Share links: what they resolve to, and accepting.
extension CloudService {
  /// The file that a link leads to, below its container.
  func shareFile(_ guid: String) -> FilePath { FilePath(.container, shareFileComponents(guid)) }

  func shareFileComponents(_ guid: String) -> [String] { ["shares", guid + ".json"] }

  /// What a share URL resolves to, on disk.
  func shareFileContents(_ share: StoredRecord, _ address: ZoneAddress, _ caller: Caller) -> [UInt8] {
    var object: JSONObject = [
      "containerIdentifier": .string(caller.container),
      "environment": .string(caller.environment.rawValue),
      "ownerAccount": .string(address.ownerAccount ?? ""),
      "share": ["recordName": .string(share.name.string)],
      "shortGUID": share.object["shortGUID"] ?? .null,
      "zoneID": .object(address.identifier.object),
    ]
    if let root = share.object["x-local"]?["root"] { object["rootRecordName"] = root }
    return JSONValue.object(object).pretty()
  }

  /// A share link, found.
  struct Link {
    var caller: Caller
    var address: ZoneAddress
    var share: ExactName
  }

  /// The share behind a URL, in whatever container it is; nil for a dead link.
  func link(_ url: String, _ caller: Caller) throws -> Link? {
    guard let guid = ShareDetails.shortGUID(inURL: url) else { return nil }
    for container in [ExactName(caller.container)] + (try cloud.containers()).filter({ $0.string != caller.container })
    {
      guard let bytes = try cloud.containerFile(container, shareFileComponents(guid)) else { continue }
      let value = try? JSONValue(parsing: bytes)
      guard let value, let owner = value["ownerAccount"]?.string, let share = value["share"]?["recordName"]?.string,
        let environment = value["environment"]?.string.flatMap(CloudEnvironment.init),
        let zone = value["zoneID"]?.object.flatMap(ZoneIdentifier.init)
      else {
        throw StoreError.damaged(path: "containers/\(container)/shares/\(guid).json", reason: "not a share's metadata")
      }
      var there = caller
      there.container = container.string
      there.environment = environment
      return Link(
        caller: there,
        address: ZoneAddress(
          path: ZonePath(database: databasePath(.private, account: owner, there), zone: zone.name), identifier: zone,
          ownerAccount: owner, role: .owner),
        share: ExactName(share))
    }
    return nil
  }

  /// What the caller may know of a share by its link (sharing.md 8.1).
  package func shareMetadata(_ request: ShareMetadataRequest, by caller: Caller) throws(ServiceError) -> ShareMetadata {
    try perform(.shareMetadata, by: caller) {
      let account = try signedIn(caller)
      guard let link = try link(request.url, caller), link.caller.environment == caller.environment,
        let store = try cloud.zone(link.address.path)
      else { throw ServiceError.shareNotFound }
      return try store.read(patience(caller)) { view in
        guard let stored = try view.record(link.share) else { throw ServiceError.shareNotFound }
        return try metadata(stored, link, request, account, view)
      }
    }
  }

  private func metadata(
    _ stored: StoredRecord, _ link: Link, _ request: ShareMetadataRequest, _ account: Account, _ view: ZoneView
  ) throws -> ShareMetadata {
    let details = try ShareDetails(stored)
    let entry = details.entry(for: account)
    guard entry != nil || details.publicPermission != .none else {
      if details.participants.contains(where: { $0.acceptance == .pending && !$0.identity.hasAccount }) {
        throw ServiceError(
          .participantMayNeedVerification, "The invitation has to be matched to an address of the account",
          internalCode: 2034,
          hint: "Add the invited address: `localcloud account set \(account.name) --email ADDRESS`.")
      }
      throw ServiceError.shareNotFound
    }
    var record = try present(stored, link.address, to: account)
    record.shareDetails = details.presented(to: account)
    var result = ShareMetadata(
      container: link.caller.container, environment: link.caller.environment, url: details.url ?? request.url,
      share: record, owner: details.participants.first { $0.role == .owner }?.identity ?? UserIdentity(),
      status: entry?.acceptance ?? .pending,
      permission: entry.map(details.effectivePermission) ?? details.publicPermission,
      role: entry?.role ?? .publicUser)
    result.owner.lookup = nil
    if let root = details.root {
      result.root = RecordIdentifier(name: root, zone: link.address.identifier)
      if request.fetchesRootRecord, let stored = try view.record(root) {
        result.rootRecord = try present(stored, link.address, to: account).keeping(request.rootDesiredKeys)
      }
    }
    return result
  }

  /// Joins a share; answers its record as the participant sees it (sharing.md 8.3).
  package func acceptShare(url: String, by caller: Caller) throws(ServiceError) -> Record {
    try perform(.acceptShare, by: caller) {
      let account = try signedIn(caller)
      guard let link = try link(url, caller), let store = try cloud.zone(link.address.path) else {
        throw ServiceError.shareNotFound
      }
      guard link.caller.container == caller.container, link.caller.environment == caller.environment else {
        throw ServiceError(
          .badContainer, "The share belongs to the container \(link.caller.container)", internalCode: 1014)
      }
      let record = try store.write(patience(caller)) { transaction in
        let batch = try ZoneBatch(
          self, caller, account, link.address, transaction, policy: .changedKeys, atomic: true)
        try batch.accept(link.share)
        return try transaction.record(link.share)
      }
      try settings.interceptor.afterCommit(.acceptShare, caller)
      guard let record else { throw ServiceError.shareNotFound }
      return try present(record, link.address, to: account)
    }
  }

  // MARK: People

  /// A participant for each handle. An unknown address is no error: its owner may show up later (sharing.md 6).
  package func participants(
    for lookups: [LookupInfo], by caller: Caller
  ) throws(ServiceError) -> [Result<Participant, ServiceError>] {
    try perform(.lookUpParticipants, by: caller) {
      let own = try signedIn(caller)
      return lookups.map { lookup in
        Result {
          let match = try account(matching: lookup)
          if case .userRecordName(let name) = lookup, match == nil { throw ServiceError.unknownItem(ExactName(name)) }
          return Participant(
            participantID: newIdentifier(),
            identity: UserIdentity(
              userRecordName: match?.userRecordName, name: match?.person, lookup: try normalized(lookup)),
            role: match == own ? .owner : .privateUser, acceptance: match == own ? .accepted : .unknown,
            permission: match == own ? .readWrite : .readOnly)
        }.mapError(ServiceError.init(describing:))
      }
    }
  }
}

extension ShareDetails {
  /// The entry that an account comes in by: matched already, or invited by an address that is the account's.
  func entry(for account: Account) -> Participant? {
    if let entry = participant(account.userRecordName) { return entry }
    return participants.first { participant in
      !participant.identity.hasAccount && participant.identity.lookup.map(account.answers) == true
    }
  }
}

extension ZoneBatch {
  func accept(_ name: ExactName) throws {
    guard var stored = try transaction.record(name) else { throw ServiceError.shareNotFound }
    var details = try ShareDetails(stored)
    if var entry = details.entry(for: account) {
      if entry.role == .owner {
        throw ServiceError.invalid("The owner participant tried to accept the share")
      }
      if entry.acceptance == .accepted { return }
      entry.acceptance = .accepted
      entry.identity.userRecordName = account.userRecordName
      entry.identity.name = account.person
      if let place = details.participants.firstIndex(where: { $0.participantID == entry.participantID }) {
        details.participants[place] = entry
      }
    } else {
      guard details.publicPermission != .none else {
        throw ServiceError(
          .permissionFailure, "The account \(account.name) is not invited to this share", internalCode: 2007)
      }
      if details.participants.count > NameRules.maximumParticipants {
        throw ServiceError.tooManyParticipants
      }
      details.participants.append(
        Participant(
          participantID: service.newIdentifier(), identity: account.identity, role: .publicUser, acceptance: .accepted,
          permission: details.publicPermission))
    }
    stored.apply(details)
    stored.object["modified"] = .object(stamp.object)
    try transaction.put(stored)
    var window =
      try service.window(of: account.name, address, transaction)
      ?? Window(
        zone: address.identifier, ownerAccount: address.ownerAccount ?? "",
        incarnation: "\(properties.incarnation)-\(transaction.sequence)")
    window.grants.append(Window.Grant(share: name, sequence: transaction.sequence))
    transaction.setFile(service.windowPath(account.name, address), window.bytes)
    affectedAccounts.insert(account.name)
    try followMembership()
    try mention()
    try transaction.commit(service.patience(caller))
  }
}
