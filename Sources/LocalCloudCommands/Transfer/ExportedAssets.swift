import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage

/// The folder for the bytes of exported assets. Each content is written once, under its content name in the cloud.
final class ExportedAssets {
  /// The folder; nil leaves the assets out.
  private let folder: String?
  /// The prefix of the asset paths in the exported text.
  private let prefix: String
  private var known: Set<ContentName> = []
  private(set) var written = 0
  /// The number of assets that are written without their bytes.
  private(set) var leftOut = 0

  /// `prefix` is the path from the folder that an import reads assets from to `folder`.
  init(folder: String?, prefix: String) {
    self.folder = folder
    self.prefix = prefix
  }

  /// Writes the record's assets that do not exist yet. Returns the paths by content name.
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
      // A known name saves a check of the file. The set is limited to save memory.
      if known.count < 10_000 { known.insert(name) }
      written += 1
    }
    return paths
  }

  /// Whether an earlier export wrote a file with exactly these bytes that only its owner can read. Any other file is
  /// rewritten.
  private func isThere(_ name: ContentName, _ folder: String) -> Bool {
    guard let folder = try? Directory.open(path: folder, in: FileSystem()),
      (try? folder.permissions(of: name.description)) == 0o600, let file = try? folder.file(name.description)
    else { return false }
    return (try? name.isHeld(by: file)) == true
  }
}
