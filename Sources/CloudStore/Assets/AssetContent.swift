import Platform
import Storage

/// The bytes of an asset, as they were when its record was read: whatever becomes of the record, they can still be copied,
/// without the zone's lock.
///
/// Threads: immutable; use it from any thread.
package final class AssetContent: Sendable {
  package let name: ContentName
  private let path: String
  /// Of the folder, below the root: a page of records may have more folders than a process can have open.
  private let place: (root: Directory, components: [String])
  /// Nil where nothing of the name was found.
  private let version: FileVersion?
  private let kept: KeptFile?

  /// To be made under the lock of the zone whose folder of assets lies there, if it has one.
  init(_ name: ContentName, below root: Directory, at components: [String], path: String) throws(SystemError) {
    self.name = name
    place = (root, components)
    self.path = path
    let folder = try root.directory(at: components)
    version = try folder?.version(of: name.description)
    // Whoever wants the bytes is told why there are none.
    kept = try? folder?.keptFile(name.description)
  }

  /// Hands over all bytes, piece by piece. Throws ``StorageError/damaged(path:reason:)`` if they are not those that the
  /// asset is named after, which may show at the end only.
  package func read(_ body: ([UInt8]) throws -> Void) throws {
    let file = try file()
    guard try file.size() == name.size else { throw damage("it does not have the \(name.size) bytes of its name") }
    var digest = StreamingDigest()
    while case let bytes = try file.read(at: digest.count, count: AssetUploads.chunk), !bytes.isEmpty {
      digest.add(bytes)
      try body(bytes)
    }
    guard digest.hex128 == name.digest, digest.count == name.size else {
      throw damage("its bytes are not those that it is named after")
    }
  }

  /// What is wrong with it, all bytes read. Throws where it can't be told.
  func problem() throws -> Problem? {
    do { try read { _ in } } catch StorageError.damaged(let path, let reason) {
      return Problem(path: path, text: reason)
    } catch StoreError.assetGone {
      return nil
    } catch let error as SystemError where error.isForeign {
      return Problem(path: path, text: error.reason)
    }
    return nil
  }

  private func file() throws -> File {
    if let kept { return kept.file }
    guard let version else { throw damage("it is missing") }
    guard let file = try place.root.directory(at: place.components)?.fileIfPresent(name.description),
      try file.version() == version
    else {
      throw StoreError.assetGone(path: path)
    }
    return file
  }

  private func damage(_ reason: String) -> StorageError { .damaged(path: path, reason: reason) }
}
