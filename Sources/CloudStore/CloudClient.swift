import Platform
import Storage

/// What the floor above keeps in a cloud beside its zones, and what it does when their commits stand.
///
/// Every program that opens a cloud brings it along: whoever finds a commit that another one left does what it asks for.
package protocol CloudClient: Sendable {
  // MARK: Commits

  /// Whether it can do all that an entry's members ask of it; the store's own are among them. An entry that asks for
  /// something else is damage.
  func understands(_ members: JSONObject) -> Bool
  /// Whether others may plan upon such an entry before this was done.
  func isJoinable(_ members: JSONObject) -> Bool
  /// Does it; called once the entry stands, before it is applied. `isReplay`: it may have been done before, wholly or in
  /// part.
  func didCommit(_ members: JSONObject, in place: CommitPlace, isReplay: Bool, _ patience: LockWaitPolicy) throws

  // MARK: Tree

  /// After a boot, with the whole cloud's lock, before any journal is replayed.
  func recoverAfterBoot(in root: Directory, _ limits: StorageLimits) throws
  /// What belongs under a path of the tree that is not the store's; nil where anything may lie.
  func kind(at path: [String]) -> Directory.Kind?
  /// The same within a database's folder.
  func kind(inDatabase path: [String]) -> Directory.Kind?
}

/// Where a commit was made, for what its cloud's client does then.
package struct CommitPlace: Sendable {
  /// The cloud's.
  package let root: Directory
  /// Of the container in which the zone lies.
  package let container: Directory
  package let limits: StorageLimits
}

/// Which commit of which zone: no other one has the same, not of a zone that had the name before either.
package struct CommitMark: Sendable, Hashable {
  /// The zone's history, which has no namesake.
  package var history: String
  /// The zone's sequence after the commit; of the zone's end, one more.
  package var sequence: Int64

  package init(history: String, sequence: Int64) {
    self.history = history
    self.sequence = sequence
  }
}

/// What a commit asks of the cloud's client: lists among the members of the journal's entry, under keys of the client's.
package struct ClientEffects: Sendable {
  /// Made when it is known which commit it is of; `place`: in the list, from 0.
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
