import LocalCloudPlatform
import LocalCloudStorage

/// The bytes of an asset as they were when its record was read. They can be copied later, without the zone's lock, even
/// if the record changes. If the file could not be kept open and no longer exists then, reading it throws
/// ``StoreError/assetGone(path:)``.
///
/// Threads: immutable; safe to use from any.
package final class AssetContent: Sendable {
  package let name: ContentName
  private let path: String
  /// The folder, below the root. It is not held open: a page of records may have more folders than a process can open.
  private let location: (root: Directory, components: [String])
  /// The file's version; nil if no file of the name was found.
  private let version: FileVersion?
  private let retained: RetainedFile?

  /// Call with the lock of the zone that owns this folder of assets, if it has a lock.
  init(_ name: ContentName, below root: Directory, at components: [String], path: String) throws(SystemError) {
    self.name = name
    location = (root, components)
    self.path = path
    let folder = try root.directory(at: components)
    version = try folder?.version(of: name.description)
    // Reading the bytes reports the error.
    retained = try? folder?.retainedFile(name.description)
  }

  /// Passes all bytes to `body`, piece by piece. Throws ``StorageError/damaged(path:reason:)`` if they do not match the
  /// asset's name. This may be detected only at the end.
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

  /// Reads all bytes and returns the mismatch, or nil. Throws if that can't be determined.
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
    if let retained { return retained.file }
    guard let version else { throw damage("it is missing") }
    guard let file = try location.root.directory(at: location.components)?.fileIfPresent(name.description),
      try file.version() == version
    else {
      throw StoreError.assetGone(path: path)
    }
    return file
  }

  private func damage(_ reason: String) -> StorageError { .damaged(path: path, reason: reason) }
}
