import LocalCloudPlatform

/// Thrown if the index is missing, outdated or broken. The caller rebuilds it and starts over.
package struct IndexUnusable: Error {
  package init() {}
}

/// Thrown if the index lacks keys that only a reader uses. The caller makes them and starts over.
package struct KeysUnmade: Error {
  /// Makes the keys. Returns false if they can't be made.
  package var make: @Sendable (LockWaitPolicy) throws -> Bool

  package init(make: @escaping @Sendable (LockWaitPolicy) throws -> Bool) { self.make = make }
}

/// The folder's index. It is derived data, rebuilt from documents and logs when it can't be trusted.
extension JournaledFolder {
  /// The index, nil if there is none. The file stays open until another process rebuilds the index.
  ///
  /// - Parameter writing: reopens an index that was opened read-only.
  package func openIndex(writing: Bool = false) throws -> IndexFile? {
    if let index = openedIndex.withLock({ $0 }), index.isWritable || !writing, try index.isCurrent() { return index }
    // An entry that is neither a file nor a folder counts as a missing index and is replaced.
    let folder = try directory.directoryIfPresent(Self.indexFolder)
    let index = try folder.flatMap { folder in
      try folder.kind(of: Self.indexName) == .other
        ? nil : try IndexFile.openIfPresent(in: folder, name: Self.indexName, of: observer.indexOwner())
    }
    openedIndex.withLock { $0 = index }
    return index
  }

  /// Removes the index: the next reader or commit rebuilds it.
  package func dropIndex() throws {
    guard let folder = try directory.directoryIfPresent(Self.indexFolder),
      try folder.kind(of: Self.indexName) != .directory
    else { return }
    try folder.remove(Self.indexName)
  }

  /// Rebuilds the index only from documents and logs. O(documents).
  package func rebuildIndex() throws {
    let view = FolderView(self)
    var keys = try observer.indexKeys(view)
    keys.sort { $0.lexicographicallyPrecedes($1) }
    try directory.makeDirectory(Self.indexFolder)
    _ = try IndexFile.build(
      in: try directory.directory(Self.indexFolder), name: Self.indexName, of: try observer.indexOwner(),
      sortedKeys: keys, sequence: try view.head())
  }

  func applyToIndex(_ entries: [JournalEntry]) throws {
    for entry in entries {
      do {
        guard let index = try openIndex(writing: true) else { return try rebuildIndex() }
        let sequence = try index.sequence
        if sequence >= entry.sequence { continue }
        guard sequence == entry.previous else { return try rebuildIndex() }
        try index.apply(
          insert: entry.indexInsertions, remove: entry.indexRemovals, sequence: entry.sequence,
          reusesPages: !isPinned(index))
      } catch is IndexDamage {
        return try rebuildIndex()
      }
    }
  }

  /// Verifies the index after a power cut and rebuilds it if it is damaged, before a query could find the damage. A
  /// power cut may have lost any of its pages.
  func verifyIndex() throws {
    do { try openIndex()?.verify() } catch is IndexDamage { try rebuildIndex() }
  }
}
