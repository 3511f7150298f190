import LocalCloudPlatform
import LocalCloudStorage

/// Assets are in the zone's folder under names derived from their bytes, and are never written to.
extension ZoneFolder {
  package static let assetsName = "assets"
  static let uploadsName = "uploads"

  /// Whether `name` can be an upload's name.
  static func isUpload(_ name: String) -> Bool { StorePath(text: "zone/" + name)?.components == [name] }

  private func assets() throws -> Directory? { try directory.directoryIfPresent(Self.assetsName) }

  private func uploads() throws -> Directory? { try journalDirectory.directoryIfPresent(Self.uploadsName) }

  // MARK: Comparing

  /// An asset with the same bytes as `file`, and its version. Called without the lock, so that no other process waits
  /// for the comparison.
  func twin(of file: File, digest: String, size: Int) throws -> (name: ContentName, version: FileVersion)? {
    guard let assets = try assets() else { return nil }
    var name = ContentName(digest: digest, size: size, number: 1)
    while let version = try assets.version(of: name.description) {
      if let other = Self.file(name.description, in: assets), try other.version() == version, try areSame(file, other) {
        return (name, version)
      }
      name = ContentName(digest: digest, size: size, number: name.number + 1)
    }
    return nil
  }

  /// Whether the asset of that name holds the upload's bytes; nil if there is no such asset.
  func isSame(_ upload: AssetUpload, _ name: ContentName) throws -> Bool? {
    guard let assets = try assets(), let version = try assets.version(of: name.description) else { return nil }
    if let twin = upload.twin, twin == (name, version) { return true }
    guard let other = Self.file(name.description, in: assets) else { return false }
    return try uploads()?.fileIfPresent(upload.name).map { try areSame($0, other) } ?? false
  }

  func areSame(_ upload: AssetUpload, _ other: AssetUpload) throws -> Bool {
    guard upload.digest == other.digest, upload.size == other.size, let uploads = try uploads() else { return false }
    return try areSame(uploads.file(upload.name), uploads.file(other.name))
  }

  private func areSame(_ file: File, _ other: File) throws -> Bool {
    let size = try file.size()
    guard try other.size() == size else { return false }
    for offset in stride(from: 0, to: size, by: AssetUploads.chunk) {
      let bytes = try file.read(at: offset, count: AssetUploads.chunk)
      guard try other.read(at: offset, count: AssetUploads.chunk) == bytes else { return false }
    }
    return true
  }

  /// Nil if the entry can't be opened as a file: it is then not the asset.
  private static func file(_ name: String, in folder: Directory) -> File? { try? folder.file(name) }

  // MARK: Adopting uploads

  /// Renames an upload to its name as an asset. Does nothing if that was done before.
  func adopt(_ name: ContentName, upload: String, isReplay: Bool) throws {
    let assets = try directory.makingDirectory(at: [Self.assetsName])
    guard let uploads = try uploads(), let file = try uploads.fileIfPresent(upload) else { return }
    // By the time of a replay, another upload may have that name.
    if isReplay, try Self.digest(of: file) != name.digest { return }
    try uploads.rename(upload, to: assets, as: name.description)
  }

  private static func digest(of file: File) throws -> String {
    var digest = StreamingDigest()
    while case let bytes = try file.read(at: digest.count, count: AssetUploads.chunk), !bytes.isEmpty {
      digest.add(bytes)
    }
    return digest.hex128
  }

  func hasAsset(_ name: ContentName) throws -> Bool { try assets()?.exists(name.description) ?? false }

  // MARK: Reading

  /// The content of an asset. Call with the zone's lock.
  func content(of name: ContentName) throws -> AssetContent {
    let path = directory.path(of: Self.assetsName + "/" + name.description)
    return try AssetContent(name, below: root, at: self.path.components + [Self.assetsName], path: path)
  }

  /// The entries of the folder of assets, without dot files.
  func assetEntries() throws -> [(folder: Directory, entry: Directory.Entry)] {
    guard let assets = try assets() else { return [] }
    return try assets.entries().filter { !$0.name.hasPrefix(".") }.map { (assets, $0) }
  }

  // MARK: Tidying up

  /// Removes the uploads of processes that died before their commits. Call with the exclusive lock. The next commit
  /// retries those that can't be removed now.
  func removeDeadUploads(_ journal: Journal) {
    guard let uploads = try? uploads(), let entries = try? uploads.entries(), !entries.isEmpty,
      // A file that a journal entry is to adopt must not be removed.
      (try? journal.isClean()) == true
    else { return }
    let byLease = Dictionary(grouping: entries.map(\.name)) { String($0.prefix { $0 != "." }) }
    for (lease, names) in byLease.sorted(by: { $0.key < $1.key }) {
      _ = try? Lease.reap(lease, in: uploads) { () throws(SystemError) in
        for name in names where name != lease { try uploads.remove(name) }
      }
    }
  }
}

extension StorePath {
  static func asset(_ name: ContentName) -> StorePath { StorePath(.zone, [ZoneFolder.assetsName, name.description]) }

  var asset: ContentName? {
    guard base == .zone, components.count == 2, components[0] == ZoneFolder.assetsName else { return nil }
    return ContentName(components[1])
  }
}
