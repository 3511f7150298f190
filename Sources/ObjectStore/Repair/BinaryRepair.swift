import LocalCloudPlatform
import LocalCloudStorage

/// Sets aside binary files that no object uses, or with bytes that do not match the digest in the name. An object that
/// then lacks its file needs a person's decision.
struct BinaryRepair {
  private let aside: Quarantine
  private var strays: [Stray] = []

  init(_ folder: StoreFolder, _ view: FolderView, _ aside: Quarantine, _ tables: [TableScan]) throws {
    self.aside = aside
    guard let binaries = try folder.directory.directoryIfPresent(StoreFolder.binaries) else { return }
    let sizes = try Self.used(tables, folder, view)
    for entry in try binaries.entries() {
      guard entry.kind == .file, let size = sizes[entry.name] else {
        strays.append(Stray(folder: binaries, name: entry.name, text: "no object uses it"))
        continue
      }
      let bytes = try binaries.contents(entry.name) ?? []
      if !ExternalBinary(digest: entry.name, size: size).isOf(bytes) {
        strays.append(Stray(folder: binaries, name: entry.name, text: "its bytes are not those of its name"))
      }
    }
  }

  /// The files that objects use, as they are after the repair, with their sizes.
  private static func used(
    _ tables: [TableScan], _ folder: StoreFolder, _ view: FolderView
  ) throws -> [String: Int] {
    var sizes: [String: Int] = [:]
    for scan in tables where scan.table.kind == .objects {
      let coder = folder.coders[Int(scan.table.index)]
      try scan.forEachRow(view) { line in
        for case .external(let binary) in coder.row(line)?.attributes ?? [] { sizes[binary.digest] = binary.size }
      }
    }
    return sizes
  }

  /// Returns the files that were set aside.
  func run() throws -> [Problem] { try strays.map { try aside.move($0) } }
}
