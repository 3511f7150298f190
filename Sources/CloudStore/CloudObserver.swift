import LocalCloudPlatform
import LocalCloudStorage

/// The layer above the store, with its own files in a cloud outside the zones and its own effects of commits.
///
/// Every program that opens a cloud provides it: a process that finds another process's commit performs the commit's
/// requests.
package protocol CloudObserver: Sendable {
  // MARK: Commits

  /// Whether the observer can perform all requests of an entry's members; the store's own members are among them. An
  /// entry with an unknown request is damage.
  func understands(_ members: JSONObject) -> Bool
  /// Whether other commits may be planned on top of an entry with these members before its requests are performed.
  func isJoinable(_ members: JSONObject) -> Bool
  /// Performs the requests of the members. Called once the entry is committed, before it is applied, by any process and
  /// thread that commits or recovers. An error leaves the entry in the journal: the next process replays it.
  ///
  /// - Parameter isReplay: the requests may have been performed before, wholly or in part.
  func didCommit(_ members: JSONObject, in context: CommitContext, isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws

  // MARK: Tree

  /// Called after a boot with the exclusive lock of the whole cloud, before any journal is replayed.
  func recoverAfterBoot(in root: Directory, _ limits: StorageLimits) throws
  /// The kind of entry that belongs at a path of the tree outside the store's own part; nil if any kind is permitted.
  func kind(at path: [String]) -> Directory.Kind?
  /// Like ``kind(at:)``, within a database's folder.
  func kind(inDatabase path: [String]) -> Directory.Kind?
}

/// The folders of a commit, for the effects of the cloud's observer.
package struct CommitContext: Sendable {
  /// The cloud's root.
  package let root: Directory
  /// The folder of the zone's container.
  package let container: Directory
  package let limits: StorageLimits
}

/// Identifies a commit. No other commit has an equal one, not even one of an earlier zone of this name.
package struct CommitMark: Sendable, Hashable {
  /// The identifier of the zone's history, which is unique.
  package var history: String
  /// The zone's sequence after the commit; for the zone's end, one more.
  package var sequence: Int64

  package init(history: String, sequence: Int64) {
    self.history = history
    self.sequence = sequence
  }
}

/// The requests of a commit to the cloud's observer: lists among the members of the journal's entry, under keys of the
/// observer.
package struct ObserverEffects: Sendable {
  /// Makes an item when its commit is known. `index`: the item's index in the list.
  package typealias Item = @Sendable (_ commit: CommitMark, _ index: Int) -> JSONValue

  private var lists: [String: [Item]] = [:]

  package init() {}

  package var isEmpty: Bool { lists.isEmpty }

  package mutating func append(to list: String, _ item: @escaping Item) { lists[list, default: []].append(item) }

  package func members(of commit: CommitMark) -> JSONObject {
    var result = JSONObject()
    for (key, items) in lists { result[key] = .array(items.enumerated().map { $1(commit, $0) }) }
    return result
  }
}
