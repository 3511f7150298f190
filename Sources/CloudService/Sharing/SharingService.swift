import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Shares: their links, their participants, and the participants' views.
package struct SharingService: ServiceSubject {
  let service: CloudService
}

/// Share links: their metadata, joining a share by its link, and requests for access.
extension SharingService {
  /// Returns the part of a share's metadata that the caller may see by its link ([share-link-2]).
  ///
  /// - Assumption: a caller that is not invited to a private share gets `unknownItem`, as by a link that no longer
  ///   works or is malformed; the text after `#` is ignored.
  /// - Assumption: a caller outside the list of a public share is a pending public user with the public permission.
  ///
  /// - Throws: `unknownItem` for a link that does not work for the caller; `participantMayNeedVerification` if an
  ///   invitation names an address without an account; errors of the account.
  package func shareMetadata(_ request: ShareMetadataRequest, by caller: Caller) throws(ServiceError) -> ShareMetadata {
    try perform(.shareMetadata, by: caller) { try metadata(request, caller) }
  }

  /// The metadata, as a part of another request.
  func metadata(_ request: ShareMetadataRequest, _ caller: Caller) throws -> ShareMetadata {
    let account = try service.accounts.account(of: caller)
    let (link, store) = try requireLink(request.url, caller)
    return try metadata(request, link, store, account)
  }

  private func metadata(
    _ request: ShareMetadataRequest, _ link: Link, _ store: ZoneStore, _ account: Account
  ) throws -> ShareMetadata {
    try service.records.reading(store, link.address, account, link.caller) { view, keys in
      guard let (stored, details) = try link.target(in: view) else { throw ServiceError.shareNotFound }
      return try metadata(stored, details, link, request, account, view, keys)
    }
  }

  private func metadata(
    _ stored: StoredRecord, _ details: ShareDetails, _ link: Link, _ request: ShareMetadataRequest, _ account: Account,
    _ view: ZoneView, _ keys: ZoneKeys
  ) throws -> ShareMetadata {
    let entry = details.entry(for: account, by: link.guid)
    guard entry != nil || details.publicPermission != .none else {
      if try hasUnmatched(details) {
        throw ServiceError(
          .participantMayNeedVerification, "The invitation has to be matched to an address of the account",
          internalCode: 2034,
          hint: "Is the invited address this account's? `localcloud share verify LINK --email ADDRESS` says so.")
      }
      throw ServiceError.shareNotFound
    }
    keys.link = link.guid
    if entry != nil, let owner = try link.address.ownerAccount.map(service.accounts.requireAccount) {
      keys.helper = PrivateKeyProvider(service, owner, link.caller.by(owner))
    }
    // A participant without any permission sees only the invitation.
    let isLetIn = entry.map(details.mayLookIn) ?? true
    var record =
      try isLetIn
      ? service.records.present(stored, link.address, to: account, keys)
      : service.records.presentPlain(service.records.record(stored, in: link.address), to: account)
    record.shareDetails = details.presented(to: account)
    var result = ShareMetadata(
      container: link.caller.container, environment: link.caller.environment, url: details.url ?? request.url,
      link: entry?.shortGUID == link.guid ? request.url : nil, share: record,
      owner: details.participants.first { $0.role == .owner }?.identity ?? UserIdentity(),
      status: entry?.acceptance ?? .pending,
      permission: entry.map(details.effectivePermission) ?? details.publicPermission,
      role: entry?.role ?? .publicUser)
    result.owner.lookup = nil
    if let root = details.root {
      result.root = RecordIdentifier(name: root, zone: link.address.identifier)
      if request.fetchesRootRecord, isLetIn, let stored = try view.record(root) {
        result.rootRecord = try service.records.present(
          stored, link.address, to: account, keys, request.rootDesiredKeys,
          contentsIn: request.withAssets ? view : nil)
      }
    }
    return result
  }

  /// Whether a pending participant was invited by an address or number that belongs to no account yet.
  private func hasUnmatched(_ details: ShareDetails) throws -> Bool {
    let lookups = details.participants.filter { $0.acceptance == .pending && !$0.identity.hasAccount }
      .compactMap(\.identity.lookup)
    return try lookups.contains { try service.accounts.account(matching: $0) == nil }
  }

  /// Joins a share. Returns the share's record as the participant sees it ([share-join-1]).
  ///
  /// - Assumption: accepting twice changes nothing; the owner gets `invalidArguments`, a share that no longer exists is
  ///   `unknownItem`, one of another container `badContainer`.
  ///
  /// - Throws: `unknownItem` for a link without a share, `badContainer` for a share of another container,
  ///   `invalidArguments` for the owner, `permissionFailure` for a caller that is not invited or has no permission;
  ///   errors of the account.
  package func acceptShare(url: String, by caller: Caller) throws(ServiceError) -> Record {
    try perform(.acceptShare, by: caller) {
      let account = try service.accounts.account(of: caller)
      let (link, store) = try requireLink(url, caller)
      return try accept(link, store, account, caller)
    }
  }

  private func accept(_ link: Link, _ store: ZoneStore, _ account: Account, _ caller: Caller) throws -> Record {
    // The error doesn't name the share's container; the metadata names it to callers that may know it.
    guard link.caller.container == caller.container else {
      throw ServiceError(
        .badContainer, "The share does not belong to the container \(caller.container)", internalCode: 1014)
    }
    let record = try service.keys.withKeys(of: account, caller) { keyProvider in
      // Reads the account again, as it may have got a key pair since.
      let account = try service.accounts.requireAccount(account.name)
      return try store.write(waitPolicy(caller)) { transaction in
        let change = try ZoneChange(service, caller, account, link.address, transaction, keys: keyProvider)
        let joining = ShareJoining(change: change, link: link)
        if try joining.accept() { try transaction.commit(waitPolicy(caller)) }
        return try joining.accepted()
      }
    }
    try settings.interceptor.afterCommit(.acceptShare, caller)
    guard let record else { throw ServiceError.shareNotFound }
    return record
  }

  /// Joins a share by the two requests of an app: it fetches the link's metadata, and accepts them. The link is resolved
  /// once.
  ///
  /// - Returns: the share's record as the participant sees it, and the name of the owner's account.
  /// - Throws: the errors of ``shareMetadata(_:by:)`` and ``acceptShare(url:by:)``.
  package func joinShare(
    url: String, by caller: Caller
  ) throws(ServiceError) -> (record: Record, ownerAccount: String?) {
    let (link, store) = try perform(.shareMetadata, by: caller) {
      let account = try service.accounts.account(of: caller)
      let (link, store) = try requireLink(url, caller)
      _ = try metadata(ShareMetadataRequest(url: url), link, store, account)
      return (link, store)
    }
    let record = try perform(.acceptShare, by: caller) {
      try accept(link, store, service.accounts.account(of: caller), caller)
    }
    return (record, link.address.ownerAccount)
  }

  /// Requests access to a share from its owner and administrators ([share-request-4]). Success does not reveal whether
  /// the share exists or accepts requests.
  ///
  /// - Assumption: a request has no effect if the caller is blocked, if the share is public, or if as many requests
  ///   wait as a share can have participants; a caller on the list, with any entry, gets participantAlreadyInvited.
  ///
  /// - Throws: `participantAlreadyInvited` if the caller is on the list; errors of the account.
  package func requestAccess(url: String, by caller: Caller) throws(ServiceError) {
    try perform(.requestAccess, by: caller) {
      let account = try service.accounts.account(of: caller)
      guard let (link, store) = try resolve(url, caller) else { return }
      try store.write(waitPolicy(caller)) { transaction in
        let change = try ZoneChange(service, link.caller, account, link.address, transaction)
        if try ShareJoining(change: change, link: link).request() { try transaction.commit(waitPolicy(link.caller)) }
      }
      try settings.interceptor.afterCommit(.requestAccess, caller)
    }
  }

  // MARK: People

  /// A participant without a known address, to join by a link of their own ([share-request-1]).
  package func participantByLink() -> Participant {
    Participant(
      participantID: newIdentifier(), identity: UserIdentity(), role: .privateUser, acceptance: .unknown,
      permission: .readOnly)
  }

  /// Returns a participant for each handle. An unknown address is no error: an account may get it later
  /// ([share-people-1]).
  ///
  /// - Assumption: text that is neither address nor number is `invalidArguments`, a user record ID without an account
  ///   is `unknownItem`; the users need not be discoverable.
  /// - Assumption: a participant from a lookup is a private user with the permission to read, with the status
  ///   `.unknown`, and `.pending` once the share is saved.
  ///
  /// - Returns: one result for each lookup, in the same order.
  package func participants(
    for lookups: [LookupInfo], by caller: Caller
  ) throws(ServiceError) -> [Result<Participant, ServiceError>] {
    try perform(.lookUpParticipants, by: caller) {
      let own = try service.accounts.account(of: caller)
      return lookups.map { lookup in
        Result {
          let match = try service.accounts.account(matching: lookup)
          if case .userRecordName(let name) = lookup, match == nil { throw ServiceError.unknownItem(ExactName(name)) }
          return Participant(
            participantID: newIdentifier(),
            identity: UserIdentity(
              userRecordName: match?.userRecordName, name: match?.person,
              lookup: try service.accounts.normalized(lookup)),
            role: match == own ? .owner : .privateUser, acceptance: match == own ? .accepted : .unknown,
            permission: match == own ? .readWrite : .readOnly)
        }.mapError(ServiceError.init(describing:))
      }
    }
  }
}
