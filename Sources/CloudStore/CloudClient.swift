import LocalCloudPlatform
import LocalCloudStorage

/// The store's client: what the layer above keeps in a cloud beside its zones, and what it does when zones commit.
///
/// Every program that opens a cloud provides it: a process that finds a commit that another process left does what the
/// commit requests.
package protocol CloudClient: Sendable {
  // MARK: Commits

  /// Whether the client can do everything that an entry's members request; the store's own members are among them. An
  /// entry that requests something else is damage.
  func understands(_ members: JSONObject) -> Bool
  /// Whether other commits may be planned upon an entry with these members before they are done.
  func isJoinable(_ members: JSONObject) -> Bool
  /// Does what the members request. Called once the entry is committed, before it is applied. `isReplay`: it may have
  /// been done before, wholly or in part.
  func didCommit(_ members: JSONObject, in place: CommitPlace, isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws

  // MARK: Tree

  /// Called after a boot with the exclusive lock of the whole cloud, before any journal is replayed.
  func recoverAfterBoot(in root: Directory, _ limits: StorageLimits) throws
  /// The kind of entry that belongs at a path of the tree outside the store's own part; nil if anything may lie there.
  func kind(at path: [String]) -> Directory.Kind?
  /// Like ``kind(at:)``, within a database's folder.
  func kind(inDatabase path: [String]) -> Directory.Kind?
}

/// The place of a commit, for what the cloud's client does then.
package struct CommitPlace: Sendable {
  /// The cloud's root.
  package let root: Directory
  /// The folder of the container in which the zone lies.
  package let container: Directory
  package let limits: StorageLimits
}

/// Identifies a commit. No other commit has the same mark, not even one of an earlier zone of this name.
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

/// What a commit requests of the cloud's client: lists among the members of the journal's entry, under the client's
/// keys.
package struct ClientEffects: Sendable {
  /// Makes an item when its commit is known. `place`: the item's index in the list.
  package typealias Item = @Sendable (_ commit: CommitMark, _ place: Int) -> JSONValue

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
