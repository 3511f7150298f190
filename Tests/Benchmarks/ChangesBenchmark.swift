import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Measures that the cost of reading a feed depends on the changes, not on the zone's size or its history.
enum ChangesBenchmark: Benchmark {
  static let name = "changes"
  static let summary = "100 changes and whole walks, in a small zone, a large one and one that was rewritten often"
  private static let changed = 100
  private static let mark = Mark.ratioAtMost(1.5)

  private struct Zone {
    var client: ZoneClient
    var size: Int
    /// The change token before the last 100 changes.
    var token: String
  }

  static func run(_ options: Options) throws -> Findings {
    let cloud = try TemporaryCloud.forMeasuring()
    let size = 1_000
    let largeSize = options.size(100_000, quick: 5_000)
    let rewrites = options.size(200, quick: 10)
    let small = try zone("Small", size, in: cloud)
    let large = try zone("Large", largeSize, in: cloud)
    let rewritten = try zone("Rewritten", size, in: cloud, rewrites: rewrites)
    let zones = [small, large, rewritten]

    let changes = try inRounds(
      options.size(60, quick: 5),
      zones.map { zone in { try zone.client.timedWalk(since: zone.token, expecting: changed) } })
    let walks = try inRounds(
      options.size(7, quick: 3),
      zones.map { zone in
        {
          // A small zone is walked repeatedly, because a single walk is too short to measure.
          var (walks, time) = (0.0, 0.0)
          while time < 300 {
            time += try zone.client.timedWalk(expecting: zone.size)
            walks += 1
          }
          return time * 1000 / walks / Double(zone.size)
        }
      })
    var findings = Findings()
    for (index, name) in [(1, "\(largeSize) records"), (2, "\(size) records rewritten \(rewrites) times each")] {
      findings.figures.append(
        Figure(
          "\(changed) changes of \(name)", .milliseconds, changes[index], against: ("of \(size)", changes[0]),
          mark: mark))
      findings.figures.append(
        Figure("walk of \(name), a record", .microseconds, walks[index], against: ("of \(size)", walks[0]), mark: mark))
    }
    return findings
  }

  private static func zone(
    _ name: ExactName, _ size: Int, in cloud: TemporaryCloud, rewrites: Int = 0
  ) throws -> Zone {
    let client = try ZoneClient.making(name, in: cloud)
    try client.fill(0..<(size - changed))
    if rewrites > 0 {
      try client.fill((size - changed)..<size)
      try client.rewrite(size * rewrites, of: size)
    }
    let token = try client.walk().token
    // Saves new records, or overwrites existing ones if the zone was rewritten.
    try client.fill((size - changed)..<size, stamp: 1)
    return Zone(client: client, size: size, token: token)
  }
}
