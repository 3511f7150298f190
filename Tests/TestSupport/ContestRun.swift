import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Processes of two accounts save changes of the same record. Exactly one must succeed. The error of the other one
/// contains the ancestor, the server record and its own record.
package struct ContestRun {
  let rounds: Int
  let executable: String

  package init(rounds: Int, executable: String) {
    self.rounds = rounds
    self.executable = executable
  }

  /// Runs the rounds. Returns the problems.
  package func run() throws -> [String] {
    let stage = try StressStage()
    let zone = ZoneIdentifier(name: ExactName(StressNames.zone))
    let id = RecordIdentifier(name: ExactName(StressNames.contested), zone: zone)
    let alice = stage.cloud.caller("alice")
    var problems: [String] = []
    for round in 0..<rounds {
      let before = Int64(1000 + round)
      let save = RecordSave(
        id: id, type: "Item", fields: ["winner": .int64(before)],
        parent: .set(ExactName(StressNames.root), zone: nil))
      _ = try stage.service.records.modifyRecords(
        ModifyRecordsRequest(scope: .private, saves: [save], policy: .allKeys), by: alice
      ).saves[0].get()
      let barrier = try stage.barrier()
      let children = try ["alice", "bob"].enumerated().map { number, account in
        try stage.worker(executable, account: account, .contest, number, 1)
      }
      for child in children where !child.waitForOutput("ready", seconds: 60) {
        problems.append("round \(round): a process did not start: \(child.errors)")
      }
      barrier.unlock()
      for child in children where child.wait() != 0 { problems.append("round \(round): \(child.errors)") }
      let said = children.map { $0.output.split(separator: "\n").last.map(String.init) ?? "" }
      guard
        case .int64(let winner)? = try stage.service.records.fetchRecords(
          FetchRecordsRequest(scope: .private, records: [id]), by: alice)[0].get().fields["winner"],
        winner == 0 || winner == 1
      else {
        problems.append("round \(round): nobody won: \(said)")
        continue
      }
      let (first, second) = (said[Int(winner)], said[1 - Int(winner)])
      if first != "won" || second != "lost \(before) \(winner) \(1 - winner)" {
        problems.append("round \(round): \(said)")
      }
    }
    return problems
  }
}
