/// An edit of a recorded history that makes it wrong. The check of the edited history must fail.
package enum HistoryPlant: String, CaseIterable, Sendable {
  /// The last fetch of a record does not find it.
  case lostWrite = "lost-write"
  /// The last fetch of a record returns an older version.
  case staleRead = "stale-read"
  /// Two saves from the same change tag succeed.
  case twoWinners = "two-winners"
  /// A feed lacks a change.
  case missingChange = "missing-change"
  /// A feed has two changes in the wrong order.
  case feedOrder = "feed-order"

  /// Edits a history. Returns false if it has no operation to edit.
  package func edit(_ operations: inout [HistoryOperation]) -> Bool {
    operations.sort { $0.start < $1.start }
    // Other records may be missing for another reason.
    let ended = Set(operations.compactMap { if case .deleteZone(let zone) = $0.call { zone } else { nil } })
    let indices = operations.indices.reversed().filter { index in
      operations[index].call.zone.map { !ended.contains($0) } ?? false
    }
    return indices.contains { edit($0, of: &operations) }
  }

  /// Edits one operation. Returns false if it is not suitable.
  private func edit(_ index: Int, of operations: inout [HistoryOperation]) -> Bool {
    let operation = operations[index]
    switch (self, operation.call, operation.result) {
    case (.lostWrite, .read, .done(var versions)?):
      guard let found = versions.firstIndex(where: { $0.value != nil }) else { return false }
      versions[found] = HistoryVersion(versions[found].record, nil)
      operations[index].result = .done(versions)
    case (.staleRead, .read(let zone, _), .done(var versions)?):
      for (found, version) in versions.enumerated() where version.value != nil {
        let saves = operations.filter { $0.isDone && $0.call.zone == zone }
        let values = saves.compactMap { $0.write(to: version.record)?.value }
        guard let old = values.first(where: { $0 != version.value }) else { continue }
        versions[found] = HistoryVersion(version.record, old)
        operations[index].result = .done(versions)
        return true
      }
      return false
    case (.twoWinners, .write(let zone, let writes), .done?):
      guard let end = operation.end, writes.count == 1, let write = writes.first, write.value != nil,
        case .unchanged = write.condition
      else { return false }
      let second = HistoryWrite(write.record, "second winner", write.condition)
      operations.append(
        HistoryOperation(
          client: operation.client, .write(zone: zone, [second]), start: end, end: end + 1,
          .done([HistoryVersion(write.record, "second winner")])))
    case (.missingChange, .readZoneFeed, .page(var changed, let deleted, let moreComing)?):
      guard let lost = changed.popLast(), isCertain(lost, from: index, in: operations) else { return false }
      operations[index].result = .page(changed: changed, deleted: deleted, moreComing: moreComing)
    case (.feedOrder, .readZoneFeed(let zone, _), .page(var changed, let deleted, let moreComing)?):
      for (first, second) in zip(changed.indices, changed.indices.dropFirst()) {
        guard let begin = save(of: changed[second], in: zone, operations),
          let end = save(of: changed[first], in: zone, operations)?.end, end < begin.start
        else { continue }
        changed.swapAt(first, second)
        operations[index].result = .page(changed: changed, deleted: deleted, moreComing: moreComing)
        return true
      }
      return false
    default: return false
    }
    return true
  }

  private func save(
    of version: HistoryVersion, in zone: String, _ operations: [HistoryOperation]
  ) -> HistoryOperation? {
    operations.first { operation in
      operation.call.zone == zone && version.value != nil && operation.write(to: version.record)?.value == version.value
    }
  }

  /// Whether a version of a page was saved before the page, and is the record's only possible one until the client of
  /// the page has read the feed to its end, without starting over.
  private func isCertain(_ version: HistoryVersion, from index: Int, in operations: [HistoryOperation]) -> Bool {
    let page = operations[index]
    guard let zone = page.call.zone, let save = save(of: version, in: zone, operations),
      let end = endOfRound(index, operations),
      let saved = save.end, saved < page.start
    else { return false }
    return operations.allSatisfy { other in
      guard other.call.zone == zone, other.write(to: version.record) != nil, other.start != save.start else {
        return true
      }
      return other.start > end || (other.end.map { $0 < save.start } ?? false)
    }
  }

  /// The end of the page, this one or a later one of the same client, if no others come after it; nil: the client has
  /// not read so far, or started over.
  private func endOfRound(_ index: Int, _ operations: [HistoryOperation]) -> UInt64? {
    for position in index..<operations.count where operations[position].client == operations[index].client {
      guard case .readZoneFeed(let zone, let isFromStart) = operations[position].call,
        zone == operations[index].call.zone, case .page(_, _, let moreComing)? = operations[position].result
      else { continue }
      if position > index, isFromStart { return nil }
      if !moreComing { return operations[position].end }
    }
    return nil
  }
}

extension HistoryOperation {
  /// The operation's save or deletion of a record.
  fileprivate func write(to record: String) -> HistoryWrite? {
    guard case .write(_, let writes) = call else { return nil }
    return writes.first { $0.record == record }
  }
}
