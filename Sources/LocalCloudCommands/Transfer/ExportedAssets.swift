import CloudModel
import Platform
import Storage

/// The folder that the bytes of exported assets go to, each content once, under the name that the cloud has for it.
final class ExportedAssets {
  /// Nil: assets are left out.
  private let folder: String?
  /// How the exported text names it.
  private let prefix: String
  private var known: Set<ContentName> = []
  private(set) var written = 0
  /// Assets whose bytes nobody gets.
  private(set) var leftOut = 0

  /// `prefix` is what leads from the folder that an import looks in to this one.
  init(folder: String?, prefix: String) {
    self.folder = folder
    self.prefix = prefix
  }

  /// Writes what is not there yet; answers the paths.
  func write(_ record: Record) throws -> [ContentName: String] {
    var paths: [ContentName: String] = [:]
    for asset in record.fields.values.flatMap(\.assets) {
      guard let name = asset.name else { continue }
      guard let folder else {
        leftOut += 1
        continue
      }
      paths[name] = prefix + name.description
      guard !known.contains(name), !isThere(name, folder) else { continue }
      let file = try WrittenFile(name.description, inFolder: folder)
      try file.write(asset)
      try file.finish(durably: true)
      // Known ones save looking, and cost memory.
      if known.count < 10_000 { known.insert(name) }
      written += 1
    }
    return paths
  }

  /// A file that holds just these bytes, from an export before, and that nobody else may read. Any other is written anew.
  private func isThere(_ name: ContentName, _ folder: String) -> Bool {
    guard let folder = try? Directory.open(path: folder, in: FileSystem()),
      (try? folder.permissions(of: name.description)) == 0o600, let file = try? folder.file(name.description)
    else { return false }
    return (try? name.isHeld(by: file)) == true
  }
}
