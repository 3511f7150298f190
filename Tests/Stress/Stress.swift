import LocalCloudPlatform
import TestSupport

/// `swift run -c release Stress …`: the long forms of the tests; see ``help``. The exit status is 0 on success, 1 if
/// problems were found, 64 for invalid arguments, and 70 if the run itself failed.
@main
enum Stress {
  private static let help = """
    Stress [N]                N rounds of many processes on one zone, and one that is killed again and again; 1
    Stress faults [kind …]    each kind of commit is stopped, failed and cut from power at every call
      --seed N                the choice that is made of power cuts
      --subsets N             so many choices of what a power cut leaves, at each call; 50
      --threads N             so many kinds at once; 2
      --short                 what the tests do
    Stress corruption         files with mutated or random content in the place of ours
      --count N  --seed N     100000 files
    Stress model              people who share, join, move records and leave at random
      --steps N  --seed N     1000 steps
      --together N            so many of them act at once, 1 to 4; 1
      --fault NAME            one of \(ModelFault.allCases.map(\.rawValue).joined(separator: ", ")): it must fail
    Stress histories          processes that are killed at random; their recorded histories have to be linearizable
      --kills N  --seed N     1000 kills
      --processes N           so many processes at once; 8
      --plant NAME            one of \(HistoryPlant.allCases.map(\.rawValue).joined(separator: ", ")): it must fail
      --keep                  leave the histories
    Stress graph              Core Data in several processes, contexts and stores, against a reference
      --steps N  --seed N     20000 steps
    Stress sync               mirrored stores on the devices of several people, against the cloud
      --steps N  --seed N     2000 steps
      --keep                  leave the devices' files
    Stress engine             apps with sync engines on the devices of two people, against the cloud
      --steps N  --seed N     5000 steps
      --keep                  leave the devices' files
      --calm                  engines rest while another account signs in
      --keep-zones            no zone and no share ends, and the cloud is not restored
    Stress predicates [N]     mutated texts for the parser of predicates; 5000000
    Stress schemas [N]        mutated texts for the parser of schemas; 5000000
      --seed N

    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if try await runWorker(arguments) { return }
    if arguments.contains("--help") || arguments.contains("-h") {
      StandardStream.output.write(help)
      return
    }
    do {
      HostProcess.exitNow(try await command(arguments).run() ? 0 : 1)
    } catch let usage as StressUsage {
      StandardStream.error.write("Stress: error: \(usage.text)\n'Stress --help' says what there is.\n")
      HostProcess.exitNow(64)
    } catch {
      StandardStream.error.write("Stress: error: \(error)\n")
      HostProcess.exitNow(70)
    }
  }

  private static func command(_ arguments: [String]) throws(StressUsage) -> any StressCommand {
    let rest = StressArguments(Array(arguments.dropFirst()))
    switch arguments.first {
    case "faults": return try FaultRunCommand(rest)
    case "corruption": return try CorruptionCommand(rest)
    case "model": return try ModelCommand(rest)
    case "histories": return try HistoryStressCommand(rest)
    case "graph": return try GraphStressCommand(rest)
    case "sync": return try SyncStressCommand(rest)
    case "engine": return try EngineStressCommand(rest)
    case "predicates": return try MutationsCommand(.predicates, rest)
    case "schemas": return try MutationsCommand(.schemas, rest)
    default: return try RoundsCommand(arguments)
    }
  }

  /// Runs a worker process that a command started. Returns false if the arguments do not name one.
  private static func runWorker(_ arguments: [String]) async throws -> Bool {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "worker": try await StressWorker(arguments: rest).run()
    case "long-lived": try await LongLivedWorker(arguments: rest).run()
    case "fork-worker": try ForkWorker(arguments: rest)?.run()
    case "turn-worker": try LockWorker(arguments: rest)?.run()
    case "model-worker": try await ModelWorker(arguments: rest)?.run()
    case "history-worker":
      var worker = try HistoryWorker(arguments: rest)
      try worker?.run()
    case "graph-worker": try await GraphWorker(arguments: rest)?.run()
    case "sync-worker": try await SyncWorker(arguments: rest)?.run()
    case "engine-worker": try await EngineWorker(arguments: rest)?.run()
    case "corruption-worker": try CorruptionWorker(arguments: rest)?.run()
    default: return false
    }
    return true
  }
}
