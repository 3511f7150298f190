/// One commit of a folder: all its changes to the tree, complete, so that applying them again gives the same bytes.
package struct JournalEntry: Sendable {
  package enum Effect: Sendable, Equatable {
    case replace(StorePath, [UInt8])
    case remove(StorePath)
    /// Appends to a log, after truncating it at `offset`: a line that was partly written before a crash is replaced.
    case append(StorePath, offset: Int, [UInt8])
    case compact(Compaction)
    /// Moves a file that was synced before, under a name that the observer knows, to its path. The journal holds none
    /// of its bytes.
    case move(StorePath, from: String)
    /// Removes the folder. It is always the last effect of the folder's last commit.
    case removeFolder
  }

  /// Replaces a log's first `from` bytes with their compaction, of `size` bytes with this digest; the following `tail`
  /// bytes stay. The journal holds none of these bytes: a checkpoint made the old log durable before, and the new one
  /// is synced before it replaces the old one.
  package struct Compaction: Sendable, Equatable {
    package var path: StorePath
    package var horizon: Int64
    package var superseded: Int64
    package var from: Int
    package var size: Int
    package var digest: String
    package var tail = 0

    package init(
      path: StorePath, horizon: Int64, superseded: Int64, from: Int, size: Int, digest: String, tail: Int = 0
    ) {
      self.path = path
      self.horizon = horizon
      self.superseded = superseded
      self.from = from
      self.size = size
      self.digest = digest
      self.tail = tail
    }
  }

  /// The folder's sequence before this commit, and after it.
  package var previous: Int64
  package var sequence: Int64
  package var effects: [Effect]
  /// The number of bytes of frames directly before this one that need not have been durable when it was written.
  package var joined = 0
  package var indexInsertions: [[UInt8]] = []
  package var indexRemovals: [[UInt8]] = []
  /// The commit's effects outside the folder: members with keys of the observer.
  package var extra = JSONObject()

  package init(previous: Int64, sequence: Int64, effects: [Effect]) {
    self.previous = previous
    self.sequence = sequence
    self.effects = effects
  }

  var isCompaction: Bool { effects.contains { if case .compact = $0 { true } else { false } } }
}

extension JournalEntry.Effect {
  var isAppend: Bool { if case .append = self { true } else { false } }
}

/// The observer's part of the journal format.
package struct JournalFormat: Sendable {
  /// The permitted bases of paths.
  package var bases: [StorePath.Base]
  /// The keys of ``JournalEntry/Effect/move(_:from:)``, in their order, and of ``JournalEntry/Effect/removeFolder``.
  package var moveKey: String
  package var sourceKey: String
  package var removeFolderKey: String
  /// Whether the observer can perform all effects of an entry. An entry with an unknown effect is damage.
  package var understands: @Sendable (JournalEntry) -> Bool

  package init(
    bases: [StorePath.Base], moveKey: String, sourceKey: String, removeFolderKey: String,
    understands: @escaping @Sendable (JournalEntry) -> Bool
  ) {
    self.bases = bases
    self.moveKey = moveKey
    self.sourceKey = sourceKey
    self.removeFolderKey = removeFolderKey
    self.understands = understands
  }
}
