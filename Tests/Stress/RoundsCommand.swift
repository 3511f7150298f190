import LocalCloudPlatform
import TestSupport

/// `Stress [N]`: N rounds of many processes of several accounts on one zone, and of one process that is killed
/// repeatedly.
struct RoundsCommand: StressCommand {
  private let rounds: StressRounds

  init(_ arguments: [String]) throws(StressUsage) {
    guard let rounds = StressRounds(arguments: arguments, executable: HostProcess.executablePath) else {
      throw StressUsage("'\(arguments.joined(separator: " "))' is no command, and no number of rounds above 0")
    }
    self.rounds = rounds
  }

  func run() throws -> Bool { try rounds.run { StandardStream.output.write($0) } }
}
