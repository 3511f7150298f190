import LocalCloudPlatform
import LocalCloudStorage

/// A store's folder as the observer of ``JournaledFolder``: the paths of its files, and the index keys that follow from
/// them.
///
/// Threads: immutable except for the caches of open segments and of rows.
final class StoreFolder: Sendable {
  let directory: Directory
  let journalDirectory: Directory
  let description: StoreDescription
  /// The schema of the program that opened the store.
  let schema: StoreSchema
  let names: EntityNames
  let coders: [RowCoder]
  let rowKeys: RowKeys
  let segments: SegmentFiles
  let rowCache: RowCache
  let limits: SegmentLimits
  private let owner: UInt64
  private let storePath: String

  static let history = StorePath(.store, ["history.jsonl"])
  static let document = StorePath(.store, [StoreDescription.fileName])
  static let binaries = "binaries"
  /// In the journal's folder: files that are synced before the commit that moves them to their final paths.
  static let incoming = "incoming"
  static let rootLock = "root"
  static let rootGate = "root.gate"
  /// In the journal's folder, made by the first process that mirrors or repairs the store.
  static let mirroringLock = "mirroring"
  static let mirroringGate = "mirroring.gate"

  /// `cachedBytes`: the size of the cache of rows.
  init(
    _ directory: Directory, _ description: StoreDescription, _ schema: StoreSchema, _ limits: SegmentLimits,
    cachedBytes: Int
  ) throws {
    self.directory = directory
    self.description = description
    self.schema = schema
    self.limits = limits
    journalDirectory = try directory.directory(JournaledFolder.journalFolder)
    names = EntityNames(schema)
    coders = schema.entities.indices.map { [names] in RowCoder($0, schema, names) }
    rowKeys = RowKeys(schema)
    segments = SegmentFiles(directory, schema)
    rowCache = RowCache(bytes: cachedBytes)
    owner = description.indexOwner(for: schema)
    storePath = directory.path
  }

  /// The error for a file that is not there.
  func missing(_ path: StorePath) -> StorageError {
    .damaged(path: directory.path(of: path.components.joined(separator: "/")), reason: "it is missing")
  }

  /// A row, as text for people.
  func name(of row: Int64, in table: StoreTable) -> String {
    switch table.kind {
    case .objects: names.text(RowID(entity: Int(table.index), number: row))
    case .links: "the link \(row)"
    case .mirroring: "the row \(row)"
    }
  }

  static func binary(_ digest: String) -> StorePath { StorePath(.store, [binaries, digest]) }

  // MARK: Incoming files

  /// Stages bytes durably under a name, for ``JournalEntry/Effect/move(_:from:)``.
  func stageIncoming(_ bytes: [UInt8], as name: String) throws {
    try incomingFolder().stageDurably(bytes, as: name)
  }

  private func incomingFolder() throws -> Directory {
    let isNew = try journalDirectory.makeDirectory(Self.incoming)
    if isNew { try journalDirectory.sync() }
    return try journalDirectory.directory(Self.incoming)
  }

  /// Makes the names of staged files durable.
  func syncIncoming() throws { try incomingFolder().sync() }

  /// Removes files that killed processes left. Call with the folder's lock, before anything is staged: then every
  /// commit has moved its files.
  func clearIncoming() throws {
    guard let incoming = try journalDirectory.directoryIfPresent(Self.incoming) else { return }
    for entry in try incoming.entries() where entry.kind == .file { try incoming.remove(entry.name) }
  }

  func source(_ name: String) throws -> File? {
    try journalDirectory.directoryIfPresent(Self.incoming)?.fileIfPresent(name)
  }

  func removeIncoming(_ names: [String]) {
    guard let incoming = try? journalDirectory.directoryIfPresent(Self.incoming) else { return }
    for name in names { _ = try? incoming.remove(name) }
  }
}

extension StoreFolder: FolderObserver {
  static let format = JournalFormat(
    bases: [.store], moveKey: "place", sourceKey: "from", removeFolderKey: "removeStore"
  ) { $0.extra.isEmpty && $0.effects.last != .removeFolder }

  var readsByView: Bool { true }
  var format: JournalFormat { Self.format }
  var mainLog: StorePath { Self.history }
  var logSchema: LogSchema { .events }
  func base() throws -> Int64 { 0 }
  func indexOwner() throws -> UInt64 { owner }
  func nameOfRemoved() throws -> String { description.nameOfRemoved }
  func missing() -> any Error { ObjectStoreError.missing(path: storePath) }

  func location(of path: StorePath) throws -> (Directory, String) {
    (try directory.makingDirectory(at: path.components.dropLast()), path.name)
  }

  func contents(_ path: StorePath) throws -> [UInt8]? { try directory.contents(at: path.components) }

  func log(_ path: StorePath) throws -> LogFile? {
    try directory.directory(at: path.components.dropLast()).flatMap { try LogFile.open(path.name, in: $0) }
  }

  func otherLogs() throws -> [StorePath] { [] }

  func put(_ path: StorePath, from source: String, isReplay: Bool) throws {
    guard let incoming = try journalDirectory.directoryIfPresent(Self.incoming) else { return }
    // Each name is used once, so a file with it is the right one. If it is missing, an earlier run moved the file.
    guard try incoming.exists(source) else { return }
    let (folder, name) = try location(of: path)
    try incoming.rename(source, to: folder, as: name)
  }

  /// A store has few writers: a commit is durable when the next one is planned.
  func isJoinable(_ entry: JournalEntry) -> Bool { false }
  func merged(_ extras: [JSONObject]) -> JSONObject { JSONObject() }
  func tidy(_ journal: Journal) {}
  func willCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws {}
  func didCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws {}
  func keysForgotten(through horizon: Int64, in index: IndexFile) throws -> [[UInt8]] { [] }

  func indexKeys(_ view: FolderView) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    for table in StoreTable.all(schema) { keys += try TableScan(table, self, view).keys }
    return keys
  }
}
