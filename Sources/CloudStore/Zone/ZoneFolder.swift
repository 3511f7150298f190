import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// A zone's folder as the observer of ``JournaledFolder``: its paths, the contents of its files, and the meaning of its
/// journal's entries.
///
/// Threads: immutable except for the cache of its properties.
package final class ZoneFolder: Sendable {
  package let path: ZonePath
  let root: Directory
  let container: Directory
  let zones: Directory
  let folders: DirectoryCache
  package let directory: Directory
  private let identity: FileIdentity
  let records: Directory
  let shares: Directory
  let journalDirectory: Directory
  let limits: StorageLimits
  private let observer: any CloudObserver
  private let knownProperties = VersionedCache<String, ZoneProperties>(limit: 1)

  /// Throws if a part of the zone is missing.
  init(
    _ path: ZonePath, _ directory: Directory, root: Directory, container: Directory, zones: Directory,
    folders: DirectoryCache, limits: StorageLimits, observer: any CloudObserver
  ) throws {
    self.path = path
    self.directory = directory
    self.root = root
    self.container = container
    self.zones = zones
    self.folders = folders
    self.limits = limits
    self.observer = observer
    identity = try directory.identity()
    records = try directory.directory("records")
    shares = try directory.directory("shares")
    journalDirectory = try directory.directory(JournaledFolder.journalFolder)
  }

  /// Whether the folder is still the one under the zone's name.
  private func isCurrent() throws -> Bool {
    do { return try zones.identity(of: path.fileName) == identity } catch  where error.isMissing { return false }
  }

  /// The zone's properties. The file is read again only if it changed.
  func properties() throws -> ZoneProperties {
    let (file, path) = ("zone.json", directory.path(of: "zone.json"))
    guard let version = try directory.version(of: file) else {
      guard try isCurrent() else { throw StoreError.zoneMissing(self.path) }
      throw StorageError.damaged(path: path, reason: "it is missing")
    }
    let properties = try knownProperties.value(file, version) {
      let properties = try directory.contents(file).map { try ZoneProperties.parse($0, path: path) }
      if let properties, properties.name != self.path.zone {
        throw StorageError.nameCollision(path: path, name: self.path.zone.string)
      }
      return properties
    }
    guard let properties else { throw StoreError.zoneMissing(self.path) }
    return properties
  }

  // MARK: Files

  func readRecord(_ name: ExactName) throws -> StoredRecord? {
    guard let bytes = try records.contents(FileName.document(name.string)) else { return nil }
    return try .parse(bytes, path: recordPath(name), expecting: name)
  }

  func recordPath(_ name: ExactName) -> String { records.path(of: FileName.document(name.string)) }

  /// The folder of a file of the container, such as a pointer to the zone.
  private func folder(of path: StorePath) throws -> Directory? {
    let container = ["containers", FileName.encode(self.path.database.container.string)]
    return try folders.folder(at: container + path.components.dropLast())
  }

  /// A database's folder, nil if there is none: for lookups in each commit.
  func database(_ path: DatabasePath, making: Bool = false) throws -> DatabaseFolder? {
    try folders.folder(at: path.components, making: making).map { DatabaseFolder(path, $0, limits: limits) }
  }
}

extension ZoneFolder: FolderObserver {
  /// The format of this store's entries in a zone's journal.
  static func format(of observer: any CloudObserver) -> JournalFormat {
    JournalFormat(
      bases: StorePath.Base.all, moveKey: "adopt", sourceKey: "upload", removeFolderKey: "removeZone"
    ) { entry in
      entry.extra.mentions != nil && observer.understands(entry.extra)
        && entry.effects.allSatisfy { effect in
          switch effect {
          case .move(let path, let upload): path.asset != nil && ZoneFolder.isUpload(upload)
          case .compact(let compaction): compaction.path.isLog
          case .replace, .remove, .append, .removeFolder: true
          }
        }
    }
  }

  package var format: JournalFormat { Self.format(of: observer) }
  package var mainLog: StorePath { .changeLog }
  package var logSchema: LogSchema { ChangeLine.schema }

  package func base() throws -> Int64 { try properties().base }
  package func indexOwner() throws -> UInt64 { try properties().indexOwner }
  package func nameOfRemoved() throws -> String { ".deleted-" + (try properties().incarnation) }
  package func missing() -> any Error { StoreError.zoneMissing(path) }

  package func contents(_ path: StorePath) throws -> [UInt8]? {
    path.base == .zone ? try directory.contents(at: path.components) : try folder(of: path)?.contents(path.name)
  }

  package func location(of path: StorePath) throws -> (Directory, String) {
    if path.isRecord { return (records, path.name) }
    if path.isShareLog { return (shares, path.name) }
    let base = path.base == .zone ? directory : container
    return (try base.makingDirectory(at: path.components.dropLast()), path.name)
  }

  package func log(_ path: StorePath) throws -> LogFile? {
    try LogFile.open(path.name, in: path.isShareLog ? shares : directory)
  }

  package func otherLogs() throws -> [StorePath] {
    try shares.entries().filter { $0.kind == .file && $0.name.hasSuffix(".jsonl") }
      .map { StorePath(.zone, ["shares", $0.name]) }
  }

  package func put(_ path: StorePath, from upload: String, isReplay: Bool) throws {
    if let asset = path.asset { try adopt(asset, upload: upload, isReplay: isReplay) }
  }

  // MARK: Commits

  /// Whether the entry changes only records and logs, and the observer permits it.
  package func isJoinable(_ entry: JournalEntry) -> Bool {
    observer.isJoinable(entry.extra)
      && entry.effects.allSatisfy { effect in
        switch effect {
        case .replace(let path, _), .remove(let path): path.isRecord
        case .append(let path, _, _): path.isLog
        case .compact, .move, .removeFolder: false
        }
      }
  }

  /// Merges the mentions, each once. The observer is notified of each commit separately.
  package func merged(_ extras: [JSONObject]) -> JSONObject {
    var mentions: [ZoneMention] = []
    for mention in extras.lazy.compactMap(\.mentions).joined() where !mentions.contains(mention) {
      mentions.append(mention)
    }
    var merged = JSONObject()
    merged.setMentions(mentions)
    return merged
  }

  package func tidy(_ journal: Journal) { removeDeadUploads(journal) }

  /// Mentions the zone. In a recovery, a log is skipped if an entry of another kind has its name: repair replaces it
  /// with a log that mentions every zone.
  package func willCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws {
    do { try mention(entry, isReplay: reason == .againAfterBoot, waitPolicy) } catch let error as SystemError
      where error.isForeign && reason != .first
    {}
  }

  package func didCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws {
    try notifyObserver(of: entry, isReplay: reason != .first, waitPolicy)
  }

  func notifyObserver(of entry: JournalEntry, isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws {
    let context = CommitContext(root: root, container: container, limits: limits)
    try observer.didCommit(entry.extra, in: context, isReplay: isReplay, waitPolicy)
  }

  func mention(_ entry: JournalEntry, isReplay: Bool = false, _ waitPolicy: LockWaitPolicy) throws {
    for mention in entry.extra.mentions ?? [] {
      var fields = mention.fields
      fields["zoneSequence"] = .integer(entry.sequence)
      guard let folder = try database(mention.database, making: true) else { continue }
      try folder.log.append(
        [(mention.zone, mention.owner, fields)], isReplay: isReplay, all: { try folder.mentionable() }, waitPolicy)
    }
  }

  // MARK: Index

  package func keysForgotten(through horizon: Int64, in index: IndexFile) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    for kind in [UInt8(ascii: "d"), UInt8(ascii: "o")] {
      try index.scan(prefix: [kind]) { key in
        if let end = key.firstIndex(of: 0),
          let event = IndexKey.event(in: key, after: Array(key[...end])), event.sequence <= horizon
        {
          keys.append(key)
        }
        return true
      }
    }
    return keys
  }

  package func indexKeys(_ view: FolderView) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var unreadable: Set<String> = []
    try forEachChange(view) { line in if line.kind == .delete { keys += IndexKey.keys(ofRemoval: line) } }
    for entry in try records.entries() where entry.kind == .file && !entry.name.hasPrefix(".") {
      // A copy that an editor left next to a record is not a record; `check` reports it.
      guard entry.name.hasSuffix(".json") else { continue }
      do {
        guard let bytes = try records.contents(entry.name) else { continue }
        let record = try storedRecord(bytes, file: entry.name)
        guard FileName.document(record.name.string) == entry.name else { continue }
        keys += IndexKey.keys(of: record)
      } catch  where Self.concernsOneRecord(error) {
        unreadable.insert(entry.name)
      }
    }
    if !unreadable.isEmpty { keys += try loggedKeys(ofFiles: unreadable, view) }
    for entry in try shares.entries() where entry.name.hasSuffix(".jsonl") {
      let (share, lines) = try latestLines(ofLog: entry.name)
      for line in lines { keys += IndexKey.keys(of: line, in: share) }
    }
    return keys
  }

  private func forEachChange(_ view: FolderView, _ body: (ChangeLine) throws -> Void) throws {
    try view.forEachLine(of: .changeLog, after: .min) { line, log in
      try body(ChangeLine(line, of: log))
      return true
    }
  }

  private static func concernsOneRecord(_ error: any Error) -> Bool {
    switch error {
    case StorageError.damaged, StorageError.nameCollision: true
    case let error as SystemError: error.isUnreadable
    default: false
    }
  }

  /// The keys that the log implies for records with unreadable files. Queries find these records, and only reading them
  /// fails.
  private func loggedKeys(ofFiles files: Set<String>, _ view: FolderView) throws -> [[UInt8]] {
    var saves: [ExactName: ChangeLine] = [:]
    try forEachChange(view) { line in
      switch line.kind {
      case .save where files.contains(FileName.document(line.record.string)): saves[line.record] = line
      case .delete: saves[line.record] = nil
      default: break
      }
    }
    return saves.values.flatMap { line in
      [IndexKey.typed(line.type, line.record), IndexKey.live(nil, line.sequence, line.record)]
        + (line.parent.map { [IndexKey.child($0, line.record)] } ?? [])
    }
  }

  /// The lines of a share's log that the index has keys for: the latest line of each live member, and every removal.
  private func latestLines(ofLog name: String) throws -> (share: ExactName, lines: [ShareLine]) {
    let file = try shares.file(name)
    var members: [ExactName: ShareLine] = [:]
    var removals: [ShareLine] = []
    var names: Set<ExactName> = []
    var last = Int64.min
    try LogFile(file).forEach(after: .min) { line in
      guard let change = ShareLine(line.value) else {
        throw StorageError.damaged(path: file.path, reason: "the line at byte \(line.offset) is not a share's line")
      }
      guard change.sequence > last else {
        throw StorageError.damaged(path: file.path, reason: "sequence \(change.sequence) after \(last)")
      }
      last = change.sequence
      names.insert(change.record)
      if change.kind == .outside { removals.append(change) }
      members[change.record] = change.kind == .inside ? change : nil
      return true
    }
    return (try shareName(ofLog: name, members: names), members.values + removals)
  }

  private func storedRecord(_ bytes: [UInt8], file: String) throws -> StoredRecord {
    guard let value = try? JSONValue(parsing: bytes), let name = value["recordName"]?.string else {
      throw StorageError.damaged(path: records.path(of: file), reason: "not a record")
    }
    return try .parse(bytes, path: records.path(of: file), expecting: ExactName(name))
  }

  /// The share of a log, from the file's name or, if that holds a digest, from the member with that file name.
  private func shareName(ofLog file: String, members: some Sequence<ExactName>) throws -> ExactName {
    let stem = String(file.dropLast(".jsonl".count))
    if let name = FileName.decode(stem) { return ExactName(name) }
    guard let name = members.first(where: { FileName.encode($0.string) == stem }) else {
      throw StorageError.damaged(
        path: shares.path(of: file), reason: "no member of this share's log is the share itself")
    }
    return name
  }
}
