import LocalCloudStore
import TestSupport

/// Measures eight processes that save single records into one zone without pause.
enum ContentionBenchmark: Benchmark {
  static let name = "contention"
  static let summary = "8 processes, one zone, against 8 processes and one SQLite database"
  /// The longest wait allowed, as a multiple of the median.
  static let longestWait = 20.0
  private static let processes = 8

  /// One side of the comparison: its jobs and all its waits in milliseconds.
  private final class Side {
    let name: String
    /// The mark. The side with several people below a shared root has none, because the comparison has no counterpart.
    let mark: Mark?
    let jobs: (_ round: Int) -> [(Worker.Job, [String])]
    var round = 0
    var waits: [Double] = []

    init(_ name: String, mark: Mark? = nil, _ jobs: @escaping (_ round: Int) -> [(Worker.Job, [String])]) {
      self.name = name
      self.mark = mark
      self.jobs = jobs
    }
  }

  static func run(_ options: Options) throws -> Findings {
    var findings = Findings()
    let stage = try StressStage.forMeasuring()
    let folder = try Leftovers.folder("sqlite")
    let database = folder.path + "/notes.db"
    let accounts = ["alice", "bob", "carol"]
    var sides = [
      Side("one person", mark: .ratioAtLeast(0.5)) { round in
        jobs(.save, round) { _ in ZoneClient.sharing(stage, as: "alice").arguments(in: stage.cloud) + ["-"] }
      },
      Side("three people, below a shared root") { round in
        jobs(.save, round) { number in
          ZoneClient.sharing(stage, as: accounts[number % 3]).arguments(in: stage.cloud) + [StressNames.root]
        }
      },
    ]
    if let connection = try SQLite.open(database) {
      try connection.run(SQLite.creation)
      sides.append(Side("SQLite") { round in jobs(.insert, round) { _ in [database] } })
    } else {
      findings.notes.append("comparison skipped: " + SQLite.missing)
    }

    let group = try WorkerGroup()
    let seconds = options.quick ? 0.5 : 3
    let rates = try inRounds(
      options.size(7, quick: 2),
      sides.map { side in
        {
          let reports = try group.run(side.jobs(side.round), seconds: seconds)
          side.round += 1
          side.waits += reports.flatMap(\.waits)
          return reports.map(\.rate).reduce(0, +)
        }
      })
    let theirs = sides.count > 2 ? (sides[2].name, rates[2]) : nil
    for (side, rate) in zip(sides, rates).prefix(2) {
      findings.figures.append(Figure("saves, " + side.name, .perSecond, rate, against: theirs, mark: side.mark))
      findings.figures.append(waitFigure("longest wait, " + side.name, side.waits))
    }
    if let last = sides.dropFirst(2).first {
      findings.figures.append(waitFigure("longest wait, " + last.name, last.waits, isOurs: false))
    }
    return findings
  }

  /// The jobs of one round. Their record names must differ from those of other rounds.
  private static func jobs(
    _ job: Worker.Job, _ round: Int, _ arguments: (Int) -> [String]
  ) -> [(Worker.Job, [String])] {
    let side = job == .save ? arguments(0).last ?? "" : ""
    let offset = (side == "-" ? 0 : 50) + round * 100
    return (0..<processes).map { (job, arguments($0) + ["\(offset + $0)"]) }
  }

  static func waitFigure(_ name: String, _ waits: [Double], isOurs: Bool = true) -> Figure {
    let all = Samples(waits)
    return Figure(
      name, .milliseconds, Samples([all.largest]), against: ("median of \(all.count)", all),
      mark: isOurs ? .ratioAtMost(longestWait) : nil)
  }
}
