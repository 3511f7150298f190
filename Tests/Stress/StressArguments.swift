import LocalCloudPlatform
import TestSupport

/// The arguments of a command that have not been read yet.
struct StressArguments {
  private var rest: ArraySlice<String>

  init(_ arguments: [String]) { rest = arguments[...] }

  mutating func next() -> String? { rest.popFirst() }

  /// Reads the value of an option.
  mutating func number(_ option: String) throws(StressUsage) -> UInt64 {
    guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { throw StressUsage("\(option) wants a number") }
    return number
  }

  /// Reads the first argument if it is a number that is not negative.
  mutating func leadingNumber() -> Int? {
    guard let number = rest.first.flatMap({ Int($0) }), number >= 0 else { return nil }
    rest.removeFirst()
    return number
  }
}

/// A command of the program.
protocol StressCommand {
  /// Runs the command. Returns whether it found no problems.
  func run() async throws -> Bool
}

extension StressCommand {
  /// Runs random steps and reports progress. It prints the seed first, so that a run that never ends can be repeated.
  func recordScenario(
    seed: UInt64, _ run: (@escaping @Sendable (ScenarioReport) -> Void) async throws -> ScenarioReport
  ) async throws -> Bool {
    let begin = monotonicNanoseconds()
    StandardStream.output.write("seed \(seed)\n")
    let report = try await run { StandardStream.error.write("\($0)\n") }
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty
  }
}

/// Thrown for invalid arguments.
struct StressUsage: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
