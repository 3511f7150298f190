import CloudModel
import CloudStore
import Platform
import Storage

/// The keys that a batch makes, seals anew and drops. They are written by the batch's own commit.
///
/// A zone has no keys before something encrypted is saved in it. A record that has one has one above it, too, up to the
/// top, or as far as who made it could go: a participant's reach ends with the root of the share.
final class KeyWrapPlan {
  let keys: ZoneKeys
  let service: CloudService
  let address: ZoneAddress
  let transaction: ZoneTransaction
  /// As the batch will leave it, as far as is known.
  let record: (ExactName) throws -> StoredRecord?
  /// What the batch is about to write; nil: a file that goes.
  private let files: PlannedKeyFiles
  /// Shares whose roots, or zones, have a key since this batch.
  private var opened: Set<ExactName> = []
  private var settled: Set<ExactName> = []
  var unsettled: Set<ExactName> { opened.subtracting(settled) }
  /// Which records' keys, and whether the zone's, may seal what is new, as far as that was looked at.
  var fresh: [ExactName: Bool] = [:]
  var isZoneFresh: Bool?

  init(
    _ service: CloudService, _ address: ZoneAddress, _ holder: PrivateKeyProvider?, _ transaction: ZoneTransaction,
    record: @escaping (ExactName) throws -> StoredRecord?
  ) {
    self.service = service
    self.address = address
    self.transaction = transaction
    self.record = record
    let files = PlannedKeyFiles(transaction)
    self.files = files
    keys = ZoneKeys(
      service, address, holder, record: record, file: files.contents, properties: transaction.view.properties)
  }

  /// Whether there may be anything to follow: without a folder of keys, and none made, nothing has one.
  var hasKeys: Bool { get throws { try !files.isEmpty || hadKeys.get() } }

  private lazy var hadKeys = Result { try transaction.zone.hasKeys() }

  // MARK: Files

  func put(_ file: some KeyFile, _ path: StorePath) {
    var object = file.object
    // Which of two is later, for repair.
    object["sequence"] = .integer(transaction.start + 1)
    files.put(JSONValue.object(object).pretty(), path)
  }

  /// Of a record or a share that goes.
  func drop(_ name: ExactName) throws {
    for path in [StorePath.recordKey(name), .shareKey(name)] where try files.contents(path) != nil {
      files.put(nil, path)
    }
  }

  /// To be called when all else is planned.
  func write() throws {
    for (path, name, bytes) in files.changes {
      // Items of a batch that stand for themselves may have failed since.
      if let name, bytes != nil, try transaction.record(name) == nil { continue }
      transaction.setFile(path, bytes)
    }
  }

  // MARK: Records

  /// The key to seal something of a record with, made with those above it where there is none, or one that somebody had
  /// who is not to read it.
  func key(of name: ExactName) throws -> VersionedKey {
    if try keys.isPerZone() { return try zoneKey() }
    // From the record up to the first whose key is good for it.
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

  /// Another key in the place of the present one.
  func replace(_ name: ExactName) throws -> VersionedKey { try make(name, under: parent(of: name).map(key(of:))) }

  /// The record above, as far as the person can reach.
  private func parent(of name: ExactName) throws -> ExactName? {
    guard let record = try record(name) else { return nil }
    if record.share != nil, try !keys.holdsZone() { return nil }
    return record.keyParent
  }

  /// A first key, or the next one, which opens those before it.
  private func make(_ name: ExactName, under above: VersionedKey?) throws -> VersionedKey {
    let key = try keys.sealer.newKey()
    var file = RecordKeyFile(record: name)
    if let present = try keys.recordFile(name)?.history {
      file.history = try followed(present, try keys.recordKey(name), by: key, of: name)
    }
    try link(&file, key, to: parent(of: name), above)
    let made = VersionedKey(key: key, version: file.history.version)
    keys.learn(made, of: name)
    put(file, .recordKey(name))
    fresh[name] = true
    if let share = try record(name)?.share { open(share) }
    return made
  }

  /// With the present key sealed with the one that takes its place. `record` nil: the zone's.
  private func followed(
    _ history: KeyHistory, _ present: VersionedKey?, by key: SealingKey, of record: ExactName?
  ) throws -> KeyHistory {
    guard let present, present.version == history.version,
      VersionedKey.versions.contains(history.version + 1)
    else {
      throw ZoneKeys.Lost("the newest key of \(record.map { "'\($0)'" } ?? "the zone") is not to be had")
    }
    let place = SealedPlace.earlierKey(present.version, of: record, in: address)
    return KeyHistory(earlier: history.earlier + [try keys.sealer.wrap(present.key, with: key, as: place)])
  }

  /// Seals a record's key in all the ways that are open to who makes it.
  private func link(
    _ file: inout RecordKeyFile, _ key: SealingKey, to parent: ExactName?, _ above: VersionedKey?
  ) throws {
    let sealer = try keys.sealer
    if file.zone == nil, try keys.holdsZone() {
      let zone = try zoneKey()
      let place = SealedPlace.recordKey(file.record, version: zone.version, in: address)
      let sealed = try sealer.wrap(key, with: zone.key, as: place)
      file.zone = RecordKeyFile.UnderZone(sealed: sealed, version: zone.version)
    }
    file.parent = nil
    if let parent, let above {
      let place = SealedPlace.recordKey(file.record, under: parent, version: above.version, in: address)
      let sealed = try sealer.wrap(key, with: above.key, as: place)
      file.parent = RecordKeyFile.UnderParent(parent: parent, sealed: sealed, version: above.version)
    }
    if file.zone == nil, file.parent == nil, file.owner == nil {
      file.owner = try sealForOwner(key, as: .recordKey(file.record, in: address))
    }
  }

  /// A record with a key that hangs below another one now, or below none: its key is sealed anew, and none of those below.
  func follow(_ name: ExactName) throws {
    guard try !keys.isPerZone(), var file = try keys.recordFile(name), let key = try keys.recordKey(name)?.key else {
      return
    }
    let parent = try parent(of: name)
    guard try file.parent?.parent != parent || file.zone == nil && keys.holdsZone() else { return }
    try link(&file, key, to: parent, try parent.map(self.key(of:)))
    put(file, .recordKey(name))
  }

  /// A record with a key whose parent goes: the way by the parent's key ends. Throws ``ZoneKeys/Lost`` where it was the only
  /// one, and no other can be made.
  func detach(_ name: ExactName) throws {
    guard try !keys.isPerZone(), var file = try keys.recordFile(name), file.parent != nil else { return }
    guard file.zone != nil || file.owner != nil else { return try follow(name) }
    file.parent = nil
    put(file, .recordKey(name))
  }

  // MARK: The zone

  /// The key to seal something of the zone with, made where there is none, or one that somebody had who is not to read it.
  func zoneKey() throws -> VersionedKey {
    let present = try keys.zoneKey()
    if let present, try isFreshZone() { return present }
    // The owner's key file may be there, and the share's not yet.
    if try present == nil && keys.zoneFile() != nil {
      throw ZoneKeys.Lost("the zone's key is not for \(keys.holder?.account.name ?? "")")
    }
    return try replaceZoneKey()
  }

  /// A first key of the zone, or the next one.
  func replaceZoneKey() throws -> VersionedKey {
    let key = try keys.sealer.newKey()
    var file = ZoneKeyFile(owner: try sealForOwner(key, as: .zoneKey(of: address)))
    if let present = try keys.zoneFile()?.history {
      file.history = try followed(present, try keys.zoneKey(), by: key, of: nil)
    }
    let made = VersionedKey(key: key, version: file.history.version)
    put(file, .zoneKey)
    keys.learn(zone: made)
    // Records' keys that are sealed with the one before are as good as that was.
    fresh = [:]
    isZoneFresh = true
    if try Membership.isZoneWide(record) { open(Record.zoneWideShareName) }
    return made
  }

  private func sealForOwner(_ key: SealingKey, as place: SealedPlace) throws -> PersonalKey {
    guard let owner = try address.ownerAccount.flatMap(service.accountFiles.account(_:)) else {
      throw ZoneKeys.Lost("the zone's owner has no account any more")
    }
    try requireKeyPairs([owner])
    return try seal(key, for: owner) { _ in place }
  }

  private func open(_ share: ExactName) {
    opened.insert(share)
    settled.remove(share)
  }

  func didSettle(_ share: ExactName) { settled.insert(share) }

  // MARK: People

  /// Throws ``KeyPairsNeeded`` unless each of them has a key pair.
  func requireKeyPairs(_ people: [Account]) throws {
    let lacking = people.filter { $0.keys[container]?.publicKey == nil }
    if !lacking.isEmpty { throw KeyPairsNeeded(accounts: Set(lacking.map(\.name))) }
    // Nothing may be sealed for a key that is lost.
    guard let holder = keys.holder, let own = people.first(where: { $0.name == holder.account.name }),
      let key = own.keys[container]
    else { return }
    guard try holder.privateKey(generation: key.generation) != nil else {
      throw ZoneKeys.Lost("the private half of \(own.name)'s key pair is in no keychain of its devices")
    }
  }

  var container: String { address.path.database.container.string }

  func seal(_ key: SealingKey, for person: Account, as place: (String) -> SealedPlace) throws -> PersonalKey {
    guard let pair = person.keys[container], let publicKey = pair.publicKey else {
      throw KeyPairsNeeded(accounts: [person.name])
    }
    return PersonalKey(
      userRecordName: person.userRecordName, generation: pair.generation,
      sealed: try keys.sealer.wrap(key, forPublicKey: publicKey, as: place(person.userRecordName)))
  }
}

/// Key files as a batch is about to leave them.
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

  /// With the name of the record or share that each is about.
  var changes: [(StorePath, ExactName?, [UInt8]?)] {
    order.map { path in
      let bytes = planned[path] ?? nil
      let file = bytes.flatMap { try? JSONValue(parsing: $0) }?.object?.keyFile?.present
      return (path, file?["recordName"]?.string.map { ExactName($0) }, bytes)
    }
  }
}
