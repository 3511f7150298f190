import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Snapshots: whole states of the cloud, saved under a name.
///
/// They hold the data of all accounts, so that only the tool and tests use them: no permission is checked.
package struct SnapshotService: ServiceSubject {
  let service: CloudService
}

extension SnapshotService {
  /// Returns all snapshots, sorted by name.
  package func list() throws(ServiceError) -> [Snapshot] {
    try perform(.administration, by: nil) { try cloud.snapshots() }
  }

  /// Returns the snapshot of this name.
  ///
  /// - Throws: `unknownItem` if there is none.
  package func snapshot(_ name: String) throws(ServiceError) -> Snapshot {
    try perform(.administration, by: nil) {
      guard let snapshot = try cloud.snapshot(name) else { throw StoreError.snapshotMissing(name) }
      return snapshot
    }
  }

  /// Saves the present state of the cloud. Waits for the requests of all processes.
  ///
  /// - Parameters:
  ///   - name: 1 to 200 bytes without control characters; does not begin with a dot.
  ///   - note: any text for people.
  ///   - replacing: whether a snapshot of this name is replaced.
  /// - Throws: `invalidArguments` for an invalid name; `serverRejectedRequest` if the name is taken.
  package func save(_ name: String, note: String? = nil, replacing: Bool = false) throws(ServiceError) -> Snapshot {
    try perform(.administration, by: nil) {
      try NameRules.check(snapshot: name)
      return try cloud.saveSnapshot(
        name, note: note, created: try settings.clock(), replacing: replacing, waitPolicy(nil))
    }
  }

  /// Makes the snapshot's state the state of the cloud, with new histories. The state before is lost.
  ///
  /// The service can't be used after that, as its cloud is replaced. A process that opens the cloud next begins the
  /// histories.
  ///
  /// - Throws: `unknownItem` if there is no snapshot of this name; `internalError` if it is damaged. Then the cloud is
  ///   unchanged.
  package func restore(_ name: String) throws(ServiceError) {
    try perform(.administration, by: nil) { try cloud.restoreSnapshot(name, waitPolicy(nil)) }
  }

  /// Deletes a snapshot.
  ///
  /// - Throws: `unknownItem` if there is none of this name.
  package func delete(_ name: String) throws(ServiceError) {
    try perform(.administration, by: nil) { try cloud.deleteSnapshot(name, waitPolicy(nil)) }
  }

  // MARK: Comparing

  /// Calls `body` with each difference between two states. Errors of `body`, and of a function that reads a file, are
  /// thrown unchanged.
  ///
  /// - Throws: `unknownItem` if there is no snapshot of this name; `invalidArguments` for an invalid file.
  package func forEachDifference(
    from old: CloudState, to new: CloudState = .present, _ body: (TreeDifference) throws -> Void
  ) throws {
    try perform { caller in
      try cloud.forEachDifference(from: old.read(by: caller), to: new.read(by: caller), waitPolicy(nil)) { difference in
        try caller.call { try body(difference) }
      }
    }
  }

  /// Counts the data that a restore of the snapshot changes.
  package func restoreEffect(_ name: String) throws -> RestoreEffect {
    var effect = RestoreEffect()
    try forEachDifference(from: .snapshot(name)) { effect.add($0) }
    return effect
  }

  // MARK: Portable files

  /// Calls `write` with the lines of a snapshot's portable file. An error of `write` is thrown unchanged.
  ///
  /// - Throws: `unknownItem` if there is no snapshot of this name; `internalError` if it is damaged.
  package func export(_ name: String, _ write: ([UInt8]) throws -> Void) throws {
    try perform { caller in
      try cloud.exportSnapshot(name) { bytes in try caller.call { try write(bytes) } }
    }
  }

  /// Adds the snapshot of a portable file; the state of the cloud does not change. An error of `nextLine` is thrown
  /// unchanged.
  ///
  /// - Parameters:
  ///   - name: the snapshot's name; nil: the name in the file.
  ///   - replacing: whether a snapshot of this name is replaced.
  ///   - nextLine: returns the next line of the file without its line break; nil at the end.
  /// - Throws: `invalidArguments` for an invalid name or file; `serverRejectedRequest` if the name is taken.
  package func importSnapshot(
    as name: String? = nil, replacing: Bool = false, nextLine: () throws -> [UInt8]?
  ) throws -> Snapshot {
    try perform { caller in
      if let name { try NameRules.check(snapshot: name) }
      let snapshot = try cloud.importSnapshot(as: name, replacing: replacing, waitPolicy(nil)) {
        try caller.call(nextLine)
      }
      do { try NameRules.check(snapshot: snapshot.name) } catch {
        // No save could have made the file.
        try cloud.deleteSnapshot(snapshot.name, waitPolicy(nil))
        throw error
      }
      return snapshot
    }
  }

  /// Performs `body`. An error of a function of the caller, which `body` calls by ``CallerFunctions/call(_:)``, is
  /// thrown unchanged.
  private func perform<Result>(_ body: (CallerFunctions) throws -> Result) throws -> Result {
    let caller = CallerFunctions()
    do { return try perform(.administration, by: nil) { try body(caller) } } catch { throw caller.error ?? error }
  }
}

/// Calls functions of a service's caller, and keeps the error of the last one.
private final class CallerFunctions {
  private(set) var error: (any Error)?

  func call<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      self.error = error
      throw error
    }
  }
}

extension CloudState {
  /// The same state; a file is read by a function of the caller.
  fileprivate func read(by caller: CallerFunctions) -> CloudState {
    guard case .file(let nextLine) = self else { return self }
    return .file { try caller.call(nextLine) }
  }
}

/// The number of things that a restore of a snapshot takes away, changes and brings back.
package struct RestoreEffect: Sendable, Hashable {
  package struct Counts: Sendable, Hashable {
    /// Things that the snapshot does not have: the restore removes them.
    package private(set) var lost = 0
    /// Things that get their earlier contents.
    package private(set) var changed = 0
    /// Things that were deleted since the snapshot.
    package private(set) var returning = 0

    mutating func add(_ kind: TreeDifference.ChangeKind) {
      switch kind {
      case .added: lost += 1
      case .changed: changed += 1
      case .removed: returning += 1
      }
    }
  }

  package private(set) var accounts = Counts()
  package private(set) var schemas = Counts()
  package private(set) var subscriptions = Counts()
  package private(set) var zones = Counts()
  package private(set) var records = Counts()

  /// Adds a difference between the snapshot and the present state.
  mutating func add(_ difference: TreeDifference) {
    switch difference {
    case .account(_, let kind): accounts.add(kind)
    case .schema(_, _, let kind): schemas.add(kind)
    case .subscription(_, _, let kind): subscriptions.add(kind)
    case .zone(_, let kind): zones.add(kind)
    case .record(_, let before, let after): records.add(TreeDifference.kind(before, after))
    case .loggedRecord(_, let difference): records.add(difference.kind)
    }
  }
}
