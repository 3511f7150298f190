import LocalCloudPlatform
import LocalCloudStorage

/// A database's folder: its zones, and the log of their changes. A shared database has no zones of its own but
/// pointers: one file for each zone that another account shares with its account.
package struct DatabaseFolder {
  package let path: DatabasePath
  package let directory: Directory
  package var log: DatabaseChangeLog { DatabaseChangeLog(in: directory, limits: limits) }
  private let limits: StorageLimits

  /// Nil if the folder is missing and `making` is false.
  init?(_ path: DatabasePath, container: Directory, making: Bool, limits: StorageLimits) throws {
    let components = [path.environment] + path.scope.map(FileName.encode)
    let found = making ? try container.makingDirectory(at: components) : try container.directory(at: components)
    guard let found else { return nil }
    self.init(path, found, limits: limits)
  }

  init(_ path: DatabasePath, _ directory: Directory, limits: StorageLimits) {
    (self.path, self.directory, self.limits) = (path, directory, limits)
  }

  private var isShared: Bool { path.scope.first == "shared" }

  /// The names of the zones, in byte order.
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

  /// The folder of the tombstones that deleted zones leave, beside the zones.
  static let marks = ".deleted"

  /// Whether an entry there is a tombstone: it names a zone by that name, and the last sequence of the zone.
  static func isMark(_ entry: Directory.Entry, in marks: Directory) throws -> Bool {
    guard entry.kind == .file, let object = try readable({ try marks.object(at: [entry.name]) }),
      let name = object["zoneID"]?["zoneName"]?.string, let sequence = object["sequence"]?.integer
    else { return false }
    return FileName.document(name) == entry.name && LogFile.sequences.contains(sequence)
  }

  /// The tombstone of a zone; nil if no zone of this name was deleted before.
  package func tombstone(_ zone: ExactName) throws -> JSONObject? {
    try directory.object(at: ["zones", Self.marks, FileName.document(zone.string)])
  }

  /// The names of the zones that have a tombstone, in byte order.
  package func tombstones() throws -> [ExactName] {
    guard let marks = try directory.directoryIfPresent("zones")?.directoryIfPresent(Self.marks) else { return [] }
    let zones = try marks.entries().filter { (try? Self.isMark($0, in: marks)) == true }
      .compactMap { try marks.object(at: [$0.name])?["zoneID"]?["zoneName"]?.string }
    return zones.map { ExactName($0) }.sorted()
  }

  package static func tombstonePath(_ database: DatabasePath, _ zone: ExactName) -> StorePath {
    StorePath(
      .container,
      [database.environment] + database.scope.map(FileName.encode)
        + ["zones", marks, FileName.document(zone.string)])
  }

  /// Writes the reason of the deletion to the tombstone of a zone that no longer exists. Returns false if there is no
  /// tombstone. Call with the lock of ``zones`` held.
  func setEnding(_ reason: String, of zone: ExactName) throws -> Bool {
    guard var object = try tombstone(zone), let zones = try directory.directoryIfPresent("zones") else { return false }
    object["reason"] = .string(reason)
    let marks = try zones.directory(Self.marks)
    // The creation of a zone removes this folder if a killed process leaves it.
    let aside = ".new-mark"
    try zones.makeDirectory(aside)
    let folder = try zones.directory(aside)
    let file = FileName.document(zone.string)
    try folder.writeStaged(file, JSONValue.object(object).pretty())
    try folder.file(file, .readWrite).sync()
    try folder.rename(file, to: marks, as: file)
    try marks.sync()
    try zones.removeTree(aside)
    return true
  }

  // MARK: Pointers of a shared database

  /// The path of an account's pointer to another account's zone.
  package static func pointerPath(_ database: DatabasePath, owner: String, zone: ExactName) -> StorePath {
    StorePath(
      .container,
      [database.environment] + database.scope.map(FileName.encode)
        + ["zones", FileName.encodePair(owner, zone.string) + ".json"])
  }

  package func pointer(owner: String, zone: ExactName) throws -> JSONObject? {
    try directory.object(at: ["zones", FileName.encodePair(owner, zone.string) + ".json"])
  }

  package func pointers() throws -> [JSONObject] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    return try zones.entries().filter(Self.isDocument).compactMap { try zones.object(at: [$0.name]) }
  }

  private static func isDocument(_ entry: Directory.Entry) -> Bool {
    entry.kind == .file && entry.name.hasSuffix(".json") && !entry.name.hasPrefix(".")
  }

  /// Returns the result of `read`, or nil if the file is damaged: damage must not stop a log.
  static func readable<Value>(_ read: () throws -> Value?) throws -> Value? {
    do { return try read() } catch StorageError.damaged {
      return nil
    } catch let error as SystemError where error.isForeign {
      return nil
    }
  }

  /// All zones that a new era of the log has to mention: existing zones, and deleted ones.
  ///
  /// After a power cut, a file may be empty until another zone's journal restores it, and mentions it. So a file that
  /// can't be read is omitted. `check` reports a file that stays unreadable.
  package func mentionable() throws -> [(ExactName, ExactName?)] {
    var result: [(ExactName, ExactName?)] = []
    func add(_ object: JSONObject) {
      guard let zone = object["zoneID"]?["zoneName"]?.string else { return }
      result.append(
        (ExactName(zone), isShared ? object["zoneID"]?["ownerRecordName"]?.string.map { ExactName($0) } : nil))
    }
    func addAll(in folder: Directory?) throws {
      for entry in try folder?.entries() ?? [] where Self.isDocument(entry) {
        if let folder, let object = try Self.readable({ try folder.object(at: [entry.name]) }) {
          add(object)
        } else if !isShared, let name = FileName.decode(String(entry.name.dropLast(".json".count))) {
          result.append((ExactName(name), nil))
        }
      }
    }
    let zones = try directory.directoryIfPresent("zones")
    if isShared { try addAll(in: zones) } else { result += try self.zones().map { ($0, nil) } }
    try addAll(in: zones?.directoryIfPresent(Self.marks))
    return result
  }
}
