import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The keys that a batch creates, reseals and drops. The batch's own commit writes them.
///
/// A zone has no keys before an encrypted value is saved in it. If a record has a key, its ancestors have one as well,
/// up to the top, or as far as the key's creator has access: a participant's access ends at the root of the share.
final class KeyWrapPlan {
  let keys: ZoneKeys
  let service: CloudService
  let address: ZoneAddress
  let transaction: ZoneTransaction
  /// Returns a record with the batch's planned changes so far.
  let record: (ExactName) throws -> StoredRecord?
  /// The key files that the batch will write; nil contents: the file is deleted.
  private let files: PlannedKeyFiles
  /// Shares with a root, or a zone, that got a key in this batch.
  private var opened: Set<ExactName> = []
  private var updatedShares: Set<ExactName> = []
  var sharesToUpdate: Set<ExactName> { opened.subtracting(updatedShares) }
  /// Cache of ``isFresh(_:)`` and ``isFreshZone()``: whether a record's key, or the zone's, may seal new values.
  var fresh: [ExactName: Bool] = [:]
  var isZoneFresh: Bool?

  init(
    _ service: CloudService, _ address: ZoneAddress, _ keyProvider: PrivateKeyProvider?, _ transaction: ZoneTransaction,
    record: @escaping (ExactName) throws -> StoredRecord?
  ) {
    self.service = service
    self.address = address
    self.transaction = transaction
    self.record = record
    let files = PlannedKeyFiles(transaction)
    self.files = files
    keys = ZoneKeys(
      service, address, keyProvider, record: record, file: files.contents, properties: transaction.view.properties)
  }

  /// Whether the zone may have any keys: it has a folder of keys, or this batch creates some.
  var hasKeys: Bool { get throws { try !files.isEmpty || hadKeys.get() } }

  private lazy var hadKeys = Result { try transaction.zone.hasKeys() }

  // MARK: Files

  func put(_ file: some KeyFile, _ path: StorePath) {
    var object = file.object
    // Shows repair the later one of two files.
    object["sequence"] = .integer(transaction.start + 1)
    files.put(JSONValue.object(object).pretty(), path)
  }

  /// Drops the key files of a record or share that is deleted.
  func drop(_ name: ExactName) throws {
    for path in [StorePath.recordKey(name), .shareKey(name)] where try files.contents(path) != nil {
      files.put(nil, path)
    }
  }

  /// Puts the planned key files into the transaction. Call it after all other effects are planned.
  func write() throws {
    for (path, name, bytes) in files.changes {
      // In a batch that is not atomic, the item may have failed since.
      if let name, bytes != nil, try transaction.record(name) == nil { continue }
      transaction.setFile(path, bytes)
    }
  }

  // MARK: Records

  /// The key to seal values of a record with. Creates it, with those of its ancestors, if there is none, or if an
  /// account without access to new values has the present one.
  func key(of name: ExactName) throws -> VersionedKey {
    if try keys.isPerZone() { return try zoneKey() }
    // Go up from the record to the first one with a key that may be used.
    var lacking: [ExactName] = []
    var above: VersionedKey?
    var next: ExactName? = name
    while let current = next {
      if try isFresh(current) {
        above = try keys.recordKey(current)
        break
      }
      lacking.append(current)
      next = try parent(of: current)
    }
    for name in lacking.reversed() { above = try make(name, under: above) }
    return try above ?? make(name, under: nil)
  }

  /// Replaces a record's key by a new one.
  func replace(_ name: ExactName) throws -> VersionedKey { try make(name, under: parent(of: name).map(key(of:))) }

  /// The record's parent in the tree of keys, as far as the account has access.
  private func parent(of name: ExactName) throws -> ExactName? {
    guard let record = try record(name) else { return nil }
    if record.share != nil, try !keys.holdsZone() { return nil }
    return record.keyParent
  }

  /// Creates a record's first key, or a next one. The new key opens the earlier ones.
  private func make(_ name: ExactName, under above: VersionedKey?) throws -> VersionedKey {
    let key = try keys.sealer.newKey()
    var file = RecordKeyFile(record: name)
    if let present = try keys.recordFile(name)?.history {
      file.history = try addingVersion(present, try keys.recordKey(name), by: key, of: name)
    }
    try link(&file, key, to: parent(of: name), above)
    let made = VersionedKey(key: key, version: file.history.version)
    keys.learn(made, of: name)
    put(file, .recordKey(name))
    fresh[name] = true
    if let share = try record(name)?.share { open(share) }
    return made
  }

  /// The key's history with one more version: the present key, sealed with the key that replaces it. `record` nil: the
  /// zone's key.
  private func addingVersion(
    _ history: KeyHistory, _ present: VersionedKey?, by key: SealingKey, of record: ExactName?
  ) throws -> KeyHistory {
    guard let present, present.version == history.version,
      VersionedKey.versions.contains(history.version + 1)
    else {
      throw ZoneKeys.Lost("the newest key of \(record.map { "'\($0)'" } ?? "the zone") is not to be had")
    }
    let context = SealContext.earlierKey(present.version, of: record, in: address)
    return KeyHistory(earlier: history.earlier + [try keys.sealer.wrap(present.key, with: key, as: context)])
  }

  /// Seals a record's key with each key that the account has access to: the zone's and the parent's; without either,
  /// for the owner.
  private func link(
    _ file: inout RecordKeyFile, _ key: SealingKey, to parent: ExactName?, _ above: VersionedKey?
  ) throws {
    let sealer = try keys.sealer
    if file.zone == nil, try keys.holdsZone() {
      let zone = try zoneKey()
      let context = SealContext.recordKey(file.record, version: zone.version, in: address)
      let sealed = try sealer.wrap(key, with: zone.key, as: context)
      file.zone = RecordKeyFile.UnderZone(sealed: sealed, version: zone.version)
    }
    file.parent = nil
    if let parent, let above {
      let context = SealContext.recordKey(file.record, under: parent, version: above.version, in: address)
      let sealed = try sealer.wrap(key, with: above.key, as: context)
      file.parent = RecordKeyFile.UnderParent(parent: parent, sealed: sealed, version: above.version)
    }
    if file.zone == nil, file.parent == nil, file.owner == nil {
      file.owner = try sealForOwner(key, as: .recordKey(file.record, in: address))
    }
  }

  /// Reseals the key of a record that has another parent now, or none. The keys of its descendants don't change.
  func reseal(_ name: ExactName) throws {
    guard try !keys.isPerZone(), var file = try keys.recordFile(name), let key = try keys.recordKey(name)?.key else {
      return
    }
    let parent = try parent(of: name)
    guard try file.parent?.parent != parent || file.zone == nil && keys.holdsZone() else { return }
    try link(&file, key, to: parent, try parent.map(self.key(of:)))
    put(file, .recordKey(name))
  }

  /// Removes the copy of a record's key that is sealed with the key of its deleted parent. Throws ``ZoneKeys/Lost`` if
  /// that was the only copy and no other can be created.
  func detach(_ name: ExactName) throws {
    guard try !keys.isPerZone(), var file = try keys.recordFile(name), file.parent != nil else { return }
    guard file.zone != nil || file.owner != nil else { return try reseal(name) }
    file.parent = nil
    put(file, .recordKey(name))
  }

  // MARK: The zone

  /// The zone's key to seal new keys or values with. Creates it if there is none, or if an account without access to
  /// new values has the present one.
  func zoneKey() throws -> VersionedKey {
    let present = try keys.zoneKey()
    if let present, try isFreshZone() { return present }
    // The owner may have a key file that the zone-wide share does not open yet.
    if try present == nil && keys.zoneFile() != nil {
      throw ZoneKeys.Lost("the zone's key is not for \(keys.keyProvider?.account.name ?? "")")
    }
    return try replaceZoneKey()
  }

  /// Creates the zone's first key, or a next one.
  func replaceZoneKey() throws -> VersionedKey {
    let key = try keys.sealer.newKey()
    var file = ZoneKeyFile(owner: try sealForOwner(key, as: .zoneKey(of: address)))
    if let present = try keys.zoneFile()?.history {
      file.history = try addingVersion(present, try keys.zoneKey(), by: key, of: nil)
    }
    let made = VersionedKey(key: key, version: file.history.version)
    put(file, .zoneKey)
    keys.learn(zone: made)
    // Records' keys that are sealed with the previous zone key are not fresh either.
    fresh = [:]
    isZoneFresh = true
    if try Membership.isZoneWide(record) { open(Record.zoneWideShareName) }
    return made
  }

  private func sealForOwner(_ key: SealingKey, as context: SealContext) throws -> PersonalKey {
    guard let owner = try address.ownerAccount.flatMap(service.accountFiles.account(_:)) else {
      throw ZoneKeys.Lost("the zone's owner has no account any more")
    }
    try requireKeyPairs([owner])
    return try seal(key, for: owner) { _ in context }
  }

  private func open(_ share: ExactName) {
    opened.insert(share)
    updatedShares.remove(share)
  }

  func markUpdated(_ share: ExactName) { updatedShares.insert(share) }

  // MARK: People

  /// Throws ``KeyPairsNeeded`` unless each of the accounts has a key pair, and ``ZoneKeys/Lost`` if the private half of
  /// the account's own is lost.
  func requireKeyPairs(_ people: [Account]) throws {
    let lacking = people.filter { $0.keys[container]?.publicKey == nil }
    if !lacking.isEmpty { throw KeyPairsNeeded(accounts: Set(lacking.map(\.name))) }
    guard let keyProvider = keys.keyProvider, let own = people.first(where: { $0.name == keyProvider.account.name })
    else { return }
    try keyProvider.requirePrivateHalf(of: own)
  }

  var container: String { address.path.database.container.string }

  func seal(_ key: SealingKey, for person: Account, as context: (String) -> SealContext) throws -> PersonalKey {
    try PersonalKey(
      sealing: key, for: person, in: container, by: keys.sealer, as: context(person.userRecordName))
  }
}

/// The zone's key files with the batch's planned changes.
private final class PlannedKeyFiles {
  private let transaction: ZoneTransaction
  private var planned: [StorePath: [UInt8]?] = [:]
  private var order: [StorePath] = []

  init(_ transaction: ZoneTransaction) { self.transaction = transaction }

  var isEmpty: Bool { planned.isEmpty }

  func contents(_ path: StorePath) throws -> [UInt8]? {
    if let planned = planned[path] { return planned }
    return try transaction.file(path)
  }

  func put(_ bytes: [UInt8]?, _ path: StorePath) {
    if planned.updateValue(bytes, forKey: path) == nil { order.append(path) }
  }

  /// The changed files, in order, with the name of the record or share that each is for.
  var changes: [(StorePath, ExactName?, [UInt8]?)] {
    order.map { path in
      let bytes = planned[path] ?? nil
      let file = bytes.flatMap { try? JSONValue(parsing: $0) }?.object?.keyFile?.present
      return (path, file?["recordName"]?.string.map { ExactName($0) }, bytes)
    }
  }
}
