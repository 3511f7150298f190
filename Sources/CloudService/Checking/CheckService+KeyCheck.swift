import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Checks whether keys and encrypted values fit, as far as possible without a private key.
extension CheckService {
  struct KeyProblem {
    var path: StorePath
    var problem: Problem
  }

  /// Key files that belong to no existing record or share, or that hold no key.
  func strayKeys(_ zone: ZoneStore, _ live: (ExactName) throws -> StoredRecord?) throws -> [KeyProblem] {
    try zone.keyFiles().compactMap { file in
      let keyPath = zone.directory.path(of: file.components.joined(separator: "/"))
      return try problem(keyPath, "it holds no key of anything there is") { try isKey(file, zone, live) }
        .map { KeyProblem(path: file, problem: $0) }
    }
  }

  private func isKey(
    _ path: StorePath, _ zone: ZoneStore, _ live: (ExactName) throws -> StoredRecord?
  ) throws -> Bool {
    guard let bytes = try zone.keyFile(path), let object = (try? JSONValue(parsing: bytes))?.object else {
      return false
    }
    if path == .zoneKey { return ZoneKeyFile(object) != nil }
    if let file = RecordKeyFile(object), path == .recordKey(file.record) {
      return try live(file.record) != nil && (file.zone?.sealed ?? file.parent?.sealed ?? file.owner?.sealed) != nil
    }
    if let file = ShareKeyFile(object), path == .shareKey(file.share) {
      return try live(file.share)?.type == Record.shareType
    }
    return false
  }

  /// The problems of a zone's keys: stray files, and shares' keys of another version.
  func keyProblems(_ shares: [StoredRecord], _ view: ZoneView, _ zone: ZoneChecker) throws -> [Problem] {
    var problems = try strayKeys(view.zone, zone.record).map(\.problem)
    for file in try misfits(among: shares, view.zone) {
      let keyPath = view.zone.directory.path(of: StorePath.shareKey(file.share).components.joined(separator: "/"))
      problems.append(Problem(path: keyPath, text: "it opens version \(file.version) of a key that has others"))
    }
    return problems
  }

  /// The keys of shares that open a version of their root's key, or of the zone's, other than the present one:
  /// participants could not decrypt values that are encrypted with the present one. Without keys that are marked for
  /// replacement.
  func misfits(among records: some Sequence<StoredRecord>, _ zone: ZoneStore) throws -> [ShareKeyFile] {
    try records.filter { $0.type == Record.shareType }.compactMap { share in
      guard let file = try zone.shareKey(share.name), !file.isStale else { return nil }
      let target = try share.keyParent.map { try zone.recordKey($0)?.history } ?? zone.zoneKey()?.history
      return target.map { $0.version == file.version } ?? true ? nil : file
    }
  }
}

/// Checks whether keys lead to a zone's encrypted values.
struct EncryptedValueCheck {
  private let zone: ZoneChecker
  private let store: ZoneStore
  private let isPrivate: Bool
  private let isPerZone: Bool
  private let zoneVersion: Int

  init(_ path: ZonePath, _ view: ZoneView, _ zone: ZoneChecker) throws {
    self.zone = zone
    store = view.zone
    isPrivate = path.database.scope.first == DatabaseScope.private.name
    isPerZone = try view.properties().encryptionScope == .perZone
    zoneVersion = try store.zoneKey()?.history.version ?? 0
  }

  /// Nil if there is no problem with the record's encrypted values.
  func problem(of record: StoredRecord) throws -> Problem? {
    let versions = record.encryptedFields.map { VersionedKey.version($0.field["keyVersion"]) ?? .max }
    guard let version = versions.max() else { return nil }
    let isSound = try isPrivate && (isPerZone ? version <= zoneVersion : leadsUp(from: record.name, version))
    return isSound ? nil : Problem(path: store.recordPath(record.name), text: "no key leads to its encrypted values")
  }

  /// Whether this version of the record's key can be opened by a chain of parents' keys that begins with the zone's key
  /// or the owner's key pair.
  private func leadsUp(from name: ExactName, _ version: Int) throws -> Bool {
    var (next, wanted) = (name, version)
    var visited: Set<ExactName> = []
    while visited.insert(next).inserted {
      guard let file = try store.recordKey(next), wanted <= file.history.version else { return false }
      if let wrap = file.zone { return try store.zoneKey().map { wrap.version <= $0.history.version } ?? true }
      if file.owner != nil { return true }
      guard let parent = file.parent, try zone.record(next)?.keyParent == parent.parent else { return false }
      (next, wanted) = (parent.parent, parent.version)
    }
    return false
  }
}

extension ZoneStore {
  fileprivate func zoneKey() throws -> ZoneKeyFile? { try key(.zoneKey) }

  fileprivate func recordKey(_ name: ExactName) throws -> RecordKeyFile? {
    let file: RecordKeyFile? = try key(.recordKey(name))
    return file?.record == name ? file : nil
  }

  fileprivate func shareKey(_ name: ExactName) throws -> ShareKeyFile? { try key(.shareKey(name)) }

  /// The key file at this path; nil if it is missing or invalid. Throws if it can't be read, as it may be valid.
  private func key<File: KeyFile>(_ path: StorePath) throws -> File? {
    let bytes: [UInt8]?
    do { bytes = try keyFile(path) } catch let error as SystemError where error.isForeign { return nil }
    guard let bytes else { return nil }
    return (try? JSONValue(parsing: bytes))?.object.flatMap(File.init)
  }
}
