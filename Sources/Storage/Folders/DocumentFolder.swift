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

  private func write(_ bytes: [UInt8], to place: Directory, _ name: String, _ mode: UInt32) throws {
    let staged = "." + name + ".new"
    let before = try place.contents(name)
    try Self.replace(name, in: place, with: bytes, staged, mode)
    try place.sync(name) {
      if let before {
        try Self.replace(name, in: place, with: before, staged, mode)
      } else {
        try place.remove(name)
      }
    }
  }

  private static func replace(
    _ name: String, in place: Directory, with bytes: [UInt8], _ staged: String, _ mode: UInt32
  ) throws {
    try place.writeStaged(staged, bytes, mode: mode)
    try place.file(staged, .readWrite).sync()
    try place.rename(staged, to: place, as: name)
  }

  /// A folder for documents, created if missing.
  package func folder(_ components: String...) throws -> Directory { try folder(at: components) }

  private func folder(at components: [String]) throws -> Directory {
    var place = directory
    for component in components {
      if try place.makeDirectory(component) { try place.sync() }
      place = try place.directory(component)
    }
    return place
  }

  /// Call with the folder's lock held.
  package func remove(_ components: String...) throws {
    guard let name = components.last, let place = try directory.directory(at: components.dropLast()) else { return }
    let before = try place.contents(name)
    // A private document stays private if its removal is undone.
    let mode = try place.permissions(of: name) ?? 0o666
    try place.remove(name)
    try place.sync(name) {
      if let before { try Self.replace(name, in: place, with: before, "." + name + ".new", mode) }
    }
  }
}
