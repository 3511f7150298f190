import Platform
import TestSupport

/// `swift run -c release Stress [N]`: N rounds of many processes of several accounts on one zone, and one that is killed
/// again and again; ends with 1 if anything went wrong in any of them.
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
    if arguments.first == "turn-worker" {
      try TurnWorker(arguments: Array(arguments.dropFirst()))?.run()
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
    let isGood = try StressRounds(arguments: arguments, executable: HostProcess.executablePath)?
      .run { StandardStream.output.write($0) }
    HostProcess.exitNow(isGood == true ? 0 : isGood == false ? 1 : 64)
  }
}
