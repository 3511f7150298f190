import CloudStore
import Platform

/// Whether keys and what is encrypted fit, as far as that can be told without a private key.
extension CloudService {
  struct KeyProblem {
    var path: FilePath
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
    _ path: FilePath, _ zone: ZoneStore, _ live: (ExactName) throws -> StoredRecord?
  ) throws -> Bool {
    guard let bytes = try zone.keyFile(path), let object = (try? JSONValue(parsing: bytes))?.object else {
      return false
    }
    if path == .zoneKey { return ZoneKeyFile(object) != nil }
    if let file = RecordKeyFile(object), path == .recordKey(file.record) {
      return try live(file.record) != nil && (file.zone ?? file.parent?.sealed ?? file.owner?.sealed) != nil
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
    for (name, record) in zone.live where !record.encryptedFields.isEmpty {
      let place = view.zone.recordPath(name)
      let isSound =
        try path.database.scope.first == DatabaseScope.private.name
        && (isPerZone ? view.zone.keyFile(.zoneKey) != nil : leadsUp(from: name, view.zone, zone.live))
      if !isSound { problems.append(Problem(path: place, text: "no key leads to its encrypted values")) }
    }
    return problems
  }

  /// Nil for what lies there and is no file.
  private func readableKey(_ path: FilePath, _ zone: ZoneStore) throws -> [UInt8]? {
    do { return try zone.keyFile(path) } catch let error as SystemError where error.isForeign { return nil }
  }

  /// From the record's key to one that opens by itself.
  private func leadsUp(
    from name: ExactName, _ zone: ZoneStore, _ live: [ExactName: StoredRecord]
  ) throws -> Bool {
    var next = name
    var visited: Set<ExactName> = []
    while visited.insert(next).inserted {
      guard let bytes = try readableKey(.recordKey(next), zone),
        let file = (try? JSONValue(parsing: bytes))?.object.flatMap(RecordKeyFile.init), file.record == next
      else { return false }
      if file.zone != nil || file.owner != nil { return true }
      guard let parent = file.parent?.parent, live[next]?.keyParent == parent else { return false }
      next = parent
    }
    return false
  }
}
