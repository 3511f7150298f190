import LocalCloudStorage

/// An event that a feed may have to report: a record at its latest line, or a removal.
package struct FeedEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case live
    case gone(type: String)
  }

  package var sequence: Int64
  package var record: ExactName
  package var kind: Kind
}

extension ZoneView {
  /// The events that a feed may have to report after a sequence, in order. O(events returned), for any number of
  /// earlier writes. A removal says that the record was removed at that time; the record may exist again.
  ///
  /// - Parameters:
  ///   - share: the share of the feed; nil for the zone's own feed.
  ///   - start: the last sequence that the caller has read.
  ///   - goneAfter: removals up to this sequence are omitted, except those of records that `device` had made.
  ///   - device: the name of a device; nil to make no exception.
  ///   - limit: the number of live records, and the number of removals, after which the list may end.
  /// - Returns: the events, and the sequence up to which they are complete; nil if no events follow them.
  package func events(
    of share: ExactName?, after start: Int64, goneAfter: Int64 = 0, madeBy device: String? = nil, limit: Int
  ) throws -> (list: [FeedEvent], end: Int64?) {
    var result = try scan(IndexKey.live(share), after: start, through: .max, isLive: true, limit)
    func add(_ more: (list: [FeedEvent], end: Int64?)) {
      result.list += more.list
      if let end = more.end { result.end = min(end, result.end ?? .max) }
    }
    add(try scan(IndexKey.gone(share), after: max(start, goneAfter), through: .max, isLive: false, limit))
    if let device, start < goneAfter {
      add(try scan(IndexKey.gone(by: device), after: start, through: goneAfter, isLive: false, limit))
    }
    if let end = result.end { result.list.removeAll { $0.sequence > end } }
    result.list.sort { $0.sequence < $1.sequence }
    return result
  }

  private func scan(
    _ prefix: [UInt8], after start: Int64, through last: Int64, isLive: Bool, _ limit: Int
  ) throws -> (list: [FeedEvent], end: Int64?) {
    var list: [FeedEvent] = []
    var end: Int64?
    try self.scan(prefix: prefix, from: IndexKey.after(start, in: prefix)) { key in
      guard let (sequence, record, type) = IndexKey.event(in: key, after: prefix), sequence <= last else {
        return false
      }
      // Events of one sequence stay together.
      if list.count >= limit, let before = list.last?.sequence, before < sequence {
        end = before
        return false
      }
      list.append(FeedEvent(sequence: sequence, record: record, kind: isLive ? .live : .gone(type: type)))
      return true
    }
    return (list, end)
  }

  /// The sequence of the last removal that the feed has forgotten. A reader that has read less far has to start over.
  package func forgotten(of share: ExactName?) throws -> Int64 {
    let log =
      try share.map { try LogFile.open(FileName.encode($0.string) + ".jsonl", in: zone.shares) }
      ?? LogFile.open("changes.jsonl", in: zone.directory)
    return try log?.header().forgotten ?? 0
  }
}
