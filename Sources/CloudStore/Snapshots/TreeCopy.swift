import LocalCloudPlatform
import LocalCloudStorage

/// Copies the primary data of a cloud's tree, or of a snapshot: everything but indexes, journals, locks and files that
/// are on their way ([snapshot-1]).
///
/// Files of records, keys and assets get a second name, because they are only ever replaced ([file-5]). Other files are
/// copied: logs grow.
struct TreeCopy {
  /// Runs a function that copies a zone's folder, while no process changes that zone.
  typealias ZoneAccess = (ZonePath, () throws -> Void) throws -> Void

  private let inZone: ZoneAccess
  private(set) var zones: [Snapshot.Zone] = []

  /// - Parameter inZone: for the tree of a cloud. Nothing changes a snapshot.
  init(inZone: @escaping ZoneAccess = { try $1() }) { self.inZone = inZone }

  /// The folders of a zone with files that are only ever replaced whole.
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

  /// - Parameter zone: the number of components of the path of the zone that holds the folder.
  private mutating func copy(
    _ source: Directory, to target: Directory, at path: [String], inZoneAt zone: Int? = nil
  ) throws {
    let part = zone.flatMap { path.count > $0 ? path[$0] : nil }
    for entry in try source.entries() where Self.isPrimary(entry.name, in: path) {
      // The lock of a zone is made again with the zone's journal.
      if path.count == zone, entry.name == JournaledFolder.lockName { continue }
      switch entry.kind {
      case .file:
        let byLink = part.map(Self.linked.contains) ?? false
        try source.duplicate(entry.name, to: target, as: entry.name, byLink: byLink)
        if part == "records" { zones[zones.count - 1].records += 1 }
      case .directory:
        let here = path + [entry.name]
        try target.makeDirectory(entry.name)
        let (from, to) = (try source.directory(entry.name), try target.directory(entry.name))
        if zone == nil, let path = try ZonePath(folder: here, properties: { try from.contents("zone.json") }) {
          zones.append(Snapshot.Zone(path: path, records: 0))
          let inZone = inZone
          try inZone(path) { try copy(from, to: to, at: here, inZoneAt: here.count) }
        } else {
          try copy(from, to: to, at: here, inZoneAt: zone)
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
}
