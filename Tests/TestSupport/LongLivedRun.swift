import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Processes begin long-lived operations and exit at random moments, and other processes finish the operations. Every
/// persisted operation must be done exactly once, and all its results must be reported. After the end of each process,
/// no file may contain the records' encrypted values in readable form.
package struct LongLivedRun {
  package struct Report {
    package var problems: [String] = []
    /// Rounds in which the process exited before its operation was persisted; `resumed`: before it was finished;
    /// `completed`: after it was finished.
    package var unkept = 0
    package var resumed = 0
    package var completed = 0
  }

  package static let zone = "Long"
  private static let count = 12

  /// The names of the records that the operation of a round saves; `doomed(_:)` is the one that it deletes.
  package static func names(_ round: String) -> [String] { (0..<count).map { "n\(round)-\($0)" } }
  package static func doomed(_ round: String) -> String { "d\(round)" }

  /// The encrypted value of each record.
  package static let secret = "SECRET-4711-LONG-LIVED"

  let rounds: Int
  let executable: String
  let seed: UInt64

  package init(rounds: Int, executable: String, seed: UInt64 = UInt64(monotonicNanoseconds())) {
    self.rounds = rounds
    self.executable = executable
    self.seed = seed
  }

  package func run() throws -> Report {
    let cloud = try TemporaryCloud(accounts: ["alice"])
    defer { withExtendedLifetime(cloud) {} }
    let (service, alice) = (cloud.service, cloud.caller("alice"))
    let zone = ZoneIdentifier(name: ExactName(Self.zone))
    _ = try service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: alice).saves[0].get()
    var random = SeededGenerator(seed: seed)
    var report = Report()
    // The time grows on a slow disk: a process that exits before its operation is persisted tests little.
    var (longest, unkept) = (UInt64(12_000), 0)
    for number in 0..<rounds {
      let round = "\(number)"
      let save = RecordSave(id: RecordIdentifier(name: ExactName(Self.doomed(round)), zone: zone), type: "Note")
      _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: [save]), by: alice).saves[0]
        .get()
      let before = try lines(service).count
      let first = try run(cloud, ["long-lived", "begin", round, "\(random.next() % longest)"])
      report.problems += try exposures(in: cloud).map { "round \(round): \($0)" }
      // Sometimes the process that resumes the operation is killed too.
      if random.next() % 3 == 0 {
        try runAndKill(cloud, ["long-lived", "resume"], after: random.next() % 40_000)
        report.problems += try exposures(in: cloud).map { "round \(round): \($0)" }
      }
      let second = try run(cloud, ["long-lived", "resume"])
      let text =
        "seed \(seed), round \(round): began \(first.split(separator: "\n")), then \(second.split(separator: "\n"))"
      let changes = try lines(service).dropFirst(before)
      if let problem = problem(round, first, second, Array(changes)) { report.problems.append("\(problem); \(text)") }
      if changes.isEmpty {
        report.unkept += 1
      } else if second.contains("found") {
        report.resumed += 1
      } else {
        report.completed += 1
      }
      unkept = changes.isEmpty ? unkept + 1 : 0
      if unkept == 10 { (longest, unkept) = (longest * 2, 0) }
    }
    report.problems += try exposures(in: cloud)
    report.problems += try service.checks.check().map { "check: \($0.path): \($0.text)" }
    return report
  }

  /// The files that contain the secret in readable form, and the files that other users may read, although the
  /// processes' umask allows everything.
  private func exposures(in cloud: TemporaryCloud) throws -> [String] {
    try SecretSearch([Self.secret]).paths(below: cloud.path).map { "the secret is in \($0)" }
      + exposedDeviceFiles(in: cloud.path).map { "others can read \($0)" }
  }

  private func problem(_ round: String, _ first: String, _ second: String, _ changes: [ChangeLine]) -> String? {
    if !second.contains("nothing left") { return "not all was taken" }
    if second.contains("problem") || second.contains("failed") { return "something failed" }
    let isDone = !changes.isEmpty
    if first.contains("persisted") || second.contains("found"), !isDone { return "it was kept, and not done" }
    guard isDone else { return nil }
    let saved = changes.filter { $0.kind == .save }.map(\.record.string).sorted()
    if saved != Self.names(round).sorted() { return "not each record was saved once: \(saved)" }
    if changes.filter({ $0.kind == .delete }).map(\.record.string) != [Self.doomed(round)] { return "not deleted once" }
    if second.contains("found") {
      let expected = Self.names(round) + [Self.doomed(round), "whole"]
      let missing = expected.filter { !second.contains("\($0) ok\n") }
      if !missing.isEmpty { return "nobody was told of \(missing)" }
    }
    return nil
  }

  private func lines(_ service: CloudService) throws -> [ChangeLine] {
    let database = DatabasePath(
      container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"])
    guard let store = try service.cloud.zone(ZonePath(database: database, zone: ExactName(Self.zone))) else {
      return []
    }
    return try store.read(LockWaitPolicy()) { view in
      var lines: [ChangeLine] = []
      try view.forEachChange(after: 0) { line in
        lines.append(line)
        return true
      }
      return lines
    }
  }

  private func start(_ cloud: TemporaryCloud, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      "/bin/sh", ["-c", #"umask 000 && exec "$0" "$@""#, executable] + arguments,
      environment: [
        "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": "alice", "LOCALCLOUD_LOG": "on",
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container, "LOCALCLOUD_DEVICE": "", "LOCALCLOUD_ENVIRONMENT": "",
      ])
  }

  private func run(_ cloud: TemporaryCloud, _ arguments: [String]) throws -> String {
    let child = try start(cloud, arguments)
    _ = child.wait()
    return child.output + child.errors
  }

  private func runAndKill(_ cloud: TemporaryCloud, _ arguments: [String], after microseconds: UInt64) throws {
    let child = try start(cloud, arguments)
    pause(microseconds: microseconds)
    child.kill()
    _ = child.wait()
  }
}
