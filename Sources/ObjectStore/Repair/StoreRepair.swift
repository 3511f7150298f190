import LocalCloudPlatform
import LocalCloudStorage

/// Makes the files of a store consistent again, under its exclusive lock ([store-30]).
///
/// The repair trusts every line that is a row, and makes the history, the index and the mirroring's rows consistent
/// with these lines. First it applies the journal and ends torn last lines. Then it reads all files before it changes
/// one, and copies each file to the quarantine, durably, before it changes it. One commit changes rows, mirroring and
/// history (``RepairCommit``): after a kill the next repair finds either the old or the new state of all of them.
struct StoreRepair {
  private let store: ObjectStore
  private let aside: Quarantine
  private let waitPolicy: LockWaitPolicy
  private(set) var done: [Problem] = []

  private var folder: StoreFolder { store.files }

  /// The files as they are on disk.
  private var view: FolderView { FolderView(store.folder, hasCommitLock: true) }

  init(_ store: ObjectStore, _ aside: Quarantine) {
    self.store = store
    self.aside = aside
    waitPolicy = store.waitPolicy
  }

  /// Call with the commit lock.
  mutating func run() throws {
    let salvage = try JournalSalvage(folder, aside)
    let journalProblem = try store.folder.repairJournal(aside, waitPolicy) { try salvage.run($0) }
    done += [journalProblem].compactMap(\.self)
    try endLines()
    let tables = try StoreTable.all(folder.schema).map { try TableScan($0, folder, view) }
    let commit = try commit(tables)
    let isIndexSound = try commit.history.isSound && isIndexSound(tables)
    let binaries = try BinaryRepair(folder, view, aside, tables)
    for stray in try StoreShape(folder).strays() { done.append(try aside.move(stray)) }
    let needsIndex = !isIndexSound || !commit.isEmpty
    if needsIndex {
      try keepDurably(commit)
      // Also without changes, it makes the index anew and takes a number: other processes no longer use locations that
      // they read before.
      try commit.run(store.folder, waitPolicy)
      done += commit.problems(aside)
    }
    done += try binaries.run()
    if needsIndex { done.append(Problem(path: indexPath, text: "made anew from the other files")) }
    if !done.isEmpty { try store.folder.journal.checkpoint() }
  }

  /// Finds all that is to change in the rows, in the mirroring and in the history.
  private func commit(_ tables: [TableScan]) throws -> RepairCommit {
    let mirrored = try MirrorScan(folder, view, tables)
    let used = try max(indexSequence() ?? 0, mirrored.lastTransaction)
    let history = try HistoryRepair(folder, tables, used: used)
    let damaged = try DamagedRows(tables, history, indexedRows(), mirrored)
    let links = try LinkRepair(folder, view, tables, damaged)
    return RepairCommit(
      folder: folder, rows: RowRepair(folder, view, tables, damaged), links: links,
      mirror: try MirrorRepair(folder, view, tables, mirrored, damaged, links, after: history.head), history: history)
  }

  /// Copies the files that a commit replaces to the quarantine, with the notes, and makes them durable.
  private func keepDurably(_ commit: RepairCommit) throws {
    for (folder, name) in try commit.replacedFiles() where try folder.exists(name) {
      _ = try aside.copy(name, in: folder)
    }
    let notes = commit.notes
    if !notes.isEmpty {
      let newline = UInt8(ascii: "\n")
      try aside.write(notes.flatMap { JSONValue.object($0).compact() + [newline] }, as: "notes.jsonl")
    }
    try store.folder.journal.file.syncFileSystem()
  }

  // MARK: Ends of lines

  /// Adds the newline to last lines that lack only that: some editors leave it out.
  private mutating func endLines() throws {
    let folder = folder
    for table in StoreTable.all(folder.schema) {
      for segment in try folder.segments.segments(table, view) {
        let name = StoreTable.fileName(of: segment)
        guard let directory = try folder.directory.directory(at: table.folder(folder.schema)) else { continue }
        try endLine(of: name, in: directory) { line in
          line["deleted"]?.bool == true ? line["id"]?.integer != nil : folder.content(of: line, in: table) != nil
        }
      }
    }
    if try folder.directory.kind(of: StoreFolder.history.name) == .file {
      try endLine(of: StoreFolder.history.name, in: folder.directory) { $0["transaction"]?.integer != nil }
    }
  }

  private mutating func endLine(
    of name: String, in directory: Directory, where isSound: (JSONValue) -> Bool
  ) throws {
    let newline = UInt8(ascii: "\n")
    guard let bytes = try directory.contents(name), let last = bytes.last, last != newline else { return }
    let start = bytes.lastIndex(of: newline).map { $0 + 1 } ?? 0
    guard let line = try? JSONValue(parsing: bytes[start...]), isSound(line) else { return }
    let file = try directory.file(name, .readWrite)
    try file.write([newline], at: bytes.count)
    try file.sync()
    done.append(Problem(path: file.path, text: "its last line lacked a newline: ended"))
  }

  // MARK: Index

  private var indexPath: String {
    folder.directory.path(of: JournaledFolder.indexFolder + "/" + JournaledFolder.indexName)
  }

  /// The last sequence number that the index includes; nil if there is no readable index.
  private func indexSequence() throws -> Int64? {
    do { return try store.folder.openIndex()?.sequence } catch is IndexDamage { return nil }
  }

  private func isIndexSound(_ tables: [TableScan]) throws -> Bool {
    guard tables.allSatisfy(\.badLines.isEmpty) else { return false }
    let view = StoreView(store, view)
    let segments = tables.flatMap { scan in scan.segments.keys.map { SegmentEntry.prefix(scan.table, $0) } }
    return try StoreIndexCheck(view: view, keys: Set(tables.flatMap(\.keys)), segments: Set(segments)).problems()
      .isEmpty
  }

  private func indexedRows() throws -> IndexedRows {
    do {
      return try store.folder.openIndex().map { try IndexedRows($0) } ?? IndexedRows()
    } catch is IndexDamage {
      return IndexedRows()
    }
  }
}
