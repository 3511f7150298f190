import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStore
import Synchronization

/// The folder for the assets that this process fetches: one of its own in `localcloud/assets`, in the user's cache
/// folder. The files there are copies, and the app may move them away. A later process that fetches an asset removes
/// the folders of ended processes.
///
/// Threads: safe to use from any thread that may block.
package enum AssetStaging {
  private struct Stage {
    var folder: Directory
    // Held until the process ends.
    var lease: Lease
  }

  private static let stage = Mutex<Stage?>(nil)
  private static let count = Atomic<Int>(0)
  private static let suffix = ".files"

  /// Copies an asset's bytes to a new file; returns its path. `progress`: called with the number of bytes of each part;
  /// may throw.
  package static func copy(
    _ asset: AssetValue, progress: (Int) throws -> Void = { _ in }
  ) throws(ServiceError) -> String {
    try newFile(asset.name.map { "\($0)" } ?? "") { file throws(ServiceError) in
      var offset = 0
      try asset.read { bytes in
        try file.write(bytes, at: offset)
        offset += bytes.count
        try progress(bytes.count)
      }
    }
  }

  // MARK: Files to be saved as assets

  /// Creates a file with those bytes; returns its path. The caller removes it after the save.
  package static func file(of bytes: [UInt8]) throws(ServiceError) -> String {
    try newFile { file throws(ServiceError) in
      do throws(SystemError) { try file.write(bytes, at: 0) } catch { throw .noStaging(error) }
    }
  }

  /// Removes a file that ``file(of:)`` made.
  package static func remove(_ path: String) {
    guard let name = path.split(separator: "/").last, let folder = try? folder() else { return }
    _ = try? folder.remove(String(name))
  }

  /// Creates a file and removes it again if `write` throws; returns its path. `name`: the end of the file's name.
  private static func newFile(
    _ name: String = "", _ write: (File) throws(ServiceError) -> Void
  ) throws(ServiceError) -> String {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let name = "\(number)-\(name)"
    let (folder, file): (Directory, File)
    do {
      folder = try self.folder()
      // Only the user may read the file, with any permissions of the folder.
      file = try folder.createFile(name, mode: 0o600, exclusively: true)
    } catch {
      throw .noStaging(error)
    }
    do {
      try write(file)
    } catch {
      _ = try? folder.remove(name)
      throw error
    }
    return folder.path(of: name)
  }

  // MARK: The folder

  private static func folder() throws(SystemError) -> Directory {
    try stage.withLock { stage throws(SystemError) in
      // A forked process makes a folder of its own: its parent's is removed with the parent.
      if let stage, !stage.lease.isInherited, try !stage.folder.isRemoved() { return stage.folder }
      let base = try base()
      removeLeftovers(in: base)
      let made = try make(in: base)
      stage = made
      return made.folder
    }
  }

  private static func make(in base: Directory) throws(SystemError) -> Stage {
    while true {
      let random = hexadecimal(HostProcess.randomBytes(4))
      guard let lease = try Lease.make("\(HostProcess.identifier)-\(random)", in: base) else { continue }
      try base.makeDirectory(lease.name + suffix)
      return Stage(folder: try base.directory(lease.name + suffix), lease: lease)
    }
  }

  /// The first writable folder of `candidates`.
  private static func base() throws(SystemError) -> Directory {
    var failure = SystemError(code: SystemError.missing, call: "open", path: "the cache folder")
    for path in candidates {
      do {
        try Directory.make(path: path, in: FileSystem())
        let directory = try Directory.open(path: path, in: FileSystem())
        if try directory.isWritable() { return directory }
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static var candidates: [String] {
    func variable(_ name: String) -> String? { HostProcess.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let caches = [variable("XDG_CACHE_HOME"), variable("HOME").map { $0 + "/.cache" }].compactMap { $0 }.prefix(1)
    let temporary = (variable("TMPDIR") ?? "/tmp") + "/localcloud-\(HostProcess.userIdentifier)"
    return caches.map { $0 + "/localcloud/assets" } + [temporary + "/assets"]
  }

  /// Removes the folders of processes that have ended.
  private static func removeLeftovers(in base: Directory) {
    for entry in (try? base.entries()) ?? [] {
      let name = String(entry.name.prefix { $0 != "." })
      _ = try? Lease.reap(name, in: base) { () throws(SystemError) in
        if try base.kind(of: name + suffix) == .directory { try base.removeTree(name + suffix) }
      }
    }
  }
}

extension ServiceError {
  /// The error if there is no folder for fetched assets.
  fileprivate static func noStaging(_ error: SystemError) -> ServiceError {
    ServiceError(
      .assetNotAvailable, "There is no place for fetched assets: \(error)", cause: .storage,
      hint: "Point XDG_CACHE_HOME to a folder that can be written.", path: error.path)
  }
}
