import Foundation

/// The texts of a figure in tables.
struct FigureCells {
  let measured: String
  /// The comparison. It, the ratio and the mark are nil if the figure has none.
  let comparison: String?
  let ratio: String?
  let mark: String?

  init(_ figure: Figure) {
    measured = Self.spread(figure.samples, figure.unit)
    comparison = figure.comparison.map { "\($0.name): \(Self.spread($0.samples, figure.unit))" }
    ratio = figure.ratio.map { String(format: "%.2f", $0) }
    mark = figure.mark.map { $0.text + (figure.isMet == false ? " (missed)" : "") }
  }

  private static func spread(_ samples: Samples, _ unit: MeasuredUnit) -> String {
    let median = "\(unit.text(samples.median)) \(unit.rawValue)"
    guard samples.count > 1 else { return median }
    return median + " [\(unit.text(samples.lowerQuartile))–\(unit.text(samples.upperQuartile))]"
  }
}

/// Prints findings as one markdown table, as the guide to performance has them.
enum MarkdownPrinter {
  static func header(_ machine: Machine) -> String {
    """
    \(machine.cores) cores, \(machine.disk) (\(machine.fileSystem)), \(machine.build) build; medians, with quartiles in brackets.

    | figure | measured | compared with | ratio | mark |
    |---|---|---|---|---|

    """
  }

  static func text(_ result: BenchmarkResult) -> String {
    result.findings.figures.map { figure in
      let cells = FigureCells(figure)
      let row = [
        "`\(result.name)`: \(figure.name)", cells.measured, cells.comparison, cells.ratio, cells.mark,
      ]
      return "| " + row.map { ($0 ?? "").replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }
}
