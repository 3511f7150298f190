import Platform
import TestSupport

/// `swift run -c release Stress`: many processes of several accounts on one zone, and one that is killed again and again.
/// `Stress worker …` is one of those processes. `Stress attack` stops, fails and cuts the power of single processes at
/// every call; `Stress hostile` puts garbage in the place of files, see ``HostileCommand``; `Stress crowd` lets people
/// share and leave at random, see ``CrowdCommand``; `Stress predicates` and `Stress schemas` spoil texts, see
/// ``MutationsCommand``.
@main
enum Stress {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "worker" {
      try await StressWorker(arguments: Array(arguments.dropFirst())).run()
      return
    }
    if arguments.first == "attack" {
      do {
        guard try AttackCommand(Array(arguments.dropFirst())).run() else { HostProcess.exitNow(1) }
      } catch {
        StandardStream.error.write("Stress attack: \(error.text)\n")
        HostProcess.exitNow(64)
      }
      return
    }
    if arguments.first == "long-lived" {
      try await LongLivedWorker(arguments: Array(arguments.dropFirst())).run()
      return
    }
    if arguments.first == "crowd-worker" {
      try CrowdWorker(arguments: Array(arguments.dropFirst()))?.run()
      return
    }
    if arguments.first == "crowd" {
      let isGood = try CrowdCommand(arguments: Array(arguments.dropFirst()))?.run()
      HostProcess.exitNow(isGood == true ? 0 : isGood == false ? 1 : 64)
    }
    if arguments.first == "hostile-worker" {
      try HostileWorker(arguments: Array(arguments.dropFirst()))?.run()
      return
    }
    if arguments.first == "hostile" {
      let isGood = try HostileCommand(arguments: Array(arguments.dropFirst()))?.run()
      HostProcess.exitNow(isGood == true ? 0 : isGood == false ? 1 : 64)
    }
    if let language = arguments.first.flatMap(MutationsCommand.Language.init) {
      let isGood = MutationsCommand(language, arguments: Array(arguments.dropFirst()))?.run()
      HostProcess.exitNow(isGood == true ? 0 : isGood == false ? 1 : 64)
    }
    let rounds = arguments.first.flatMap { Int($0) } ?? 1
    for round in 1...max(1, rounds) {
      for mode in [StressNames.Mode.singles, .batches] {
        let report = try StressRun(mode: mode, executable: HostProcess.executablePath).run()
        StandardStream.output.write("round \(round), \(mode.rawValue): \(report)\n")
      }
      let contest = try ContestRun(rounds: 40, executable: HostProcess.executablePath).run()
      StandardStream.output.write("round \(round), contests: \(contest.isEmpty ? "one winner each" : "\(contest)")\n")
      let report = try KillRun(kills: 200, executable: HostProcess.executablePath).run()
      StandardStream.output.write("round \(round), kills: \(report)\n")
    }
  }
}
