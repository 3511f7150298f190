import LocalCloudPlatform
import LocalCloudStorage
import TestSupport

/// Measures `CKSyncEngine`: its processor time without work, its rate and memory with many pending saves, and the time
/// from a pending save to the event on another device.
enum EngineBenchmark: Benchmark {
  static let name = "engine"
  static let summary = "CKSyncEngine without work, with 10,000 pending saves, and between two devices"

  static func run(_ options: Options) throws -> Findings {
    var findings = Findings()
    findings.figures.append(try idle(options))
    findings.figures.append(try rates(options))
    findings.figures += try memory(options)
    findings.figures.append(try delays(options))
    return findings
  }

  // MARK: Without work

  private static func idle(_ options: Options) throws -> Figure {
    let cloud = try TemporaryCloud.forMeasuring()
    let seconds = options.size(10, quick: 1)
    let used = try AwaitBenchmark.processorTime(of: .engine, arguments(.idle, seconds, cloud), seconds: seconds)
    return Figure(
      "processor time of an engine without work, \(seconds) s", .milliseconds, used, mark: .valueBelow(10))
  }

  // MARK: Many pending saves

  /// Each save is of a new record in a new zone. The engine and the plain requests have the same batches.
  private static func rates(_ options: Options) throws -> Figure {
    let count = options.size(10_000, quick: 800)
    let cloud = try TemporaryCloud.forMeasuring()
    let device = try EngineDevice("phone", root: cloud.path, automatically: false)
    let syncFile = try Leftovers.folder("settle").directory.createFile("file")
    var zones = 0

    func newZone() throws -> String {
      zones += 1
      _ = try ZoneClient.making(ExactName("Notes-\(zones)"), in: cloud)
      // Neither side pays for unwritten data of the other.
      try syncFile.syncFileSystem()
      return "Notes-\(zones)"
    }
    let rates = try inRounds(
      options.size(5, quick: 1),
      [
        {
          device.add(0..<count, in: try newZone())
          return try rate(of: count) { try device.send() }
        },
        {
          let zone = try newZone()
          return try rate(of: count) { try device.saveWithoutEngine(count, in: zone) }
        },
      ])
    return Figure(
      "\(count) pending saves sent", .perSecond, rates[0], against: ("modifyRecords", rates[1]),
      mark: .ratioAtLeast(0.5))
  }

  /// The peak memory of processes that send pending saves, beside those that only add them.
  private static func memory(_ options: Options) throws -> [Figure] {
    try [options.size(10_000, quick: 800), options.size(40_000, quick: 1_600)].map { count in
      let peaks = try inRounds(
        options.size(3, quick: 1), [{ try peakMemory(of: .send, count) }, { try peakMemory(of: .add, count) }])
      return Figure(
        "peak memory of sending \(count) pending saves", .megabytes, peaks[0], against: ("of adding them", peaks[1]),
        mark: .ratioAtMost(2))
    }
  }

  private static func peakMemory(of job: EngineWorker.Job, _ count: Int) throws -> Double {
    let cloud = try TemporaryCloud.forMeasuring()
    _ = try ZoneClient.making(ExactName(EngineDevice.zone), in: cloud)
    let child = try ChildProcess(
      HostProcess.executablePath, [Worker.argument, Worker.Job.engine.rawValue] + arguments(job, count, cloud))
    let status = child.wait()
    guard status == 0, let bytes = Double(child.output.prefix { $0.isNumber }) else {
      throw UnexpectedResult(text: "the process with \(count) pending saves ended with \(status): \(child.errors)")
    }
    return bytes / 1e6
  }

  // MARK: Two devices

  /// The engines work at once, without the scheduler's delay. The time begins before the sender is notified to add the
  /// save.
  private static func delays(_ options: Options) throws -> Figure {
    let cloud = try TemporaryCloud.forMeasuring()
    _ = try ZoneClient.making(ExactName(EngineDevice.zone), in: cloud)
    let variables = ["LOCALCLOUD_SYNC_DELAY": "0"]
    let receiver = try WorkerGroup.started(.engine, arguments(.receive, 0, cloud), environment: variables)
    defer { receiver.kill() }
    let sender = try WorkerGroup.started(
      .engine, arguments(.write, 0, cloud), environment: variables, hasInput: true)
    defer { sender.kill() }
    let log = try WatchedLog("sent")
    defer { log.watcher.kill() }
    let delays = try inRounds(
      options.size(300, quick: 20),
      [
        {
          try PushBenchmark.delay(to: receiver) {
            guard sender.send("add") else { throw UnexpectedResult(text: "the sender ended: \(sender.errors)") }
          }
        },
        { try log.append() },
      ])
    return Figure(
      "from a pending save to the event on another device, without the scheduler's delay", .milliseconds, delays[0],
      against: ("append to watcher", delays[1]), mark: .valueBelow(50))
  }

  private static func arguments(_ job: EngineWorker.Job, _ number: Int, _ cloud: TemporaryCloud) -> [String] {
    [job.rawValue, cloud.path, "\(number)"]
  }
}
