import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// Files that are being uploaded into a zone, for one save: `.journal/uploads/<id>.<number>`, under the lease `<id>`.
/// They are written without the zone's lock, so that a large one makes no other process wait.
///
/// A process that dies leaves them without a holder, and the zone's next commit removes them. Not thread-safe.
package final class AssetUploads {
  /// The number of bytes in memory at a time.
  package static let chunk = 1 << 20
  /// Up to this many files are synced one by one; more are made durable by one sync of the file system.
  private static let few = 8

  private let zone: ZoneStore
  private let folder: Directory
  private let lease: Lease
  private let isFew: Bool
  private var uploads: [AssetUpload] = []

  /// Begins uploads for one save, without the zone's lock.
  ///
  /// - Parameters:
  ///   - count: the number of files to be added.
  ///   - identifier: returns names that were never used in this zone.
  package init(in zone: ZoneStore, count: Int, identifier: () -> String) throws {
    self.zone = zone
    isFew = count <= Self.few
    (folder, lease) = try zone.whileCurrent {
      try zone.directory.makeDirectory(ZoneFolder.assetsName)
      try zone.files.journalDirectory.makeDirectory(ZoneFolder.uploadsName)
      let folder = try zone.files.journalDirectory.directory(ZoneFolder.uploadsName)
      while true {
        if let lease = try Lease.make(identifier(), in: folder) { return (folder, lease) }
      }
    }
  }

  /// Writes a file.
  ///
  /// - Parameter read: returns the next bytes, at most ``chunk``, and none at the end. If it throws, the file is
  ///   removed.
  /// - Throws: ``StoreError/zoneMissing(_:)``, `SystemError`, or the error of `read`.
  package func add(_ read: () throws -> [UInt8]) throws -> AssetUpload {
    try write { write in
      while case let bytes = try read(), !bytes.isEmpty { try write(bytes) }
    }
  }

  /// Writes a file.
  ///
  /// - Parameter body: passes the bytes to its argument, piece by piece. If it throws, the file is removed.
  /// - Throws: ``StoreError/zoneMissing(_:)``, `SystemError`, or the error of `body`.
  package func write(_ body: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws -> AssetUpload {
    try zone.whileCurrent { try addFile(body) }
  }

  private func addFile(_ body: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws -> AssetUpload {
    let name = "\(lease.name).\(uploads.count)"
    do {
      let file = try folder.createFile(name, exclusively: true)
      var digest = StreamingDigest()
      try body { bytes in
        try file.write(bytes, at: digest.count)
        digest.add(bytes)
      }
      if isFew { try file.sync() }
      let (hash, size) = (digest.hex128, digest.count)
      let upload = AssetUpload(
        name: name, digest: hash, size: size, twin: try zone.files.twin(of: file, digest: hash, size: size))
      uploads.append(upload)
      return upload
    } catch {
      _ = try? folder.remove(name)
      throw error
    }
  }

  /// Makes the files' contents durable, and the names that lead to them. Call before a commit that names one of them.
  package func makeDurable() throws {
    guard isFew else { return try zone.folder.syncFileSystemApart() }
    for folder in [folder, zone.files.journalDirectory, zone.directory] { try folder.sync() }
  }

  /// Removes the files that no commit took. Call at the end in any case.
  package func end() {
    for upload in uploads where !upload.isCommitted { _ = try? folder.remove(upload.name) }
    try? lease.end()
  }
}

/// A file that was uploaded into a zone, and that no record refers to yet.
///
/// Threads: safe to use from any; its only state is atomic.
package final class AssetUpload: Sendable {
  /// The name in the folder of uploads.
  let name: String
  let digest: String
  package let size: Int
  /// An asset of the zone that was found to hold the same bytes, and the version of its file. While the file has this
  /// version, the bytes need not be compared again.
  let twin: (name: ContentName, version: FileVersion)?
  private let committed = Atomic<Bool>(false)

  init(name: String, digest: String, size: Int, twin: (name: ContentName, version: FileVersion)?) {
    self.name = name
    self.digest = digest
    self.size = size
    self.twin = twin
  }

  /// Whether a journal entry adopts the file.
  var isCommitted: Bool {
    get { committed.load(ordering: .sequentiallyConsistent) }
    set { committed.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
