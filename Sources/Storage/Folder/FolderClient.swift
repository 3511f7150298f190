import Platform

/// What a store knows of one of its folders and ``JournaledFolder`` does not: where files lie, what the index holds, and what
/// a commit does elsewhere.
///
/// Threads: any may call it; what writes is called with the folder's lock.
package protocol FolderClient: Sendable {
  var format: JournalFormat { get }
  /// The log to which every commit appends: the sequence of its last line is the folder's.
  var mainLog: StorePath { get }
  /// What the lines of its logs say.
  var logSchema: LogSchema { get }
  /// The sequence before the first commit.
  func base() throws -> Int64
  /// The number that the folder's index bears: of no other folder, not of an earlier one of this name.
  func indexOwner() throws -> UInt64
  /// A name beside the folder, hidden, that it takes before it is removed.
  func nameOfRemoved() throws -> String
  /// What is thrown where the folder is gone.
  func missing() -> any Error

  // MARK: Files

  /// The folder in which a file lies, made where it is missing, and the file's name.
  func place(of path: StorePath) throws -> (Directory, String)
  /// Nil where there is no such file.
  func contents(_ path: StorePath) throws -> [UInt8]?
  /// Nil where there is no such log.
  func log(_ path: StorePath) throws -> LogFile?
  /// Its logs besides the main one.
  func otherLogs() throws -> [StorePath]
  /// Puts a file in place that was synced before, or finds that it was done. `isReplay`: another file may have its former
  /// name by now.
  func put(_ path: StorePath, from source: String, isReplay: Bool) throws

  // MARK: Commits

  /// Whether others may plan upon an entry that is not in the files yet, beyond what ``JournalEntry/isJoinable(_:)`` asks.
  func isJoinable(_ entry: JournalEntry) -> Bool
  /// What several commits do elsewhere before they are committed, in one.
  func merged(_ extras: [JSONObject]) -> JSONObject
  /// Before a commit: what killed processes left is nobody's.
  func tidy(_ journal: Journal)
  /// What has to be said elsewhere before the commit point, so that no commit can go without it.
  func willCommit(_ entry: JournalEntry, _ occasion: CommitOccasion, _ patience: LockWaitPolicy) throws
  /// What is done elsewhere once it is committed.
  func didCommit(_ entry: JournalEntry, _ occasion: CommitOccasion, _ patience: LockWaitPolicy) throws

  // MARK: Index

  /// All keys, in any order, from the files alone. O(documents).
  func indexKeys(_ view: FolderView) throws -> [[UInt8]]
  /// Keys that a compaction up to `horizon` makes needless.
  func keysForgotten(through horizon: Int64, in index: IndexFile) throws -> [[UInt8]]
}

package enum CommitOccasion: Sendable {
  /// By who planned it.
  case first
  /// It may have been done before, wholly or in part.
  case again
  /// The same, and a power cut may have taken what was not synced.
  case againAfterBoot
}
