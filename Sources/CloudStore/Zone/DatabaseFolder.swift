import Platform

/// A database's folder: its zones, and the log that says which of them changed. A shared database has no zones of its
/// own but pointers, one file a window into somebody else's zone.
package struct DatabaseFolder {
  package let path: DatabasePath
  package let directory: Directory
  package var log: LeafLog { LeafLog(in: directory) }

  /// Nil where there is none yet and none is to be made.
  init?(_ path: DatabasePath, container: Directory, making: Bool) throws {
    let components = [path.environment] + path.scope.map(FileName.encode)
    let place = making ? try container.makingDirectory(at: components) : try container.directory(at: components)
    guard let place else { return nil }
    self.path = path
    directory = place
  }

  private var isShared: Bool { path.scope.first == "shared" }

  /// Names of the zones there are, in byte order.
  package func zones() throws -> [ExactName] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    var result: [ExactName] = []
    for entry in try zones.entries() where entry.kind == .directory && !entry.name.hasPrefix(".") {
      if let name = FileName.decode(entry.name) {
        result.append(ExactName(name))
      } else if let bytes = try zones.directory(entry.name).contents("zone.json") {
        result.append(try ZoneProperties.parse(bytes, path: zones.path(of: entry.name)).name)
      }
    }
    return result.sorted()
  }

  /// The zone's marker, if a zone of this name was deleted before.
  package func tombstone(_ zone: ExactName) throws -> JSONObject? {
    try directory.object(at: ["zones", ".deleted", FileName.encode(zone.string) + ".json"])
  }

  package static func tombstonePath(_ database: DatabasePath, _ zone: ExactName) -> FilePath {
    FilePath(
      .container,
      [database.environment] + database.scope.map(FileName.encode)
        + ["zones", ".deleted", FileName.encode(zone.string) + ".json"])
  }

  // MARK: Pointers of a shared database

  /// Where an account's pointer to somebody's zone lies.
  package static func pointerPath(_ database: DatabasePath, owner: String, zone: ExactName) -> FilePath {
    FilePath(
      .container,
      [database.environment] + database.scope.map(FileName.encode)
        + ["zones", FileName.encodePair(owner, zone.string) + ".json"])
  }

  package func pointer(owner: String, zone: ExactName) throws -> JSONObject? {
    try directory.object(at: ["zones", FileName.encodePair(owner, zone.string) + ".json"])
  }

  package func pointers() throws -> [JSONObject] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    return try zones.entries().filter { $0.kind == .file && $0.name.hasSuffix(".json") && !$0.name.hasPrefix(".") }
      .compactMap { try zones.object(at: [$0.name]) }
  }

  private func readablePointers() throws -> [JSONObject] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    return try zones.entries().filter { $0.kind == .file && $0.name.hasSuffix(".json") && !$0.name.hasPrefix(".") }
      .compactMap { entry in try readable { try zones.object(at: [entry.name]) } }
  }

  /// Nil for what is damaged: that must not keep a log from going on.
  private func readable<Value>(_ read: () throws -> Value?) throws -> Value? {
    do { return try read() } catch StoreError.damaged {
      return nil
    } catch let error as SystemError where error.isForeign {
      return nil
    }
  }

  /// Everything that a new era of the log has to mention: what is there, and what is not any more.
  package func mentionable() throws -> [(ExactName, ExactName?)] {
    var result: [(ExactName, ExactName?)] = []
    func add(_ object: JSONObject) {
      guard let zone = object["zoneID"]?["zoneName"]?.string else { return }
      result.append(
        (ExactName(zone), isShared ? object["zoneID"]?["ownerRecordName"]?.string.map { ExactName($0) } : nil))
    }
    if isShared { try readablePointers().forEach(add) } else { result += try zones().map { ($0, nil) } }
    if let deleted = try directory.directoryIfPresent("zones")?.directoryIfPresent(".deleted") {
      for entry in try deleted.entries() where entry.name.hasSuffix(".json") {
        if let object = try readable({ try deleted.object(at: [entry.name]) }) {
          add(object)
        } else if let name = FileName.decode(String(entry.name.dropLast(".json".count))) {
          result.append((ExactName(name), nil))
        }
      }
    }
    return result
  }
}
