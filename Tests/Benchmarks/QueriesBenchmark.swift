import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Measures that the cost of a query depends on its results, not on the zone's size.
enum QueriesBenchmark: Benchmark {
  static let name = "queries"
  static let summary =
    "100 matches by a field of few records and of many; whole processes, against sqlite3 with an index"
  private static let matches = 100

  private struct Zone {
    var client: ZoneClient
    var size: Int
    /// The arguments of a separate process that queries the zone.
    var arguments: [String]

    init(_ name: ExactName, _ size: Int, in cloud: TemporaryCloud) throws {
      client = try ZoneClient.making(name, in: cloud)
      self.size = size
      arguments = [Worker.argument, Worker.Job.query.rawValue] + client.arguments(in: cloud) + ["\(matches)"]
      try client.fillGroups(0..<size, step: size / matches)
    }
  }

  static func run(_ options: Options) throws -> Findings {
    let cloud = try TemporaryCloud.forMeasuring()
    let small = try Zone("Small", 1_000, in: cloud)
    let large = try Zone("Large", options.size(100_000, quick: 5_000), in: cloud)
    var findings = Findings()
    // The first query builds the index.
    let first = try [large, small].map { zone in try milliseconds { try zone.client.find(expecting: matches) } }
    findings.figures.append(
      Figure(
        "the first query of \(large.size) records", .milliseconds, Samples([first[0]]),
        against: ("of \(small.size)", Samples([first[1]]))))
    findings.figures += try processes(small, large, options, &findings.notes)
    findings.figures.append(try memory(small, large))
    findings.figures.append(try bulk(cloud, options))
    return findings
  }

  private static func processes(
    _ small: Zone, _ large: Zone, _ options: Options, _ notes: inout [String]
  ) throws -> [Figure] {
    var sides = [large, small].map { zone in
      { try milliseconds { try expect(HostProcess.executablePath, zone.arguments + ["-"]) } }
    }
    if let sqlite = SQLite.tool {
      let database = try Leftovers.folder("queries").path + "/file.db"
      try fill(database, sqlite, large)
      // The rows are discarded; they would fill the terminal.
      let question = "select name, text, count from note where count = 0 limit 100;"
      sides.append {
        try milliseconds { try expect(sqlite, [database, "-cmd", ".output /dev/null", question]) }
      }
    } else {
      notes.append(SQLite.missing)
    }
    let times = try inRounds(options.size(60, quick: 5), sides)
    let name = "\(matches) matches of \(large.size), a process"
    var figures = [
      Figure(name, .milliseconds, times[0], against: ("of \(small.size)", times[1]), mark: .ratioAtMost(2))
    ]
    if times.count > 2 {
      figures.append(Figure(name, .milliseconds, times[0], against: ("sqlite3", times[2]), mark: .ratioAtMost(3)))
    }
    return figures
  }

  /// Fills a database with the same notes and an index.
  private static func fill(_ database: String, _ sqlite: String, _ zone: Zone) throws {
    try expect(sqlite, [database, SQLite.creation + "create index counts on note (count);"])
    let step = zone.size / matches
    for start in stride(from: 0, to: zone.size, by: 500) {
      let rows = (start..<min(start + 500, zone.size)).map { SQLite.insertion("note-\($0)", $0 % step == 0 ? 0 : $0) }
      try expect(sqlite, [database, "begin;" + rows.joined() + "commit;"])
    }
  }

  private static func memory(_ small: Zone, _ large: Zone) throws -> Figure {
    func peak(_ zone: Zone) throws -> Samples {
      try Samples(
        (0..<5).map { _ in
          let child = try ChildProcess(HostProcess.executablePath, zone.arguments + ["say"])
          let status = child.wait()
          guard status == 0, let bytes = Double(child.output.prefix { $0.isNumber }) else {
            throw UnexpectedResult(text: "the process that queries ended with \(status): \(child.errors)")
          }
          return bytes / 1e6
        })
    }
    return Figure(
      "peak memory of it", .megabytes, try peak(large), against: ("of \(small.size)", try peak(small)),
      mark: .ratioAtMost(1.1))
  }

  /// Compares saves in a zone with a used index with saves in a zone without one. Saves maintain keys only for queried
  /// fields.
  private static func bulk(_ cloud: TemporaryCloud, _ options: Options) throws -> Figure {
    let zones = try ["Asked", "Unasked"].map { try ZoneClient.making(ExactName($0), in: cloud) }
    for zone in zones { try zone.fillGroups(0..<400, step: 4) }
    try zones[0].find(expecting: matches)
    var ends = [400, 400]
    let batches = options.size(20, quick: 2)
    let rates = try inRounds(
      options.size(10, quick: 3),
      zones.indices.map { index in
        {
          let begin = ends[index]
          ends[index] += batches * ZoneClient.batch
          return try rate(of: batches * ZoneClient.batch) {
            try zones[index].fillGroups(begin..<ends[index], step: .max)
          }
        }
      })
    return Figure(
      "records saved with an index, \(batches) batches on end", .perSecond, rates[0], against: ("without", rates[1]))
  }
}
