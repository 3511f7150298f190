import LocalCloudPlatform

/// The knowledge of a folder that ``JournaledFolder`` lacks: where files lie, what the index holds, and what a commit
/// does outside the folder.
///
/// Threads: any thread may call it. Methods that write are called with the folder's lock.
package protocol FolderClient: Sendable {
  var format: JournalFormat { get }
  /// The log to which every commit appends. The sequence of its last line is the folder's.
  var mainLog: StorePath { get }
  /// The keys and values in the lines of its logs.
  var logSchema: LogSchema { get }
  /// The sequence before the first commit.
  func base() throws -> Int64
  /// The number that identifies the folder in its index. It differs from that of any other folder, and of an earlier
  /// folder of this name.
  func indexOwner() throws -> UInt64
  /// A hidden name beside the folder, to which the folder is renamed before it is removed.
  func nameOfRemoved() throws -> String
  /// The error to throw if the folder is gone.
  func missing() -> any Error

  // MARK: Files

  /// The folder in which a file lies, created if missing, and the file's name.
  func place(of path: StorePath) throws -> (Directory, String)
  /// The contents of a file; nil if there is no such file.
  func contents(_ path: StorePath) throws -> [UInt8]?
  /// Opens a log; nil if there is no such log.
  func log(_ path: StorePath) throws -> LogFile?
  /// Opens the source of ``put(_:from:isReplay:)``; nil if it was put at its path before.
  func source(_ name: String) throws -> File?
  /// The folder's logs besides the main one.
  func otherLogs() throws -> [StorePath]
  /// Puts a file in place that was synced before, or finds that this was done already. `isReplay`: another file may
  /// have the source's name by now.
  func put(_ path: StorePath, from source: String, isReplay: Bool) throws

  // MARK: Commits

  /// Whether the client reads all files by ``FolderView``. Its readers then read through the journal if entries can't be
  /// applied to the files. For any other client, reading fails then.
  var readsByView: Bool { get }
  /// Whether other commits may be planned upon an entry that is not in the files yet, beyond what
  /// ``JournalEntry/isJoinable(_:)`` checks.
  func isJoinable(_ entry: JournalEntry) -> Bool
  /// Merges what several commits do outside the folder before the commit point.
  func merged(_ extras: [JSONObject]) -> JSONObject
  /// Called before a commit; may remove files that killed processes left.
  func tidy(_ journal: Journal)
  /// Called before the commit point: records outside the folder what no commit may exist without.
  func willCommit(_ entry: JournalEntry, _ occasion: CommitOccasion, _ waitPolicy: LockWaitPolicy) throws
  /// Called after the commit point: does what the commit does outside the folder.
  func didCommit(_ entry: JournalEntry, _ occasion: CommitOccasion, _ waitPolicy: LockWaitPolicy) throws

  // MARK: Index

  /// All keys, in any order, read from the files alone. O(documents).
  func indexKeys(_ view: FolderView) throws -> [[UInt8]]
  /// The keys that a compaction up to `horizon` makes unnecessary.
  func keysForgotten(through horizon: Int64, in index: IndexFile) throws -> [[UInt8]]
}

extension FolderClient {
  package var readsByView: Bool { false }
  package func source(_ name: String) throws -> File? { nil }
}

package enum CommitOccasion: Sendable {
  /// The first time, by the writer that planned the commit.
  case first
  /// A repetition: it may have been done before, wholly or in part.
  case again
  /// Like ``again``, and a power cut may have lost what was not synced.
  case againAfterBoot
}
