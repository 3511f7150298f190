import LocalCloudPlatform
import TestSupport

/// `Stress mutants`: plants small faults in a copy of the package's sources, one at a time, and reports those that no
/// test detects. Run it in the package's folder. It succeeds if at most one fault in twenty is undetected, all suites
/// pass without a fault, and the requested number of faults was planted.
struct MutantsCommand: StressCommand {
  static let floors = [
    "Storage", "CloudStore", "DeviceStore", "CloudModel", "CloudService", "CloudKit", "LocalCloudCommands",
  ]

  private var count = 40
  private var seed = UInt64(monotonicNanoseconds() % 1_000_000)
  private var threads = 2
  private var floors: [String] = []
  private var copy = HostProcess.workingDirectory + "/.build/mutants"

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--count": count = Int(clamping: try arguments.number(argument))
      case "--seed": seed = try arguments.number(argument)
      case "--threads": threads = max(1, Int(clamping: try arguments.number(argument)))
      case "--copy":
        guard let path = arguments.next() else { throw StressUsage("--copy wants a folder") }
        copy = path
      default:
        guard !argument.hasPrefix("-") else { throw StressUsage("mutants has no option '\(argument)'") }
        floors.append(argument)
      }
    }
    if floors.isEmpty { floors = Self.floors }
    guard count > 0, count <= Mutant.most / 2 else { throw StressUsage("--count wants 1 to \(Mutant.most / 2)") }
  }

  func run() throws -> Bool {
    let begin = monotonicNanoseconds()
    StandardStream.output.write("seed \(seed)\n")
    let say: @Sendable (String) -> Void = { StandardStream.error.write($0) }
    let report = try MutantRun(
      scratch: MutantScratch(package: HostProcess.workingDirectory, copy: copy), floors: floors, count: count,
      seed: seed, threads: threads, harmless: .known, say: say
    ).run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    let isWhole = report.flaws.isEmpty && report.results.count == count
    return isWhole && report.unnoticed.count * 20 <= report.results.count
  }
}
