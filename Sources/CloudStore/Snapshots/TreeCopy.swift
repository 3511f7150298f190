import LocalCloudPlatform
import LocalCloudStorage

/// Copies the primary data of a cloud's tree, or of a snapshot: everything but indexes, journals, locks and files that
/// are on their way ([snapshot-1]).
///
/// Files of records, keys and assets get a second name, because they are only ever replaced ([file-5]). Other files are
/// copied: logs grow in place.
struct TreeCopy {
  /// Runs a function that copies a zone's folder, while no process changes that zone.
  typealias ZoneAccess = (ZonePath, () throws -> Void) throws -> Void

  private let inZone: ZoneAccess
  private(set) var zones: [Snapshot.Zone] = []

  /// - Parameter inZone: for the tree of a cloud. Nothing changes a snapshot.
  init(inZone: @escaping ZoneAccess = { try $1() }) { self.inZone = inZone }

  /// The folders of a zone whose files are only ever replaced whole.
  private static let linked: Set<String> = ["records", StorePath.keys, ZoneFolder.assetsName]

  /// Copies the folders ``Cloud/parts``. Syncs nothing.
  ///
  /// - Parameter target: an empty folder, in the same file system or in another one.
  mutating func copyParts(of source: Directory, to target: Directory) throws {
    for part in Cloud.parts {
      try target.makeDirectory(part)
      guard let folder = try source.directoryIfPresent(part) else { continue }
      try copy(folder, to: target.directory(part), at: [part])
    }
    zones.sort { $0.path.components.lexicographicallyPrecedes($1.path.components) }
  }

  private mutating func copy(_ source: Directory, to target: Directory, at path: [String]) throws {
    for entry in try source.entries() where Self.isPrimary(entry.name, in: path) {
      switch entry.kind {
      case .file:
        try source.duplicate(entry.name, to: target, as: entry.name, byLink: false)
      case .directory:
        let here = path + [entry.name]
        try target.makeDirectory(entry.name)
        let (from, to) = (try source.directory(entry.name), try target.directory(entry.name))
        if let zone = try ZonePath(folder: here, properties: { try from.contents("zone.json") }) {
          try copy(zone, from, to: to)
        } else {
          try copy(from, to: to, at: here)
        }
      case .other:
        // A link or a pipe is no part of a cloud, and `check` lists it.
        break
      }
    }
  }

  /// Whether an entry holds primary data. Names that begin with a dot are reserved ([file-8]); only the folder of the
  /// tombstones of deleted zones is not derived, nor on its way.
  static func isPrimary(_ name: String, in path: [String]) -> Bool {
    !name.hasPrefix(".") || (name == DatabaseFolder.marks && path.last == "zones")
  }

  private mutating func copy(_ zone: ZonePath, _ source: Directory, to target: Directory) throws {
    var records = 0
    try inZone(zone) {
      for entry in try source.entries() where !entry.name.hasPrefix(".") && entry.name != JournaledFolder.lockName {
        if entry.kind == .file {
          try source.duplicate(entry.name, to: target, as: entry.name, byLink: false)
        } else if entry.kind == .directory {
          let count = try Self.copy(
            entry.name, of: source, to: target, byLink: Self.linked.contains(entry.name))
          if entry.name == "records" { records = count }
        }
      }
    }
    zones.append(Snapshot.Zone(path: zone, records: records))
  }

  /// Copies a folder of a zone; returns the number of its files.
  private static func copy(
    _ name: String, of source: Directory, to target: Directory, byLink: Bool
  ) throws -> Int {
    try target.makeDirectory(name)
    let (from, to) = (try source.directory(name), try target.directory(name))
    var count = 0
    for entry in try from.entries() where !entry.name.hasPrefix(".") {
      switch entry.kind {
      case .file:
        try from.duplicate(entry.name, to: to, as: entry.name, byLink: byLink)
        count += 1
      case .directory: count += try copy(entry.name, of: from, to: to, byLink: byLink)
      case .other: break
      }
    }
    return count
  }
}
