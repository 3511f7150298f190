import Foundation
import LocalCloudCommands

/// Findings for people.
enum TablePrinter {
  static func header(_ machine: Machine) -> String {
    """
    LocalCloudKit's figures; \(machine.cores) cores, \(machine.disk) (\(machine.fileSystem)), \(machine.build) build
    Medians, with quartiles in brackets. Each ratio is to the figure beside it, taken in turns with it.

    """
  }

  static func text(_ result: BenchmarkResult) -> String {
    var text = "\n\(result.name): \(result.summary)\n"
    if !result.findings.figures.isEmpty {
      let table = Table(
        ["figure", "measured", "compared with", "ratio and mark"], rows: result.findings.figures.map(row))
      text += table.aligned().rendered(colored: false)
    }
    for note in result.findings.notes { text += "note: \(note)\n" }
    return text
  }

  private static func row(_ figure: Figure) -> [String] {
    let other = figure.comparison.map { "\($0.name): \(spread($0.samples, figure.unit))" } ?? "-"
    let ratio = figure.ratio.map { String(format: "ratio %.2f", $0) }
    let mark = figure.mark.map { $0.text + (figure.isMet == false ? " (missed)" : "") }
    let verdict = [ratio, mark].compactMap { $0 }
    return [
      figure.name, spread(figure.samples, figure.unit), other, verdict.isEmpty ? "-" : verdict.joined(separator: ", "),
    ]
  }

  static func spread(_ samples: Samples, _ unit: MeasuredUnit) -> String {
    let median = "\(unit.text(samples.median)) \(unit.rawValue)"
    guard samples.count > 1 else { return median }
    return median + " [\(unit.text(samples.lowerQuartile))–\(unit.text(samples.upperQuartile))]"
  }
}
