import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// Snapshots: named copies of the primary data of the whole cloud, in `snapshots` below the root.
///
/// A snapshot is made under another name and renamed once it is whole and durable ([snapshot-2]). The name has a lease,
/// so that the next process knows the folders that killed processes left.
extension Cloud {
  static let snapshotsName = "snapshots"

  /// All snapshots, sorted by name.
  package func snapshots(_ waitPolicy: LockWaitPolicy = LockWaitPolicy()) throws -> [Snapshot] {
    guard let folder = try recoveredSnapshots(waitPolicy) else { return [] }
    let names = try DocumentFolder(folder).names(.directory)
    return try names.compactMap { try Self.open($0, in: folder)?.snapshot }.sorted { $0.name < $1.name }
  }

  /// Nil if there is no snapshot of that name.
  package func snapshot(_ name: String, _ waitPolicy: LockWaitPolicy = LockWaitPolicy()) throws -> Snapshot? {
    guard let folder = try recoveredSnapshots(waitPolicy) else { return nil }
    return try Self.open(FileName.encode(name), in: folder)?.snapshot
  }

  /// Saves the present state, while no process writes to the cloud.
  ///
  /// - Parameters:
  ///   - created: milliseconds since 1970.
  ///   - replacing: whether the new snapshot replaces an earlier one of that name. That one stays until the new one is
  ///     durable.
  /// - Throws: ``StoreError/snapshotExists(_:)``.
  package func saveSnapshot(
    _ name: String, note: String?, created: Int64, replacing: Bool, _ waitPolicy: LockWaitPolicy
  ) throws -> Snapshot {
    try root.makeDirectory(Self.snapshotsName)
    return try lock.withExclusive(waitPolicy) {
      let folder = try root.directory(Self.snapshotsName)
      try UnfinishedSnapshot.recover(folder)
      if try !replacing && folder.exists(FileName.encode(name)) { throw StoreError.snapshotExists(name) }
      let new = try UnfinishedSnapshot(in: folder)
      defer { new.discard() }
      let snapshot = try save(name, note: note, created: created, to: new.tree, waitPolicy)
      try new.finish(as: name)
      return snapshot
    }
  }

  /// Copies the tree to an empty folder. Call with the exclusive lock of the root.
  private func save(
    _ name: String, note: String?, created: Int64, to target: Directory, _ waitPolicy: LockWaitPolicy
  ) throws -> Snapshot {
    // The copy has no journals. They are all applied to the files before any file is copied: a journal also holds
    // changes of files outside of its zone.
    try forEachZone { path in
      do { try zone(path)?.folder.recover(waitPolicy) } catch StoreError.zoneMissing {}
    }
    var copy = TreeCopy { path, copy in
      guard let zone = try self.zone(path) else { throw StoreError.zoneMissing(path) }
      try zone.locked(waitPolicy, copy)
    }
    try copy.copyParts(of: root, to: target)
    let accounts = try target.directory("accounts").entries().compactMap { entry in
      entry.name.hasSuffix(".json") ? FileName.decode(String(entry.name.dropLast(5))) : nil
    }
    let snapshot = Snapshot(
      name: name, created: created, note: note, accounts: accounts.sorted(), zones: copy.zones, marker: properties)
    try target.writeStaged(Snapshot.fileName, snapshot.bytes)
    return snapshot
  }

  /// - Throws: ``StoreError/snapshotMissing(_:)``.
  package func deleteSnapshot(_ name: String, _ waitPolicy: LockWaitPolicy) throws {
    guard let folder = try recoveredSnapshots(waitPolicy), try folder.exists(FileName.encode(name)) else {
      throw StoreError.snapshotMissing(name)
    }
    try lock.withExclusive(waitPolicy) {
      try UnfinishedSnapshot.recover(folder)
      guard try folder.exists(FileName.encode(name)) else { throw StoreError.snapshotMissing(name) }
      let trash = try UnfinishedSnapshot(in: folder)
      defer { trash.discard() }
      try folder.rename(FileName.encode(name), to: trash.tree, as: "tree")
      try folder.sync()
    }
  }

  /// The folder of a state, while `body` runs.
  ///
  /// - Throws: ``StoreError/snapshotMissing(_:)``, ``StoreError/badSnapshotFile(line:reason:)``, or the error of `body`.
  package func withTree<Result>(
    of state: CloudState, _ waitPolicy: LockWaitPolicy, _ body: (Directory, Snapshot) throws -> Result
  ) throws -> Result {
    if case .snapshot(let name) = state {
      guard let folder = try recoveredSnapshots(waitPolicy),
        let (tree, snapshot) = try Self.open(FileName.encode(name), in: folder)
      else { throw StoreError.snapshotMissing(name) }
      return try body(tree, snapshot)
    }
    try root.makeDirectory(Self.snapshotsName)
    let new = try UnfinishedSnapshot(in: root.directory(Self.snapshotsName))
    defer { new.discard() }
    let snapshot: Snapshot
    if case .file(let nextLine) = state {
      snapshot = try Self.readSnapshot(into: new.tree, nextLine: nextLine)
    } else {
      snapshot = try lock.withExclusive(waitPolicy) {
        try save("", note: nil, created: 0, to: new.tree, waitPolicy)
      }
    }
    return try body(new.tree, snapshot)
  }

  /// The contents of a record's file in each snapshot that has the record.
  package func contents(
    ofRecord record: ExactName, in zone: ZonePath, _ waitPolicy: LockWaitPolicy
  ) throws -> [[UInt8]] {
    guard let folder = try recoveredSnapshots(waitPolicy) else { return [] }
    let path = zone.components + ["records", FileName.document(record.string)]
    return try DocumentFolder(folder).names(.directory).compactMap { try folder.contents(at: [$0] + path) }
  }

  private static func open(_ fileName: String, in folder: Directory) throws -> (tree: Directory, snapshot: Snapshot)? {
    guard let tree = try folder.directoryIfPresent(fileName), let bytes = try tree.contents(Snapshot.fileName) else {
      return nil
    }
    return (tree, try Snapshot(parsing: bytes, path: tree.path(of: Snapshot.fileName)))
  }

  /// The folder of the snapshots, without a replacement that a killed process did not finish; nil if there is none.
  func recoveredSnapshots(_ waitPolicy: LockWaitPolicy) throws -> Directory? {
    guard let folder = try root.directoryIfPresent(Self.snapshotsName) else { return nil }
    if try folder.entries().contains(where: { $0.name.hasPrefix(UnfinishedSnapshot.replaced) }) {
      try lock.withExclusive(waitPolicy) { try UnfinishedSnapshot.recover(folder) }
    }
    return folder
  }
}

/// A state of a whole cloud.
package enum CloudState {
  /// Saved as a temporary snapshot while it is used.
  case present
  /// A snapshot of this cloud, by name.
  case snapshot(String)
  /// A portable file of a snapshot, of any cloud. `nextLine` returns its next line without the newline, nil at the end.
  case file(nextLine: () throws -> [UInt8]?)
}

/// The folder of a snapshot that is being made: `.<number>`, beside its lease `.<number>-lease`.
final class UnfinishedSnapshot {
  let tree: Directory
  private let folder: Directory
  private let lease: Lease
  private let name: String

  private static let count = Atomic(0)
  private static let suffix = "-lease"
  /// The beginning of the name of a snapshot while it is replaced.
  static let replaced = ".replaced-"

  /// Makes an empty folder.
  init(in folder: Directory) throws {
    while true {
      let name = ".\(HostProcess.identifier)-\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
      guard let lease = try Lease.make(name + Self.suffix, in: folder) else { continue }
      try folder.removeTree(name)
      try folder.makeDirectory(name)
      tree = try folder.directory(name)
      (self.folder, self.lease, self.name) = (folder, lease, name)
      return
    }
  }

  /// Makes the folder durable and gives it the name of its snapshot. An earlier snapshot of that name is removed. Call
  /// with the exclusive lock of the root.
  func finish(as snapshot: String) throws {
    let fileName = FileName.encode(snapshot)
    try tree.file(Snapshot.fileName, .readWrite).syncFileSystem()
    let isReplacing = try folder.exists(fileName)
    if isReplacing { try folder.rename(fileName, to: folder, as: Self.replaced + fileName) }
    try folder.rename(name, to: folder, as: fileName)
    try folder.sync()
    if isReplacing { try folder.removeTree(Self.replaced + fileName) }
  }

  /// Removes the folder, unless it has the name of its snapshot by now.
  func discard() {
    // The next process that changes snapshots removes a folder that can't be removed now.
    try? folder.removeTree(name)
    try? lease.end()
  }

  /// Finishes the replacements of killed processes, and removes their unfinished folders. Call with the exclusive lock
  /// of the root.
  static func recover(_ folder: Directory) throws {
    for entry in try folder.entries() where entry.name.hasPrefix(".") {
      if entry.name.hasPrefix(replaced) {
        let fileName = String(entry.name.dropFirst(replaced.count))
        if try folder.exists(fileName) {
          try folder.removeTree(entry.name)
        } else {
          try folder.rename(entry.name, to: folder, as: fileName)
          try folder.sync()
        }
      } else if entry.name.hasSuffix(suffix) {
        let tree = String(entry.name.dropLast(suffix.count))
        _ = try Lease.reap(entry.name, in: folder) { () throws(SystemError) in try folder.removeTree(tree) }
      } else if entry.kind == .directory, try !folder.exists(entry.name + suffix) {
        try folder.removeTree(entry.name)
      }
    }
  }
}
