import LocalCloudPlatform
import LocalCloudStore
import TestSupport

/// Measures full batches of new records. The measured time includes encoding and the journal.
enum BulkBenchmark: Benchmark {
  static let name = "bulk"
  static let summary = "batches of 400 new records against a loop that only writes 400 files and syncs once"

  static func run(_ options: Options) throws -> Findings {
    var findings = Findings()
    findings.figures += try rates(options)
    findings.figures.append(try memory(options))
    return findings
  }

  private static func rates(_ options: Options) throws -> [Figure] {
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Notes", in: cloud)
    let limit = try LimitLoop(try contentsOfOneBatch(cloud))
    let fileSystem = try Leftovers.folder("settle")
    let syncFile = try fileSystem.directory.createFile("file")
    // A round is long enough to include checkpoints.
    let batches = options.size(20, quick: 2)
    var number = 0
    var (ourBatches, limitBatches): ([Double], [Double]) = ([], [])

    func runRound(_ times: inout [Double], _ batch: () throws -> Void) throws -> Double {
      // Syncs the file system, so that neither side pays for unwritten data of the other.
      try syncFile.syncFileSystem()
      return try rate(of: batches * ZoneClient.batch) {
        for _ in 0..<batches { times.append(try milliseconds(batch)) }
      }
    }
    let rates = try inRounds(
      options.size(10, quick: 3),
      [
        {
          try runRound(&ourBatches) {
            try client.fill(number..<(number + ZoneClient.batch))
            number += ZoneClient.batch
          }
        },
        { try runRound(&limitBatches) { try limit.writeBatch() } },
      ])
    return [
      Figure(
        "records, \(batches) batches on end", .perSecond, rates[0], against: ("limit loop", rates[1]),
        mark: .ratioAtLeast(0.6)),
      Figure(
        "one batch", .milliseconds, Samples(ourBatches), against: ("limit loop", Samples(limitBatches))),
    ]
  }

  /// The contents of the record files of one batch.
  private static func contentsOfOneBatch(_ cloud: TemporaryCloud) throws -> [[UInt8]] {
    let client = try ZoneClient.making("Sizes", in: cloud)
    try client.fill(0..<ZoneClient.batch)
    let folder = try Directory.open(path: client.folder(in: cloud) + "/records", in: FileSystem())
    return try folder.entries().compactMap { try folder.contents($0.name) }
  }

  private static func memory(_ options: Options) throws -> Figure {
    let count = options.size(100_000, quick: 2_000)
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Notes", in: cloud)
    let child = try ChildProcess(
      HostProcess.executablePath,
      [Worker.argument, Worker.Job.bulk.rawValue] + client.arguments(in: cloud) + ["\(count)"])
    let status = child.wait()
    guard status == 0, let bytes = Double(child.output.prefix { $0.isNumber }) else {
      throw UnexpectedResult(text: "the process that saves \(count) records ended with \(status): \(child.errors)")
    }
    return Figure(
      "peak memory of saving \(count) records", .megabytes, Samples([bytes / 1e6]), mark: .valueBelow(150))
  }
}
