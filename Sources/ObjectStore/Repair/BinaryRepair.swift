import Platform
import Storage

/// Sets files of bytes aside that no object uses, or that are not those that their names tell of. What an object then lacks
/// is left for a person.
struct BinaryRepair {
  private let aside: Quarantine
  private let place: Directory?
  private var strays: [(name: String, reason: String)] = []

  init(_ folder: StoreFolder, _ view: FolderView, _ aside: Quarantine, _ tables: [TableScan]) throws {
    self.aside = aside
    place = try folder.directory.directoryIfPresent(StoreFolder.binaries)
    guard let place else { return }
    let sizes = try Self.used(tables, folder, view)
    for entry in try place.entries() {
      guard entry.kind == .file, let size = sizes[entry.name] else {
        strays.append((entry.name, "no object uses it"))
        continue
      }
      let bytes = try place.contents(entry.name) ?? []
      if !ExternalBinary(digest: entry.name, size: size).isOf(bytes) {
        strays.append((entry.name, "its bytes are not those of its name"))
      }
    }
  }

  /// The files that objects use, as they are after the repair, with their sizes.
  private static func used(
    _ tables: [TableScan], _ folder: StoreFolder, _ view: FolderView
  ) throws -> [String: Int] {
    var sizes: [String: Int] = [:]
    for scan in tables where scan.table.kind == .objects {
      let coder = folder.coders[Int(scan.table.place)]
      for part in scan.rows.values.filter({ !$0.isDeletion }).map(\.entry).chunks(of: 2_000) {
        try folder.segments.forEachLine(scan.table, Array(part), view) { _, line in
          for case .external(let binary) in coder.row(line)?.attributes ?? [] { sizes[binary.digest] = binary.size }
        }
      }
    }
    return sizes
  }

  /// Returns what was set aside.
  func run() throws -> [Problem] {
    guard let place else { return [] }
    return try strays.map { name, reason in
      let moved = try aside.move(name, in: place)
      return Problem(path: place.path(of: name), text: "\(reason): it is in \(moved)")
    }
  }
}

extension ExternalBinary {
  /// Whether the file has these bytes, by its size and its name.
  func isOf(_ bytes: [UInt8]) -> Bool { bytes.count == size && digest.hasPrefix(Digest.hex128(bytes)) }
}
