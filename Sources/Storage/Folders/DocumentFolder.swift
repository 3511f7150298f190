import LocalCloudPlatform

/// A folder of JSON documents that are replaced whole and durably, without a journal.
package struct DocumentFolder {
  package let directory: Directory

  package init(_ directory: Directory) { self.directory = directory }

  /// The encoded names of the entries of a kind, without dot files.
  package func names(_ kind: Directory.Kind) throws -> [String] {
    try directory.entries().filter { $0.kind == kind && !$0.name.hasPrefix(".") }.map(\.name)
  }

  package func read(_ components: String...) throws -> JSONObject? {
    try directory.object(at: components)
  }

  /// Call with the folder's lock held.
  package func write(_ object: JSONObject, _ components: String..., mode: UInt32 = 0o666) throws {
    try write(
      JSONValue.object(object).pretty(), to: try folder(at: components.dropLast()), components.last ?? "", mode)
  }

  /// Like ``write(_:_:mode:)``, for a document that is not JSON, in the folder itself.
  package func write(bytes: [UInt8], _ name: String) throws { try write(bytes, to: directory, name, 0o666) }

  private func write(_ bytes: [UInt8], to folder: Directory, _ name: String, _ mode: UInt32) throws {
    let staged = "." + name + ".new"
    let before = try folder.contents(name)
    try Self.replace(name, in: folder, with: bytes, staged, mode)
    try folder.sync(name) {
      if let before {
        try Self.replace(name, in: folder, with: before, staged, mode)
      } else {
        try folder.remove(name)
      }
    }
  }

  private static func replace(
    _ name: String, in folder: Directory, with bytes: [UInt8], _ staged: String, _ mode: UInt32
  ) throws {
    try folder.writeStaged(staged, bytes, mode: mode)
    try folder.file(staged, .readWrite).sync()
    try folder.rename(staged, to: folder, as: name)
  }

  /// A folder for documents, created if missing.
  package func folder(_ components: String...) throws -> Directory { try folder(at: components) }

  private func folder(at components: [String]) throws -> Directory {
    var folder = directory
    for component in components {
      if try folder.makeDirectory(component) { try folder.sync() }
      folder = try folder.directory(component)
    }
    return folder
  }

  /// Call with the folder's lock held.
  package func remove(_ components: String...) throws {
    guard let name = components.last, let folder = try directory.directory(at: components.dropLast()) else { return }
    let before = try folder.contents(name)
    // A private document stays private if its removal is undone.
    let mode = try folder.permissions(of: name) ?? 0o666
    try folder.remove(name)
    try folder.sync(name) {
      if let before { try Self.replace(name, in: folder, with: before, "." + name + ".new", mode) }
    }
  }
}
