import LocalCloudStore
import TestSupport

/// Measures that changes of other records cost a participant with ten visible records nothing.
enum ViewerBenchmark: Benchmark {
  static let name = "viewer"
  static let summary = "what a participant with 10 records pays for changes that are not theirs"

  static func run(_ options: Options) throws -> Findings {
    let counts = [1_000, options.size(100_000, quick: 5_000)]
    var viewers: [(stage: StressStage, client: ZoneClient, token: String)] = []
    for count in counts {
      let stage = try StressStage.forMeasuring()
      let (alice, bob) = (ZoneClient.sharing(stage, as: "alice"), ZoneClient.sharing(stage, as: "bob"))
      let shared = (1..<10).map { alice.note("shared-\($0)", 0, under: StressNames.root) }
      try alice.save(shared)
      let token = try bob.walk().token
      try alice.fill(0..<count)
      try alice.save([alice.note("shared-1", 1)], policy: .allKeys)
      viewers.append((stage, bob, token))
    }
    let times = try inRounds(
      options.size(60, quick: 5),
      viewers.map { viewer in { try viewer.client.timedWalk(since: viewer.token, expecting: 1) } })
    return Findings(figures: [
      Figure(
        "1 change of 10 records, \(counts[1]) foreign ones", .milliseconds, times[1],
        against: ("\(counts[0]) foreign ones", times[0]), mark: .ratioAtMost(1.5))
    ])
  }
}
