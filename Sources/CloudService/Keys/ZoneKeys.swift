import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The keys of a zone that one account on one device can open.
///
/// The owner's private key opens the zone's key. The zone's key opens the records' keys. A participant's private key
/// opens a share's key. A share's key opens the key of the share's root or of the whole zone. A record's key opens
/// those of its children. A new version of a key opens the version before it.
final class ZoneKeys {
  /// The reason why a key, or a value sealed with it, can't be opened.
  struct Lost: Error {
    var reason: String
    /// Whether the fault is in the record's own file.
    var isInRecord = false

    init(_ reason: String, isInRecord: Bool = false) {
      self.reason = reason
      self.isInRecord = isInRecord
    }
  }

  let service: CloudService
  let address: ZoneAddress
  /// The account's private keys; nil if the caller has no account.
  let keyProvider: PrivateKeyProvider?
  /// Functions that read records and files, with or without the planned changes of a batch.
  private let record: (ExactName) throws -> StoredRecord?
  private let file: (StorePath) throws -> [UInt8]?
  private let properties: () throws -> ZoneProperties
  /// The last part of the share link that the caller used.
  var link: String?
  /// The owner's private keys, for a participant without a key of their own.
  var helper: PrivateKeyProvider?

  private lazy var madeSealer = Result { () throws(ServiceError) in try service.keys.sealer() }
  /// The newest versions of keys that were opened so far.
  private var zone: VersionedKey?
  private var records: [ExactName: VersionedKey] = [:]
  /// Opened earlier versions, by record; nil: the zone's key.
  private var earlier: [ExactName?: [Int: SealingKey]] = [:]
  private var shares: [ExactName: SealingKey] = [:]

  init(
    _ service: CloudService, _ address: ZoneAddress, _ keyProvider: PrivateKeyProvider?,
    record: @escaping (ExactName) throws -> StoredRecord?, file: @escaping (StorePath) throws -> [UInt8]?,
    properties: @escaping () throws -> ZoneProperties
  ) {
    self.service = service
    self.address = address
    self.keyProvider = keyProvider
    self.record = record
    self.file = file
    self.properties = properties
  }

  convenience init(
    _ service: CloudService, _ address: ZoneAddress, _ keyProvider: PrivateKeyProvider?, _ view: ZoneView
  ) {
    self.init(
      service, address, keyProvider, record: view.record, file: view.file, properties: view.properties)
  }

  var sealer: Sealer { get throws(ServiceError) { try madeSealer.get() } }

  var isOwner: Bool { keyProvider.map { $0.account.name == address.ownerAccount } ?? false }

  func isPerZone() throws -> Bool { try properties().encryptionScope == .perZone }

  // MARK: Files

  func zoneFile() throws -> ZoneKeyFile? { try keyFile(.zoneKey) }

  func recordFile(_ name: ExactName) throws -> RecordKeyFile? {
    let file: RecordKeyFile? = try keyFile(.recordKey(name))
    if let file, file.record != name { throw Lost("\(Self.name(.recordKey(name))) is another record's") }
    return file
  }

  func shareFile(_ name: ExactName) throws -> ShareKeyFile? {
    let file: ShareKeyFile? = try keyFile(.shareKey(name))
    if let file, file.share != name { throw Lost("\(Self.name(.shareKey(name))) is another share's") }
    return file
  }

  private func keyFile<File: KeyFile>(_ path: StorePath) throws -> File? {
    guard let bytes = try file(path) else { return nil }
    guard let file = (try? JSONValue(parsing: bytes))?.object.flatMap(File.init) else {
      throw Lost("\(Self.name(path)) holds no key")
    }
    return file
  }

  private static func name(_ path: StorePath) -> String { path.components.joined(separator: "/") }

  // MARK: Keys

  /// Adds keys that a batch has just created.
  func learn(zone key: VersionedKey) { zone = key }
  func learn(_ key: VersionedKey, of record: ExactName) { records[record] = key }
  func learn(_ key: SealingKey, ofShare share: ExactName) { shares[share] = key }

  /// Whether the account can open every record's key with the zone's key.
  func holdsZone() throws -> Bool { try isOwner || Membership.isZoneWide(record) }

  /// The zone's newest key; nil if there is none yet. Only for an account that ``holdsZone()``.
  func zoneKey() throws -> VersionedKey? {
    if let zone { return zone }
    let share = Record.zoneWideShareName
    if isOwner {
      guard let file = try zoneFile() else { return nil }
      let key = try open(file.owner, as: .zoneKey(of: address), what: "the zone's key")
      zone = VersionedKey(key: key, version: file.history.version)
    } else {
      guard let file = try shareFile(share) else { return nil }
      let context = SealContext.shared(by: share, root: nil, version: file.version, in: address)
      guard let key = try sealer.unwrap(file.opens, with: shareKey(share, file), as: context) else {
        throw Lost("the zone's key in \(Self.name(.shareKey(share))) is not the one of the share")
      }
      zone = VersionedKey(key: key, version: file.version)
    }
    return zone
  }

  private func zoneKey(_ version: Int) throws -> SealingKey? {
    guard let newest = try zoneKey() else { return nil }
    return try key(version, from: newest, of: nil)
  }

  /// A version of a record's or the zone's key: each earlier version is sealed with the next one.
  private func key(_ version: Int, from newest: VersionedKey, of record: ExactName?) throws -> SealingKey {
    if version == newest.version { return newest.key }
    if let known = earlier[record]?[version] { return known }
    let what = record.map { "the key of '\($0)'" } ?? "the zone's key"
    let list = try (record.map { try recordFile($0)?.history } ?? zoneFile()?.history)?.earlier ?? []
    guard version < newest.version, newest.version <= list.count + 1 else {
      throw Lost("version \(version) of \(what) is not there")
    }
    var key = newest.key
    for older in (version..<newest.version).reversed() {
      guard let next = try sealer.unwrap(list[older - 1], with: key, as: .earlierKey(older, of: record, in: address))
      else { throw Lost("version \(older) of \(what) is damaged or belongs elsewhere") }
      key = next
      earlier[record, default: [:]][older] = key
    }
    return key
  }

  /// The share's key. Throws ``Lost`` if it is not sealed for this account, link or helper.
  func shareKey(_ name: ExactName, _ file: ShareKeyFile) throws -> SealingKey {
    if let known = shares[name] { return known }
    let key: SealingKey
    if let keyProvider, let own = file.person(keyProvider.account.userRecordName) {
      key = try open(own, as: context(name, own), what: "the key of the share '\(name)'")
    } else if let link, let sealed = file.links.first(where: { $0.shortGUID == link })?.sealed {
      let context = SealContext.shareKey(name, for: link, in: address)
      guard let opened = try sealer.unwrap(sealed, with: sealer.linkKey(of: link), as: context) else {
        throw Lost("the key of the share '\(name)' does not open by its link")
      }
      key = opened
    } else if let helper, let owners = file.person(helper.account.userRecordName) {
      key = try open(owners, by: helper, as: context(name, owners), what: "the key of the share '\(name)'")
    } else {
      throw Lost("the key of the share '\(name)' is not for \(keyProvider?.account.name ?? "nobody")")
    }
    shares[name] = key
    return key
  }

  private func context(_ share: ExactName, _ person: PersonalKey) -> SealContext {
    .shareKey(share, for: person.userRecordName, in: address)
  }

  private func open(
    _ key: PersonalKey, by someone: PrivateKeyProvider? = nil, as context: SealContext, what: String
  ) throws -> SealingKey {
    guard let keyProvider = someone ?? keyProvider else { throw Lost("\(what) is somebody else's") }
    return try keyProvider.open(key, by: sealer, as: context, what: what)
  }

  /// A version of a record's key, or of the zone's key if the zone has one key for all records; nil if there is none.
  func recordKey(_ name: ExactName, version: Int) throws -> SealingKey? {
    guard let newest = try recordKey(name) else { return nil }
    return try key(version, from: newest, of: isPerZone() ? nil : name)
  }

  /// The newest version of a record's key; nil if there is none.
  func recordKey(_ name: ExactName) throws -> VersionedKey? {
    if try isPerZone() { return try zoneKey() }
    // Go up to a record with a key that opens without a parent's key, then down again.
    var chain: [(record: ExactName, file: RecordKeyFile)] = []
    var visited: Set<ExactName> = []
    var next = name
    while records[next] == nil {
      guard let file = try recordFile(next) else {
        if chain.isEmpty { return nil }
        throw Lost("the key of the record above it, '\(next)', is missing")
      }
      if let key = try directKey(file) {
        records[next] = key
        break
      }
      guard let above = file.parent?.parent, visited.insert(next).inserted else {
        throw Lost("nothing that \(keyProvider?.account.name ?? "nobody") has leads to the key of '\(next)'")
      }
      chain.append((next, file))
      next = above
    }
    for (record, file) in chain.reversed() {
      guard let parent = file.parent, let newest = records[parent.parent],
        let key = try sealer.unwrap(
          parent.sealed, with: key(parent.version, from: newest, of: parent.parent),
          as: .recordKey(record, under: parent.parent, version: parent.version, in: address))
      else { throw Lost("the key of '\(record)' is damaged or belongs elsewhere") }
      records[record] = VersionedKey(key: key, version: file.history.version)
    }
    return records[name]
  }

  /// The record's key, opened by the zone's key, the owner's private key or a share's key; nil if none of these opens
  /// it.
  private func directKey(_ file: RecordKeyFile) throws -> VersionedKey? {
    if let wrap = file.zone, try holdsZone(), let zone = try zoneKey(wrap.version) {
      let context = SealContext.recordKey(file.record, version: wrap.version, in: address)
      guard let key = try sealer.unwrap(wrap.sealed, with: zone, as: context) else {
        throw Lost("the key of '\(file.record)' is damaged or belongs elsewhere")
      }
      return VersionedKey(key: key, version: file.history.version)
    }
    if isOwner {
      let what = "the key of '\(file.record)'"
      return try file.owner.map {
        let key = try open($0, as: .recordKey(file.record, in: address), what: what)
        return VersionedKey(key: key, version: file.history.version)
      }
    }
    guard let share = try record(file.record)?.share, let shared = try shareFile(share) else { return nil }
    let context = SealContext.shared(by: share, root: file.record, version: shared.version, in: address)
    guard let key = try sealer.unwrap(shared.opens, with: shareKey(share, shared), as: context) else {
      throw Lost("the key of '\(file.record)' in \(Self.name(.shareKey(share))) is damaged or belongs elsewhere")
    }
    return VersionedKey(key: key, version: shared.version)
  }
}

extension StoredRecord {
  /// The record with the key that may seal this record's key: its parent; for a share, its root.
  var keyParent: ExactName? {
    if let parent { return parent }
    guard type == Record.shareType else { return nil }
    return object["x-local"]?["root"]?.string.map { ExactName($0) }
  }
}
