import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// A participant's feed of another account's zone: the logs of the accepted shares, merged by the zone's sequence, with
/// the account's own revocations. The feed of a zone-wide share is the zone's own log.
///
/// A token holds one sequence for all shares, and exceptions. A share that was accepted after that sequence is read
/// from the beginning of its log until it reaches the sequence of the others. Only a record's latest line in a share's
/// log is reported. A page may end among the records that were revoked at one sequence; the token then counts how many
/// of them were handled.
///
/// - Assumption: when a subtree enters a tree, or a second share is accepted, the feed lists the records as
///   modifications, also with a token from before, though they did not change. Records that leave the tree, or were in
///   a share that ended while others of the zone remain, are listed as deletions with record types.
/// - Assumption: tokens from before a participant joined again are `changeTokenExpired`.
struct SharedZoneFeed {
  let context: FeedContext
  private var view: ZoneView { context.view }

  init(_ context: FeedContext) { self.context = context }

  private struct Progress {
    /// The sequence up to which the share's log was read.
    var start: Int64
    /// The zone's sequence when reading of that log began. A record that had left the share before was never reported,
    /// so its removal need not be reported.
    var walkEnd: Int64
  }

  /// A candidate for a change in the page, before the check whether it is still current.
  private struct Event {
    var sequence: Int64
    var record: ExactName
    var type: String
    /// Nil: one of the account's revocations.
    var share: ExactName?
    var kind: ShareLine.Kind
    /// The number among the records revoked at this sequence, from 1; 0 for lines of a share's log: these are first.
    var ordinal = 0
  }

  /// The position of a token in the zone and in each share's log.
  private struct Position {
    var start: Int64 = 0
    /// The number of records revoked at `start` that were handled; nil: all.
    var seen: Int64?
    var walkEnd: Int64
    var progress: [ExactName: Progress] = [:]
  }

  /// A page, and the state that the next token is computed from.
  private struct Page {
    var changes = ZoneChanges(changed: [], deleted: [], token: "", moreComing: false)
    var reached: Int64
    /// The last revoked record that was handled, and the first event that was not.
    var passed: Event?
    var waiting: Event?
  }

  func page(_ token: OpaqueToken?, _ limit: Int, _ keys: [String]?) throws -> ZoneChanges {
    let access = try context.service.sharing.access(of: context.account, context.address, view)
    let position = try position(of: token, access.pointer)
    var page = try page(from: position, access, limit, keys)
    page.changes.token = try self.token(after: page, from: position, access.pointer)
    return page.changes
  }

  private func position(of token: OpaqueToken?, _ pointer: SharedZonePointer) throws -> Position {
    let head = try view.head()
    var position = Position(walkEnd: head)
    var exceptions: [SharedZonePointer.Grant: Progress] = [:]
    if let token {
      let properties = try view.properties()
      guard token["window"]?.string == pointer.incarnation, let sequence = token["sequence"]?.integer,
        sequence <= head, let history = token["history"]?.string,
        properties.includes(history, max(sequence, token["walkEnd"]?.integer ?? 0))
      else { throw ServiceError.tokenExpired }
      position.start = sequence
      position.walkEnd = token["walkEnd"]?.integer ?? 0
      guard max(position.start, position.walkEnd) >= pointer.forgotten else { throw ServiceError.tokenExpired }
      position.seen = token["revoked"]?.integer
      for (share, value) in token["exceptions"]?.object ?? [:] {
        // A share that was left and accepted again is another grant: its log is read from the beginning.
        guard let parts = value.array, parts.count == 3, let grant = parts[0].integer,
          let reached = parts[1].integer, let end = parts[2].integer
        else { continue }
        guard properties.includes(history, max(reached, end)) else { throw ServiceError.tokenExpired }
        exceptions[SharedZonePointer.Grant(share: ExactName(share), sequence: grant)] = Progress(
          start: reached, walkEnd: end)
      }
    }
    for grant in pointer.grants {
      let own =
        exceptions[grant]
        ?? (grant.sequence > position.start
          ? Progress(start: 0, walkEnd: head) : Progress(start: position.start, walkEnd: position.walkEnd))
      guard try max(own.start, own.walkEnd) >= view.forgotten(of: grant.share.loggedShare) else {
        throw ServiceError.tokenExpired
      }
      position.progress[grant.share] = own
    }
    return position
  }

  private func page(
    from position: Position, _ access: ParticipantAccess, _ limit: Int, _ keys: [String]?
  ) throws -> Page {
    let pointer = access.pointer
    let starts = position.progress.mapValues(\.start)
    var page = Page(reached: min(position.start, starts.values.min() ?? position.start))
    var reported: Set<ExactName> = []
    let events = try events(
      pointer, starts: starts, revokedAfter: position.start, seen: position.seen, limit: limit)
    for event in events.list {
      guard !reported.contains(event.record), let change = try change(event, pointer, access) else {
        // If they were not recorded, the next page would not know the last handled record of these revocations.
        if event.ordinal > 0 { (page.passed, page.reached) = (event, event.sequence) }
        continue
      }
      if page.changes.count == limit {
        page.changes.moreComing = true
        page.waiting = event
        return page
      }
      if event.ordinal > 0 { page.passed = event }
      reported.insert(event.record)
      page.reached = event.sequence
      switch change {
      case .changed(let stored):
        context.add(stored, keys, to: &page.changes)
      case .unreadable(let error):
        context.add(event.record, error, to: &page.changes)
      case .deleted:
        page.changes.deleted.append(context.deletion(event.record, type: event.type))
      }
    }
    page.changes.moreComing = events.end != nil
    page.reached = try events.end ?? view.head()
    return page
  }

  private func token(after page: Page, from position: Position, _ pointer: SharedZonePointer) throws -> String {
    var object = context.service.feeds.tokenBase("zone", .shared, context.account, context.caller)
    object["window"] = .string(pointer.incarnation)
    object["history"] = .string(try view.properties().history.id)
    let next = max(position.start, page.reached)
    object["sequence"] = .integer(next)
    if let passed = page.passed, passed.sequence == next {
      object["revoked"] = .integer(Int64(passed.ordinal))
    } else if next == position.start, let seen = position.seen {
      object["revoked"] = .integer(seen)
    } else if page.waiting?.sequence == next {
      object["revoked"] = 0
    }
    var later: JSONObject = [:]
    for grant in pointer.grants {
      // The next page would begin this share's log at `implied` without an exception, and must begin at `reached`.
      let implied = grant.sequence > next ? 0 : next
      let reached = max(position.progress[grant.share]?.start ?? 0, page.reached)
      if reached != implied {
        later[grant.share.string] = [
          .integer(grant.sequence), .integer(reached), .integer(position.progress[grant.share]?.walkEnd ?? 0),
        ]
      }
    }
    if next < position.walkEnd { object["walkEnd"] = .integer(position.walkEnd) }
    if !later.isEmpty { object["exceptions"] = .object(later) }
    return OpaqueToken.text(object)
  }

  private enum Change {
    case changed(StoredRecord)
    case unreadable(any Error)
    case deleted
  }

  /// The change to report for an event; nil if a later line reports it, or if there is nothing to report to this
  /// participant.
  private func change(_ event: Event, _ pointer: SharedZonePointer, _ access: ParticipantAccess) throws -> Change? {
    do { return try readableChange(event, pointer, access) } catch  where RecordService.concernsOneFile(error) {
      // The record or an ancestor of it can't be read, so only the share's log decides.
      let latest = try event.share.flatMap(\.loggedShare).map { try view.memberSequence(event.record, of: $0) }
      switch event.kind {
      case .inside: return latest.map { $0 == event.sequence } ?? true ? .unreadable(error) : nil
      case .outside: return latest.flatMap { $0 } == nil ? .deleted : nil
      }
    }
  }

  private func readableChange(_ event: Event, _ pointer: SharedZonePointer, _ access: ParticipantAccess) throws
    -> Change?
  {
    let stored = try view.record(event.record)
    let isVisible = try stored != nil && access.shows(event.record, view)
    switch event.kind {
    case .inside:
      guard isVisible, let stored, let share = event.share else { return nil }
      let latest = try share.loggedShare.map { try view.memberSequence(event.record, of: $0) } ?? stored.sequence
      return latest == event.sequence ? .changed(stored) : nil
    case .outside:
      return isVisible ? nil : .deleted
    }
  }

  /// The next events of all shares, in order. `end`: there may be more events after this sequence; nil: these are all.
  private func events(
    _ pointer: SharedZonePointer, starts: [ExactName: Int64], revokedAfter start: Int64, seen: Int64?, limit: Int
  ) throws -> (list: [Event], end: Int64?) {
    // This fills a page in most cases. Outdated removals can make a page shorter, but never wrong.
    let perShare = limit + 16
    var list: [Event] = []
    var end: Int64?
    for grant in pointer.grants {
      // Records that left the share before this account accepted it were never reported to it.
      let events = try view.events(
        of: grant.share.loggedShare, after: starts[grant.share] ?? 0, goneAfter: grant.sequence, limit: perShare)
      if let last = events.end { end = min(end ?? .max, last) }
      for event in events.list {
        let kind: ShareLine.Kind
        var type = ""
        switch event.kind {
        case .live: kind = .inside
        case .gone(let gone): (kind, type) = (.outside, gone)
        }
        list.append(Event(sequence: event.sequence, record: event.record, type: type, share: grant.share, kind: kind))
      }
    }
    var ordinals: [Int64: Int] = [:]
    for revocation in pointer.revocations
    where revocation.sequence > start || revocation.sequence == start && seen != nil {
      for (name, type) in revocation.records {
        let ordinal = (ordinals[revocation.sequence] ?? 0) + 1
        ordinals[revocation.sequence] = ordinal
        if revocation.sequence == start, let seen, Int64(ordinal) <= seen { continue }
        list.append(
          Event(sequence: revocation.sequence, record: name, type: type, share: nil, kind: .outside, ordinal: ordinal))
      }
    }
    if let end { list.removeAll { $0.sequence > end } }
    return (list.sorted { ($0.sequence, $0.ordinal) < ($1.sequence, $1.ordinal) }, end)
  }
}
