import LocalCloudPlatform

/// The part of a folder that ``JournaledFolder`` does not know: the paths of files, the contents of the index, and the
/// effects of a commit outside the folder.
///
/// Threads: any thread may call it. Methods that write are called with the folder's lock.
package protocol FolderObserver: Sendable {
  var format: JournalFormat { get }
  /// The log to which every commit appends. The sequence of its last line is the folder's sequence.
  var mainLog: StorePath { get }
  /// The keys and values in the lines of its logs.
  var logSchema: LogSchema { get }
  /// The sequence before the first commit.
  func base() throws -> Int64
  /// The number that identifies the folder in its index. It differs from that of any other folder, and of an earlier
  /// folder of this name.
  func indexOwner() throws -> UInt64
  /// A hidden name next to the folder. The folder is renamed to it before it is removed.
  func nameOfRemoved() throws -> String
  /// The error to throw if the folder was removed.
  func missing() -> any Error

  // MARK: Files

  /// The folder that contains a file, created if missing, and the file's name.
  func location(of path: StorePath) throws -> (Directory, String)
  /// The contents of a file; nil if there is no such file.
  func contents(_ path: StorePath) throws -> [UInt8]?
  /// Opens a log; nil if there is no such log.
  func log(_ path: StorePath) throws -> LogFile?
  /// Opens the source of ``put(_:from:isReplay:)``; nil if it was moved to its path before.
  func source(_ name: String) throws -> File?
  /// The folder's logs besides the main one.
  func otherLogs() throws -> [StorePath]
  /// Moves a file that was synced before to its path, or finds that this was done already.
  ///
  /// - Parameter isReplay: by now another file may have the source's name.
  func put(_ path: StorePath, from source: String, isReplay: Bool) throws

  // MARK: Commits

  /// Whether the observer reads all files through ``FolderView``. Its readers then read through the journal if entries
  /// can't be applied to the files. For any other observer, reading then fails.
  var readsByView: Bool { get }
  /// Whether other commits may be planned on top of an entry before it is applied to the files. Checked in addition to
  /// ``JournalEntry/isJoinable(_:)``.
  func isJoinable(_ entry: JournalEntry) -> Bool
  /// Merges the effects of several commits outside the folder before the commit point.
  func merged(_ extras: [JSONObject]) -> JSONObject
  /// Called before a commit; may remove files that killed processes left.
  func tidy(_ journal: Journal)
  /// Called before the commit point: writes outside the folder the data that every commit requires to exist.
  func willCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws
  /// Called after the commit point: performs the commit's effects outside the folder.
  func didCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws

  // MARK: Index

  /// All keys, in any order, read only from the files. O(documents).
  func indexKeys(_ view: FolderView) throws -> [[UInt8]]
  /// The keys that a compaction up to `horizon` makes unnecessary.
  func keysForgotten(through horizon: Int64, in index: IndexFile) throws -> [[UInt8]]
}

extension FolderObserver {
  package var readsByView: Bool { false }
  package func source(_ name: String) throws -> File? { nil }
}

package enum CommitReason: Sendable {
  /// The first call, by the writer that planned the commit.
  case first
  /// A repetition: the effects may have been performed before, wholly or in part.
  case again
  /// Like ``again``, and a power cut may have lost unsynced data.
  case againAfterBoot
}
