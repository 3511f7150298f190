import CloudStore

/// The keys of shares: for everybody on the list, and for links that let people in.
extension KeyPlan {
  /// Brings a share's key in line with its list. `isManager`: whether the person may give keys to others.
  ///
  /// Who lost a key that they had, by a reset of their own, gets it anew when they join again, not before.
  func settle(_ share: StoredRecord, before stored: StoredRecord?, isManager: Bool) throws {
    didSettle(share.name)
    let details = try ShareDetails(share, in: transaction)
    guard var file = try keys.shareFile(share.name) else {
      if let opens = try target(of: details) { try make(share, details, opens) }
      return
    }
    let before = file
    if opened.contains(share.name), let opens = try target(of: details) {
      // The root got a key of its own again.
      let key = try keys.shareKey(share.name, file)
      file.opens = try seal(opens, with: key, share.name, details)
    }
    let links = openLinks(share, details)
    let known = try stored.map { try ShareDetails($0, in: transaction) }
    file.people.removeAll { person in
      let user = person.userRecordName
      return !details.mayHaveKey(user) || known?.hasJoined(user) == true && !details.hasJoined(user)
    }
    file.links.removeAll { !links.contains($0.shortGUID) }
    file.isStale = file.isStale || file.people != before.people || file.links != before.links
    if isManager {
      let lacking = try people(of: details).filter { person in
        let user = person.userRecordName
        return file.person(user) == nil && (!details.hasJoined(user) || known?.mayHaveKey(user) != true)
      }
      if file.isStale {
        do { try renew(&file, share, details, with: lacking) } catch  where lacking.isEmpty && Self.isWithoutKeys(error)
        {
          // Who is taken off the list goes all the same; the next save tries again.
        }
      } else if !lacking.isEmpty || links.contains(where: { guid in !file.links.contains { $0.shortGUID == guid } }) {
        try give(keys.shareKey(share.name, file), to: lacking, links, in: &file)
      }
    }
    if file != before { put(file, .shareKey(share.name)) }
  }

  /// What the share is to open: its root's key, or the zone's. Nil where that has none.
  private func target(of details: ShareDetails) throws -> SealingKey? {
    guard let root = details.root else { return try keys.zoneKey() }
    return try keys.recordKey(root)
  }

  private func seal(
    _ opens: SealingKey, with key: SealingKey, _ share: ExactName, _ details: ShareDetails
  ) throws -> String {
    try keys.sealer.wrap(opens, with: key, as: .shared(by: share, root: details.root, in: address))
  }

  private func make(_ share: StoredRecord, _ details: ShareDetails, _ opens: SealingKey) throws {
    let key = try keys.sealer.newKey()
    var file = ShareKeyFile(share: share.name, opens: try seal(opens, with: key, share.name, details))
    try give(key, to: people(of: details), openLinks(share, details), in: &file)
    keys.learn(key, ofShare: share.name)
    put(file, .shareKey(share.name))
  }

  /// Another key in the place of one that somebody has who went.
  private func renew(
    _ file: inout ShareKeyFile, _ share: StoredRecord, _ details: ShareDetails, with more: [Account]
  ) throws {
    let old = try keys.shareKey(share.name, file)
    let place = SealedPlace.shared(by: share.name, root: details.root, in: address)
    guard let opens = try keys.sealer.unwrap(file.opens, with: old, as: place) else {
      throw ZoneKeys.Lost("what the share '\(share.name)' opens is damaged or belongs elsewhere")
    }
    let key = try keys.sealer.newKey()
    let everybody = try people(of: details).filter { person in
      file.person(person.userRecordName) != nil || more.contains { $0.name == person.name }
    }
    var new = ShareKeyFile(share: share.name, opens: try seal(opens, with: key, share.name, details))
    try give(key, to: everybody, openLinks(share, details), in: &new)
    keys.learn(key, ofShare: share.name)
    file = new
  }

  private func give(
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

  /// Everybody on the list who has an account.
  private func people(of details: ShareDetails) throws -> [Account] {
    try details.participants.compactMap { $0.identity.userRecordName }.filter(details.mayHaveKey)
      .compactMap(service.accountFiles.account(ofUser:))
  }

  /// Links that let in who is not on the list by name: a public share's, and those for one person that nobody used yet.
  private func openLinks(_ share: StoredRecord, _ details: ShareDetails) -> [String] {
    let own = details.publicPermission == .none ? nil : share.shortGUID
    return [own].compactMap { $0 }
      + details.participants.filter { !$0.identity.hasAccount }.compactMap(\.shortGUID)
  }

  // MARK: Coming and going

  /// Somebody joined: they get the share's key, by the link or from the owner's device, unless they have it.
  func join(_ share: ExactName, by guid: String, isForOne: Bool, _ account: Account) throws {
    guard var file = try keys.shareFile(share) else { return }
    let own = file.person(account.userRecordName)
    if let own, own.generation == account.keys[container]?.generation { return }
    file.people.removeAll { $0.userRecordName == account.userRecordName }
    try requireKeyPairs([account])
    keys.link = guid
    try give(keys.shareKey(share, file), to: [account], [], in: &file)
    // Nobody else comes by it.
    if isForOne { file.links.removeAll { $0.shortGUID == guid } }
    put(file, .shareKey(share))
  }

  /// Somebody went, or lost their key pairs before that of `generation`: their key goes, and the share needs another.
  func leave(_ share: ExactName, _ account: Account, before generation: Int64 = .max) throws {
    // What can't be read can't be opened either.
    guard try hasKeys, var file = try readableFile(share), let own = file.person(account.userRecordName),
      own.generation < generation
    else { return }
    file.people.removeAll { $0.userRecordName == account.userRecordName }
    file.isStale = true
    put(file, .shareKey(share))
  }

  /// The owner saved something in a share whose key somebody has who went.
  func renewIfStale(_ share: StoredRecord) throws {
    guard let file = try readableFile(share.name), file.isStale else { return }
    // The save itself needs no keys; where there are none, the next one tries again.
    do { try settle(share, before: share, isManager: true) } catch  where Self.isWithoutKeys(error) {}
  }

  /// Nil for one that is damaged.
  private func readableFile(_ share: ExactName) throws -> ShareKeyFile? {
    do { return try keys.shareFile(share) } catch is ZoneKeys.Lost { return nil }
  }

  private static func isWithoutKeys(_ error: any Error) -> Bool {
    error is ZoneKeys.Lost || (error as? ServiceError)?.cause == .missingLibrary
  }
}

extension ShareDetails {
  /// Whether somebody on the list may read what is encrypted: who joined, and who is invited, for the root's sake.
  func mayHaveKey(_ userRecordName: String) -> Bool {
    participant(userRecordName).map { ($0.acceptance == .accepted || $0.acceptance == .pending) && mayLookIn($0) }
      ?? false
  }

  func hasJoined(_ userRecordName: String) -> Bool { participant(userRecordName)?.acceptance == .accepted }
}
