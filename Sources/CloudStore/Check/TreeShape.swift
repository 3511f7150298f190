import LocalCloudPlatform
import LocalCloudStorage

/// Compares the kind of each entry of a cloud with the expected kind at its path, and lists those of another kind: a
/// folder instead of a file, a link, a pipe. Such an entry is never followed or opened; repair sets it aside.
package struct TreeShape {
  package struct Misfit {
    /// The folder's path below the root.
    package var folder: [String]
    package var name: String
    package var problem: Problem
  }

  package private(set) var misfits: [Misfit] = []
  /// Folders that can't be listed, and locks that can't be opened.
  package private(set) var unreadable: [Problem] = []
  private let observer: any CloudObserver

  package init(of cloud: Cloud) throws {
    observer = cloud.observer
    try walk(cloud.root, [])
  }

  private mutating func walk(_ folder: Directory, _ path: [String]) throws {
    for entry in try folder.entries() {
      let here = path + [entry.name]
      switch (kind(at: here), entry.kind) {
      case (nil, _): break
      case (.file?, .file):
        if Self.locks.contains(entry.name) { record(try lockProblem(entry.name, in: folder)) }
        if !Self.mayBeLarge(here), let size = try folder.size(of: entry.name), size > File.mostBytes {
          add(entry.name, in: folder, path, "it is larger than any file of a cloud can be")
        }
      case (.directory?, .directory):
        try enter(entry.name, of: folder, here)
      case (.file?, _): add(entry.name, in: folder, path, "it is not a file")
      case (.directory?, _), (.other?, _): add(entry.name, in: folder, path, "it is not a folder")
      }
    }
  }

  private mutating func add(_ name: String, in folder: Directory, _ path: [String], _ text: String) {
    misfits.append(
      Misfit(folder: path, name: name, problem: Problem(path: folder.path(of: name), text: text)))
  }

  private static let locks: Set<String> = [
    Cloud.lockName, Cloud.gateName, JournaledFolder.lockName, JournaledFolder.gateName,
  ]

  /// The problem of a lock that can't be opened; no other check opens all of them.
  private func lockProblem(_ name: String, in folder: Directory) throws -> Problem? {
    do { _ = try folder.file(name) } catch {
      guard error.leavesUnread else { throw error }
      return Problem(error)
    }
    return nil
  }

  private mutating func record(_ problem: Problem?) {
    if let problem { unreadable.append(problem) }
  }

  private mutating func enter(_ name: String, of folder: Directory, _ path: [String]) throws {
    do { try walk(folder.directory(name), path) } catch let error as SystemError where error.leavesUnread {
      unreadable.append(Problem(error))
    }
  }

  /// Whether a file may be of any size: assets and uploads are never read whole.
  private static func mayBeLarge(_ path: [String]) -> Bool {
    path[0] == "containers" && [ZoneFolder.assetsName, ZoneFolder.uploadsName].contains(path[path.count - 2])
      && path.dropLast(2).contains("zones")
  }

  /// The kind of entry that belongs at a path; nil if any kind is permitted.
  private func kind(at path: [String]) -> Directory.Kind? {
    let name = path[path.count - 1]
    switch path[0] {
    case "accounts":
      return path.count == 1 ? .directory : path.count == 2 ? .file : nil
    case "containers":
      if path.count <= 2 { return .directory }
      if path.count == 3 { return name.hasPrefix(".") ? nil : .directory }
      return path[2] == "shares" ? (path.count == 4 ? .file : nil) : kind(inEnvironment: Array(path[3...]))
    case Cloud.snapshotsName: return path.count == 1 ? .directory : nil
    case Cloud.markerName, Cloud.lockName, Cloud.gateName, Cloud.bootName, Cloud.originName, Cloud.arrivalName,
      Cloud.clockName, Cloud.faultsName, Cloud.faultsLockName, RequestLogFile.name, RequestLogFile.previousName:
      return path.count == 1 ? .file : nil
    default:
      return observer.kind(at: path)
    }
  }

  private func kind(inEnvironment path: [String]) -> Directory.Kind? {
    if path[0] == SchemaFile.name || path[0] == Cloud.lockName { return path.count == 1 ? .file : nil }
    guard ["public", "private", "shared"].contains(path[0]) else { return nil }
    let database = path[0] == "public" ? path.dropFirst(1) : path.dropFirst(2)
    guard let first = database.first else { return .directory }
    if first == DatabaseChangeLog.fileName { return database.count == 1 ? .file : nil }
    guard first == "zones" else { return observer.kind(inDatabase: Array(database)) }
    let subpath = Array(database.dropFirst())
    guard let zone = subpath.first else { return .directory }
    if zone == ".deleted" { return subpath.count == 1 ? .directory : subpath.count == 2 ? .file : nil }
    if zone == Cloud.lockName { return subpath.count == 1 ? .file : nil }
    if zone.hasPrefix(".") { return nil }
    // The zones of a shared database are pointers.
    if path[0] == "shared" { return subpath.count == 1 ? .file : nil }
    return subpath.count == 1 ? .directory : Self.kind(inZone: Array(subpath.dropFirst()))
  }

  private static func kind(inZone path: [String]) -> Directory.Kind? {
    switch (path[0], path.count) {
    case ("zone.json", 1), ("changes.jsonl", 1), (JournaledFolder.lockName, 1): .file
    case (".index", 1), (".journal", 1), ("records", 1), ("shares", 1): .directory
    case (ZoneFolder.assetsName, 1): .directory
    case (ZoneFolder.assetsName, 2): path[1].hasPrefix(".") ? nil : .file
    case (".journal", _) where path.count > 1 && path[1] == ZoneFolder.uploadsName:
      path.count == 2 ? .directory : path.count == 3 ? .file : nil
    case (".journal", _) where path[1] == "staged": path.count == 2 ? .directory : path.count == 3 ? .file : nil
    case (".index", 2), (".journal", 2): .file
    // Hidden files there belong to an editor or to the system.
    case ("records", 2), ("shares", 2): path[1].hasPrefix(".") ? nil : .file
    case (StorePath.keys, 1): .directory
    case (StorePath.keys, 2):
      ["records", "shares"].contains(path[1]) ? .directory : path[1] == "zone.json" ? .file : nil
    case (StorePath.keys, 3): path[2].hasPrefix(".") ? nil : .file
    default: nil
    }
  }
}
