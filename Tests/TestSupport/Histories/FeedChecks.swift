import LocalCloudPlatform

/// The records that a client knows from the pages of a zone's feed.
struct ZoneFeedReplay {
  /// Values by record.
  var contents: [String: String] = [:]
  /// The latest start of a save in the feed, and its value.
  private var latest: (start: UInt64, value: String) = (0, "")

  /// Adds a changed record. Returns a problem if the feed has it behind a save that began after this one's end: the feed
  /// has changes in the order of their commits.
  mutating func add(_ version: HistoryVersion, savedFrom start: UInt64, to end: UInt64?) -> String? {
    contents[version.record] = version.value
    let before = latest
    if start >= latest.start { latest = (start, version.value ?? "") }
    guard let end, end < before.start else { return nil }
    return "the feed has \(before.value) before \(version.value ?? ""), which was saved earlier"
  }
}

/// Checks that feeds of databases list each zone with an acknowledged change since the page before.
struct DatabaseFeedCheck {
  private struct Change {
    /// The index of the operation.
    var index: Int
    var start: UInt64
    var end: UInt64
  }

  private struct FeedKey: Hashable {
    var client: Int
    var database: String
  }

  /// The pages of a feed that a client has read.
  private struct Replay {
    /// The end of the last page of the first round. It lists the existing zones.
    var start: UInt64
    var isInFirstRound = true
    /// The ends of the last pages with each zone.
    var listed: [String: UInt64] = [:]
  }

  private(set) var problems: [String] = []
  /// The times until which operations have taken effect, by index: at the end of a page that lists the zone of a
  /// change, if later pages do not list it again. A client that fetches the zone then has to get the change.
  private(set) var limits: [Int: UInt64] = [:]
  /// The acknowledged changes of each zone, by their ends.
  private var changes: [String: [Change]] = [:]

  /// - Parameter operations: in the order of their starts.
  init(_ operations: [HistoryOperation]) {
    for (index, operation) in operations.enumerated() where operation.isDone {
      guard let zone = operation.call.zone, let end = operation.end else { continue }
      switch operation.call {
      // The deletion of a missing record changes nothing.
      case .write(_, let writes) where writes.contains { $0.value != nil }: break
      case .createZone, .deleteZone: break
      default: continue
      }
      changes[zone, default: []].append(Change(index: index, start: operation.start, end: end))
    }
    changes = changes.mapValues { list in list.sorted { $0.end < $1.end } }
    var replays: [FeedKey: Replay] = [:]
    for operation in operations {
      guard case .readDatabaseFeed(let database, let zones, let isFromStart) = operation.call,
        case .databasePage(let listed, let moreComing)? = operation.result, let end = operation.end
      else { continue }
      let key = FeedKey(client: operation.client, database: database)
      var replay = isFromStart ? Replay(start: end) : replays[key] ?? Replay(start: end)
      if replay.isInFirstRound { replay.start = end }
      if !moreComing { replay.isInFirstRound = false }
      for zone in listed { replay.listed[zone] = end }
      replays[key] = replay
      if moreComing { continue }
      for zone in zones {
        check(zone, since: max(replay.start, replay.listed[zone] ?? 0), until: operation)
      }
    }
  }

  /// Checks the changes of a zone that ended after the last page that may have them, and before a page that does not
  /// list the zone.
  private mutating func check(_ zone: String, since known: UInt64, until page: HistoryOperation) {
    guard let changes = changes[zone] else { return }
    let first = changes.partitionIndex { $0.end > known }
    for change in changes[first...].prefix(while: { $0.end < page.start }) {
      if change.start > known {
        problems.append("\(page.text): the feed lacks \(zone), which was changed from \(change.start) on")
      } else {
        limits[change.index] = min(limits[change.index] ?? .max, known)
      }
    }
  }
}
