import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Measures how soon a wait for a record ends, and the processor time of one that does not.
enum AwaitBenchmark: Benchmark {
  static let name = "await"
  static let summary = "from a save to the end of another process's wait for it, and the processor time of a wait"

  static func run(_ options: Options) throws -> Findings {
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Awaited", in: cloud)
    let waiter = try WorkerGroup.started(.wait, client.arguments(in: cloud))
    let log = try WatchedLog("awaited")
    defer { for child in [waiter, log.watcher] { child.kill() } }
    var number = 0
    let delays = try inRounds(
      options.size(300, quick: 20),
      [
        {
          number += 1
          return try PushBenchmark.delay(to: waiter) { try client.save([client.note("note-\(number)", number)]) }
        },
        { try log.append() },
      ])
    waiter.kill()
    let seconds = options.size(10, quick: 1)
    let used = try processorTime(of: .idle, client.arguments(in: cloud) + ["\(seconds)"], seconds: seconds)
    return Findings(figures: [
      Figure(
        "from the save to the end of the wait", .milliseconds, delays[0], against: ("append to watcher", delays[1]),
        mark: .valueBelow(20)),
      Figure("processor time of a wait of \(seconds) s", .milliseconds, used, mark: .valueBelow(10)),
    ])
  }

  /// Waits for a record that does not come. Prints the processor time that passed after the first look.
  static func idle(_ client: ZoneClient, _ seconds: Double) throws {
    _ = try client.wait(for: "none", seconds: 0)
    try printProcessorTime { _ = try client.wait(for: "none", seconds: seconds) }
  }

  /// The milliseconds of processor time that a worker prints after a wait of `seconds`.
  static func processorTime(of job: Worker.Job, _ arguments: [String], seconds: Int) throws -> Samples {
    let worker = try WorkerGroup.started(job, arguments)
    guard let used = worker.nextLine(seconds: Double(seconds) + 120).flatMap({ Double($0) }) else {
      throw UnexpectedResult(text: "the wait did not end: \(worker.errors)")
    }
    return Samples([used])
  }

  /// The end of such a worker: prints that it is ready, and then the processor time of this process during `wait`.
  static func printProcessorTime(of wait: () throws -> Void) throws {
    StandardStream.output.write(WorkerGroup.ready + "\n")
    let before = HostProcess.processorMilliseconds
    try wait()
    StandardStream.output.write("\(HostProcess.processorMilliseconds - before)\n")
  }
}

extension ZoneClient {
  /// Waits for a record. Returns nil if the time is up.
  func wait(for name: String, seconds: Double) throws -> Record? {
    let record = RecordIdentifier(name: ExactName(name), zone: zone)
    let outcome = try ChangeWait().run(seconds: seconds) {
      try service.watchedFolders(of: [.zone(zone, scope)], by: caller)
    } until: { () throws -> Record? in
      let request = FetchRecordsRequest(scope: scope, records: [record])
      return try? service.records.fetchRecords(request, by: caller)[0].get()
    }
    return if case .met(let record) = outcome { record } else { nil }
  }
}
