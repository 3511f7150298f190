import Platform

/// A database's folder: its zones, and the log that says which of them changed. A shared database has no zones of its
/// own but pointers, one file a window into somebody else's zone.
package struct DatabaseFolder {
  package let path: DatabasePath
  package let directory: Directory
  package var log: LeafLog { LeafLog(in: directory) }

  /// Nil where there is none yet and none is to be made.
  init?(_ path: DatabasePath, container: Directory, making: Bool) throws {
    var place = container
    for component in [path.environment] + path.scope.map(FileName.encode) {
      if let next = try place.directoryIfPresent(component) {
        place = next
      } else if making {
        try place.makeDirectory(component)
        place = try place.directory(component)
      } else {
        return nil
      }
    }
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
    try document(in: ["zones", ".deleted"], FileName.encode(zone.string) + ".json")
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
    try document(in: ["zones"], FileName.encodePair(owner, zone.string) + ".json")
  }

  package func pointers() throws -> [JSONObject] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    return try zones.entries().filter { $0.kind == .file && $0.name.hasSuffix(".json") && !$0.name.hasPrefix(".") }
      .compactMap { try document(in: ["zones"], $0.name) }
  }

  private func document(in folders: [String], _ name: String) throws -> JSONObject? {
    var place = directory
    for folder in folders {
      guard let next = try place.directoryIfPresent(folder) else { return nil }
      place = next
    }
    guard let bytes = try place.contents(name) else { return nil }
    guard let object = (try? JSONValue(parsing: bytes))?.object else {
      throw StoreError.damaged(path: place.path(of: name), reason: "not a JSON object")
    }
    return object
  }

  /// Everything that a new era of the log has to mention: what is there, and what is not any more.
  package func mentionable() throws -> [(ExactName, ExactName?)] {
    var result: [(ExactName, ExactName?)] = []
    func add(_ object: JSONObject) {
      guard let zone = object["zoneID"]?["zoneName"]?.string else { return }
      result.append(
        (ExactName(zone), isShared ? object["zoneID"]?["ownerRecordName"]?.string.map { ExactName($0) } : nil))
    }
    if isShared { try pointers().forEach(add) } else { result += try zones().map { ($0, nil) } }
    if let deleted = try directory.directoryIfPresent("zones")?.directoryIfPresent(".deleted") {
      for entry in try deleted.entries() where entry.name.hasSuffix(".json") {
        if let object = try document(in: ["zones", ".deleted"], entry.name) { add(object) }
      }
    }
    return result
  }
}
