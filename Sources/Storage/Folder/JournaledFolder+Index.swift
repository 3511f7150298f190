import Platform

/// The index is missing, behind or broken: rebuild it and start over.
package struct IndexUnusable: Error {
  package init() {}
}

/// The index lacks keys that only a reader asks for: make them and start over.
package struct KeysUnmade: Error {
  /// Answers false where they can't be made.
  package var make: @Sendable (LockWaitPolicy) throws -> Bool

  package init(make: @escaping @Sendable (LockWaitPolicy) throws -> Bool) { self.make = make }
}

/// The folder's index: derived, and made anew from documents and logs when it can't be trusted.
extension JournaledFolder {
  /// The open one, as long as nobody has made it anew. `writing`: one that might only be read is opened again.
  package func openIndex(writing: Bool = false) throws -> IndexFile? {
    if let index = openedIndex.withLock({ $0 }), index.isWritable || !writing, try index.isCurrent() { return index }
    // What is neither file nor folder is replaced by an index, as a missing one is.
    let place = try directory.directoryIfPresent(Self.indexFolder)
    let index = try place.flatMap { place in
      try place.kind(of: Self.indexName) == .other
        ? nil : try IndexFile.openIfPresent(in: place, name: Self.indexName, of: client.indexOwner())
    }
    openedIndex.withLock { $0 = index }
    return index
  }

  func dropIndex() throws {
    guard let place = try directory.directoryIfPresent(Self.indexFolder),
      try place.kind(of: Self.indexName) != .directory
    else { return }
    try place.remove(Self.indexName)
  }

  /// From documents and logs alone. O(documents).
  package func rebuildIndex() throws {
    let view = FolderView(self)
    var keys = try client.indexKeys(view)
    keys.sort { $0.lexicographicallyPrecedes($1) }
    try directory.makeDirectory(Self.indexFolder)
    _ = try IndexFile.build(
      in: try directory.directory(Self.indexFolder), name: Self.indexName, of: try client.indexOwner(),
      sortedKeys: keys, sequence: try view.head())
  }

  func applyToIndex(_ entries: [JournalEntry]) throws {
    for entry in entries {
      do {
        guard let index = try openIndex(writing: true) else { return try rebuildIndex() }
        let sequence = try index.sequence
        if sequence >= entry.sequence { continue }
        guard sequence == entry.previous else { return try rebuildIndex() }
        try index.apply(insert: entry.indexInsertions, remove: entry.indexRemovals, sequence: entry.sequence)
      } catch is IndexDamage {
        return try rebuildIndex()
      }
    }
  }

  /// A power cut may have taken any of the index's pages; rather now than when a query meets the gap.
  func verifyIndex() throws {
    do { try openIndex()?.verify() } catch is IndexDamage { try rebuildIndex() }
  }
}
