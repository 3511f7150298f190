import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import TestSupport

/// A process of ``HistoryRun``: a client of the cloud that records its random requests.
///
/// It reads the number of requests to make, one a line, from standard input, and writes a line after each request. A
/// line that starts with `!` reports an error that no request may have. On `end` it reads all feeds to their ends.
struct HistoryWorker {
  private let account: String
  private let client: Int
  private let requests: HistoryRequests
  private let recorder: HistoryRecorder
  private let zones: [HistoryZone]
  private var random: SeededGenerator
  private var number = 0
  /// The records that the client has seen last.
  private var known: [HistoryZone: [String: HistoryVersion]] = [:]
  private var tokens: [String: String] = [:]

  /// Parses the cloud's path, the account, Alice's user record name, the client's number, the seed, and the folder of
  /// the histories.
  init?(arguments: [String]) throws {
    guard arguments.count == 6, let client = Int(arguments[3]), let seed = UInt64(arguments[4]) else { return nil }
    (account, self.client) = (arguments[1], client)
    random = SeededGenerator(seed: seed &+ UInt64(client) &* 0x9E37_79B9)
    requests = try HistoryRequests(root: arguments[0], account: account, alice: arguments[2])
    recorder = try HistoryRecorder(client: client, in: arguments[5])
    zones = HistoryZone.allCases.filter { [account = arguments[1]] in $0.isVisible(to: account) }
  }

  mutating func run() throws {
    while let line = readLine() {
      if let count = Int(line) {
        for _ in 0..<count {
          try step()
          StandardStream.output.write("done\n")
        }
      } else if line == "end" {
        try finish()
        StandardStream.output.write("ended\n")
      }
    }
  }

  private mutating func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  // MARK: Requests

  private mutating func step() throws {
    // Half of the requests meet in the zone of all accounts.
    let zone = number(below: 2) == 0 ? .shared : zones[number(below: zones.count)]
    switch number(below: 100) {
    case ..<34: try write(zone, count: 1, isForced: false)
    case ..<44: try write(zone, count: 1, isForced: true)
    case ..<64: try write(zone, count: 2 + number(below: 3), isForced: number(below: 3) == 0)
    case ..<78: try read(zone, HistoryZone.records.shuffled(using: &random).prefix(1 + number(below: 4)).sorted())
    case ..<94: try readFeed(zone)
    case ..<98: try readDatabaseFeed(number(below: 2) == 0 ? .private : .shared)
    default:
      if zones.contains(.fleeting) { try changeZone() } else { try readFeed(zone) }
    }
  }

  private mutating func write(_ zone: HistoryZone, count: Int, isForced: Bool) throws {
    number += 1
    let value = "\(client)-\(number)"
    let writes = HistoryZone.records.shuffled(using: &random).prefix(count).map { record in
      if number(below: 4) == 0 { return HistoryWrite(record, nil) }
      let seen = known[zone]?[record]?.value
      return HistoryWrite(record, value, isForced ? .none : seen.map { .unchanged($0) } ?? .absent)
    }
    let tags = (known[zone] ?? [:]).compactMapValues(\.tag)
    let result = try record(.write(zone: zone.rawValue, writes)) {
      requests.write(zone, writes, isForced: isForced, tags: tags)
    }
    if case .done = result {
      for write in writes where write.value == nil { known[zone]?[write.record] = nil }
    }
    learn(result, in: zone)
  }

  private mutating func read(_ zone: HistoryZone, _ records: [String]) throws {
    learn(
      try record(.read(zone: zone.rawValue, records: records)) { requests.read(zone, records) }, in: zone)
  }

  /// Reads a page. Returns whether the client knows all of the zone.
  @discardableResult
  private mutating func readFeed(_ zone: HistoryZone) throws -> Bool {
    let token = tokens[zone.rawValue]
    var next: String?
    let result = try record(.readZoneFeed(zone: zone.rawValue, isFromStart: token == nil)) {
      requests.readFeed(zone, since: token, next: &next)
    }
    return accept(result, next, of: zone.rawValue)
  }

  @discardableResult
  private mutating func readDatabaseFeed(_ scope: DatabaseScope) throws -> Bool {
    let database = "\(account)/\(scope.name)"
    let listed = zones.filter { $0.scope(for: account) == scope }.map(\.rawValue)
    let token = tokens[database]
    var next: String?
    let result = try record(.readDatabaseFeed(database: database, zones: listed, isFromStart: token == nil)) {
      requests.readDatabaseFeed(scope, since: token, next: &next)
    }
    return accept(result, next, of: database)
  }

  private mutating func changeZone() throws {
    let zone = HistoryZone.fleeting
    let isDeletion = number(below: 2) == 0
    if isDeletion { known[zone] = nil }
    try record(isDeletion ? .deleteZone(zone.rawValue) : .createZone(zone.rawValue)) {
      requests.changeZone(zone, isDeletion: isDeletion)
    }
  }

  /// Reads all feeds to their ends, and then all records.
  private mutating func finish() throws {
    for scope in [DatabaseScope.private, .shared] { try readToEnd { try $0.readDatabaseFeed(scope) } }
    for zone in zones {
      try readToEnd { try $0.readFeed(zone) }
      try read(zone, HistoryZone.records)
    }
  }

  /// A page covers a limited part of the log. It is empty if that part has only outdated lines.
  private mutating func readToEnd(_ readPage: (inout HistoryWorker) throws -> Bool) throws {
    for _ in 0..<100_000 where try readPage(&self) { return }
    StandardStream.output.write("! client \(client): a feed has no end\n")
  }

  // MARK: Results

  @discardableResult
  private func record(_ call: HistoryCall, _ body: () -> HistoryAnswer) throws -> HistoryResult {
    var result = HistoryResult.unknown
    var trouble: String?
    try recorder.record(call) {
      let answer = body()
      (result, trouble) = (answer.result, answer.trouble)
      return result
    }
    if let trouble { StandardStream.output.write("! client \(client): \(call): \(trouble)\n") }
    return result
  }

  private mutating func learn(_ result: HistoryResult, in zone: HistoryZone) {
    guard let versions = result.shownRecords else { return }
    for version in versions { known[zone, default: [:]][version.record] = version.value == nil ? nil : version }
  }

  /// Keeps the token after a page. Returns whether the feed has ended, or has none because its zone does not exist.
  private mutating func accept(_ result: HistoryResult, _ next: String?, of feed: String) -> Bool {
    switch result {
    case .page(_, _, let moreComing), .databasePage(_, let moreComing):
      tokens[feed] = next
      return !moreComing
    case .refused("changeTokenExpired", _):
      tokens[feed] = nil
      return false
    case .refused(let code, _): return code == "zoneNotFound"
    default: return false
    }
  }
}

extension HistoryResult {
  /// The present versions of the records in the result of a write or a fetch.
  fileprivate var shownRecords: [HistoryVersion]? {
    switch self {
    case .done(let versions), .refused(_, let versions): versions
    default: nil
    }
  }
}
