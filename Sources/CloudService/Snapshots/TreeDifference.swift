import LocalCloudDeviceStore
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A difference between two states of a cloud.
package enum TreeDifference: Sendable {
  case account(String, ChangeKind)
  case schema(container: ExactName, environment: String, ChangeKind)
  case subscription(DatabasePath, id: String, ChangeKind)
  /// Precedes the differences of the zone's records. A changed zone has other properties, such as a share.
  case zone(ZonePath, ChangeKind)
  /// The contents of a record's file before and after.
  case record(ZonePath, before: JSONObject?, after: JSONObject?)
  /// A record that differs between two positions in its zone's log. The log has no values.
  case loggedRecord(ZonePath, LoggedDifference)

  package enum ChangeKind: String, Sendable { case added, removed, changed }
}

/// The difference of a record between two positions in its zone's log.
package struct LoggedDifference: Sendable, Hashable {
  package var name: ExactName
  package var type: String
  package var kind: TreeDifference.ChangeKind
  /// The names of the fields and of other members that any of the saves changed, sorted; nil if a save has none
  /// recorded.
  package var fields: [String]?
  package var members: [String]?
}

extension Cloud {
  /// Calls `body` for each difference between two states: accounts, schemas, subscriptions, then zones with their
  /// records, in the order of their files' names.
  ///
  /// Files that a snapshot shares with the other state are not read.
  ///
  /// - Throws: ``StoreError/snapshotMissing(_:)``, ``StoreError/badSnapshotFile(line:reason:)``, or the error of `body`.
  package func forEachDifference(
    from old: CloudState, to new: CloudState, _ waitPolicy: LockWaitPolicy, _ body: (TreeDifference) throws -> Void
  ) throws {
    try withTree(of: old, waitPolicy) { oldTree, oldSnapshot in
      try withTree(of: new, waitPolicy) { newTree, newSnapshot in
        try withoutActuallyEscaping(body) { body in
          let comparison = TreeComparison(old: oldTree, new: newTree, body: body)
          try comparison.compareAccounts()
          try comparison.compareSchemas()
          try comparison.compareSubscriptions()
          try comparison.compareZones(oldSnapshot.zones.map(\.path), newSnapshot.zones.map(\.path))
        }
      }
    }
  }
}

/// Compares the files of two trees.
private struct TreeComparison {
  let old: Directory
  let new: Directory
  let body: (TreeDifference) throws -> Void

  func compareAccounts() throws {
    try forEachChange("accounts", old, new) { name, kind in
      guard name.hasSuffix(".json") else { return }
      try body(.account(FileName.decode(String(name.dropLast(5))) ?? name, kind))
    }
  }

  func compareSchemas() throws {
    try forEachEnvironment { container, environment, folders in
      let contents = try folders.map { try $0?.contents(SchemaFile.name) }
      guard contents[0] != contents[1] else { return }
      let kind: TreeDifference.ChangeKind = contents[0] == nil ? .added : contents[1] == nil ? .removed : .changed
      try body(.schema(container: container, environment: environment, kind))
    }
  }

  func compareSubscriptions() throws {
    try forEachEnvironment { container, environment, folders in
      func compare(_ scope: [String], _ databases: [Directory?]) throws {
        let path = DatabasePath(container: container, environment: environment, scope: scope)
        try forEachChange(SubscriptionFolder.folder, databases[0], databases[1]) { name, kind in
          let contents = databases.map { try? $0?.object(at: [SubscriptionFolder.folder, name]) }
          let id = (contents[1] ?? contents[0])?["subscriptionID"]?.string
          try body(.subscription(path, id: id ?? name, kind))
        }
      }
      try compare(["public"], folders.map { try $0?.directoryIfPresent("public") })
      for scope in ["private", "shared"] {
        let accounts = try folders.map { try $0?.directoryIfPresent(scope) }
        for account in try names(in: accounts) {
          try compare(
            [scope, FileName.decode(account) ?? account], accounts.map { try $0?.directoryIfPresent(account) })
        }
      }
    }
  }

  /// Calls `body` with the folders of each environment in both trees.
  private func forEachEnvironment(_ body: (ExactName, String, [Directory?]) throws -> Void) throws {
    let (before, after) = (try old.directoryIfPresent("containers"), try new.directoryIfPresent("containers"))
    for container in try names(in: [before, after]) {
      let folders = try [before, after].map { try $0?.directoryIfPresent(container) }
      for environment in try names(in: folders) where environment != "shares" {
        try body(
          ExactName(FileName.decode(container) ?? container), environment,
          folders.map { try $0?.directoryIfPresent(environment) })
      }
    }
  }

  func compareZones(_ before: [ZonePath], _ after: [ZonePath]) throws {
    let (olds, news) = (Set(before), Set(after))
    let all = olds.union(news).sorted { $0.components.lexicographicallyPrecedes($1.components) }
    for zone in all {
      let (before, after) = (try old.directory(at: zone.components), try new.directory(at: zone.components))
      switch (before, after) {
      case (nil, nil): continue
      case (nil, _): try body(.zone(zone, .added))
      case (_, nil): try body(.zone(zone, .removed))
      case (let before?, let after?):
        if try properties(in: before) != properties(in: after) { try body(.zone(zone, .changed)) }
      }
      try compareRecords(of: zone, before, after)
    }
  }

  /// The zone's properties without its histories: a restore begins one, and changes nothing else.
  private func properties(in zone: Directory) throws -> JSONObject? {
    var object = try zone.object(at: ["zone.json"])
    object?["histories"] = nil
    return object
  }

  private func compareRecords(of zone: ZonePath, _ before: Directory?, _ after: Directory?) throws {
    try forEachChange("records", before, after) { name, _ in
      func record(in folder: Directory?) throws -> JSONObject? {
        try folder?.directoryIfPresent("records")?.object(at: [name])
      }
      try body(.record(zone, before: record(in: before), after: record(in: after)))
    }
  }

  /// Calls `body` with the name of each file in a folder of both trees that is not the same in both.
  private func forEachChange(
    _ name: String, _ before: Directory?, _ after: Directory?,
    _ body: (String, TreeDifference.ChangeKind) throws -> Void
  ) throws {
    let folders = try [before, after].map { try $0?.directoryIfPresent(name) }
    let lists = try folders.map { try files(in: $0) }
    var (left, right) = (lists[0][...], lists[1][...])
    while left.first != nil || right.first != nil {
      switch (left.first, right.first) {
      case (let name?, let other?) where name == other:
        left.removeFirst()
        right.removeFirst()
        if let before = folders[0], let after = folders[1], try !Self.isSame(name, before, after) {
          try body(name, .changed)
        }
      case (let name?, let other) where other.map({ name.utf8.lexicographicallyPrecedes($0.utf8) }) ?? true:
        left.removeFirst()
        try body(name, .removed)
      default:
        if let name = right.popFirst() { try body(name, .added) }
      }
    }
  }

  /// Whether a file has the same contents in both folders. Two names of one file do.
  private static func isSame(_ name: String, _ before: Directory, _ after: Directory) throws -> Bool {
    try before.identity(of: name) == after.identity(of: name) || before.contents(name) == after.contents(name)
  }

  /// The names of the files in a folder, in byte order.
  private func files(in folder: Directory?) throws -> [String] {
    try folder?.entries().filter { $0.kind == .file && !$0.name.hasPrefix(".") }.map(\.name) ?? []
  }

  private func names(in folders: [Directory?]) throws -> [String] {
    var names: Set<String> = []
    for folder in folders {
      for entry in try folder?.entries() ?? [] where entry.kind == .directory && !entry.name.hasPrefix(".") {
        names.insert(entry.name)
      }
    }
    return names.sorted()
  }
}
