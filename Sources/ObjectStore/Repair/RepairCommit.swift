import LocalCloudPlatform
import LocalCloudStorage

/// The changes of a repair to the rows and the history of a store, as one commit. The index stays until the commit,
/// because only the index names the rows of missing segments. So a repair that is killed before the commit can be run
/// again.
struct RepairCommit {
  let folder: StoreFolder
  let rows: RowRepair
  let links: LinkRepair
  let mirror: MirrorRepair
  let history: HistoryRepair

  var isEmpty: Bool { rows.isEmpty && links.isEmpty && mirror.isEmpty && history.isSound }

  /// The lines of `notes.jsonl`: a note for each line that is set aside, and for each row that is removed or missing.
  var notes: [JSONObject] { rows.notes + links.notes(folder) + mirror.notes }

  func problems(_ aside: Quarantine) -> [Problem] {
    [history.problem(aside)].compactMap(\.self) + rows.problems(aside) + links.problems(folder, aside)
      + mirror.problems(aside)
  }

  /// The files that the commit replaces.
  func replacedFiles() throws -> [(folder: Directory, name: String)] {
    try rows.replacedFiles() + history.replacedFiles()
  }

  /// Commits. Call with the commit lock, and with all commits in the files.
  func run(_ store: JournaledFolder, _ waitPolicy: LockWaitPolicy) throws {
    // No replay may append to a new history at an offset of the old one.
    try store.journal.checkpoint()
    let incoming = IncomingFiles(folder, before: history.head + 1)
    do { try run(store, incoming, waitPolicy) } catch {
      // Files that the commit may need are left for it.
      if case StorageError.uncertain = error { throw error }
      incoming.remove()
      throw error
    }
    // The commit does not report a failure after its entry is durable.
    try store.replayJournal(waitPolicy)
    for (table, segment) in rows.segments { folder.segments.forget(table, segment) }
  }

  private func run(_ store: JournaledFolder, _ incoming: IncomingFiles, _ waitPolicy: LockWaitPolicy) throws {
    // No index has this number as its sequence. So applying the entry makes the index anew from the files.
    let previous = mirror.lastNumber + 1
    var last = previous
    var effects: [JournalEntry.Effect] = []
    let mirrored = mirror.lines.map { (StoreTable.mirroring($0.table), $0.lines) }
    // Lines are put into segments with new numbers, because other processes have the old ones open.
    for (table, lines) in try rows.lines() + links.lines + mirrored where !lines.isEmpty {
      last += 1
      effects.append(.move(table.path(of: last, folder.schema), from: try incoming.stage(lines)))
    }
    for (table, segment) in rows.segments { effects.append(.remove(table.path(of: segment, folder.schema))) }
    last += 1
    let view = FolderView(store, hasCommitLock: true)
    let line = historyLine(last)
    if history.isSound {
      effects.append(.append(StoreFolder.history, offset: try view.logEnd(), line))
    } else {
      effects.append(.move(StoreFolder.history, from: try incoming.stage(history.newLines + line)))
    }
    try incoming.sync()
    try store.commit(JournalEntry(previous: previous, sequence: last, effects: effects), in: view, waitPolicy)
    incoming.remove(except: effects)
  }

  /// A line that uses up numbers.
  private func historyLine(_ number: Int64) -> [UInt8] {
    let transaction = HistoryTransaction(
      number: number, time: systemTimeMilliseconds(), nanoseconds: 0, author: nil, contextName: nil, bundle: "",
      process: "", changes: [])
    var writer = JSONWriter(isPretty: false)
    HistoryLine(transaction: transaction, isInHistory: false).write([], sequence: number, to: &writer, folder.names)
    return writer.bytes
  }
}
