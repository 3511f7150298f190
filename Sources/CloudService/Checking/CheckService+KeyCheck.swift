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
  func strayKeys(_ path: ZonePath, _ zone: ZoneStore, _ live: (ExactName) throws -> StoredRecord?) throws
    -> [KeyProblem]
  {
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

  /// The problems of a zone's keys: stray files, encrypted values without a key that opens them, and shares' keys of
  /// another version.
  func checkKeys(_ path: ZonePath, _ view: ZoneView, _ zone: ZoneChecker) throws -> [Problem] {
    var problems = try strayKeys(path, view.zone) { zone.live[$0] }.map(\.problem)
    let isPerZone = try view.properties().encryptionScope == .perZone
    let zoneVersion = try view.zone.zoneKey()?.history.version ?? 0
    for (name, record) in zone.live where !record.encryptedFields.isEmpty {
      let recordPath = view.zone.recordPath(name)
      let version = record.encryptedFields.map { VersionedKey.version($0.field["keyVersion"]) ?? .max }.max() ?? 1
      let isSound =
        try path.database.scope.first == DatabaseScope.private.name
        && (isPerZone ? version <= zoneVersion : leadsUp(from: name, version, view.zone, zone.live))
      if !isSound { problems.append(Problem(path: recordPath, text: "no key leads to its encrypted values")) }
    }
    for file in try misfits(among: zone.live.values, view.zone) {
      let keyPath = view.zone.directory.path(of: StorePath.shareKey(file.share).components.joined(separator: "/"))
      problems.append(Problem(path: keyPath, text: "it opens version \(file.version) of a key that has others"))
    }
    return problems
  }

  /// Whether this version of the record's key can be opened by a chain of parents' keys that begins with the zone's key
  /// or the owner's key pair.
  private func leadsUp(
    from name: ExactName, _ version: Int, _ zone: ZoneStore, _ live: [ExactName: StoredRecord]
  ) throws -> Bool {
    var (next, wanted) = (name, version)
    var visited: Set<ExactName> = []
    while visited.insert(next).inserted {
      guard let file = try zone.recordKey(next), wanted <= file.history.version else { return false }
      if let wrap = file.zone { return try zone.zoneKey().map { wrap.version <= $0.history.version } ?? true }
      if file.owner != nil { return true }
      guard let parent = file.parent, live[next]?.keyParent == parent.parent else { return false }
      (next, wanted) = (parent.parent, parent.version)
    }
    return false
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
