import LocalCloudObjectStore

/// A setup, an import or an export: its event, and the edits that it has not stored yet.
///
/// Each transaction of a run has all its edits up to then, and the last one has its event as well. So a run commits as
/// rarely as possible, and an event reports success only of stored edits. The edits of a failed transaction belong to the
/// next one. A kill before a transaction loses its edits: the next run sends or fetches the same records again.
///
/// Not thread-safe: only the mirroring's thread uses it.
final class MirroringRun {
  let mirrored: MirroredStore
  var event: MirroringEvent
  /// Whether there are changes to send that the history does not list.
  private(set) var wantsExport = false
  private var unstored: [(StoreTransaction) throws -> Void] = []
  /// The changes as of the last page: the history is read once for all pages.
  private var unsent: UnsentChanges?

  init(_ mirrored: MirroredStore, _ kind: MirroringEvent.Kind) {
    self.mirrored = mirrored
    event = MirroringEvent(kind, of: mirrored.store)
  }

  /// Adds an edit to the next transaction. It must not retain the run.
  func later(_ edit: @escaping (StoreTransaction) throws -> Void) { unstored.append(edit) }

  /// Runs a transaction now, unless there is no edit for it.
  func store() throws {
    if !unstored.isEmpty { try edit { _ in } }
  }

  /// Runs a transaction of the edits so far, followed by `body`.
  func edit<Answer>(_ body: (StoreTransaction) throws -> Answer) throws -> Answer {
    let (earlier, before) = (unstored, unsent)
    unstored = []
    let answer: Answer
    let wantsExport: Bool
    do {
      (answer, wantsExport) = try mirrored.edit { edits in
        unsent = before
        for edit in earlier { try edit(edits) }
        return (try body(edits), edits.wantsExport)
      }
    } catch {
      (unstored, unsent) = (earlier, before)
      throw error
    }
    if wantsExport { self.wantsExport = true }
    if !earlier.isEmpty { try mirrored.pass(event.kind == .export ? .stored : .imported) }
    return answer
  }

  /// Ends the event, and stores it with the remaining edits. If the event can't be stored, because its table is damaged
  /// or for another reason, the edits are stored without it.
  ///
  /// - Parameter failure: the error of the run; nil if it succeeded.
  /// - Throws: the error of the transaction, if it loses edits. The loss of only an event is no error.
  func end(_ failure: (any Error)?) throws {
    event.end(failure.map { ($0 as? ObjectStoreError).map(mirrored.reportedError) ?? $0 })
    do { try edit { try event.store(in: $0) } } catch {
      if error is MirroringStopped { throw error }
      do { try store() } catch {
        unstored = []
        // The event with the run's failure remains.
        if failure != nil, !(error is MirroringStopped) { try? edit { try event.store(in: $0) } }
        throw error
      }
    }
  }

  /// A pass over a page of the cloud's changes.
  func importPass(_ edits: StoreTransaction) throws -> ImportPass {
    let pass = try ImportPass(edits, mirrored.mapping, unsent)
    unsent = pass.unsent
    return pass
  }
}
