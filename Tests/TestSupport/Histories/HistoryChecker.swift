/// Checks a recorded history of a cloud: each zone is linearizable, and each feed is complete and in order.
///
/// A zone is a set of registers, one a record. A batch, a fetch and a page of the zone's feed are one operation each: the
/// service does them under the zone's lock. Every save has a value of its own, so that each result names the saves that
/// it shows. A feed's completeness is a question of linearizability, too: its pages up to one without others to come,
/// put together, are the whole zone at the instant of the last of them.
package struct HistoryChecker {
  private var operations: [HistoryOperation]
  private var names: [String: ZoneNames] = [:]
  /// The requests that saved each value.
  private var saves: [SaveKey: HistoryOperation] = [:]
  /// The saves that results show.
  private var shown: Set<SaveKey> = []
  private var problems: [String] = []

  private struct SaveKey: Hashable {
    var zone: String
    var record: String
    var value: String
  }

  /// Numbers of the records and values of a zone.
  private struct ZoneNames {
    var records: [String: Int] = [:]
    var values: [String: Int] = [:]

    mutating func add(record: String, _ value: String?) {
      records[record] = records[record] ?? records.count
      if let value { values[value] = values[value] ?? values.count + 1 }
    }

    func version(_ record: String, _ value: String?) -> (Int, Int) {
      (records[record] ?? 0, value.map { values[$0] ?? 0 } ?? 0)
    }
  }

  /// Returns the problems of a history; none: it is correct. At first each zone exists and is empty.
  package static func problems(in operations: [HistoryOperation]) -> [String] {
    var checker = HistoryChecker(operations)
    checker.checkVersions()
    checker.checkZones()
    return checker.problems
  }

  private init(_ operations: [HistoryOperation]) {
    self.operations = operations.sorted { ($0.start, $0.client) < ($1.start, $1.client) }
    let feeds = DatabaseFeedCheck(self.operations)
    problems = feeds.problems
    for (index, limit) in feeds.limits { self.operations[index].end = limit }
    for operation in self.operations {
      guard let zone = operation.call.zone else { continue }
      if case .write(_, let writes) = operation.call {
        for write in writes {
          names[zone, default: ZoneNames()].add(record: write.record, write.value)
          if let value = write.value { saves[SaveKey(zone: zone, record: write.record, value: value)] = operation }
        }
      }
      for version in operation.versions { names[zone, default: ZoneNames()].add(record: version.record, version.value) }
    }
  }

  // MARK: Versions

  /// Checks that each value in a result was saved, and that no change tag belongs to two values.
  private mutating func checkVersions() {
    var tags: [SaveKey: String] = [:]
    for operation in operations {
      guard let zone = operation.call.zone else { continue }
      for version in operation.versions {
        guard let value = version.value else { continue }
        let key = SaveKey(zone: zone, record: version.record, value: value)
        if saves[key] == nil { problems.append("\(operation.text): no request saved \(value) in \(version.record)") }
        shown.insert(key)
        guard let tag = version.tag else { continue }
        let tagKey = SaveKey(zone: zone, record: version.record, value: tag)
        if let other = tags.updateValue(value, forKey: tagKey), other != value {
          problems.append("\(operation.text): the tag \(tag) of \(version.record) belongs to \(other) and \(value)")
        }
      }
    }
  }

  // MARK: Zones

  private mutating func checkZones() {
    var zones: [String: [ZoneOperation]] = [:]
    var feeds: [FeedKey: ZoneFeedReplay] = [:]
    for operation in operations {
      guard let zone = operation.call.zone, let names = names[zone] else { continue }
      var page: [HistoryVersion]?
      if case .readZoneFeed(_, let isFromStart) = operation.call,
        case .page(let changed, let deleted, let moreComing)? = operation.result
      {
        let key = FeedKey(client: operation.client, zone: zone)
        var replay = isFromStart ? ZoneFeedReplay() : feeds[key] ?? ZoneFeedReplay()
        for version in changed {
          guard let value = version.value,
            let save = saves[SaveKey(zone: zone, record: version.record, value: value)]
          else { continue }
          if let problem = replay.add(version, savedFrom: save.start, to: save.end) {
            problems.append("\(operation.text): \(problem)")
          }
        }
        for record in deleted { replay.contents[record] = nil }
        feeds[key] = replay
        page =
          moreComing
          ? changed + deleted.map { HistoryVersion($0, nil) }
          : names.records.keys.map { HistoryVersion($0, replay.contents[$0]) }
      }
      if let operation = zoneOperation(operation, names, page: page) { zones[zone, default: []].append(operation) }
    }
    for (zone, operations) in zones.sorted(by: { $0.key < $1.key }) {
      var linearizer = ZoneLinearizer(operations, records: names[zone]?.records.count ?? 0)
      if let problem = linearizer.problem() { problems.append("zone \(zone): \(problem)") }
    }
  }

  private struct FeedKey: Hashable {
    var client: Int
    var zone: String
  }

  /// - Parameter page: the records that the operation's page of the feed shows.
  /// - Returns: nil for an operation that shows nothing and has no effect.
  private mutating func zoneOperation(
    _ operation: HistoryOperation, _ names: ZoneNames, page: [HistoryVersion]?
  ) -> ZoneOperation? {
    var result = ZoneOperation(start: operation.start, end: operation.end, text: operation.text)
    result.isOptional = operation.isUncertain
    func need(_ versions: [HistoryVersion]) {
      result.needsZone = true
      for version in versions {
        let (record, value) = names.version(version.record, version.value)
        result.needs[record] = value
      }
    }
    if case .refused(let code, let seen)? = operation.result {
      if code == "zoneNotFound" {
        result.needsZone = false
      } else if seen.isEmpty {
        if code == "serverRecordChanged" { problems.append("\(operation.text): a conflict without the cloud's record") }
        return nil
      } else {
        need(seen)
        checkConflicts(operation, seen)
      }
      return result
    }
    switch operation.call {
    case .write(let zone, let writes):
      // A save that no result shows can be left out: had it taken effect, no request would have found its value.
      let isHidden = writes.allSatisfy { write in
        write.value.map { !shown.contains(SaveKey(zone: zone, record: write.record, value: $0)) } ?? false
      }
      if operation.isUncertain, isHidden { return nil }
      if case .done(let versions)? = operation.result {
        let saved = writes.filter { $0.value != nil }.map { [$0.record, $0.value ?? ""] }
        if Set(versions.map { [$0.record, $0.value ?? ""] }) != Set(saved) {
          problems.append("\(operation.text): the answer has other records than the save")
        }
      }
      result.needsZone = true
      for write in writes {
        let (record, value) = names.version(write.record, write.value)
        result.sets[record] = value
        switch write.condition {
        case .none: break
        case .absent: result.needs[record] = 0
        case .unchanged(let value): result.needs[record] = names.values[value] ?? -1
        }
      }
    case .read:
      guard case .done(let versions)? = operation.result else { return nil }
      need(versions)
    case .readZoneFeed:
      guard let page else { return nil }
      need(page)
    case .createZone: result.zoneEffect = .create
    case .deleteZone: (result.needsZone, result.zoneEffect) = (true, .delete)
    case .readDatabaseFeed: return nil
    }
    return result
  }

  /// Checks that a refusal shows no record that meets the save's condition.
  private mutating func checkConflicts(_ operation: HistoryOperation, _ seen: [HistoryVersion]) {
    guard case .write(_, let writes) = operation.call else { return }
    for version in seen {
      let isMet = writes.contains { $0.record == version.record && $0.condition.isMet(by: version.value) }
      if isMet { problems.append("\(operation.text): a conflict, though \(version.record) meets the save's condition") }
    }
  }
}

extension HistoryWrite.Condition {
  /// - Parameter value: the record's value before the save; nil: it does not exist.
  fileprivate func isMet(by value: String?) -> Bool {
    switch self {
    case .none: true
    case .absent: value == nil
    case .unchanged(let expected): value == expected
    }
  }
}

extension HistoryOperation {
  /// The records that the result shows.
  fileprivate var versions: [HistoryVersion] {
    switch result {
    case .done(let versions)?: versions
    case .page(let changed, let deleted, _)?: changed + deleted.map { HistoryVersion($0, nil) }
    case .refused(_, let seen)?: seen
    case .databasePage?, .lost?, .unknown?, nil: []
    }
  }

  var text: String {
    let outcome = result.map { "\($0)" } ?? "killed"
    return "client \(client), \(start) to \(end.map(String.init) ?? "ever"): \(call): \(outcome)"
  }
}
