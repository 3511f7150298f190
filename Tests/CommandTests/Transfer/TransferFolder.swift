import FaultInjection
import LocalCloudPlatform
import LocalCloudStore
import TestSupport

/// A folder for files to import and export. It is deleted with the last reference.
final class TransferFolder {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("transfer") }

  var path: String { folder.path }

  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try folder.directory.writeStaged(name, bytes)
    return file(name)
  }

  @discardableResult
  func write(_ name: String, lines: [String]) throws -> String {
    try write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try UserFile.read(file(name), limit: .value), as: UTF8.self)
  }

  /// The names in the folder, or in a subfolder.
  func names(_ folder: String = "") throws -> [String] {
    try Directory.open(path: path + "/" + folder, in: FileSystem()).entries().map(\.name).sorted()
  }
}

extension Cli {
  /// The cloud's tree without lock notes and the state of the seeded identifiers.
  func tree() throws -> FolderImage {
    func plain(_ image: FolderImage) -> FolderImage {
      var result = image
      result.files["lock"] = nil
      result.files["identifiers.json"] = nil
      result.folders = image.folders.mapValues(plain).filter { !$0.value.files.isEmpty || !$0.value.folders.isEmpty }
      return result
    }
    return plain(try FolderImage(of: root))
  }
}
