import TestSupport

/// Measures six processes that fetch changes without pause while one process saves.
enum ReadersBenchmark: Benchmark {
  static let name = "readers"
  static let summary = "a writer beside 6 processes that fetch changes in a loop"

  static func run(_ options: Options) throws -> Findings {
    let stage = try StressStage.forMeasuring()
    let accounts = ["alice", "bob", "carol"]
    func arguments(_ account: String) -> [String] {
      ZoneClient.sharing(stage, as: account).arguments(in: stage.cloud)
    }
    let readers = (0..<6).map { (Worker.Job.read, arguments(accounts[$0 % 3])) }
    var (alone, beside, reads): ([Double], [Double], [Double]) = ([], [], [])
    var round = 0
    func writer() -> (Worker.Job, [String]) {
      round += 1
      return (.save, arguments("alice") + [StressNames.root, "\(round)"])
    }
    let group = try WorkerGroup()
    let seconds = options.quick ? 0.5 : 3
    let rates = try inRounds(
      options.size(5, quick: 2),
      [
        {
          let reports = try group.run([writer()] + readers, seconds: seconds)
          beside += reports[0].waits
          reads += reports.dropFirst().flatMap(\.waits)
          return reports[0].rate
        },
        {
          let reports = try group.run([writer()], seconds: seconds)
          alone += reports[0].waits
          return reports[0].rate
        },
      ])
    return Findings(figures: [
      ContentionBenchmark.waitFigure("longest wait of the writer", beside),
      ContentionBenchmark.waitFigure("longest wait of a writer without readers", alone, isOurs: false),
      Figure("saves beside readers", .perSecond, rates[0], against: ("without readers", rates[1])),
      ContentionBenchmark.waitFigure("longest wait of a reader", reads, isOurs: false),
    ])
  }
}
