import FaultInjection
import LocalCloudPlatform
import TestSupport

/// `Stress faults`: injects a fault at every call of every kind of commit. Prints a table and all failures; progress
/// goes to standard error.
struct FaultRunCommand: StressCommand {
  private var scale = FaultRunScale.long(seed: UInt64(monotonicNanoseconds() % 1_000_000))
  private var kinds: [FaultRunKind] = []
  private var threads = 2

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--seed": scale.seed = try arguments.number(argument)
      case "--subsets": scale.subsets = Int(clamping: try arguments.number(argument))
      case "--threads": threads = max(1, Int(clamping: try arguments.number(argument)))
      case "--short": scale = .short(seed: scale.seed)
      default:
        guard let kind = FaultRunKind.named(argument) else {
          let names = FaultRunKind.all.map { "  \($0.name)" }.joined(separator: "\n")
          throw StressUsage("no kind of commit is called '\(argument)'; there are\n\(names)")
        }
        kinds.append(kind)
      }
    }
    if kinds.isEmpty { kinds = FaultRunKind.all }
  }

  /// Runs the command. Returns whether there were no failures.
  func run() -> Bool {
    let next = Counter()
    let reports = ThreadCondition([Int: FaultRunReport]())
    let (kinds, scale) = (kinds, scale)
    for _ in 0..<threads {
      startThread {
        while let kind = kinds.dropFirst(Int(next.next()) - 1).first {
          let report = Self.faultRun(kind, scale)
          reports.change { $0[kinds.firstIndex { $0.name == kind.name } ?? 0] = report }
        }
      }
    }
    StandardStream.output.write("seed \(scale.seed)\n\(Self.line("kind", Self.columns.map(\.name)))\n")
    var total = FaultRunReport()
    for index in kinds.indices {
      guard let report = reports.wait(seconds: 1e6, { $0[index] }) else { continue }
      StandardStream.output.write(Self.line(kinds[index].name, Self.columns.map { "\($0.value(report))" }) + "\n")
      for failure in report.failures { StandardStream.output.write("  \(kinds[index]): \(failure)\n") }
      let calls = total.calls + report.calls
      total += report
      total.calls = calls
    }
    StandardStream.output.write(Self.line("all", Self.columns.map { "\($0.value(total))" }) + "\n")
    return total.failures.isEmpty
  }

  private static func faultRun(_ kind: FaultRunKind, _ scale: FaultRunScale) -> FaultRunReport {
    let start = monotonicNanoseconds()
    var report = FaultRunReport()
    do {
      let faultRun = try FaultRun(kind, scale)
      for part in [faultRun.kills, faultRun.cuts, faultRun.errors] {
        report += try part()
        let seconds = (monotonicNanoseconds() - start) / 1_000_000_000
        StandardStream.error.write(
          "\(kind): \(report.cases) cases, \(report.failures.count) failures, \(seconds) s\n")
      }
    } catch {
      report.failures.append("\(error)")
    }
    return report
  }

  // MARK: The table

  private struct Column: Sendable {
    var name: String
    var value: @Sendable (FaultRunReport) -> Int

    init(_ name: String, _ value: @escaping @Sendable (FaultRunReport) -> Int) {
      self.name = name
      self.value = value
    }
  }

  private static let columns = [
    Column("calls") { $0.calls }, Column("kills") { $0.kills }, Column("2nd kills") { $0.secondKills },
    Column("power cuts") { $0.cuts }, Column("2nd cuts") { $0.secondCuts }, Column("errors") { $0.errors },
    Column("writers") { $0.writers }, Column("2nd errors") { $0.secondErrors }, Column("lost syncs") { $0.lostSyncs },
    Column("repeated") { $0.repeated }, Column("before") { $0.before }, Column("after") { $0.after },
    Column("failures") { $0.failures.count },
  ]

  private static func line(_ kind: String, _ cells: [String]) -> String {
    func pad(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) }
    return kind + pad(kind, 24) + cells.map { " " + pad($0, 10) + $0 }.joined()
  }
}
