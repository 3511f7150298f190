import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore

/// A file that a command writes for the user. A file is written completely or not at all, and replaces an existing file
/// of its name. A target that is not a file, for example a pipe, is written to directly. Links are followed. A path
/// inside a cloud is refused.
///
/// Only the user can read the files, unless `isPrivate` is false: they contain in plain text values that are encrypted in
/// the cloud.
final class WrittenFile {
  private enum Destination {
    case file(UnfinishedFile, name: String)
    case stream(UserStream)
  }

  private let path: String
  private let destination: Destination
  private var offset = 0
  /// The folder that was created for the file; nil if it existed.
  private(set) var madeFolder: String?

  /// Prepares the file. Creates missing folders.
  init(path: String, isPrivate: Bool = true) throws {
    self.path = path
    do {
      switch try UserTarget(path) {
      case .folder: throw Self.failure(path, "it is a folder")
      case .stream(let stream): destination = .stream(stream)
      case .file(let folder, let name):
        if let root = try Cloud.root(around: folder) {
          throw Self.failure(path, "it lies in the cloud \(root)", hint: "name a place outside of it")
        }
        madeFolder = UserFile.isFolder(folder) ? nil : folder
        try Directory.make(path: folder, in: FileSystem())
        let directory = try Directory.open(path: folder, in: FileSystem())
        destination = .file(
          try UnfinishedFile(for: name, in: directory, mode: isPrivate ? 0o600 : 0o644), name: name)
      }
    } catch let error as SystemError {
      throw Self.failure(path, error.reason)
    }
  }

  convenience init(_ name: String, inFolder folder: String) throws {
    try self.init(path: Self.path(of: name, in: folder))
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      switch destination {
      case .file(let unfinished, _): try unfinished.file.write(bytes, at: offset)
      case .stream(let stream): try stream.write(bytes)
      }
    } catch {
      if error.isBrokenPipe { throw BrokenPipe() }
      throw Self.failure(path, error.reason)
    }
    offset += bytes.count
  }

  /// Writes the bytes of an asset. An error of the target is thrown unchanged, not as an error of the asset.
  func write(_ asset: AssetValue) throws {
    var failure: (any Error)?
    do {
      try asset.read { bytes in
        do { try write(bytes) } catch {
          failure = error
          throw error
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// Moves the finished file to its name. With `durably`, syncs its contents first.
  func finish(durably: Bool = false) throws {
    guard case .file(let unfinished, let name) = destination else { return }
    do throws(SystemError) {
      if durably { try unfinished.file.sync() }
      try unfinished.finish(as: name)
    } catch {
      throw Self.failure(path, error.reason)
    }
  }

  private static func failure(_ path: String, _ reason: String, hint: String? = nil) -> CommandFailure {
    CommandFailure(.storage, code: "storage", "cannot write \(path): \(reason)", hint: hint, path: path)
  }

  // MARK: Writing at once

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try WrittenFile(path: path)
    try file.write(bytes)
    try file.finish()
  }

  /// Writes an asset to a file in a folder. Returns the file's path.
  static func write(_ asset: AssetValue, _ folder: String, _ name: String) throws -> String {
    let path = path(of: name, in: folder)
    let file = try WrittenFile(path: path)
    try file.write(asset)
    try file.finish()
    return path
  }

  private static func path(of name: String, in folder: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}
