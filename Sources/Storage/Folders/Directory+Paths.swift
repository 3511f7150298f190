import LocalCloudPlatform

extension Directory {
  /// The folder at the end of `components`; nil if one is missing.
  package func directory(at components: some Sequence<String>) throws(SystemError) -> Directory? {
    var current = self
    for component in components {
      guard let next = try current.directoryIfPresent(component) else { return nil }
      current = next
    }
    return current
  }

  /// The folder at the end of `components`; missing ones are created.
  package func makingDirectory(at components: some Sequence<String>) throws(SystemError) -> Directory {
    var current = self
    for component in components {
      if let next = try current.directoryIfPresent(component) {
        current = next
      } else {
        try current.makeDirectory(component)
        current = try current.directory(component)
      }
    }
    return current
  }

  /// The contents of the file at the end of `components`; nil if anything is missing.
  package func contents(at components: [String]) throws(SystemError) -> [UInt8]? {
    guard let name = components.last else { return nil }
    return try directory(at: components.dropLast())?.contents(name)
  }

  /// The JSON object in the file at the end of `components`; nil if anything is missing. Throws
  /// ``StorageError/damaged(path:reason:)`` if the file does not hold a JSON object.
  package func object(at components: [String]) throws -> JSONObject? {
    guard let bytes = try contents(at: components) else { return nil }
    do {
      if let object = try JSONValue(parsing: bytes).object { return object }
    } catch {}
    throw StorageError.damaged(path: path(of: components.joined(separator: "/")), reason: "not a JSON object")
  }
}

/// Folders that were renamed to be removed: their contents are removed without a lock, as that may take minutes.
extension Directory {
  /// The file that the removing process keeps locked, so that others leave the folder to it.
  private static let removal = "removal"

  /// Removes a folder that no process uses any more, unless another process is removing it. A killed process may have
  /// removed a part of it.
  package func removeAside(_ name: String) throws(SystemError) {
    guard let folder = try directoryIfPresent(name) else { return }
    do throws(SystemError) { _ = try folder.createFile(Self.removal) } catch {
      // A full disk gets space from the removal.
      if error.isStopped { throw error }
    }
    let isRemoved = try Lease.reap(Self.removal, in: folder) { () throws(SystemError) in
      for entry in try folder.entries() where entry.name != Self.removal {
        if entry.kind == .directory { try folder.removeTree(entry.name) } else { try folder.remove(entry.name) }
      }
    }
    if isRemoved { try removeDirectory(name) }
  }
}
