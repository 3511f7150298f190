import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The keys of shares: for the participants, and for the links of people without an entry.
extension KeyWrapPlan {
  /// Updates a share's key for its list of participants. `isManager`: whether the account may give keys to others.
  ///
  /// A participant on the earlier list without a key, because they left or reset their own, gets one only when they
  /// join again.
  func updateShare(_ share: StoredRecord, before stored: StoredRecord?, isManager: Bool) throws {
    let isOpened = sharesToUpdate.contains(share.name)
    markUpdated(share.name)
    let details = try ShareDetails(share, in: transaction)
    guard var file = try keys.shareFile(share.name) else {
      if let opens = try target(of: details) { try make(share, details, opens) }
      return
    }
    let before = file
    let known = try stored.map { try ShareDetails($0, in: transaction) }
    let links = openLinks(share, details)
    revokeKeys(&file, links, details, known)
    // A leaving participant creates no key for the others.
    let own = keys.keyProvider?.account.userRecordName
    let mayRenew = isManager || isOpened && own.map(details.hasJoined) == true
    let lacking =
      try isManager
      ? people(of: details).filter { person in
        let user = person.userRecordName
        return file.person(user) == nil && known?.mayHaveKey(user) != true
      } : []
    if file.isStale, mayRenew {
      do { try renew(&file, share, details, with: lacking) } catch
        where lacking.isEmpty && !isOpened
        && Self.isWithoutKeys(error)
      {
        // The removal from the list still succeeds; the next save tries again to replace the key.
      }
    } else {
      if isOpened, let opens = try target(of: details) {
        let key = try keys.shareKey(share.name, file)
        (file.opens, file.version) = (try seal(opens, with: key, share.name, details), opens.version)
      }
      if isManager, !lacking.isEmpty || links.contains(where: { guid in !file.links.contains { $0.shortGUID == guid } })
      {
        try grantKey(keys.shareKey(share.name, file), to: lacking, links, in: &file)
      }
    }
    if file != before { put(file, .shareKey(share.name)) }
    markUpdated(share.name)
  }

  /// Removes the participants and links that may no longer have the share's key.
  private func revokeKeys(
    _ file: inout ShareKeyFile, _ links: [String], _ details: ShareDetails, _ known: ShareDetails?
  ) {
    let before = file
    file.people.removeAll { person in
      let user = person.userRecordName
      return !details.mayHaveKey(user) || known?.hasJoined(user) == true && !details.hasJoined(user)
    }
    file.links.removeAll { !links.contains($0.shortGUID) }
    file.isStale = file.isStale || file.people != before.people || file.links != before.links
  }

  /// Removes participants and links that may no longer have the share's key, before the batch seals values with keys
  /// that they have.
  func revokeKeys(_ share: StoredRecord, before stored: StoredRecord) throws {
    guard try hasKeys, var file = try readableFile(share.name) else { return }
    let before = file
    let details = try ShareDetails(share, in: transaction)
    revokeKeys(&file, openLinks(share, details), details, try ShareDetails(stored, in: transaction))
    guard file != before else { return }
    put(file, .shareKey(share.name))
    forgetFresh()
  }

  /// The key that the share opens: its root's, or the zone's. Nil if there is none.
  private func target(of details: ShareDetails) throws -> VersionedKey? {
    guard let root = details.root else { return try keys.zoneKey() }
    return try keys.recordKey(root)
  }

  /// A new target key: no former participant has it.
  private func freshTarget(of details: ShareDetails, instead file: ShareKeyFile) throws -> VersionedKey {
    // This batch may have created it already.
    if let present = try target(of: details), present.version > file.version { return present }
    return try details.root.map(replace) ?? replaceZoneKey()
  }

  private func seal(
    _ opens: VersionedKey, with key: SealingKey, _ share: ExactName, _ details: ShareDetails
  ) throws -> String {
    let context = SealContext.shared(by: share, root: details.root, version: opens.version, in: address)
    return try keys.sealer.wrap(opens.key, with: key, as: context)
  }

  private func make(_ share: StoredRecord, _ details: ShareDetails, _ opens: VersionedKey) throws {
    let key = try keys.sealer.newKey()
    var file = ShareKeyFile(
      share: share.name, opens: try seal(opens, with: key, share.name, details), version: opens.version)
    try grantKey(key, to: people(of: details), openLinks(share, details), in: &file)
    keys.learn(key, ofShare: share.name)
    put(file, .shareKey(share.name))
  }

  /// Replaces a share's key that a former participant has, and the key that it opens.
  private func renew(
    _ file: inout ShareKeyFile, _ share: StoredRecord, _ details: ShareDetails, with more: [Account]
  ) throws {
    let key = try keys.sealer.newKey()
    let everybody = try people(of: details).filter { person in
      file.person(person.userRecordName) != nil || more.contains { $0.name == person.name }
    }
    var new = ShareKeyFile(share: share.name, opens: "", version: file.version)
    try grantKey(key, to: everybody, openLinks(share, details), in: &new)
    // This is the last step: otherwise a failure of a step above would leave a needlessly replaced target key.
    let opens = try freshTarget(of: details, instead: file)
    (new.opens, new.version) = (try seal(opens, with: key, share.name, details), opens.version)
    keys.learn(key, ofShare: share.name)
    file = new
  }

  private func grantKey(
    _ key: SealingKey, to people: [Account], _ links: [String], in file: inout ShareKeyFile
  ) throws {
    try requireKeyPairs(people)
    let share = file.share
    for person in people {
      file.people.append(try seal(key, for: person) { .shareKey(share, for: $0, in: address) })
    }
    for guid in links where !file.links.contains(where: { $0.shortGUID == guid }) {
      let sealed = try keys.sealer.wrap(
        key, with: keys.sealer.linkKey(of: guid), as: .shareKey(share, for: guid, in: address))
      file.links.append(ShareKeyFile.ForLink(shortGUID: guid, sealed: sealed))
    }
  }

  /// The accounts of the participants that may have the share's key.
  private func people(of details: ShareDetails) throws -> [Account] {
    try details.participants.compactMap { $0.identity.userRecordName }.filter(details.mayHaveKey)
      .compactMap(service.accountFiles.account(ofUser:))
  }

  /// Links for accounts without an entry: a public share's, and unused ones for one person.
  private func openLinks(_ share: StoredRecord, _ details: ShareDetails) -> [String] {
    let own = details.publicPermission == .none ? nil : share.shortGUID
    return [own].compactMap { $0 }
      + details.participants.filter { !$0.identity.hasAccount }.compactMap(\.shortGUID)
  }

  // MARK: Joining and leaving

  /// Gives the share's key to an account that joined, by the link or from the owner's device, unless the account has
  /// it.
  func join(_ share: ExactName, by guid: String, isForOne: Bool, _ account: Account) throws {
    guard var file = try keys.shareFile(share) else { return }
    let own = file.person(account.userRecordName)
    if let own, own.generation == account.keys[container]?.generation { return }
    file.people.removeAll { $0.userRecordName == account.userRecordName }
    try requireKeyPairs([account])
    keys.link = guid
    try grantKey(keys.shareKey(share, file), to: [account], [], in: &file)
    // A link for one person admits no other account.
    if isForOne { file.links.removeAll { $0.shortGUID == guid } }
    put(file, .shareKey(share))
  }

  /// Removes the key of an account that left, or that lost its key pairs from before `generation`. The share then needs
  /// another key.
  func leave(_ share: ExactName, _ account: Account, before generation: Int64 = .max) throws {
    // An unreadable key file gives no account access.
    guard try hasKeys, var file = try readableFile(share), let own = file.person(account.userRecordName),
      own.generation < generation
    else { return }
    file.people.removeAll { $0.userRecordName == account.userRecordName }
    file.isStale = true
    put(file, .shareKey(share))
    forgetFresh()
  }

  /// Replaces the key of a share after the owner saved a record in it, if a former participant has the key.
  func renewIfStale(_ share: StoredRecord) throws {
    guard let file = try readableFile(share.name), file.isStale else { return }
    // The save itself needs no keys; if they are missing, the next save tries again.
    do { try updateShare(share, before: share, isManager: true) } catch  where Self.isWithoutKeys(error) {}
  }

  /// The share's key file; nil if there is none or it is damaged.
  private func readableFile(_ share: ExactName) throws -> ShareKeyFile? {
    do { return try keys.shareFile(share) } catch is ZoneKeys.Lost { return nil }
  }

  private static func isWithoutKeys(_ error: any Error) -> Bool {
    error is ZoneKeys.Lost || (error as? ServiceError)?.cause == .missingLibrary
  }
}

extension ShareDetails {
  /// Whether the participant may read encrypted values: they joined, or are invited and may look at the root.
  func mayHaveKey(_ userRecordName: String) -> Bool {
    participant(userRecordName).map { ($0.acceptance == .accepted || $0.acceptance == .pending) && mayLookIn($0) }
      ?? false
  }

  func hasJoined(_ userRecordName: String) -> Bool { participant(userRecordName)?.acceptance == .accepted }
}
