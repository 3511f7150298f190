import LocalCloudPlatform
import LocalCloudStorage

extension StoreTransaction {
  /// Commits the transaction. Returns nil if it is empty. Throws ``UniqueViolation``, before anything is written.
  func commit(_ waitPolicy: LockWaitPolicy) throws -> StoreCommit? {
    try finishRows()
    let changes = objects.all
    try requireUniqueValues(changes)
    var keys = IndexDelta()
    keys.reserve(4 * changes.count)
    var tables = try TableChanges(view, folder, damaged: damagedSegments()) { [self] in newNumber() }
    try put(changes, &tables, &keys)
    try putLinks(&tables, &keys)
    try putMirrorRows(&tables, &keys)
    // All that a transaction does changes a row or the metadata, or takes a number.
    let hasScrubbed = try scrub(&tables)
    guard last > start || tables.isChanged || metadata != nil else { return nil }
    if !hasScrubbed { try rewriteSegment(&tables) }
    var effects = try binaryEffects(changes, keys)
    effects += try tables.finish(&keys)
    if let metadata {
      effects.append(.replace(StoreFolder.document, try store.description(metadata, in: view).bytes))
    }
    let reported = changes.filter { !$0.change.isSilent }
    let history = history(isInHistory && !isRestoring ? reported.map { historyChange($0.id, $0.change) } : [])
    var entry = JournalEntry(
      previous: start, sequence: last,
      effects: effects + [.append(StoreFolder.history, offset: try view.logEnd(), history)])
    entry.indexInsertions = keys.inserted.sorted { ByteOrder.compare($0, $1) < 0 }
    entry.indexRemovals = keys.removed.sorted { ByteOrder.compare($0, $1) < 0 }
    try incoming.sync()
    try store.folder.commit(entry, in: view, waitPolicy)
    // New objects are entered when they are first read: an import does not remove all others.
    for (id, change) in changes where change.before != nil {
      let location = tables.location(of: id)
      let entry = change.after.flatMap { row in
        location.map { RowCache.Entry(location: $0, row: row, sequence: last) }
      }
      folder.rowCache.replace(id, by: entry)
    }
    incoming.remove(except: effects)
    for (table, segment) in tables.removed { folder.segments.forget(table, segment) }
    return StoreCommit(
      transaction: last, inserted: reported.filter { $0.change.before == nil }.map(\.id),
      updated: reported.filter { $0.change.before != nil && $0.change.after != nil }.map(\.id),
      deleted: reported.filter { $0.change.after == nil }.map(\.id))
  }

  /// Rewrites a segment, if one qualifies. A failure is no error: a program that deletes objects because the disk is
  /// full must not need space for this. If a segment can't be rewritten, the next candidate is tried. While a process
  /// reads an earlier state of the store, no segment is rewritten, because that state may name any of them.
  private func rewriteSegment(_ tables: inout TableChanges) throws {
    let candidates = try view.candidates(Self.mostCandidates)
    if try candidates.isEmpty || store.folder.isPinned(view.index()) { return }
    for (table, segment) in candidates {
      if try rewrite(table, segment, &tables) { return }
    }
  }

  /// Rewrites the segment that the caller requested; a failure is an error. Returns false if there is nothing to
  /// rewrite, for example because another process has rewritten it since.
  private func scrub(_ tables: inout TableChanges) throws -> Bool {
    guard let (table, segment) = scrubbed, !store.folder.isPinned(try view.index()),
      try (view.segmentEntry(table, segment)?.obsolete ?? 0) > 0
    else { return false }
    return try tables.rewrite(table, segment) { try incoming.stage($0) }
  }

  /// A commit tries no more segments than these: each of them is read as a whole.
  private static let mostCandidates = 3

  private func rewrite(_ table: StoreTable, _ segment: Int64, _ tables: inout TableChanges) throws -> Bool {
    var rewritten = tables
    do {
      guard try rewritten.rewrite(table, segment, { try incoming.stage($0) }) else { return false }
    } catch let error as SystemError where !error.isStopped {
      // A later commit tries again.
      return false
    } catch StorageError.damaged {
      // The check reports it. No row of this commit is concerned.
      return false
    }
    tables = rewritten
    return true
  }

  // MARK: Objects

  private func put(
    _ changes: [(id: RowID, change: ObjectChanges.Change)], _ tables: inout TableChanges, _ keys: inout IndexDelta
  ) throws {
    if let repeated = objects.repeated { throw InvalidRow(id: repeated, reason: "it is inserted twice") }
    for (id, change) in changes {
      let table = StoreTable.objects(id.entity)
      var writer = JSONWriter(isPretty: false)
      guard let row = change.after else {
        RowCoder.writeDeletion(id.number, to: &writer)
        try tables.delete(writer.bytes, table, id.number)
        keys.replace(change.before.map { folder.rowKeys.keys(of: $0) } ?? [], with: [])
        continue
      }
      if change.before == nil { try requireFree(id) }
      folder.coders[Int(id.entity)].write(row, to: &writer)
      try tables.put(writer.bytes, table, id.number, version: row.version, isNew: change.before == nil)
      keys.replace(
        change.before.map { folder.rowKeys.keys(of: $0) } ?? [], with: folder.rowKeys.keys(of: row))
    }
  }

  private func requireFree(_ id: RowID) throws {
    guard Int(id.entity) < schema.entities.count else { throw InvalidRow(id: id, reason: "there is no such entity") }
    guard id.number > 0, id.number <= last else { throw InvalidRow(id: id, reason: "its number was never taken") }
    // A new number is in use nowhere.
    if id.number > start || isRestoring { return }
    for entity in schema.entities.indices where !schema.entities[entity].isAbstract {
      guard try view.rowEntry(.objects(entity), id.number) == nil,
        try view.rowEntry(.objects(entity), id.number, isDeletion: true) == nil
      else { throw InvalidRow(id: id, reason: "its number is in use") }
    }
  }

  // MARK: Links

  /// Removes the links of deleted objects, and computes derived attributes. The commit calls this. Other callers need
  /// it only to read the rows as they will be stored.
  package func finishRows() throws {
    if hasFinishedRows { return }
    try removeLinksOfDeleted()
    try derive()
    hasFinishedRows = true
  }

  private func removeLinksOfDeleted() throws {
    let deleted = objects.all.filter { $0.change.after == nil }.map(\.id)
    if deleted.isEmpty { return }
    var sides: [UInt16: [(table: Int, side: IndexKind)]] = [:]
    for id in deleted {
      let known = sides[id.entity] ?? schema.linkSides(of: Int(id.entity))
      sides[id.entity] = known
      for (table, side) in known { try findLinks(of: id, table, side) }
    }
    linkChanges.remove(with: Set(deleted))
  }

  private func putLinks(_ tables: inout TableChanges, _ keys: inout IndexDelta) throws {
    for (before, after) in linkChanges.all {
      guard let link = after ?? before else { continue }
      var writer = JSONWriter(isPretty: false)
      if let after {
        after.encode(into: &writer, folder.names)
        try tables.put(writer.bytes, .links(link.table), link.number, version: 0, isNew: before == nil)
      } else {
        RowCoder.writeDeletion(link.number, to: &writer)
        try tables.delete(writer.bytes, .links(link.table), link.number)
      }
      keys.replace(
        before.map { [$0.forward, $0.backward] } ?? [], with: after.map { [$0.forward, $0.backward] } ?? [])
    }
  }

  /// Makes the stored links of an object in a table known, seen from one side.
  private func findLinks(of id: RowID, _ table: Int, _ side: IndexKind) throws {
    for (other, _, _) in try links(table, side, of: id) {
      let pair = LinkChanges.Pair(table: table, from: side == .forward ? id : other, to: side == .forward ? other : id)
      _ = try linkChanges.stored(pair) { try storedLink(table, from: pair.from, to: pair.to) }
    }
  }

  // MARK: Mirroring

  private func putMirrorRows(_ tables: inout TableChanges, _ keys: inout IndexDelta) throws {
    for table in MirrorTable.allCases {
      for (number, row) in (mirrorChanges[table]?.rows ?? [:]).sorted(by: { $0.key < $1.key }) {
        let before = try super.row(number, in: table)
        if before == row { continue }
        var writer = JSONWriter(isPretty: false)
        if let row {
          let name = NameKey.bytes(table, row.key, number)
          guard number > 0, number <= last, name.count <= IndexFile.maximumKeyLength else {
            throw InvalidRow(
              id: RowID(entity: 0, number: number), reason: "its number was never taken, or its key is long")
          }
          row.encode(into: &writer, folder.names)
          try tables.put(writer.bytes, .mirroring(table), number, version: 0, isNew: number > start)
        } else {
          RowCoder.writeDeletion(number, to: &writer)
          try tables.delete(writer.bytes, .mirroring(table), number)
        }
        keys.replace(
          before.map { [NameKey.bytes(table, $0.key, number)] } ?? [],
          with: row.map { [NameKey.bytes(table, $0.key, number)] } ?? [])
      }
    }
  }

  // MARK: Binaries

  /// Moves new binaries to their paths, and removes those that no row uses any more.
  private func binaryEffects(
    _ changes: [(id: RowID, change: ObjectChanges.Change)], _ keys: IndexDelta
  ) throws -> [JournalEntry.Effect] {
    func isBinary(_ key: [UInt8]) -> Bool { key[0] == IndexKind.binary.rawValue }
    var effects: [JournalEntry.Effect] = []
    let used = Set(keys.inserted.lazy.filter(isBinary).compactMap { BinaryKey.digest($0) })
    for digest in used.sorted() {
      guard let staged = incoming.binaries[digest] else { continue }
      effects.append(.move(StoreFolder.binary(digest), from: staged))
    }
    // The binaries that a damaged line uses are unknown.
    if try damagedSegments().contains(where: { $0.table.kind == .objects }) { return effects }
    let left = Set(keys.removed.lazy.filter(isBinary).compactMap { BinaryKey.digest($0) }).subtracting(used)
    for digest in left.sorted() {
      var isUsed = false
      try view.scan(prefix: BinaryKey.prefix(digest)) { key in
        isUsed = !keys.removed.contains(key)
        return !isUsed
      }
      if !isUsed { effects.append(.remove(StoreFolder.binary(digest))) }
    }
    return effects
  }

  // MARK: History

  private func historyChange(_ id: RowID, _ change: ObjectChanges.Change) -> HistoryChange {
    guard change.after == nil, let before = change.before else {
      return change.before == nil ? .insert(id) : .update(id, change.changed)
    }
    var preserved: [String: StoredValue] = [:]
    for (attribute, value) in zip(schema.entities[Int(id.entity)].attributes, before.attributes)
    where attribute.isPreserved && value != .null {
      // The bytes of a file go with the object.
      if case .external = value { continue }
      preserved[attribute.name] = value
    }
    return .delete(id, preserved)
  }

  /// The lines of the transaction. Takes numbers, so that each line has a sequence of its own and the last one is the
  /// transaction's.
  private func history(_ changes: [HistoryChange]) -> [UInt8] {
    let parts = HistoryLine.parts(changes)
    while last - start < Int64(parts.count) { _ = newNumber() }
    let (time, nanoseconds) = systemTimeNanoseconds().quotientAndRemainder(dividingBy: 1_000_000)
    let line = HistoryLine(
      transaction: HistoryTransaction(
        number: last, time: time, nanoseconds: nanoseconds, author: author, contextName: contextName,
        bundle: HostProcess.programName, process: String(HostProcess.identifier), changes: []),
      isInHistory: !changes.isEmpty)
    var writer = JSONWriter(isPretty: false)
    for (index, part) in parts.enumerated() {
      line.write(part, sequence: last - Int64(parts.count - 1 - index), to: &writer, folder.names)
    }
    return writer.bytes
  }
}
