import CloudModel
import CloudStore
import Platform
import Storage

/// Whether keys and what is encrypted fit, as far as that can be told without a private key.
extension CheckService {
  struct KeyProblem {
    var path: StorePath
    var problem: Problem
  }

  /// Files that hold no key of anything there is.
  func strayKeys(_ path: ZonePath, _ zone: ZoneStore, _ live: (ExactName) throws -> StoredRecord?) throws
    -> [KeyProblem]
  {
    try zone.keyFiles().compactMap { file in
      let place = zone.directory.path(of: file.components.joined(separator: "/"))
      return try problem(place, "it holds no key of anything there is") { try isKey(file, zone, live) }
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

  /// What is encrypted, and no way of keys leads to.
  func checkKeys(_ path: ZonePath, _ view: ZoneView, _ zone: ZoneChecker) throws -> [Problem] {
    var problems = try strayKeys(path, view.zone) { zone.live[$0] }.map(\.problem)
    let isPerZone = try view.properties().encryptionScope == .perZone
    let zoneVersion = try view.zone.zoneKey()?.history.version ?? 0
    for (name, record) in zone.live where !record.encryptedFields.isEmpty {
      let place = view.zone.recordPath(name)
      let version = record.encryptedFields.map { VersionedKey.version($0.field["keyVersion"]) ?? .max }.max() ?? 1
      let isSound =
        try path.database.scope.first == DatabaseScope.private.name
        && (isPerZone ? version <= zoneVersion : leadsUp(from: name, version, view.zone, zone.live))
      if !isSound { problems.append(Problem(path: place, text: "no key leads to its encrypted values")) }
    }
    for file in try misfits(among: zone.live.values, view.zone) {
      let place = view.zone.directory.path(of: StorePath.shareKey(file.share).components.joined(separator: "/"))
      problems.append(Problem(path: place, text: "it opens version \(file.version) of a key that has others"))
    }
    return problems
  }

  /// From the record's key of that version to one that opens by itself.
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

  /// Keys of shares that open another version of their root's key, or of the zone's, than the present one: people would
  /// lack what is sealed with that. Not those that are to be replaced anyway.
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

  /// Nil for what is none; what can't be read may be one.
  private func key<File: KeyFile>(_ path: StorePath) throws -> File? {
    let bytes: [UInt8]?
    do { bytes = try keyFile(path) } catch let error as SystemError where error.isForeign { return nil }
    guard let bytes else { return nil }
    return (try? JSONValue(parsing: bytes))?.object.flatMap(File.init)
  }
}
