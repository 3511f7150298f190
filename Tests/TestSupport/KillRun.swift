import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Kills writers at random moments while others continue. All acknowledged saves must be there, complete.
package struct KillRun {
  package struct Report: CustomStringConvertible {
    package var problems: [String] = []
    package var kills = 0
    package var acknowledged = 0

    package var description: String {
      let text = "\(kills) kills, \(acknowledged) acknowledged batches"
      return problems.isEmpty ? text : text + "\n  " + problems.joined(separator: "\n  ")
    }
  }

  let kills: Int
  let executable: String
  let seed: UInt64

  package init(kills: Int, executable: String, seed: UInt64 = UInt64(monotonicNanoseconds())) {
    self.kills = kills
    self.executable = executable
    self.seed = seed
  }

  package func run() throws -> Report {
    let stage = try StressStage()
    var report = Report()
    var random = SeededGenerator(seed: seed)
    // Creates the barrier and opens it.
    try stage.barrier().unlock()
    // Background load: one writer that runs until the last round.
    let load = try stage.worker(executable, account: "bob", .singles, 100, 1_000_000)
    defer {
      load.kill()
      _ = load.wait()
    }
    for round in 0..<kills {
      // Two victims at once, each with its own batches.
      let victims = try (0..<2).map { number in
        try stage.worker(executable, account: number == 0 ? "alice" : "carol", .batches, number, 1_000_000)
      }
      for victim in victims where !victim.waitForOutput("ready", seconds: 60) {
        report.problems.append("round \(round): a process did not start: \(victim.errors)")
      }
      pause(microseconds: 500 + random.next() % 120_000)
      for victim in victims { victim.kill() }
      for (number, victim) in victims.enumerated() {
        _ = victim.wait()
        report.kills += 1
        let acknowledged = lastSaved(victim.output)
        report.acknowledged += acknowledged
        if !victim.errors.isEmpty { report.problems.append("round \(round): \(victim.errors)") }
        try verify(stage, number, acknowledged, round, &report)
      }
      if report.problems.count > 20 || report.kills >= kills { break }
    }
    load.kill()
    let acknowledged = lastSaved(load.output)
    try verifyLoad(stage, acknowledged, &report)
    report.problems += try stage.service.checks.check().map { "check: \($0.path): \($0.text)" }
    if !report.problems.isEmpty { report.problems.append("seed \(seed)") }
    return report
  }

  private func lastSaved(_ output: String) -> Int {
    // A last line without a line break may be incomplete.
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.last { $0.hasPrefix("saved ") }.flatMap { Int($0.dropFirst("saved ".count)) } ?? 0
  }

  /// Checks that all records of the batch have the same stamp: the last acknowledged one or the next one.
  private func verify(
    _ stage: StressStage, _ writer: Int, _ acknowledged: Int, _ round: Int, _ report: inout Report
  ) throws {
    let zone = ZoneIdentifier(name: ExactName(StressNames.zone))
    let names = StressNames.batch(writer).map { ExactName($0) }
    let records = try stage.service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: names.map { RecordIdentifier(name: $0, zone: zone) }),
      by: stage.cloud.caller("alice"))
    var stamps: [Int64?] = []
    for result in records {
      guard case .success(let record) = result, case .int64(let stamp)? = record.fields["stamp"] else {
        stamps.append(nil)
        continue
      }
      stamps.append(stamp)
    }
    if Set(stamps).count > 1 { report.problems.append("round \(round): half a batch of writer \(writer): \(stamps)") }
    guard acknowledged > 0 else { return }
    guard let stamp = stamps.first.flatMap({ $0 }), stamp == Int64(acknowledged) || stamp == Int64(acknowledged) + 1
    else {
      report.problems.append("round \(round): writer \(writer) was told \(acknowledged), the cloud has \(stamps)")
      return
    }
  }

  private func verifyLoad(_ stage: StressStage, _ acknowledged: Int, _ report: inout Report) throws {
    let zone = ZoneIdentifier(name: ExactName(StressNames.zone))
    for start in stride(from: 0, through: acknowledged, by: 400) {
      let names = (start...min(start + 399, acknowledged)).map { ExactName(StressNames.single(100, $0)) }
      let records = try stage.service.records.fetchRecords(
        FetchRecordsRequest(scope: .private, records: names.map { RecordIdentifier(name: $0, zone: zone) }),
        by: stage.cloud.caller("alice"))
      for (name, result) in zip(names, records) {
        if case .failure(let error) = result { report.problems.append("acknowledged \(name): \(error.message)") }
      }
    }
  }
}
