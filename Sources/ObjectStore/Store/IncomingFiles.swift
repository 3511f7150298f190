import LocalCloudPlatform
import LocalCloudStorage

/// The files that a transaction stages durably before its commit renames them to their final paths.
///
/// Their names begin with the number after the store's last one. So no two commits use the same name, and a journal
/// entry that names a file can't refer to another commit's file.
final class IncomingFiles {
  private let folder: StoreFolder
  private let prefix: String
  private(set) var names: [String] = []
  /// The binaries that were staged, by digest, with the names of their files.
  private(set) var binaries: [String: String] = [:]

  init(_ folder: StoreFolder, before number: Int64) {
    self.folder = folder
    prefix = "\(number)-"
  }

  func stage(_ bytes: [UInt8]) throws -> String {
    // A process that was killed may have left files.
    if names.isEmpty { try folder.clearIncoming() }
    let name = prefix + String(names.count)
    names.append(name)
    try folder.stageIncoming(bytes, as: name)
    return name
  }

  /// Stages bytes that no file of the store has yet. Different bytes with the same digest get a name of their own.
  func binary(_ bytes: [UInt8]) throws -> ExternalBinary {
    let digest = Digest.hex128(bytes)
    for number in 1... {
      let name = number == 1 ? digest : "\(digest)-\(number)"
      let binary = ExternalBinary(digest: name, size: bytes.count)
      let known = try contents(name)
      if known == bytes { return binary }
      if known == nil {
        binaries[name] = try stage(bytes)
        return binary
      }
    }
    preconditionFailure("more contents of one digest than there are numbers")
  }

  private func contents(_ binary: String) throws -> [UInt8]? {
    if let staged = binaries[binary] {
      return try folder.journalDirectory.contents(at: [StoreFolder.incoming, staged])
    }
    return try folder.contents(StoreFolder.binary(binary))
  }

  /// Makes the files' names durable. Call before the commit.
  func sync() throws { if !names.isEmpty { try folder.syncIncoming() } }

  /// Removes the files that no effect of a commit names; all of them, if there is no commit.
  func remove(except effects: [JournalEntry.Effect] = []) {
    if names.isEmpty { return }
    let moved = effects.compactMap { if case .move(_, let name) = $0 { name } else { nil } }
    let left = names.filter { !moved.contains($0) }
    if !left.isEmpty { folder.removeIncoming(left) }
    names = []
  }
}
